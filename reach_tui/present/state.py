"""Rows of the state table as rows of a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reach_tui.core.grading import MilestoneResult, StateRow
from reach_tui.present.cells import Column, Piece, Row
from reach_tui.present.language import phrase
from reach_tui.present.signs import STATE
from reach_tui.present.tables import TextColumn, table
from reach_tui.present.values import plain, shown

VIEW_WORDS = {"differing": "differing", "changed": "changed here", "expected": "expected", "all": "all"}

NOTE = Column("", 12, grow=4)
WITH_NOTES = 96
"""Columns of the pane from which a note stands beside each row; below, the heading tells that of the cursor's row."""

COLUMNS = (
    Column("path", 22, grow=5, middle=True),
    Column("expected", 13, grow=2),
    Column("actual", 13, grow=2),
    Column("claimed", 12, grow=1),
    Column("since", 5, right=True),
)


def columns(cells: int) -> tuple[Column, ...]:
    """The columns of a pane of `cells` columns."""
    return (*COLUMNS, NOTE) if cells >= WITH_NOTES else COLUMNS


def state_row(row: StateRow, here: int) -> Row:
    """A state row as drawn at step `here`: what this very step made so is strong."""
    sign = STATE[row.status]
    actual = "strong" if row.since_step == here and here else "good" if row.status == "match" else sign.role
    return Row(
        (
            ((row.path, "text"),),
            ((shown(row.expected), "text" if row.status != "unexpected" else "faint"),),
            ((shown(row.actual), actual),),
            ((shown(row.claimed), "claim"),),
            ((str(row.since_step), "strong" if row.since_step == here and here else "dim"),),
            ((row.note, "faint"),),
        ),
        sign.sign,
        sign.role,
    )


def milestone_strip(milestones: Sequence[MilestoneResult], here: int) -> list[Piece]:
    """`milestones  1 order looked up @3   2 refund recorded -`: reached ones with their step, those to come dim."""
    if not milestones:
        return [(" no milestones in this task", "faint")]
    pieces: list[Piece] = [(" milestones ", "head")]
    for n, milestone in enumerate(milestones, 1):
        reached = milestone.verdict == "reached" and milestone.step is not None and milestone.step <= here
        later = milestone.verdict == "reached" and not reached
        mark = f"@{milestone.step}" if milestone.step is not None and milestone.verdict == "reached" else "-"
        role = "good" if reached else "dim" if later else "warn"
        pieces += [(f" {n} ", "faint"), (milestone.name, role), (f" {mark} ", role)]
    return pieces


def sort_rows(rows: Sequence[StateRow], order: str, reverse: bool) -> list[StateRow]:
    """Rows as the table gives them, by path, by sign (gravest first), or by the step that made them so."""
    grave = ("wrong", "lost", "unexpected", "missing", "match")
    keys = {
        "path": lambda row: (row.path,),
        "sign": lambda row: (grave.index(row.status) if row.status in grave else len(grave), row.path),
        "since": lambda row: (-row.since_step, row.path),
    }
    ordered = sorted(rows, key=keys[order]) if order in keys else list(rows)
    return ordered[::-1] if reverse else ordered


ORDERS = ("table", "path", "sign", "since")


def state_json(rows: Sequence[StateRow]) -> list[dict[str, Any]]:
    """Rows of the state table as JSON."""
    return [
        {
            "path": row.path,
            "expected": plain(row.expected),
            "actual": plain(row.actual),
            "claimed": plain(row.claimed),
            "status": row.status,
            "since_step": row.since_step,
            **({"note": row.note} if row.note else {}),
        }
        for row in rows
    ]


def state_text(rows: Sequence[StateRow]) -> str:
    """Rows of the state table for the command line: sign, path, expected, actual, claimed, since."""
    if not rows:
        return phrase("  nothing to show in this view")
    columns = (
        TextColumn("  path", 30, middle=True), TextColumn("expected", 24), TextColumn("actual", 24),
        TextColumn("claimed", 18), TextColumn("since", right=True),
    )  # fmt: skip
    cells = [
        [
            f"{STATE[row.status].sign} {row.path}",
            shown(row.expected),
            shown(row.actual),
            shown(row.claimed),
            str(row.since_step),
        ]
        for row in rows
    ]
    return table(columns, cells, indent=" ")
