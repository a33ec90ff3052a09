"""Planning an experiment: which tasks, which arms, how many trials, and what they could find, all before it runs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from reach_tui.agents.kind import KINDS
from reach_tui.core.condition import Condition, Setup, differing
from reach_tui.core.draws import derive
from reach_tui.core.errors import UsageError
from reach_tui.core.experiment import ExperimentPlan, Factor, Placebo, Rules, SmallestEffects
from reach_tui.core.faults import Fault
from reach_tui.core.reasons import PlanReason, Reason
from reach_tui.core.records import from_json
from reach_tui.core.run import Arm
from reach_tui.core.task import Task
from reach_tui.core.verdicts import PlaceboMode
from reach_tui.counterfactual.edits import Edit, edited, with_part
from reach_tui.counterfactual.estimate import estimate
from reach_tui.counterfactual.leakage import leaks
from reach_tui.counterfactual.pairs import TaskResult, mean_rate
from reach_tui.counterfactual.power import noticeable_breakage, smallest_change_within, smallest_effect
from reach_tui.counterfactual.subset import Subset, choose, results_of
from reach_tui.counterfactual.verdict import REPEATS_WITHIN
from reach_tui.harness.execute import can_be_made
from reach_tui.harness.plan import RunPlan
from reach_tui.metrics.exact import minimum_informative
from reach_tui.sandbox.registry import find_sandbox
from reach_tui.store.rows import RunRow
from reach_tui.store.run_queue import load_plan
from reach_tui.store.runs import find_run
from reach_tui.store.store import Store
from reach_tui.store.trials import trials_of
from reach_tui.suites.sham import placebo_for, sham_text

REPEATS, REPEATS_OF_FEW, FEW = 3, 5, 20
"""Default repeats, and those of fewer than 20 tasks."""
MOST_REPEATS = 1000
FROM_START, WHEN_NEEDED, NEVER = "from_start", "when_needed", "never"
PRIMARY_METRIC = "pass rate of the chosen tasks"


@dataclass(frozen=True, slots=True)
class BranchRequest:
    """What a person asks for. All `edits` are made and must come to one factor.

    `failing`, `only` and `keys` say which tasks (see `subset.choose`; without any: the failing ones). `repeat` None is
    the default for that many tasks. `seed` fixes the experiment's noise; it is never that
    of the parent. `passing` is the size of the second stratum (None: automatic).
    """

    parent: str
    edits: Sequence[Edit]
    failing: bool = False
    only: str | None = None
    keys: Sequence[str] | None = None
    repeat: int | None = None
    seed: str | None = None
    placebo: PlaceboMode = "auto"
    passing: int | None = None
    rules: Rules = field(default_factory=Rules)
    concurrency: int | None = None


def setups(plan: ExperimentPlan, control: Setup) -> dict[Arm, Setup]:
    """The setups of all arms, from the control's."""
    return {
        "control": control,
        "branch": with_part(control, plan.factor.part, plan.factor.after),
        "placebo": with_part(control, plan.placebo.part, plan.placebo.text),
    }


def placebo_by_design(plan: ExperimentPlan) -> bool:
    """Whether a text changes on tasks chosen because they failed."""
    return needs_placebo_by_design(plan.factor, plan.all_failed)


def needs_placebo_by_design(factor: Factor, all_failed: bool) -> bool:
    """Any wording changes what an agent does; on tasks that failed, that alone looks like a gain."""
    return factor.is_text and all_failed


