"""Plain tables for a terminal: columns by cells, so that Chinese text stays aligned; no colour, no borders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reach_tui.core.text import fit, fit_middle, one_line, width


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, the most cells it may take (None: any), and how it is set."""

    head: str
    most: int | None = None
    right: bool = False
    middle: bool = False


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], indent: str = "") -> str:
    """Rows as lines, each column as wide as its widest cell but no wider than it may be."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    lines = []
    widths = []
    for position, column in enumerate(columns):
        widest = max([width(column.head), *(width(row[position]) for row in cells)])
        widths.append(widest if column.most is None else min(widest, max(column.most, width(column.head))))
    for row in [[column.head for column in columns], *cells]:
        done = []
        for column, size, cell in zip(columns, widths, row, strict=True):
            if column.right:
                done.append(" " * (size - width(cell)) + cell if width(cell) <= size else fit(cell, size))
            else:
                done.append(fit_middle(cell, size) if column.middle else fit(cell, size))
        lines.append((indent + "  ".join(done)).rstrip())
    return "\n".join(lines)


def share(value: float | None) -> str:
    """A share as a percentage without decimals it does not have: `0.58` is `58 %`; unknown is `-`."""
    return "-" if value is None else f"{value * 100:.0f} %"


def points(value: float | None) -> str:
    """A difference of shares in points, signed."""
    return "-" if value is None else f"{value * 100:+.1f}"
