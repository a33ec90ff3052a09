"""A metric of several arms or runs in a cell: a share as percent and points, a count as it is."""

from __future__ import annotations

from reach_tui.core.experiment import MetricRow
from reach_tui.core.verdicts import SHARES
from reach_tui.present.numbers import change, decimal, points, points_interval, share


def number_shown(row: MetricRow, value: float | None) -> str:
    """One arm's value."""
    return share(value) if row.name in SHARES else decimal(value)


def change_shown(row: MetricRow, value: float | None) -> str:
    """A change of the metric: points for a share."""
    return points(value) if row.name in SHARES else change(value)


def interval_shown(row: MetricRow) -> str:
    """The bounds of the change; empty where they are not known."""
    if row.name in SHARES:
        return points_interval(row.low, row.high)
    return "" if row.low is None or row.high is None else f"[{change(row.low)}, {change(row.high)}]"
