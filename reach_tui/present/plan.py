"""A plan in a line or two, before it runs: how many trials, what they cost, what they can find."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reach_tui.core.text import width
from reach_tui.present.cells import Piece
from reach_tui.present.numbers import count, money

if TYPE_CHECKING:
    from reach_tui.counterfactual.plan import ExperimentPlan

_PLACEBO = {"from_start": "on", "when_needed": "auto", "never": "off"}


def plan_lines(plan: ExperimentPlan, cells: int) -> list[list[Piece]]:
    """`12 tasks x5 | control on | placebo auto | +20 passing | 320 trials ~ 1.30 | these tasks: ...` in lines of
    `cells` columns, broken between parts."""
    passing = f"+{len(plan.passing.tasks)} passing" if plan.passing is not None else "no passing tasks"
    placebo = _PLACEBO.get(plan.placebo.when, plan.placebo.when)
    more = f" (+{plan.placebo_trials})" if plan.placebo.when == "when_needed" else ""
    cost = f" ~ {money(plan.estimate.cost)}" if plan.estimate.cost else ""
    calls = f", {count(plan.estimate.calls)} calls" if plan.estimate.calls is not None else ""
    smallest = plan.smallest
    parts: list[tuple[Piece, ...]] = [
        ((f"{len(plan.chosen.tasks)} task{'s' if len(plan.chosen.tasks) != 1 else ''} x{plan.repeats}", "strong"),),
        (("control on", "text"),),
        ((f"placebo {placebo}{more}", "text"),),
        ((passing, "text"),),
        ((f"{plan.trials} trials{calls}{cost}", "strong"),),
        (("these tasks: ", "dim"), (_least(smallest.these_tasks), "text")),
        (("like these: ", "dim"), (_least(smallest.tasks_like_these), "text")),
    ]
    if smallest.breakage is not None:
        parts.append((("breakage: ", "dim"), (f">= {smallest.breakage * 100:.0f} % of the passing", "text")))
    lines: list[list[Piece]] = [[]]
    used = 0
    for part in parts:
        size = sum(width(text) for text, _ in part)
        if lines[-1] and used + size + 3 > cells:
            lines.append([])
            used = 0
        if lines[-1]:
            lines[-1].append((" | ", "faint"))
            used += 3
        lines[-1] += part
        used += size
    return lines


def _least(share: float | None) -> str:
    return f">= {share * 100:.0f} pts" if share is not None else "nothing can be found"
