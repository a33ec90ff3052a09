"""An experiment's result as JSON, assembled from what the store holds; the keys are those of docs/json.md."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from reach_tui.counterfactual.arms import ArmData, extra_parts, load_arms
from reach_tui.counterfactual.evidence import Manipulation
from reach_tui.counterfactual.metric_rows import metric_rows
from reach_tui.counterfactual.pairs import Arm, Effect, effect, flips, mean_rate, shared
from reach_tui.counterfactual.plan import ExperimentPlan
from reach_tui.counterfactual.power import noticeable_breakage
from reach_tui.counterfactual.verdict import Facts, Judgement, judge
from reach_tui.metrics.intervals import normal_quantile
from reach_tui.present.verdict import next_step, sentence
from reach_tui.store.rows import ExperimentRow
from reach_tui.store.store import Store

STATS_VERSION = "1"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an experiment is: repeats of every task that ended in all arms, why it stopped (None: it goes on).

    `status` is running, ended, cancelled or paused; `history` holds the looks so far as JSON.
    """

    status: str
    waves: int
    level: float
    stop: str | None = None
    history: tuple[Mapping[str, Any], ...] = ()


def judged(
    plan: ExperimentPlan, arms: Mapping[str, ArmData], progress: Progress, manipulation: Manipulation,
    copies: frozenset[str],
) -> Judgement:  # fmt: skip
    """The rule applied to the chosen tasks as far as they have run."""
    results = {name: arm.results(plan.chosen.tasks, progress.waves) for name, arm in arms.items()}
    facts = Facts(
        extra_parts=extra_parts(arms["control"].setup, arms["branch"].setup, plan.factor.part),
        manipulation=manipulation.status,
        copies=copies,
        placebo_by_design=plan.placebo_by_design,
    )
    return judge(
        results["control"], results["branch"], results.get("placebo"), rules=plan.rules, facts=facts,
        level=progress.level, futile=progress.stop == "no_sign_of_help",
    )  # fmt: skip


def assemble(
    uid: str, plan: ExperimentPlan, arms: Mapping[str, ArmData], progress: Progress, manipulation: Manipulation,
    judgement: Judgement,
) -> dict[str, Any]:  # fmt: skip
    """The result as far as it has run. `verdict` is None until the experiment has ended."""
    chosen, waves = plan.chosen.tasks, progress.waves
    results = {name: arm.results(chosen, waves) for name, arm in arms.items()}
    within = {name: arm.until(waves) for name, arm in arms.items()}
    ended = progress.status == "ended"
    found = judgement.effect
    passing = _passing(plan, arms, waves)
    p = judgement.p if judgement.p is not None else found.p if found else None
    body: dict[str, Any] = {
        **_about(uid, plan), "status": progress.status, "stop": progress.stop, "waves": waves,
        "arms": {name: _arm(name, arm, plan, waves) for name, arm in arms.items()},
        "effect": {**found.as_json(), "p": p} if found else None,
        "n": found.n if found else 0, "informative": found.informative if found else 0, "needed": judgement.needed,
        "flips": judgement.flips.as_json(),
        "verdicts": [one.as_json() for one in judgement.verdicts],
        "verdict": judgement.headline.word if ended else None, "scope": judgement.headline.scope if ended else None,
        "why": judgement.headline.why, "reasons": list(judgement.reasons),
        "placebo": {
            "part": plan.placebo.part, "when": plan.placebo.when, "needed": judgement.placebo_needed,
            "ran": "placebo" in arms, "missing": judgement.wants_placebo,
            "effect": judgement.placebo.as_json() if judgement.placebo else None,
        },
        "milestones": asdict(judgement.milestones) if judgement.milestones else None,
        "passing": passing, "suite_gain": _suite_gain(plan, found, arms, waves),
        "tasks_needed": None if judgement.tasks_to_show is None else {
            "to_show": judgement.tasks_to_show, "to_exclude": judgement.tasks_to_exclude,
        },
        "reproduced": None if judgement.reproduced is None else list(judgement.reproduced),
        "manipulation_check": manipulation.as_json(),
        "cost_per_pass": {name: arm.spending(chosen) for name, arm in arms.items()},
        "metrics": metric_rows(within, chosen, found, p) if found else [],
        "per_task": _per_task(plan, arms, waves), "looks": [dict(look) for look in progress.history],
        "control_rate": mean_rate(results["control"], shared(results["control"], results["branch"])),
        "branch_rate": mean_rate(results["branch"], shared(results["control"], results["branch"])),
    }  # fmt: skip
    body["sentence"] = sentence(body)
    body["next"] = next_step(body) if ended else None
    return body


