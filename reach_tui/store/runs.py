"""Runs as lists show them: ordered ids first, then pages by id, then only what is new."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from reach_tui.core.errors import UsageError
from reach_tui.store.columns import Columns
from reach_tui.store.rows import RunRow
from reach_tui.store.store import Store, translated

PAGE = 500
LAST = "last"
"""What people type for the newest run."""

_RUN = Columns(
    RunRow,
    places={
        "": "r",
        "totals": "r",
        "experiment_uid": "e.uid",
        "suite": "s.name",
        "agent_kind": "u.agent_kind",
        "agent_label": "r.agent_facts ->> '$.label'",
        "measures": "r.agent_facts ->> '$.measures'",
        "model": "u.model",
        "tasks": "coalesce(r.tasks, (SELECT count(DISTINCT t.task_id) FROM trials t WHERE t.run_id = r.id))",
        "repeats": "coalesce(r.repeats, (SELECT max(t.repeat) FROM trials t WHERE t.run_id = r.id), 0)",
    },
)
_JOINS = (
    " LEFT JOIN experiments e ON e.id = r.experiment_id LEFT JOIN suites s ON s.id = r.suite_id"
    " LEFT JOIN setups u ON u.id = r.setup_id"
)
_SELECT = f"SELECT {_RUN.select} FROM runs r{_JOINS}"
_row = _RUN.decode


@dataclass(frozen=True, slots=True)
class ReachPoint:
    """A point of reach over time: the mean reach of a run, and the factor in which it differed from its parent."""

    run_id: int
    uid: str
    name: str
    created_at: int
    reach_mean: float | None
    factor: str | None


_POINT = Columns(ReachPoint, places={"run_id": "id"})


@translated
def run_ids(
    store: Store, *, text: str = "", suite_id: int | None = None, mode: str | None = None, status: str | None = None
) -> list[int]:
    """All run ids, newest tree first and branches under their parents; with filters only those that match.

    `text` is looked for in name, uid, suite, model and factor; `mode` keeps runs with a trial that failed that way.
    """
    if not (text or suite_id is not None or mode or status):
        return [row[0] for row in store.db.execute("SELECT id FROM runs ORDER BY root_id DESC, tree").fetchall()]
    conditions, values = ["1"], list[object]()
    if text:
        conditions.append(
            "instr(lower(r.name || ' ' || r.uid || ' ' || coalesce(s.name, '') || ' ' || coalesce(u.model, '') || ' '"
            " || coalesce(r.factor, '') || ' ' || coalesce(r.factor_part, '')), lower(?)) > 0"
        )
        values.append(text)
    if suite_id is not None:
        conditions.append("r.suite_id = ?")
        values.append(suite_id)
    if mode:
        conditions.append("EXISTS(SELECT 1 FROM trials t WHERE t.run_id = r.id AND t.status = 'failed' AND t.mode = ?)")
        values.append(mode)
    if status:
        conditions.append("r.status = ?")
        values.append(status)
    rows = store.db.execute(
        f"SELECT r.id FROM runs r{_JOINS} WHERE {' AND '.join(conditions)} ORDER BY r.root_id DESC, r.tree", values
    ).fetchall()
    return [row[0] for row in rows]


@translated
def runs_by_ids(store: Store, ids: Sequence[int]) -> list[RunRow]:
    """The runs of these ids, in their order; ids that are not there are left out."""
    by_id: dict[int, RunRow] = {}
    for start in range(0, len(ids), PAGE):
        page = ids[start : start + PAGE]
        marks = ",".join("?" * len(page))
        for row in store.db.execute(f"{_SELECT} WHERE r.id IN ({marks})", page).fetchall():
            run = _row(row)
            by_id[run.id] = run
    return [by_id[id] for id in ids if id in by_id]


@translated
def runs_since(store: Store, rev: int, limit: int = PAGE) -> list[RunRow]:
    """Runs that changed after revision `rev`, in the order of their changes; about `limit`, never half a revision."""
    rows = store.db.execute(
        f"{_SELECT} WHERE r.rev > ? AND r.rev <= coalesce("
        "(SELECT rev FROM runs WHERE rev > ? ORDER BY rev LIMIT 1 OFFSET ?), 9223372036854775807) ORDER BY r.rev",
        (rev, rev, max(limit - 1, 0)),
    ).fetchall()
    return [_row(row) for row in rows]


@translated
def run_by_uid(store: Store, uid: str) -> RunRow | None:
    """The run of exactly that uid."""
    row = store.db.execute(f"{_SELECT} WHERE r.uid = ?", (uid,)).fetchone()
    return None if row is None else _row(row)


@translated
def branches_of(store: Store, run_id: int) -> list[RunRow]:
    """The runs whose parent is this one, oldest first."""
    rows = store.db.execute(f"{_SELECT} WHERE r.parent_id = ? ORDER BY r.id", (run_id,)).fetchall()
    return [_row(row) for row in rows]


@translated
def find_run(store: Store, ref: str) -> RunRow:
    """The run that people mean: a uid, `last` (the newest that is no arm of an experiment, else the newest), an exact
    name (the newest of that name), or the beginning of one uid. UsageError lists what comes near.
    """
    run_id = _find(store, ref.strip())
    (row,) = runs_by_ids(store, [run_id])
    return row


def _find(store: Store, ref: str) -> int:
    if not ref:
        raise UsageError("no run named", hint="give a run's uid, its beginning, a name or `last`")
    if ref == LAST:
        for condition in ("WHERE experiment_id IS NULL", ""):
            row = store.db.execute(f"SELECT id FROM runs {condition} ORDER BY id DESC LIMIT 1").fetchone()
            if row is not None:
                return int(row[0])
        raise UsageError("there is no run in this store yet", hint="`reach run SUITE` makes one")
    row = store.db.execute("SELECT id FROM runs WHERE uid = ?", (ref,)).fetchone()
    if row is None:
        row = store.db.execute("SELECT id FROM runs WHERE name = ? ORDER BY id DESC LIMIT 1", (ref,)).fetchone()
    if row is not None:
        return int(row[0])
    rows = store.db.execute(
        "SELECT id, uid, name FROM runs WHERE uid >= ? AND uid < ? ORDER BY uid LIMIT 6", (ref, ref + "\U0010ffff")
    ).fetchall()
    if len(rows) == 1:
        return int(rows[0][0])
    if rows:
        several = ", ".join(f"{uid} ({name})" for _, uid, name in rows[:5]) + (", ..." if len(rows) > 5 else "")
        raise UsageError(f"{ref!r} begins several runs: {several}", hint="give more of the uid")
    raise UsageError(f"no run {ref!r} in this store", hint=_near(store, ref))


def _near(store: Store, ref: str) -> str:
    recent = store.db.execute("SELECT uid, name FROM runs ORDER BY id DESC LIMIT 300").fetchall()
    if not recent:
        return "the store holds no runs yet"
    words = list(dict.fromkeys(word for row in recent for word in row))
    near = difflib.get_close_matches(ref, words, n=3, cutoff=0.5)
    if not near:
        near = [f"{uid} ({name})" for uid, name in recent[:3]]
        return f"the newest are {', '.join(near)}"
    return f"did you mean {', '.join(near)}?"


@translated
def reach_history(store: Store, suite_id: int, limit: int = 60) -> list[ReachPoint]:
    """Mean reach of a suite's latest runs, oldest first."""
    rows = store.db.execute(
        f"SELECT {_POINT.select} FROM runs WHERE suite_id = ? ORDER BY created_at DESC, id DESC LIMIT ?",
        (suite_id, limit),
    ).fetchall()
    return [_POINT.decode(row) for row in reversed(rows)]
