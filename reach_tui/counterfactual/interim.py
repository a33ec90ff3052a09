"""Interim analyses: when an experiment may stop, with levels of their own, spent so that all of them keep alpha."""

from __future__ import annotations

from dataclasses import dataclass

from reach_tui.core.experiment import ExperimentPlan
from reach_tui.core.verdicts import StopReason

SHARES = (0.01, 0.28, 0.9)
"""The levels of three analyses as shares of alpha: 0.0005, 0.014 and 0.045 at alpha 0.05."""


@dataclass(frozen=True, slots=True)
class InterimAnalysis:
    """An analysis after `repeats_done` repeats of all tasks, at which the exact test is judged at `level`."""

    repeats_done: int
    level: float
    last: bool


def analyses(plan: ExperimentPlan) -> tuple[InterimAnalysis, ...]:
    """The interim analyses of an experiment, in order: after how many repeats, at which level."""
    return spread(plan.repeats, plan.rules.alpha, plan.rules.factors)


def spread(repeats: int, alpha: float = 0.05, factors: int = 1) -> tuple[InterimAnalysis, ...]:
    """The analyses of that many repeats: three from 3 repeats on (after 1, 2, 3; of 5 after 2, 3, 5).

    Below 3 repeats there is one, at the end, at alpha. Each level is divided by the number of factors confirmed.
    """
    if repeats < 3:
        return (InterimAnalysis(repeats, alpha / factors, True),)
    points = (round(repeats / 3), round(2 * repeats / 3), repeats)
    return tuple(
        InterimAnalysis(point, share * alpha / factors, point == repeats)
        for point, share in zip(points, SHARES, strict=True)
    )


def stops(
    analysis: InterimAnalysis, *, decided: bool, estimate: float | None, harm_asked: bool = False
) -> StopReason | None:
    """Why to stop at this analysis, or None to go on.

    `decided`: the rule, at this analysis' level, says *cause* or *harmful*. Without a sign of help so far it is not
    worth going on, unless harm is what was asked after.
    """
    if analysis.last:
        return "complete"
    if decided:
        return "effect"
    if estimate is not None and estimate <= 0 and not harm_asked:
        return "no_sign_of_help"
    return None
