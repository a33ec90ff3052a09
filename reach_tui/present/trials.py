"""Trials as rows: one a task with its repeats as a strip, or one a trial."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reach_tui.core.grading import COUNTED
from reach_tui.core.text import one_line
from reach_tui.present.cells import Column, Row
from reach_tui.present.groups import TaskGroup
from reach_tui.present.language import phrase, word
from reach_tui.present.layout import fit
from reach_tui.present.numbers import count, duration, reach_role, share
from reach_tui.present.signs import TRIAL, strip
from reach_tui.store.trial_rows import TrialRow

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


def trials_text(trials: Sequence[TrialRow]) -> str:
    """Trials grouped by task: a strip of the repeats (`x.xp`), and for each that fell short why."""
    by_task: dict[str, list[TrialRow]] = {}
    for trial in trials:
        by_task.setdefault(trial.task.key, []).append(trial)
    lines = []
    for key, rows in by_task.items():
        final = [row for row in rows if row.final] or rows
        passed = sum(row.grading.status == "passed" for row in final)
        counted = sum(row.grading.status in COUNTED for row in final)
        marks = "".join(TRIAL[row.grading.status].sign for row in final)
        told = phrase("{passed}/{counted} passed", passed=passed, counted=counted)
        lines.append(f"{fit(one_line(key), 24)} {fit(marks, 8)} {told}")
        for row in final:
            if row.grading.status != "passed":
                where = phrase(" at step {n}", n=row.grading.decisive_step) if row.grading.decisive_step else ""
                why = one_line(row.grading.why or word(row.end.end_reason if row.end is not None else ""))
                mode = f" {row.grading.mode}" if row.grading.mode else ""
                lines.append(f"    #{row.start.repeat} {word(row.grading.status)}{mode}{where}: {why}")
    shown = dict.fromkeys((sign.sign, sign.meaning) for sign in TRIAL.values())
    return "\n".join([*lines, "", "  ".join(f"{sign} {phrase(meaning)}" for sign, meaning in shown)])
