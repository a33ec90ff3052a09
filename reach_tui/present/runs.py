"""A run as a row of the list, at every width."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from reach_tui.present import plots
from reach_tui.present.cells import Cell, Column, Row
from reach_tui.present.language import phrase, word
from reach_tui.present.numbers import effect, money, reach_role, share
from reach_tui.present.reading import RunItem
from reach_tui.present.run_text import run_age
from reach_tui.present.signs import RUN, VERDICT_ROLES
from reach_tui.store.rows import RunRow

NAME = Column("run", 21, grow=2)
MODEL = Column("model", 10)
PLAN = Column("tasks", 7, right=True)
REACH = Column("reach", 5, right=True)
CHANGE = Column("change", 22)
AGE = Column("age", 4, right=True)
SUITE = Column("suite", 9, grow=1)
FACTOR = Column("factor", 11, grow=1)
ONCE = Column("once", 5, right=True)
WEIGHTED = Column("wght", 5, right=True)
COST = Column("cost", 6, right=True)

NARROW = (NAME, replace(MODEL, width=12), PLAN, REACH, CHANGE, AGE)
WIDE = (NAME, MODEL, SUITE, FACTOR, PLAN, REACH, ONCE, WEIGHTED, CHANGE, COST, AGE)


def columns_for(cells: int) -> tuple[Column, ...]:
    """The columns that fit in a list of `cells`, of which its edge takes four."""
    return WIDE if cells - 4 >= sum(column.width + 1 for column in WIDE) - 1 else NARROW


def run_row(item: RunItem, now: int, columns: tuple[Column, ...], nested: bool = True) -> Row:
    """One run. In flight its change column shows how far it is; afterwards the effect against its control."""
    run = item.row
    sign = RUN[run.status]
    cells = tuple(_CELLS[column.title](item, now) for column in columns)
    if nested and run.depth:
        # An arm stands under what it branches from; of control and placebo the role says all.
        quiet = run.arm in ("control", "placebo")
        name = word(run.arm) if quiet and run.arm else (run.name or run.uid).removeprefix("branch ")
        cells = ((("  " * run.depth, "faint"), (name, "dim" if quiet else "text")), *cells[1:])
    return Row(cells, *sign.piece, "" if run.status != "cancelled" else "dim")


def _name(item: RunItem, _: int) -> Cell:
    return ((item.row.name or item.row.uid, "text"),)


def _model(item: RunItem, _: int) -> Cell:
    return ((item.row.model or item.row.agent_kind or "-", "dim"),)


def _plan(item: RunItem, _: int) -> Cell:
    # Tasks may ask for fewer repeats than the run does: then what stands behind the x is the mean, not the most.
    tasks, trials = item.row.tasks, item.row.planned
    each = f"{trials // tasks}" if tasks and trials % tasks == 0 else f"{trials / max(tasks, 1):.1f}"
    return ((f"{tasks}x{each}", "dim"),)


def _share(value: float | None) -> Cell:
    return ((share(value), reach_role(value)),)


def _change(item: RunItem, _: int) -> Cell:
    run = item.row
    if run.status in ("running", "paused", "queued"):
        count = f" {run.totals.done}/{run.planned}"
        room = max(6, CHANGE.width - len(count))
        return ((plots.progress(run.totals.done, run.planned, room), "accent"), (count, "dim"))
    if item.effect is not None:
        role = VERDICT_ROLES[item.verdict] if item.verdict else "dim"
        return ((effect(*item.effect), role),)
    if run.status in ("interrupted", "cancelled"):
        return (
            (f"{word(run.status)} {run.totals.done}/{run.planned}", "warn" if run.status == "interrupted" else "dim"),
        )
    if run.arm in ("control", "placebo"):
        return ((word(run.arm), "faint"),)
    if run.totals.not_counted:
        return ((phrase("{n} not counted", n=run.totals.not_counted), "warn"),)
    return ""


def _age(item: RunItem, now: int) -> Cell:
    return ((run_age(item.row, now), "dim"),)


def _factor(item: RunItem, _: int) -> Cell:
    run = item.row
    if not run.factor:
        return ""
    part = (run.factor_part or "").split("/")
    about = part[2] if len(part) > 2 and part[1] == "tools" else ""
    return ((word(run.factor), "text"), (f" {about}" if about else "", "dim"))


_CELLS: dict[str, Callable[[RunItem, int], Cell]] = {
    NAME.title: _name,
    MODEL.title: _model,
    PLAN.title: _plan,
    REACH.title: lambda item, _: _share(item.row.totals.reach_majority),
    ONCE.title: lambda item, _: _share(item.row.totals.reach_once),
    WEIGHTED.title: lambda item, _: _share(item.row.totals.reach_weighted),
    CHANGE.title: _change,
    AGE.title: _age,
    SUITE.title: lambda item, _: ((item.row.suite or "-", "dim"),),
    FACTOR.title: _factor,
    COST.title: lambda item, _: ((money(item.row.totals.cost, item.row.totals.unknown_cost), "dim"),),
}


def matches(row: RunRow, words: list[str]) -> bool:
    """Whether every word of a filter is in a run's name, uid, model, suite, factor, status or origin."""
    text = " ".join(
        filter(None, (row.name, row.uid, row.model, row.suite, row.factor, row.factor_part, row.status, row.origin))
    ).lower()
    return all(word in text for word in words)