def plan_branch(store: Store, request: BranchRequest) -> ExperimentPlan:
    """The plan of an experiment on a run's tasks. Nothing is written.

    UsageError where the run cannot be branched (unknown, imported, not one trial), where no task is left, where the
    edits come to no factor or to several, or where no chosen task ever sees the changed part.
    """
    parent = find_run(store, request.parent)
    run_plan = plan_of(store, parent)
    setup = run_plan.setup
    _same_world(setup, parent)
    facts = run_plan.facts or KINDS.find(setup.agent).facts(setup)
    branched, factor = edited(setup, request.edits, facts)
    can_be_made(branched, run_plan.connection)
    rules = _checked(request.rules)
    base_seed = _base_seed(request.seed, run_plan.base_seed)
    tasks = [planned.task for planned in run_plan.tasks]
    trials = trials_of(store, parent.id)
    results = {key: result for key, result in results_of(trials).items() if result.counted}
    subset = choose(
        tasks,
        results,
        parent.name,
        failing=request.failing,
        only=request.only,
        keys=request.keys,
        passing=request.passing,
        seed=base_seed,
    )
    # Tasks that did not all fail can get worse: then a fall is what is asked about, and no reason to stop early.
    rules = replace(rules, harm_asked=rules.harm_asked or not subset.all_failed)
    repeats = _repeats(request.repeat, len(subset.chosen.tasks))
    placebo = _placebo(request.placebo, setup, factor, base_seed, subset.all_failed)
    chosen = [task for task in tasks if task.key in set(subset.chosen.tasks)]
    seen_by = _seen_by(factor, chosen)
    strata = [key for stratum in (subset.chosen, subset.passing) if stratum for key in stratum.tasks]
    arms = [*[(key, 2) for key in strata], *[(key, 1) for key in subset.chosen.tasks if placebo.when == "from_start"]]
    plan = ExperimentPlan(
        parent_uid=parent.uid,
        parent_name=parent.name,
        suite=run_plan.suite,
        agent=setup.agent,
        factor=factor,
        chosen=subset.chosen,
        passing=subset.passing,
        all_failed=subset.all_failed,
        repeats=repeats,
        base_seed=base_seed,
        placebo=placebo,
        rules=rules,
        trials=2 * len(strata) * repeats,
        placebo_trials=len(subset.chosen.tasks) * repeats,
        estimate=estimate(trials, [(key, times * repeats) for key, times in arms]),
        smallest=_smallest(subset, results, repeats, rules),
        warnings=(),
        concurrency=request.concurrency or run_plan.concurrency,
        measures=None if run_plan.facts is None else run_plan.facts.measures,
    )
    leaked = leaks(factor.before, factor.after, tasks) if factor.is_text else ()
    warnings = _warnings(plan, results, seen_by, leaked)
    if parent.status in ("queued", "running", "paused"):
        warnings.append(Reason("parent_unfinished", {"run": parent.name, "status": parent.status}))
    return replace(plan, warnings=tuple(warnings))


def plan_of(store: Store, run: RunRow) -> RunPlan:
    """How a run was executed. UsageError for one that nobody can execute again."""
    body = load_plan(store, run.uid)
    if "setup" not in body or "tasks" not in body:
        raise UsageError(
            f"run {run.uid} ({run.name}) came from elsewhere and holds no plan: it cannot be re-run",
            hint="branch a run that `reach run` made",
        )
    return RunPlan.of(body)


def _same_world(setup: Setup, parent: RunRow) -> None:
    """UsageError where the sandbox is no longer the one that the parent ran in: arms would not be comparable to it."""
    family = find_sandbox(str(setup.sandbox["name"]))
    if family.digest != setup.sandbox.get("digest"):
        raise UsageError(
            f"the sandbox {family.name} has changed since run {parent.uid} was made",
            hint="run the suite again, and branch from that run",
        )


def _checked(rules: Rules) -> Rules:
    for name, value in (("alpha", rules.alpha), ("smallest effect of interest", rules.margin)):
        if not 0 < value < 1:
            raise UsageError(f"{name} must lie between 0 and 1, not {value:g}", hint="10 points are 0.10")
    return rules


def _base_seed(seed: str | None, parents: str) -> str:
    """A seed of the experiment's own: with the parent's, the trials that chose the tasks would be evidence for them."""
    own = derive(os.urandom(16).hex() if seed is None else str(seed), "experiment")
    return own if own != parents else derive(own, "experiment")


def _repeats(asked: int | None, tasks: int) -> int:
    if asked is None:
        return REPEATS_OF_FEW if tasks < FEW else REPEATS
    if not 1 <= asked <= MOST_REPEATS:
        raise UsageError(f"{asked} repeats cannot be run", hint=f"give a number from 1 to {MOST_REPEATS}")
    return asked


