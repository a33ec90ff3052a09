"""An experiment as text and as JSON: the result as a person reads it in a terminal, and its typed twin."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from reach_tui.core.experiment import Effect, ExperimentPlan, ExperimentResult, Flips, MetricRow, Verdict
from reach_tui.core.records import to_json
from reach_tui.core.run import ARMS
from reach_tui.present.agents import stand_in
from reach_tui.present.language import phrase, plural, word
from reach_tui.present.metrics import change_shown, interval_shown, number_shown
from reach_tui.present.numbers import effect as effect_shown
from reach_tui.present.numbers import p_value, share
from reach_tui.present.plan import about_json
from reach_tui.present.reasons import sentence, sentences
from reach_tui.present.tables import TextColumn, named_tasks, table
from reach_tui.present.verdict import next_step, scope_words, verdict_sentence

WIDTH = 100


def experiment_text(uid: str, plan: ExperimentPlan, result: ExperimentResult) -> str:
    """A result as a person reads it: verdict, effect, metrics, flips both ways, checks, what next."""
    head = phrase("experiment {uid}: {status}", uid=uid, status=word(result.status))
    if result.verdict is not None:
        head += f", {word(result.verdict.word)} ({scope_words(result.verdict.scope)})"
    label = stand_in(plan.agent, plan.measures)
    head += phrase(", agent {label}", label=label) if label else ""
    lines = [head, "", *textwrap.wrap(verdict_sentence(plan, result), WIDTH)]
    effect, flips = result.effect, result.flips
    if effect is None or flips is None:
        return "\n".join(lines)
    lines += ["", _arms(result), "", _metrics(result.metrics), ""]
    lines.append(named_tasks(phrase("fixed"), flips.fixed))
    lines.append(named_tasks(phrase("broken"), flips.broken))
    change = effect_shown(effect.estimate, effect.low, effect.high)
    lines.append(
        phrase(
            "effect {change} points, {p}, {moved} of {n} tasks moved",
            change=change,
            p=p_value(result.p),
            moved=effect.informative,
            n=effect.n,
        )
    )
    for verdict in result.verdicts:
        lines.append(
            phrase(
                "verdict on {scope}: {word}: {why}",
                scope=scope_words(verdict.scope),
                word=word(verdict.word),
                why=sentences(verdict.reasons),
            )
        )
    for look in result.interim:
        stop = phrase("go on") if look.stop is None else word(look.stop)
        lines.append(
            phrase(
                "look after {repeats} at level {level}: {p}, {stop}",
                repeats=plural(look.repeats_done, "{n} repeat", "{n} repeats"),
                level=f"{look.level:g}",
                p=p_value(look.p),
                stop=stop,
            )
        )
    ahead = next_step(result)
    return "\n".join([*lines, *([phrase("next: {step}", step=ahead)] if ahead else ())])


def _arms(result: ExperimentResult) -> str:
    columns = (
        TextColumn("arm"), TextColumn("run"), TextColumn("tasks", right=True), TextColumn("passed", right=True),
        TextColumn("rate", right=True), TextColumn("not counted", right=True), TextColumn("calls", right=True),
    )  # fmt: skip
    rows = [
        [
            word(name),
            arm.run,
            str(arm.tasks),
            f"{arm.passed}/{arm.trials}",
            share(arm.rate),
            str(arm.not_counted),
            str(arm.calls),
        ]
        for name, arm in _in_order(result)
    ]
    return table(columns, rows)


def _in_order(result: ExperimentResult) -> list[tuple[str, Any]]:
    return [(name, result.arms[name]) for name in ARMS if name in result.arms]


def _metrics(rows: Sequence[MetricRow]) -> str:
    values = {"control": [row.control for row in rows], "branch": [row.branch for row in rows],
              "placebo": [row.placebo for row in rows]}  # fmt: skip
    shown = [arm for arm in ARMS if any(value is not None for value in values[arm])]
    columns = [
        TextColumn("metric"), *(TextColumn(arm, right=True) for arm in shown), TextColumn("change", right=True),
        TextColumn("95 %"),
    ]  # fmt: skip
    cells = [
        [
            phrase(row.name),
            *(number_shown(row, values[arm][at]) for arm in shown),
            change_shown(row, row.change),
            interval_shown(row) or "-",
        ]
        for at, row in enumerate(rows)
    ]
    return table(columns, cells)


def experiment_json(uid: str, plan: ExperimentPlan, result: ExperimentResult) -> dict[str, Any]:
    """A result as `reach branch --json` and `reach show EXPERIMENT --json` print it (see docs/json.md)."""
    verdict, effect, placebo, needed = result.verdict, result.effect, result.placebo, result.tasks_needed
    return {
        **about_json(uid, plan), "status": result.status, "stop": result.stop, "waves": result.repeats_done,
        "arms": {name: _arm_json(arm) for name, arm in _in_order(result)},
        "effect": None if effect is None else {**effect_json(effect), "p": result.p},
        "n": effect.n if effect else 0, "informative": effect.informative if effect else 0, "needed": result.needed,
        "flips": None if result.flips is None else flips_json(result.flips),
        "verdicts": [_verdict_json(judged) for judged in result.verdicts],
        "verdict": verdict.word if verdict else None, "scope": verdict.scope if verdict else None,
        "why": sentences(result.verdicts[0].reasons) if result.verdicts else None,
        "reasons": [sentence(reason) for reason in result.reasons],
        "placebo": {
            "part": plan.placebo.part, "when": plan.placebo.when,
            "needed": placebo.needed if placebo else None, "ran": "placebo" in result.arms,
            "missing": placebo.missing if placebo else None,
            "effect": effect_json(placebo.effect) if placebo and placebo.effect else None,
        },
        "milestones": to_json(result.milestones), "passing": _passing_json(result),
        "suite_gain": to_json(result.suite_gain),
        "tasks_needed": None if needed is None else to_json(needed),
        "reproduced": None if result.reproduced is None else list(result.reproduced),
        "manipulation_check": _check_json(result),
        "cost_per_pass": {name: to_json(arm.spending) for name, arm in _in_order(result)},
        "metrics": to_json(result.metrics),
        "per_task": [
            {"task": task_fate.task, "stratum": task_fate.stratum, "fate": task_fate.fate, **to_json(task_fate.passes)}
            for task_fate in result.per_task
        ],
        "looks": [
            {"wave": look.repeats_done, "level": look.level, "estimate": look.estimate, "p": look.p,
             "said": look.stop or "go on"}
            for look in result.interim
        ],
        "control_rate": result.control_rate, "branch_rate": result.branch_rate,
        "sentence": verdict_sentence(plan, result), "next": next_step(result),
    }  # fmt: skip


def _arm_json(arm: Any) -> dict[str, Any]:
    body: dict[str, Any] = to_json(arm)
    del body["spending"]
    return body


def _verdict_json(verdict: Verdict) -> dict[str, Any]:
    return {
        "word": verdict.word, "scope": verdict.scope, "p": verdict.p, "why": sentences(verdict.reasons),
        "reasons": to_json(verdict.reasons),
    }  # fmt: skip


def _passing_json(result: ExperimentResult) -> dict[str, Any] | None:
    passing = result.passing
    if passing is None:
        return None
    change = passing.effect
    return {
        "tasks": change.n, "of": passing.of, "change": change.estimate, "low": change.low, "high": change.high,
        "p": change.p, "harm": passing.harm, "flips": flips_json(passing.flips),
        "would_have_noticed": passing.would_have_noticed,
    }  # fmt: skip


def _check_json(result: ExperimentResult) -> dict[str, Any] | None:
    check = result.manipulation
    if check is None:
        return None
    return {
        "status": check.status, "checked": dict(check.checked), "carried": dict(check.carried),
        "why": sentence(check.reason) if check.reason else "",
    }  # fmt: skip


def effect_json(effect: Effect) -> dict[str, Any]:
    """Estimate, interval and p."""
    return {"estimate": effect.estimate, "low": effect.low, "high": effect.high, "p": effect.p}


def flips_json(flips: Flips) -> dict[str, Any]:
    """All five lists of tasks."""
    body: dict[str, Any] = to_json(flips)
    return body
