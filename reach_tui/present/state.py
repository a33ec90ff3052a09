"""Rows of the state table as rows of a list."""

from __future__ import annotations

from collections.abc import Sequence

from reach_tui.core.grading import SIGNS, MilestoneResult, StateRow
from reach_tui.present.cells import Column, Piece, Row
from reach_tui.present.numbers import value

VIEWS = ("differing", "changed", "expected", "all")
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

ROLES = {"match": "good", "wrong": "bad", "missing": "warn", "unexpected": "warn", "lost": "bad"}


def columns(cells: int) -> tuple[Column, ...]:
    """The columns of a pane of `cells` columns."""
    return (*COLUMNS, NOTE) if cells >= WITH_NOTES else COLUMNS


def state_row(row: StateRow, here: int) -> Row:
    """A state row as drawn at step `here`: what this very step made so is strong."""
    role = ROLES.get(row.status, "")
    actual = "strong" if row.since_step == here and here else "good" if row.status == "match" else role or "text"
    return Row(
        (
            ((row.path, "text"),),
            ((value(row.expected), "text" if row.status != "unexpected" else "faint"),),
            ((value(row.actual), actual),),
            ((value(row.claimed), "claim"),),
            ((str(row.since_step), "strong" if row.since_step == here and here else "dim"),),
            ((row.note, "faint"),),
        ),
        SIGNS.get(row.status, " "),
        role,
    )


def milestone_strip(milestones: Sequence[MilestoneResult], here: int) -> list[Piece]:
    """`milestones  1 order looked up @3   2 refund recorded -`: reached ones with their step, those to come dim."""
    if not milestones:
        return [(" no milestones in this task", "faint")]
    pieces: list[Piece] = [(" milestones ", "head")]
    for n, one in enumerate(milestones, 1):
        reached = one.verdict == "reached" and one.step is not None and one.step <= here
        later = one.verdict == "reached" and not reached
        mark = f"@{one.step}" if one.step is not None and one.verdict == "reached" else "-"
        role = "good" if reached else "dim" if later else "warn"
        pieces += [(f" {n} ", "faint"), (one.name, role), (f" {mark} ", role)]
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
