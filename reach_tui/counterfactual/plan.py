"""Planning an experiment: which tasks, which arms, how many trials, and what they could find, all before it runs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from reach_tui.core.condition import Condition, Setup, differing
from reach_tui.core.draws import derive
from reach_tui.core.errors import UsageError
from reach_tui.core.task import Task
from reach_tui.counterfactual.edits import Edit, Factor, edited, with_part
from reach_tui.counterfactual.estimate import Estimate, estimate
from reach_tui.counterfactual.leakage import leaks
from reach_tui.counterfactual.looks import Look, looks
from reach_tui.counterfactual.pairs import TaskResult, mean_rate
from reach_tui.counterfactual.power import noticeable_breakage, smallest_change_within, smallest_effect
from reach_tui.counterfactual.subset import Stratum, Subset, choose, results_of
from reach_tui.counterfactual.verdict import REPEATS_WITHIN, Rules
from reach_tui.harness.execute import can_be_made
from reach_tui.harness.plan import RunPlan
from reach_tui.metrics.exact import minimum_informative
from reach_tui.sandbox.registry import find_sandbox
from reach_tui.store.plans import load_plan
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import find_run
from reach_tui.store.store import Store
from reach_tui.store.trials import trials_of
from reach_tui.suites.sham import placebo_for, sham_text

REPEATS, REPEATS_OF_FEW, FEW = 3, 5, 20
"""Default repeats, and those of fewer than 20 tasks."""
MOST_REPEATS = 1000
PLACEBO_MODES = ("auto", "on", "off")
FROM_START, WHEN_NEEDED, NEVER = "from_start", "when_needed", "never"
PRIMARY_METRIC = "pass rate of the chosen tasks"


@dataclass(frozen=True, slots=True)
class BranchRequest:
    """What a person asks for. All `edits` are made and must come to one factor.

    `failing`, `only` and `keys` say which tasks (see `subset.choose`; without any: the failing ones). `repeat` None is
    the default for that many tasks. `seed` fixes the experiment's noise; it is never that of the parent. `placebo` is
    one of PLACEBO_MODES, `passing` the size of the second stratum (None: automatic).
    """

    parent: str
    edits: Sequence[Edit]
    failing: bool = False
    only: str | None = None
    keys: Sequence[str] | None = None
    repeat: int | None = None
    seed: str | None = None
    placebo: str = "auto"
    passing: int | None = None
    rules: Rules = field(default_factory=Rules)
    concurrency: int | None = None


@dataclass(frozen=True, slots=True)
class Placebo:
    """The neutral edit: where, its text, and when its arm runs (one of FROM_START, WHEN_NEEDED, NEVER)."""

    part: str
    text: str
    when: str


@dataclass(frozen=True, slots=True)
class SmallestEffects:
    """The smallest effects (shares) that can be found: with 80 % power on tasks like these; at all on these tasks.

    `breakage` is the share of the passing tasks whose breakage is noticed with 80 % chance. None: none is.
    """

    tasks_like_these: float | None
    these_tasks: float | None
    breakage: float | None


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """An experiment before it runs. JSON both ways; the tasks and setups by value are in the plans of its runs.

    `trials` is the most it runs without a placebo arm, `placebo_trials` what that arm adds if it joins. `warnings`
    are sentences for people.
    """

    parent_uid: str
    parent_name: str
    suite: str
    agent: str
    factor: Factor
    chosen: Stratum
    passing: Stratum | None
    all_failed: bool
    repeats: int
    base_seed: str
    placebo: Placebo
    rules: Rules
    trials: int
    placebo_trials: int
    estimate: Estimate
    smallest: SmallestEffects
    warnings: tuple[str, ...]
    concurrency: int

    @property
    def looks(self) -> tuple[Look, ...]:
        """When it may stop, and at which levels."""
        return looks(self.repeats, self.rules.alpha, self.rules.factors)

    @property
    def strata(self) -> tuple[Stratum, ...]:
        """The chosen tasks, and the passing ones where there are any."""
        return (self.chosen,) if self.passing is None else (self.chosen, self.passing)

    @property
    def placebo_by_design(self) -> bool:
        """Whether a text changes for a real model on tasks chosen because they failed."""
        return needs_placebo_by_design(self.factor, self.agent, self.all_failed)

    def setups(self, control: Setup) -> dict[str, Setup]:
        """The setups of all arms, from the control's."""
        return {
            "control": control,
            "branch": with_part(control, self.factor.part, self.factor.after),
            "placebo": with_part(control, self.placebo.part, self.placebo.text),
        }

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, as it is stored."""
        return {
            "parent": self.parent_uid, "parent_name": self.parent_name, "suite": self.suite, "agent": self.agent,
            "factor": self.factor.as_json(), "chosen": self.chosen.as_json(),
            "passing": None if self.passing is None else self.passing.as_json(), "all_failed": self.all_failed,
            "repeats": self.repeats, "base_seed": self.base_seed, "placebo": asdict(self.placebo),
            "rules": asdict(self.rules), "trials": self.trials, "placebo_trials": self.placebo_trials,
            "estimate": asdict(self.estimate), "smallest": asdict(self.smallest), "warnings": list(self.warnings),
            "concurrency": self.concurrency, "looks": [asdict(look) for look in self.looks],
        }  # fmt: skip

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> ExperimentPlan:
        """The inverse of `as_json`."""
        passing = body["passing"]
        return cls(
            parent_uid=body["parent"], parent_name=body["parent_name"], suite=body["suite"], agent=body["agent"],
            factor=Factor.from_json(body["factor"]), chosen=Stratum.from_json(body["chosen"]),
            passing=None if passing is None else Stratum.from_json(passing), all_failed=body["all_failed"],
            repeats=body["repeats"], base_seed=body["base_seed"], placebo=Placebo(**body["placebo"]),
            rules=Rules(**body["rules"]), trials=body["trials"], placebo_trials=body["placebo_trials"],
            estimate=Estimate(**body["estimate"]), smallest=SmallestEffects(**body["smallest"]),
            warnings=tuple(body["warnings"]), concurrency=body["concurrency"],
        )  # fmt: skip


def needs_placebo_by_design(factor: Factor, agent: str, all_failed: bool) -> bool:
    """Any wording changes what a real model does; on tasks that failed, that alone looks like a gain."""
    return factor.is_text and agent != "simulated" and all_failed


def plan_branch(store: Store, request: BranchRequest) -> ExperimentPlan:
    """The plan of an experiment on a run's tasks. Nothing is written.

    UsageError where the run cannot be branched (unknown, imported, not one trial), where no task is left, where the
    edits come to no factor or to several, or where no chosen task ever sees the changed part.
    """
    parent = find_run(store, request.parent)
    run_plan = plan_of(store, parent)
    setup = run_plan.setup
    _same_world(setup, parent)
    branched, factor = edited(setup, request.edits)
    can_be_made(branched, run_plan.connection)
    rules = _checked(request.rules)
    base_seed = _base_seed(request.seed, run_plan.base_seed)
    tasks = [one.task for one in run_plan.tasks]
    trials = trials_of(store, parent.id)
    results = {key: one for key, one in results_of(trials).items() if one.counted}
    subset = choose(
        tasks, results, parent.name, failing=request.failing, only=request.only, keys=request.keys,
        passing=request.passing, seed=base_seed,
    )  # fmt: skip
    # Tasks that did not all fail can get worse: then a fall is what is asked about, and no reason to stop early.
    rules = replace(rules, harm_asked=rules.harm_asked or not subset.all_failed)
    repeats = _repeats(request.repeat, len(subset.chosen.tasks))
    placebo = _placebo(request.placebo, setup, factor, base_seed, subset.all_failed)
    chosen = [task for task in tasks if task.key in set(subset.chosen.tasks)]
    seen_by = _seen_by(factor, chosen)
    strata = [key for stratum in (subset.chosen, subset.passing) if stratum for key in stratum.tasks]
    arms = [*[(key, 2) for key in strata], *[(key, 1) for key in subset.chosen.tasks if placebo.when == "from_start"]]
    plan = ExperimentPlan(
        parent_uid=parent.uid, parent_name=parent.name, suite=run_plan.suite, agent=setup.agent, factor=factor,
        chosen=subset.chosen, passing=subset.passing, all_failed=subset.all_failed, repeats=repeats,
        base_seed=base_seed, placebo=placebo, rules=rules, trials=2 * len(strata) * repeats,
        placebo_trials=len(subset.chosen.tasks) * repeats,
        estimate=estimate(trials, [(key, times * repeats) for key, times in arms]),
        smallest=_smallest(subset, results, repeats, rules), warnings=(),
        concurrency=request.concurrency or run_plan.concurrency,
    )  # fmt: skip
    leaked = leaks(factor.before, factor.after, tasks) if factor.is_text else ()
    warnings = _warnings(plan, results, seen_by, leaked)
    if parent.status in ("queued", "running", "paused"):
        warnings.append(f"{parent.name} is {parent.status}: the tasks were chosen from what has ended so far")
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


def _placebo(mode: str, setup: Setup, factor: Factor, seed: str, all_failed: bool) -> Placebo:
    if mode not in PLACEBO_MODES:
        raise UsageError(f"no placebo mode {mode!r}", hint="one of " + ", ".join(PLACEBO_MODES))
    if factor.is_text:
        # A neutral text can come out as the very edit that is to be tried: then another one is drawn.
        texts = (placebo_for(str(factor.before), str(factor.after), derive(seed, "placebo", i)) for i in range(20))
        part, text = factor.part, next((one for one in texts if one not in (factor.after, factor.before)), factor.after)
    else:
        # A model has no neutral twin; a neutral sentence in the prompt shows what any edit does.
        part, text = "/prompt", sham_text(setup.prompt, seed)
    by_design = needs_placebo_by_design(factor, setup.agent, all_failed)
    if mode != "off" and (
        text == factor.after or not differing(Condition(setup), Condition(with_part(setup, part, text)))
    ):
        raise UsageError("no neutral edit could be made of this text", hint="change the text, or say --placebo off")
    when = {"on": "from_start", "off": "never", "auto": "from_start" if by_design else "when_needed"}[mode]
    return Placebo(part, text, when)


def _seen_by(factor: Factor, tasks: Sequence[Task]) -> int:
    """How many tasks can see the changed part; UsageError where none can."""
    tool = factor.tool
    if tool is None:
        return len(tasks)
    seen = sum(task.allowed_tools is None or tool in task.allowed_tools for task in tasks)
    if not seen:
        raise UsageError(
            f"none of the {len(tasks)} tasks offers {tool} to the agent: its {factor.kind.replace('_', ' ')} "
            "cannot matter",
            hint="choose tasks whose allowed_tools hold it",
        )
    return seen


def _smallest(
    subset: Subset, results: Mapping[str, TaskResult], repeats: int, rules: Rules
) -> SmallestEffects:  # fmt: skip
    chosen = [results[key] for key in subset.chosen.tasks]
    mean = mean_rate(results, tuple(results)) or 0.0
    level = rules.alpha / rules.factors
    over = smallest_effect([(one.passed, one.counted) for one in chosen], repeats, mean, level)
    within = smallest_change_within(len(chosen), repeats, level) if repeats >= REPEATS_WITHIN else None
    passing = None if subset.passing is None else noticeable_breakage(len(subset.passing.tasks), alpha=rules.alpha)
    return SmallestEffects(over, within, passing)


def _warnings(
    plan: ExperimentPlan, results: Mapping[str, TaskResult], seen_by: int, leaked: Sequence[str]
) -> list[str]:
    n, fewest = len(plan.chosen.tasks), minimum_informative(plan.rules.factors, plan.rules.alpha)
    found = []
    if n < fewest:
        other = f"with fewer than {REPEATS_WITHIN} repeats no verdict is possible at all"
        if plan.repeats >= REPEATS_WITHIN:
            other = f"a verdict can speak of {'these tasks' if n > 1 else 'this task'} only"
        found.append(f"no verdict on tasks like these is possible: {n} tasks, and at least {fewest} must move; {other}")
    elif plan.smallest.tasks_like_these is None:
        found.append(f"{n} tasks x {plan.repeats} are too few to find even a full repair with 80 % power")
    if seen_by < n:
        found.append(f"{plan.factor.tool} is offered to {seen_by} of the {n} tasks; the others cannot move")
    if plan.all_failed and all(results[key].counted == 1 for key in plan.chosen.tasks):
        found.append("each task was chosen by one failed trial: some will pass by chance, the control shows how many")
    if plan.placebo.when == "never" and (plan.placebo_by_design or n < fewest):
        found.append("without a placebo arm no effect of this edit can be told from that of any edit")
    return found + [f"the new text holds an expected value: {leak}" for leak in leaked]