def result_json(store: Store, row: ExperimentRow) -> dict[str, Any]:
    """The result of an experiment: what is stored of it, else its plan and what its arms have come to so far."""
    if row.result:
        return dict(row.result)
    plan = ExperimentPlan.of(row.plan)
    arms = load_arms(store, row.id)
    statuses = {arm.row.status for arm in arms.values()}
    status = next((one for one in ("running", "paused", "cancelled", "interrupted") if one in statuses), "queued")
    return {
        **_about(row.uid, plan), "status": status, "stop": None, "waves": 0,
        "arms": {name: _arm(name, arm, plan, plan.repeats) for name, arm in arms.items()},
        "effect": None, "flips": None, "verdicts": [], "verdict": None, "scope": None,
        "sentence": f"{plan.factor.words}: {status}, no look taken yet.",
    }  # fmt: skip


def _about(uid: str, plan: ExperimentPlan) -> dict[str, Any]:
    return {
        "experiment": uid, "parent": {"run": plan.parent_uid, "name": plan.parent_name}, "suite": plan.suite,
        "agent": plan.agent, "factor": plan.factor.as_json(), "tasks": plan.chosen.as_json(),
        "repeats": plan.repeats, "rules": asdict(plan.rules), "trials_planned": plan.trials,
        "smallest_effects": asdict(plan.smallest), "warnings": list(plan.warnings),
    }  # fmt: skip


def _arm(name: str, arm: ArmData, plan: ExperimentPlan, waves: int) -> dict[str, Any]:
    """One arm over the chosen tasks and the repeats compared; `rate` is the mean of its tasks' pass rates."""
    results = arm.results(plan.chosen.tasks, waves)
    chosen = set(plan.chosen.tasks)
    rows = [row for row in arm.trials if row.task_key in chosen and row.repeat <= waves]
    known = [row.tokens_in + row.tokens_out for row in rows if row.tokens_in is not None and row.tokens_out is not None]
    counted = [key for key, one in results.items() if one.counted]
    return {
        "run": arm.row.uid, "name": arm.row.name, "status": arm.row.status, "model": arm.row.model,
        "planned": arm.row.planned, "done": arm.row.done,
        "tasks": len(counted), "trials": sum(one.counted for one in results.values()),
        "passed": sum(one.passed for one in results.values()),
        "not_counted": sum(one.planned - one.counted for one in results.values()),
        "rate": mean_rate(results, counted), "reached": sum(one.reached for one in results.values()),
        "calls": sum(row.calls or 0 for row in rows), "tokens": sum(known) if known else None, "cost": arm.row.cost,
        "unknown_cost": arm.row.unknown_cost,
    }  # fmt: skip


def _passing(plan: ExperimentPlan, arms: Mapping[str, ArmData], waves: int) -> dict[str, Any] | None:
    """The second line: what became of tasks that passed, with a test of its own and what it could have noticed."""
    if plan.passing is None:
        return None
    control, branch = _results(arms, plan.passing.tasks, waves)
    found = effect(control, branch)
    if found is None:
        return None
    sd = math.sqrt(found.variance) if any(not one.agrees for one in (*control.values(), *branch.values())) else 0.0
    harm = found.p <= plan.rules.alpha and found.estimate < 0
    return {
        "tasks": found.n, "of": plan.passing.of, "change": found.estimate, "low": found.low, "high": found.high,
        "p": found.p, "harm": harm, "flips": flips(control, branch).as_json(),
        "would_have_noticed": noticeable_breakage(found.n, sd, plan.rules.alpha),
    }  # fmt: skip


def _results(arms: Mapping[str, ArmData], keys: Sequence[str], waves: int) -> tuple[Arm, Arm]:
    return arms["control"].results(keys, waves), arms["branch"].results(keys, waves)


def _suite_gain(
    plan: ExperimentPlan, chosen: Effect | None, arms: Mapping[str, ArmData], waves: int
) -> dict[str, Any] | None:
    """The gain on all tasks of the run: the strata's effects weighted by their shares; None unless both were run."""
    if plan.passing is None or chosen is None or len(plan.chosen.tasks) < plan.chosen.of:
        return None
    passing = effect(*_results(arms, plan.passing.tasks, waves))
    if passing is None:
        return None
    share = plan.chosen.of / (plan.chosen.of + plan.passing.of)
    gain = share * chosen.estimate + (1 - share) * passing.estimate
    variance = share**2 * chosen.variance / chosen.n + (1 - share) ** 2 * passing.variance / passing.n
    half = normal_quantile(0.95) * math.sqrt(variance)
    return {"estimate": gain, "low": max(-1.0, gain - half), "high": min(1.0, gain + half), "failing_share": share}


def _per_task(plan: ExperimentPlan, arms: Mapping[str, ArmData], waves: int) -> list[dict[str, Any]]:
    """Passes and counted trials of each task in each arm, and what became of it."""
    rows = []
    for stratum in plan.strata:
        results = {name: arm.results(stratum.tasks, waves) for name, arm in arms.items()}
        moved = flips(results["control"], results["branch"])
        fates = {key: fate for fate, keys in moved.as_json().items() for key in keys}
        for key in stratum.tasks:
            cells = {name: [one[key].passed, one[key].counted] for name, one in results.items() if key in one}
            rows.append({"task": key, "stratum": stratum.name, "fate": fates.get(key, "not_counted"), **cells})
    return rows
