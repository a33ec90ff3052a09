"""Trials as rows: one a task with its repeats as a strip, or one a trial."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reach_tui.present.cells import Column, Row
from reach_tui.present.groups import TaskGroup
from reach_tui.present.language import word
from reach_tui.present.numbers import count, duration, share
from reach_tui.present.runs import reach_role
from reach_tui.present.signs import TRIAL, strip
from reach_tui.store.rows import TrialRow

TASKS_NARROW = (
    Column("task", 16, grow=1), Column("domain", 12), Column("pri", 3), Column("repeats", 8),
    Column("reach", 5, right=True), Column("main failure", 20, grow=1),
)  # fmt: skip
TASKS_WIDE = (
    Column("task", 18, grow=1), Column("domain", 14), Column("type", 10), Column("difficulty", 10), Column("pri", 3),
    Column("weight", 6, right=True), Column("repeats", 10), Column("reach", 5, right=True), Column("main failure", 20),
    Column("why", 10, grow=4),
)  # fmt: skip
TRIALS_NARROW = (
    Column("trial", 18, grow=1), Column("status", 11), Column("failure", 20, grow=1), Column("at", 4, right=True),
    Column("depth", 5), Column("steps", 5, right=True), Column("time", 7, right=True),
)  # fmt: skip
TRIALS_WIDE = (
    Column("trial", 20, grow=1), Column("status", 11), Column("failure", 22), Column("owner", 10),
    Column("at", 4, right=True),
    Column("depth", 5), Column("steps", 5, right=True), Column("tokens", 6, right=True), Column("time", 7, right=True),
    Column("why", 10, grow=4),
)  # fmt: skip

TASK_ORDERS: dict[str, Callable[[TaskGroup], Any]] = {
    "suite": lambda group: 0,
    "reach": lambda group: (group.passed / group.counted if group.counted else 2.0, group.key),
    "task": lambda group: group.key,
    "failure": lambda group: (not group.mode, group.mode, group.key),
    "priority": lambda group: (group.trials[0].priority or "~", group.key),
    "weight": lambda group: (-group.trials[0].weight, group.key),
}


def columns(view: str, cells: int) -> tuple[Column, ...]:
    """The columns of a view ("tasks" or "trials") that fit."""
    if view == "tasks":
        return TASKS_WIDE if cells >= 116 else TASKS_NARROW
    return TRIALS_WIDE if cells >= 116 else TRIALS_NARROW


def task_row(group: TaskGroup, shown: tuple[Column, ...]) -> Row:
    """A task with all its repeats."""
    first = group.trials[0]
    reached = group.passed / group.counted if group.counted else None
    failed = next((trial.why for trial in group.trials if trial.status in ("failed", "partial") and trial.why), "")
    sign = (
        TRIAL["failed"].piece
        if reached == 0
        else TRIAL["partial"].piece
        if reached is not None and reached < 1
        else (" ", "")
    )
    cells = {
        "task": ((group.key, "text"),),
        "domain": ((first.domain or "-", "dim"),),
        "type": ((first.task_type or "-", "dim"),),
        "difficulty": ((first.difficulty or "-", "dim"),),
        "pri": ((first.priority or "-", "dim"),),
        "weight": ((f"{first.weight:g}", "dim"),),
        "repeats": strip([trial.status for trial in group.trials]),
        "reach": ((share(reached), reach_role(reached)),),
        "main failure": ((group.mode, "text"),),
        "why": ((failed or "", "dim"),),
    }
    return Row(tuple(cells[column.title] for column in shown), *sign)


def trial_row(trial: TrialRow, shown: tuple[Column, ...]) -> Row:
    """One trial."""
    sign = TRIAL[trial.status]
    tokens = (
        None
        if trial.tokens_in is None and trial.tokens_out is None
        else (trial.tokens_in or 0) + (trial.tokens_out or 0)
    )
    attempt = f".{trial.attempt}" if trial.attempt > 1 or not trial.final else ""
    cells = {
        "trial": ((trial.task_key, "text"), (f" #{trial.repeat}{attempt}", "dim")),
        "status": ((word(trial.status), sign.role),),
        "failure": ((trial.mode or "", "text"),),
        "owner": ((word(trial.owner or ""), "dim"),),
        "at": ((str(trial.decisive_step) if trial.decisive_step else "", "dim"),),
        "depth": ((f"{trial.depth}/{trial.depth_of}" if trial.depth_of else "", "dim"),),
        "steps": ((count(trial.steps) if trial.steps is not None else "", "dim"),),
        "tokens": ((count(tokens) if tokens is not None else "", "dim"),),
        "time": ((duration(trial.wall_ms) if trial.wall_ms is not None else "", "dim"),),
        "why": ((trial.why or "", "dim"),),
    }
    return Row(
        tuple(cells[column.title] for column in shown), sign.sign if trial.status != "passed" else " ", sign.role
    )
