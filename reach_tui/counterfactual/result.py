"""What an experiment has come to, assembled from what the store holds of its arms."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reach_tui.core.experiment import (
    ArmResult,
    Effect,
    ExperimentPlan,
    ExperimentResult,
    InterimResult,
    Manipulation,
    PassingResult,
    PlaceboResult,
    SuiteGain,
    TaskFate,
    TasksNeeded,
)
from reach_tui.core.run import Arm, RunStatus
from reach_tui.core.verdicts import Fate, StopReason
from reach_tui.counterfactual.arms import ArmData, extra_parts, load_arms
from reach_tui.counterfactual.metric_rows import metric_rows
from reach_tui.counterfactual.pairs import ArmTasks, effect, flips, mean_rate, shared
from reach_tui.counterfactual.plan import placebo_by_design
from reach_tui.counterfactual.power import noticeable_breakage
from reach_tui.counterfactual.verdict import Facts, Judgement, judge
from reach_tui.metrics.intervals import normal_quantile
from reach_tui.store.experiments import ExperimentRow
from reach_tui.store.store import Store

STATS_VERSION = "2"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an experiment is: repeats of every task that ended in all arms, and why it stopped (None: it goes on)."""

    status: RunStatus
    repeats_done: int
    level: float
    stop: StopReason | None = None
    interim: tuple[InterimResult, ...] = ()


def judged(
    plan: ExperimentPlan,
    arms: Mapping[Arm, ArmData],
    progress: Progress,
    manipulation: Manipulation,
    copies: frozenset[Arm],
) -> Judgement:
    """The rule applied to the chosen tasks as far as they have run."""
    results = {name: arm.results(plan.chosen.tasks, progress.repeats_done) for name, arm in arms.items()}
    facts = Facts(
        extra_parts=extra_parts(arms["control"].setup, arms["branch"].setup, plan.factor.part),
        manipulation=manipulation.status,
        copies=copies,
        placebo_by_design=placebo_by_design(plan),
    )
    return judge(
        results["control"],
        results["branch"],
        results.get("placebo"),
        rules=plan.rules,
        facts=facts,
        level=progress.level,
        futile=progress.stop == "no_sign_of_help",
    )


def assemble(
    plan: ExperimentPlan,
    arms: Mapping[Arm, ArmData],
    progress: Progress,
    manipulation: Manipulation,
    judgement: Judgement,
) -> ExperimentResult:
    """The result as far as it has run."""
    chosen, repeats = plan.chosen.tasks, progress.repeats_done
    results = {name: arm.results(chosen, repeats) for name, arm in arms.items()}
    within = {name: arm.until(repeats) for name, arm in arms.items()}
    overall = judgement.effect
    p = judgement.p if judgement.p is not None else overall.p if overall else None
    both = shared(results["control"], results["branch"])
    needed = None
    if judgement.tasks_to_show is not None and judgement.tasks_to_exclude is not None:
        needed = TasksNeeded(judgement.tasks_to_show, judgement.tasks_to_exclude)
    return ExperimentResult(
        status=progress.status,
        stop=progress.stop,
        repeats_done=repeats,
        arms={name: _arm(arm, plan, repeats) for name, arm in arms.items()},
        effect=overall,
        p=p,
        needed=judgement.needed,
        flips=judgement.flips,
        verdicts=judgement.verdicts,
        reasons=judgement.reasons,
        placebo=PlaceboResult(judgement.placebo_needed, "placebo" in arms, judgement.wants_placebo, judgement.placebo),
        milestones=judgement.milestones,
        passing=_passing(plan, arms, repeats),
        suite_gain=_suite_gain(plan, overall, arms, repeats),
        tasks_needed=needed,
        reproduced=judgement.reproduced,
        manipulation=manipulation,
        metrics=tuple(metric_rows(within, chosen, overall, p)) if overall else (),
        per_task=tuple(_per_task(plan, arms, repeats)),
        interim=progress.interim,
        control_rate=mean_rate(results["control"], both),
        branch_rate=mean_rate(results["branch"], both),
    )


def result_so_far(store: Store, row: ExperimentRow) -> ExperimentResult:
    """The result of an experiment: what is stored of it, else what its arms have come to so far, without a look."""
    if row.result is not None:
        return row.result
    arms = load_arms(store, row.id)
    statuses = {arm.row.status for arm in arms.values()}
    order: tuple[RunStatus, ...] = ("running", "paused", "cancelled", "interrupted")
    return ExperimentResult(
        status=next((status for status in order if status in statuses), "queued"),
        repeats_done=0,
        arms={name: _arm(arm, row.plan, row.plan.repeats) for name, arm in arms.items()},
    )


