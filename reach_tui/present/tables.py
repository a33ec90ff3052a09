"""Plain tables for a terminal: columns by cells, so that Chinese text stays aligned; no colour, no borders."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from reach_tui.core.text import one_line
from reach_tui.present.language import phrase
from reach_tui.present.layout import fit, fit_middle, width


@dataclass(frozen=True, slots=True)
class TextColumn:
    """A column: its head, the most cells it may take (None: any), and how it is set."""

    head: str
    most: int | None = None
    right: bool = False
    middle: bool = False


def table(columns: Sequence[TextColumn], rows: Sequence[Sequence[str]], indent: str = "") -> str:
    """Rows as lines, each column as wide as its widest cell but no wider than it may be."""
    columns = [replace(column, head=phrase(column.head)) for column in columns]
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


_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


def csv_text(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Rows as CSV with a head; None is an empty cell. Text that would be a formula stands behind an apostrophe."""
    # Imported here: no other table needs it.
    import csv

    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell for cell in row])
    return lines.getvalue()


NAMED = 12
"""So many tasks are named in a list, the rest counted."""


def named_tasks(what: str, tasks: Sequence[str]) -> str:
    """`fixed 14: TR-01, TR-02, … and 2 more`."""
    more = phrase(" and {n} more", n=len(tasks) - NAMED) if len(tasks) > NAMED else ""
    return f"{what} {len(tasks)}" + (f": {', '.join(tasks[:NAMED])}{more}" if tasks else "")
