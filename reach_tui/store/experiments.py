"""Experiments: their plan, their arms, their result, and the pairs of trials on which it stands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from reach_tui.core.errors import ReachError, UsageError
from reach_tui.core.experiment import ExperimentPlan, ExperimentResult
from reach_tui.core.grading import COUNTED
from reach_tui.core.ids import new_uid
from reach_tui.core.records import from_json, to_json
from reach_tui.core.verdicts import VerdictWord
from reach_tui.store.base import bump, now_ms
from reach_tui.store.columns import Columns
from reach_tui.store.encode import json_text
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import run_by_uid, runs_by_ids
from reach_tui.store.store import Store, translated


@dataclass(frozen=True, slots=True)
class ExperimentRow:
    """An experiment with its plan and, from its first interim analysis on, its result.

    `unread_result` is the version of the statistics of a stored result that this release cannot read.
    """

    id: int
    uid: str
    parent_run_id: int | None
    parent_run_uid: str | None
    base_seed: str
    primary_metric: str
    plan: ExperimentPlan
    verdict: VerdictWord | None
    result: ExperimentResult | None
    unread_result: str | None
    created_at: int


_EXPERIMENT = Columns(
    ExperimentRow, without=("plan", "result", "unread_result"), places={"": "e", "parent_run_uid": "r.uid"}
)
_SELECT = (
    f"SELECT {_EXPERIMENT.select}, e.plan, e.result, e.stats_version FROM experiments e"
    " LEFT JOIN runs r ON r.id = e.parent_run_id"
)


@dataclass(frozen=True, slots=True)
class SlotTrial:
    """The trial that speaks for a slot in one arm."""

    trial_id: int
    status: str
    depth: int | None
    depth_of: int | None
    cost: float | None


@dataclass(frozen=True, slots=True)
class ArmCell:
    """A task in one arm: its trials by repeat. Only ended trials are here."""

    trials: Mapping[int, SlotTrial] = field(default_factory=dict)

    @property
    def passed(self) -> int:
        """Repeats that passed."""
        return sum(trial.status == "passed" for trial in self.trials.values())

    @property
    def counted(self) -> int:
        """Repeats that count: passed, partial or failed."""
        return sum(trial.status in COUNTED for trial in self.trials.values())

    @property
    def not_counted(self) -> int:
        """Repeats that ended otherwise: errors of the infrastructure, of the grader, and the like."""
        return len(self.trials) - self.counted


@dataclass(frozen=True, slots=True)
class TaskPair:
    """A task in two arms."""

    task_id: int
    task_key: str
    weight: float
    control: ArmCell
    branch: ArmCell

    def repeats(self) -> list[tuple[int, SlotTrial, SlotTrial]]:
        """(repeat, control, branch) for the repeats that ended in both arms, in order."""
        both = sorted(self.control.trials.keys() & self.branch.trials.keys())
        return [(repeat, self.control.trials[repeat], self.branch.trials[repeat]) for repeat in both]


_SLOT = Columns(SlotTrial, places={"trial_id": "id"})
Stored = TypeVar("Stored", ExperimentPlan, ExperimentResult)


@translated
def create_experiment(
    store: Store,
    *,
    base_seed: str,
    primary_metric: str,
    plan: ExperimentPlan,
    parent_run_id: int | None = None,
    uid: str | None = None,
    created_at: int | None = None,
) -> ExperimentRow:
    """Store an experiment. A uid that is stored already is found again, unchanged."""
    with store.transaction():
        name = uid or new_uid("x")
        store.db.execute(
            "INSERT INTO experiments(uid, parent_run_id, base_seed, primary_metric, plan, created_at)"
            " VALUES(:uid, :parent_run_id, :base_seed, :primary_metric, :plan, :created_at)"
            " ON CONFLICT(uid) DO NOTHING",
            {
                "uid": name,
                "parent_run_id": parent_run_id,
                "base_seed": base_seed,
                "primary_metric": primary_metric,
                "plan": json_text(to_json(plan)),
                "created_at": now_ms() if created_at is None else created_at,
            },
        )
        return experiment(store, name)


@translated
def set_result(store: Store, uid: str, result: ExperimentResult | None, stats_version: str | None = None) -> None:
    """Store what an experiment came to; its arms' rows are marked as changed. UsageError for an unknown uid."""
    verdict = None if result is None or result.verdict is None else result.verdict.word
    with store.transaction():
        row = store.db.execute(
            "UPDATE experiments SET verdict = ?, result = ?, stats_version = ? WHERE uid = ? RETURNING id",
            (verdict, None if result is None else json_text(to_json(result)), stats_version, uid),
        ).fetchone()
        if row is None:
            raise UsageError(f"no experiment {uid!r} in this store")
        store.db.execute("UPDATE runs SET rev = ? WHERE experiment_id = ?", (bump(store.db), row[0]))