def _placebo(mode: PlaceboMode, setup: Setup, factor: Factor, seed: str, all_failed: bool) -> Placebo:
    if mode not in get_args(PlaceboMode):
        raise UsageError(f"no placebo mode {mode!r}", hint="one of " + ", ".join(get_args(PlaceboMode)))
    if factor.is_text:
        # A neutral text can come out as the very edit that is to be tried: then another one is drawn.
        texts = (placebo_for(str(factor.before), str(factor.after), derive(seed, "placebo", i)) for i in range(20))
        part, text = (
            factor.part,
            next((candidate for candidate in texts if candidate not in (factor.after, factor.before)), factor.after),
        )
    else:
        # A model has no neutral twin; a neutral sentence in the prompt shows what any edit does.
        part, text = "/prompt", sham_text(setup.prompt, seed)
    by_design = needs_placebo_by_design(factor, all_failed)
    if mode != "off" and (
        text == factor.after or not differing(Condition(setup), Condition(with_part(setup, part, text)))
    ):
        raise UsageError("no neutral edit could be made of this text", hint="change the text, or say --placebo off")
    if mode == "auto":
        return Placebo(part, text, "from_start" if by_design else "when_needed")
    return Placebo(part, text, "from_start" if mode == "on" else "never")


def _seen_by(factor: Factor, tasks: Sequence[Task]) -> int:
    """How many tasks can see the changed part; UsageError where none can."""
    fault = from_json(Fault, factor.before) if factor.kind == "faults" else None
    tool = factor.tool if fault is None else fault.tool
    if tool is None:
        return len(tasks)
    offering = [task for task in tasks if task.allowed_tools is None or tool in task.allowed_tools]
    if not offering:
        raise UsageError(
            f"none of the {len(tasks)} tasks offers {tool} to the agent: {factor.about} cannot matter",
            hint="choose tasks whose allowed_tools hold it",
        )
    seen = len(offering) if fault is None else sum(fault.concerns(task.key) for task in offering)
    if not seen:
        raise UsageError(
            f"fault {factor.about} concerns none of the {len(tasks)} chosen tasks",
            hint=f"it is for {factor.before['tasks']}",
        )
    return seen


def _smallest(subset: Subset, results: Mapping[str, TaskResult], repeats: int, rules: Rules) -> SmallestEffects:
    chosen = [results[key] for key in subset.chosen.tasks]
    mean = mean_rate(results, tuple(results)) or 0.0
    level = rules.alpha / rules.factors
    over = smallest_effect([(result.passed, result.counted) for result in chosen], repeats, mean, level)
    within = smallest_change_within(len(chosen), repeats, level) if repeats >= REPEATS_WITHIN else None
    passing = None if subset.passing is None else noticeable_breakage(len(subset.passing.tasks), alpha=rules.alpha)
    return SmallestEffects(over, within, passing)


def _warnings(
    plan: ExperimentPlan, results: Mapping[str, TaskResult], seen_by: int, leaked: Sequence[str]
) -> list[Reason]:
    n, fewest = len(plan.chosen.tasks), minimum_informative(plan.rules.factors, plan.rules.alpha)
    warnings = []
    if n < fewest:
        narrow = plan.repeats >= REPEATS_WITHIN
        values = {"tasks": n, "needed": fewest, "narrow": narrow, "fewest_repeats": REPEATS_WITHIN}
        warnings.append(Reason("no_wide_verdict_possible", values))
    elif plan.smallest.tasks_like_these is None:
        warnings.append(Reason("too_few_for_power", {"tasks": n, "repeats": plan.repeats}))
    if seen_by < n:
        code: PlanReason = "fault_elsewhere" if plan.factor.kind == "faults" else "tool_not_offered"
        warnings.append(Reason(code, {"tool": plan.factor.about, "seen_by": seen_by, "tasks": n}))
    if plan.all_failed and all(results[key].counted == 1 for key in plan.chosen.tasks):
        warnings.append(Reason("chosen_by_one_trial"))
    if plan.placebo.when == "never" and (placebo_by_design(plan) or n < fewest):
        warnings.append(Reason("no_placebo_planned"))
    return warnings + [Reason("text_leaks", {"leak": leak}) for leak in leaked]