def _arm(arm: ArmData, plan: ExperimentPlan, repeats: int) -> ArmResult:
    results = arm.results(plan.chosen.tasks, repeats)
    chosen = set(plan.chosen.tasks)
    rows = [row for row in arm.trials if row.task.key in chosen and row.start.repeat <= repeats]
    ends = [row.end for row in rows if row.end is not None]
    known = [end.tokens for end in ends if end.tokens is not None]
    counted = [key for key, task in results.items() if task.counted]
    return ArmResult(
        run=arm.row.uid,
        name=arm.row.name,
        status=arm.row.status,
        model=arm.row.model,
        planned=arm.row.planned,
        done=arm.row.totals.done,
        tasks=len(counted),
        trials=sum(task.counted for task in results.values()),
        passed=sum(task.passed for task in results.values()),
        not_counted=sum(task.planned - task.counted for task in results.values()),
        rate=mean_rate(results, counted),
        reached=sum(task.reached for task in results.values()),
        calls=sum(end.calls or 0 for end in ends),
        tokens=sum(known) if known else None,
        cost=arm.row.totals.cost,
        unknown_cost=arm.row.totals.unknown_cost,
        spending=arm.spending(plan.chosen.tasks),
    )


def _passing(plan: ExperimentPlan, arms: Mapping[Arm, ArmData], repeats: int) -> PassingResult | None:
    """The second line: what became of tasks that passed, with a test of its own and what it could have noticed."""
    if plan.passing is None:
        return None
    control, branch = _results(arms, plan.passing.tasks, repeats)
    change = effect(control, branch)
    if change is None:
        return None
    noisy = any(not task.agrees for task in (*control.values(), *branch.values()))
    sd = math.sqrt(change.variance) if noisy else 0.0
    return PassingResult(
        change,
        plan.passing.of,
        harm=change.p <= plan.rules.alpha and change.estimate < 0,
        flips=flips(control, branch),
        would_have_noticed=noticeable_breakage(change.n, sd, plan.rules.alpha),
    )


def _results(arms: Mapping[Arm, ArmData], keys: Sequence[str], repeats: int) -> tuple[ArmTasks, ArmTasks]:
    return arms["control"].results(keys, repeats), arms["branch"].results(keys, repeats)


def _suite_gain(
    plan: ExperimentPlan, chosen: Effect | None, arms: Mapping[Arm, ArmData], repeats: int
) -> SuiteGain | None:
    """The gain on all tasks of the run: the strata's effects weighted by their shares; None unless both were run."""
    if plan.passing is None or chosen is None or len(plan.chosen.tasks) < plan.chosen.of:
        return None
    passing = effect(*_results(arms, plan.passing.tasks, repeats))
    if passing is None:
        return None
    share = plan.chosen.of / (plan.chosen.of + plan.passing.of)
    gain = share * chosen.estimate + (1 - share) * passing.estimate
    variance = share**2 * chosen.variance / chosen.n + (1 - share) ** 2 * passing.variance / passing.n
    half = normal_quantile(0.95) * math.sqrt(variance)
    return SuiteGain(gain, max(-1.0, gain - half), min(1.0, gain + half), share)


def _per_task(plan: ExperimentPlan, arms: Mapping[Arm, ArmData], repeats: int) -> list[TaskFate]:
    """Passes and counted trials of each task in each arm, and what became of it."""
    fates = []
    for stratum in plan.strata:
        results = {name: arm.results(stratum.tasks, repeats) for name, arm in arms.items()}
        moved = flips(results["control"], results["branch"])
        words: tuple[tuple[Fate, tuple[str, ...]], ...] = (
            ("fixed", moved.fixed), ("broken", moved.broken), ("rose", moved.rose), ("fell", moved.fell),
            ("unchanged", moved.unchanged),
        )  # fmt: skip
        known = {key: fate for fate, keys in words for key in keys}
        for key in stratum.tasks:
            passes = {name: (tasks[key].passed, tasks[key].counted) for name, tasks in results.items() if key in tasks}
            fates.append(TaskFate(key, stratum.name, known.get(key, "not_counted"), passes))
    return fates