@translated
def experiment(store: Store, uid: str) -> ExperimentRow:
    """The experiment of that uid. UsageError where there is none."""
    row = store.db.execute(f"{_SELECT} WHERE e.uid = ?", (uid,)).fetchone()
    if row is None:
        raise UsageError(f"no experiment {uid!r} in this store", hint="its arms are listed by `reach runs`")
    return _row(row)


@translated
def experiments_of(store: Store, parent_run_id: int) -> list[ExperimentRow]:
    """The experiments that branch from a run, oldest first."""
    rows = store.db.execute(f"{_SELECT} WHERE e.parent_run_id = ? ORDER BY e.id", (parent_run_id,)).fetchall()
    return [_row(row) for row in rows]


@translated
def runs_of(store: Store, experiment_id: int) -> list[RunRow]:
    """The arms of an experiment, in the order in which they were created."""
    rows = store.db.execute("SELECT id FROM runs WHERE experiment_id = ? ORDER BY id", (experiment_id,)).fetchall()
    return runs_by_ids(store, [row[0] for row in rows])


@translated
def pairs(store: Store, control_run: int | str, branch_run: int | str) -> list[TaskPair]:
    """Every task that has ended trials in either arm, with those that speak for their slots; runs by id or uid."""
    arms = [_cells(store, _run_id(store, run)) for run in (control_run, branch_run)]
    ids = sorted(arms[0].keys() | arms[1].keys())
    by_task = []
    for task_id in ids:
        key, weight = store.db.execute(
            "SELECT key, coalesce(weight, 1.0) FROM tasks WHERE id = ?", (task_id,)
        ).fetchone()
        control, branch = (ArmCell(arm.get(task_id, {})) for arm in arms)
        by_task.append(TaskPair(task_id, key, weight, control, branch))
    return by_task


def _run_id(store: Store, run: int | str) -> int:
    if isinstance(run, int):
        return run
    row = run_by_uid(store, run)
    if row is None:
        raise UsageError(f"no run {run!r} in this store", hint="see `reach runs`")
    return row.id


def _cells(store: Store, run_id: int) -> dict[int, dict[int, SlotTrial]]:
    rows = store.db.execute(
        f"SELECT {_SLOT.select}, task_id, repeat FROM trials WHERE run_id = ? AND final = 1"
        " AND status <> ? ORDER BY task_id, repeat",
        (run_id, "running"),
    ).fetchall()
    cells: dict[int, dict[int, SlotTrial]] = {}
    for row in rows:
        task_id, repeat = row[-2:]
        cells.setdefault(task_id, {})[repeat] = _SLOT.decode(row)
    return cells


def _row(row: tuple[Any, ...]) -> ExperimentRow:
    stored_plan, stored_result, version = row[-3:]
    plan, result = _read(ExperimentPlan, stored_plan), _read(ExperimentResult, stored_result)
    if plan is None:
        raise ReachError(
            f"the stored plan of experiment {row[_UID]} cannot be read", hint="was it made by a newer release?"
        )
    unread = version if stored_result is not None and result is None else None
    return _EXPERIMENT.decode(row, plan=plan, result=result, unread_result=unread)


_UID = _EXPERIMENT.names.index("uid")


def _read(kind: type[Stored], text: str | None) -> Stored | None:
    try:
        return None if text is None else from_json(kind, json.loads(text))
    except ValueError:
        return None
