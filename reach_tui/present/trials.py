"""Trials as rows: one a task with its repeats as a strip, or one a trial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reach_tui.present.cells import Column, Row
from reach_tui.present.groups import TaskGroup
from reach_tui.present.language import phrase, word
from reach_tui.present.numbers import count, decimal, duration, share
from reach_tui.present.runs import reach_role
from reach_tui.present.signs import TRIAL, strip
from reach_tui.store.rows import TrialRow


@dataclass(frozen=True, slots=True)
class TrialNumber:
    """A number of a trial's end: its field (and its name in JSON), how its mean over trials reads ("5.2 steps")."""

    name: str
    mean: Callable[[float], str] | None = None
    in_json: bool = True

    def of(self, trial: TrialRow) -> float | None:
        """Of one trial; None where it has not ended or nobody knows."""
        value: float | None = getattr(trial.end, self.name, None)
        return value


def _counted(noun: str) -> Callable[[float], str]:
    return lambda mean: f"{decimal(mean)} {phrase(noun)}"


TRIAL_NUMBERS = (
    TrialNumber("steps", _counted("steps")),
    TrialNumber("calls", _counted("calls")),
    TrialNumber("turns", _counted("turns"), in_json=False),
    TrialNumber("tokens_in"),
    TrialNumber("tokens_out"),
    TrialNumber("cost"),
    TrialNumber("wall_ms", lambda mean: duration(round(mean))),
)
"""What is told of a trial's end in numbers, in this order, by both faces."""

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
    "priority": lambda group: (group.trials[0].task.priority or "~", group.key),
    "weight": lambda group: (-group.trials[0].task.weight, group.key),
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
    failed = next(
        (
            trial.grading.why
            for trial in group.trials
            if trial.grading.status in ("failed", "partial") and trial.grading.why
        ),
        "",
    )
    sign = (
        TRIAL["failed"].piece
        if reached == 0
        else TRIAL["partial"].piece
        if reached is not None and reached < 1
        else (" ", "")
    )
    cells = {
        "task": ((group.key, "text"),),
        "domain": ((first.task.domain or "-", "dim"),),
        "type": ((first.task.task_type or "-", "dim"),),
        "difficulty": ((first.task.difficulty or "-", "dim"),),
        "pri": ((first.task.priority or "-", "dim"),),
        "weight": ((f"{first.task.weight:g}", "dim"),),
        "repeats": strip([trial.grading.status for trial in group.trials]),
        "reach": ((share(reached), reach_role(reached)),),
        "main failure": ((group.mode, "text"),),
        "why": ((failed or "", "dim"),),
    }
    return Row(tuple(cells[column.title] for column in shown), *sign)


def trial_row(trial: TrialRow, shown: tuple[Column, ...]) -> Row:
    """One trial."""
    sign = TRIAL[trial.grading.status]
    end = trial.end
    spent = [n for n in (end.tokens_in, end.tokens_out) if n is not None] if end is not None else []
    attempt = f".{trial.start.attempt}" if trial.start.attempt > 1 or not trial.final else ""
    cells = {
        "trial": ((trial.task.key, "text"), (f" #{trial.start.repeat}{attempt}", "dim")),
        "status": ((word(trial.grading.status), sign.role),),
        "failure": ((trial.grading.mode or "", "text"),),
        "owner": ((word(trial.grading.owner or ""), "dim"),),
        "at": ((str(trial.grading.decisive_step) if trial.grading.decisive_step else "", "dim"),),
        "depth": ((f"{trial.grading.depth}/{trial.grading.depth_of}" if trial.grading.depth_of else "", "dim"),),
        "steps": ((count(end.steps) if end is not None and end.steps is not None else "", "dim"),),
        "tokens": ((count(sum(spent)) if spent else "", "dim"),),
        "time": ((duration(end.wall_ms) if end is not None and end.wall_ms is not None else "", "dim"),),
        "why": ((trial.grading.why or "", "dim"),),
    }
    return Row(
        tuple(cells[column.title] for column in shown),
        sign.sign if trial.grading.status != "passed" else " ",
        sign.role,
    )
