"""An experiment as text: the plan before it runs, the result after."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.counterfactual.plan import ExperimentPlan
from reach_tui.present.tables import Column, table
from reach_tui.present.verdict import SCOPE_WORDS, VERDICT_WORDS, p_value, percent, points

WIDTH = 100
SHARES = ("pass rate", "reached once", "reached by majority", "milestones reached")
"""Metrics that are shares; the others are counts."""
NAMED = 12
"""So many tasks are named in a list, the rest counted."""


def plan_text(plan: ExperimentPlan) -> str:
    """What an experiment will do and what it could find."""
    placebo = {"from_start": "placebo on", "when_needed": "placebo when needed"}.get(plan.placebo.when, "placebo off")
    passing = f" | +{len(plan.passing.tasks)} passing" if plan.passing else ""
    more = f" (+{plan.placebo_trials} with a placebo arm)" if plan.placebo.when == "when_needed" else ""
    arms = f"{len(plan.chosen.tasks)} tasks x {plan.repeats} | control on | {placebo}{passing}"
    lines = [
        f"factor: {plan.factor.words} (only difference: {plan.factor.part})",
        f"{arms} | at most {plan.trials} trials{more}",
        f"chosen: {plan.chosen.how}",
        "can find with 80 % chance: " + smallest_words(plan),
    ]
    return "\n".join([*lines, *(f"warning: {warning}" for warning in plan.warnings)])


def smallest_words(plan: ExperimentPlan) -> str:
    """The smallest effects that a plan can find, in words."""
    like, these = plan.smallest.tasks_like_these, plan.smallest.these_tasks
    found = [
        "on tasks like these " + (f"{like * 100:.0f} points or more" if like is not None else "no effect"),
    ]
    if these is not None:
        found.append(f"on these tasks {these * 100:.0f} points or more")
    return "; ".join(found)


def experiment_text(result: Mapping[str, Any]) -> str:
    """A result as a person reads it: verdict, effect, metrics, flips both ways, checks, what next."""
    verdict = result.get("verdict")
    head = f"experiment {result['experiment']}: {result['status']}"
    if verdict:
        head += f", {VERDICT_WORDS[verdict]}"
        if result.get("scope"):
            head += f" ({SCOPE_WORDS[result['scope']]})"
    lines = [head, "", *textwrap.wrap(result["sentence"], WIDTH)]
    if result.get("effect") is None:
        return "\n".join(lines)
    lines += ["", _arms(result), "", _metrics(result["metrics"]), ""]
    flips = result["flips"]
    lines.append(named_tasks("fixed", flips["fixed"]))
    lines.append(named_tasks("broken", flips["broken"]))
    effect = result["effect"]
    interval = f"[{points(effect['low'])}, {points(effect['high'])}]"
    moved = f"{result['informative']} of {result['n']} tasks moved"
    lines.append(f"effect {points(effect['estimate'])} {interval}, {p_value(effect['p'])}, {moved}")
    for one in result["verdicts"]:
        lines.append(f"verdict on {SCOPE_WORDS[one['scope']]}: {VERDICT_WORDS[one['word']]}: {one['why']}")
    for look in result.get("looks") or ():
        lines.append(
            f"look after {look['wave']} repeats at level {look['level']:g}: {p_value(look['p'])}, {look['said']}"
        )
    if result.get("next"):
        lines.append(f"next: {result['next']}")
    return "\n".join(lines)


def _arms(result: Mapping[str, Any]) -> str:
    columns = (
        Column("arm"), Column("run"), Column("tasks", right=True), Column("passed", right=True),
        Column("rate", right=True), Column("not counted", right=True), Column("calls", right=True),
    )  # fmt: skip
    rows = [
        [
            name, arm["run"], str(arm["tasks"]), f"{arm['passed']}/{arm['trials']}", percent(arm["rate"]),
            str(arm["not_counted"]), str(arm["calls"]),
        ]
        for name, arm in result["arms"].items()
    ]  # fmt: skip
    return table(columns, rows)


def _metrics(rows: Sequence[Mapping[str, Any]]) -> str:
    arms = ("control", "branch", "placebo")
    shown = [arm for arm in arms if any(row.get(arm) is not None for row in rows)]
    columns = [Column("metric"), *(Column(arm, right=True) for arm in shown), Column("change"), Column("95 %")]
    cells = []
    for row in rows:
        name = row["name"]
        low, high = row.get("low"), row.get("high")
        interval = "-" if low is None else f"[{change_shown(low, name)}, {change_shown(high, name)}]"
        values = [number_shown(row.get(arm), name) for arm in shown]
        cells.append([name, *values, change_shown(row.get("change"), name), interval])
    return table(columns, cells)


def number_shown(value: Any, metric: str) -> str:
    """A metric's value in a cell: a share as a percentage, the rest with one decimal."""
    if value is None:
        return "-"
    return percent(value) if metric in SHARES else f"{value:.1f}"


def change_shown(value: Any, metric: str) -> str:
    """A metric's change in a cell: points for a share."""
    if value is None:
        return "-"
    return f"{value * 100:+.1f}" if metric in SHARES else f"{value:+.1f}"


def named_tasks(what: str, tasks: Sequence[str]) -> str:
    """`fixed 14: TR-01, TR-02, … and 2 more`."""
    more = f" and {len(tasks) - NAMED} more" if len(tasks) > NAMED else ""
    return f"{what} {len(tasks)}" + (f": {', '.join(tasks[:NAMED])}{more}" if tasks else "")
