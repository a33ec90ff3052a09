"""Trials as lists show them, and finding the one that people name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reach_tui.core.errors import UsageError
from reach_tui.core.grading import TrialStatus
from reach_tui.store.columns import Columns
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import find_run
from reach_tui.store.store import Store, translated
from reach_tui.store.trial_rows import TrialRow

PAGE = 500

_TRIAL = Columns(
    TrialRow,
    places={
        "": "t",
        "start": "t",
        "end": "t",
        "grading": "t",
        "task": "k",
        "run_uid": "r.uid",
        "grading.why": "g.why",
        "task.weight": "coalesce(k.weight, 1.0)",
    },
)
_SELECT = (
    f"SELECT {_TRIAL.select} FROM trials t JOIN runs r ON r.id = t.run_id JOIN tasks k ON k.id = t.task_id"
    " LEFT JOIN gradings g ON g.trial_id = t.id AND g.current = 1"
)
_row = _TRIAL.decode

_SLOT = r"(?s)(?P<task>.*)#(?P<repeat>\d{1,9})(?:\.(?P<attempt>\d{1,9}))?"
_STEP = r"(?s)(?P<trial>.*)@(?P<step>\d{1,9})"


@dataclass(frozen=True, slots=True)
class SlotState:
    """What a slot (task, repeat) of a run has come to: its attempts so far, and the status that speaks for it."""

    attempts: int
    status: TrialStatus | None


@dataclass(frozen=True, slots=True)
class InFlight:
    """A trial that is running: how many steps are stored, its last tool, when it started (ms UTC)."""

    trial_id: int
    uid: str
    task_key: str
    repeat: int
    steps: int
    last_tool: str | None
    started_at: int | None


_IN_FLIGHT = Columns(
    InFlight,
    places={
        "": "t",
        "trial_id": "t.id",
        "task_key": "k.key",
        "steps": "(SELECT coalesce(max(p.n), 0) FROM steps p WHERE p.trial_id = t.id)",
        "last_tool": "(SELECT p.tool FROM steps p WHERE p.trial_id = t.id AND p.tool IS NOT NULL"
        " ORDER BY p.n DESC LIMIT 1)",
    },
)


@translated
def trials_of(store: Store, run_id: int) -> list[TrialRow]:
    """All attempts of all slots of a run, by task, repeat and attempt."""
    rows = store.db.execute(
        f"{_SELECT} WHERE t.run_id = ? ORDER BY t.task_id, t.repeat, t.attempt", (run_id,)
    ).fetchall()
    return [_row(row) for row in rows]


@translated
def trial_ids(store: Store, run_id: int) -> list[int]:
    """The ids of `trials_of`, in its order."""
    rows = store.db.execute(
        "SELECT id FROM trials WHERE run_id = ? ORDER BY task_id, repeat, attempt", (run_id,)
    ).fetchall()
    return [row[0] for row in rows]


@translated
def trials_by_ids(store: Store, ids: Sequence[int]) -> list[TrialRow]:
    """The trials of these ids, in their order; ids that are not there are left out."""
    trials: dict[int, TrialRow] = {}
    for start in range(0, len(ids), PAGE):
        page = ids[start : start + PAGE]
        marks = ",".join("?" * len(page))
        for row in store.db.execute(f"{_SELECT} WHERE t.id IN ({marks})", page).fetchall():
            trial = _row(row)
            trials[trial.id] = trial
    return [trials[id] for id in ids if id in trials]


@translated
def trials_since(store: Store, run_id: int, rev: int) -> list[TrialRow]:
    """The trials of a run that changed after revision `rev`, in the order of their changes."""
    rows = store.db.execute(
        f"{_SELECT} WHERE t.run_id = ? AND t.rev > ? ORDER BY t.rev, t.id", (run_id, rev)
    ).fetchall()
    return [_row(row) for row in rows]


@translated
def failing_ids(store: Store, run_id: int, statuses: Sequence[str] = ("failed", "partial")) -> list[int]:
    """The ids of a run's trials that fell short, by failure mode; superseded attempts are not among them."""
    marks = ",".join("?" * len(statuses))
    rows = store.db.execute(
        f"SELECT id FROM trials WHERE run_id = ? AND status IN ({marks}) AND final = 1 ORDER BY mode, id",
        (run_id, *statuses),
    ).fetchall()
    return [row[0] for row in rows]


@translated
def history_of_task(store: Store, task_id: int, limit: int = 50) -> list[TrialRow]:
    """The latest trials of a task, in any run, newest first."""
    rows = store.db.execute(f"{_SELECT} WHERE t.task_id = ? ORDER BY t.id DESC LIMIT ?", (task_id, limit)).fetchall()
    return [_row(row) for row in rows]


@translated
def in_flight(store: Store, run_id: int) -> list[InFlight]:
    """The running trials of a run."""
    rows = store.db.execute(
        f"SELECT {_IN_FLIGHT.select} FROM trials t JOIN tasks k ON k.id = t.task_id"
        " WHERE t.run_id = ? AND t.status = 'running' ORDER BY t.id",
        (run_id,),
    ).fetchall()
    return [_IN_FLIGHT.decode(row) for row in rows]


@translated
def slots_of(store: Store, run_id: int) -> dict[tuple[int, int], SlotState]:
    """By (task id, repeat): attempts so far and the status that speaks. A slot without one has to run (again)."""
    rows = store.db.execute(
        "SELECT task_id, repeat, max(attempt), max(CASE WHEN final = 1 THEN status END) FROM trials WHERE run_id = ?"
        " GROUP BY task_id, repeat",
        (run_id,),
    ).fetchall()
    return {(row[0], row[1]): SlotState(row[2], row[3]) for row in rows}


@translated
def existing_uids(store: Store, uids: Iterable[str]) -> set[str]:
    """Those of the trial uids that are stored already: what an import skips."""
    all_uids = list(uids)
    stored: set[str] = set()
    for start in range(0, len(all_uids), PAGE):
        page = all_uids[start : start + PAGE]
        marks = ",".join("?" * len(page))
        stored.update(
            row[0] for row in store.db.execute(f"SELECT uid FROM trials WHERE uid IN ({marks})", page).fetchall()
        )
    return stored


def split_step(ref: str) -> tuple[str, int | None]:
    """`RUN/TASK#1@7` is (`RUN/TASK#1`, 7); without a step the second is None."""
    match = re.fullmatch(_STEP, ref)
    return (match["trial"], int(match["step"])) if match else (ref, None)


@translated
def find_trial(store: Store, ref: str) -> TrialRow:
    """The trial that people mean: a trial's uid, or `RUN/TASK#REPEAT`, with `.ATTEMPT` for a superseded one.

    RUN is what `find_run` takes. `#REPEAT` may be left out where the task has only one. UsageError lists what is near.
    """
    ref = ref.strip()
    row = store.db.execute(f"{_SELECT} WHERE t.uid = ?", (ref,)).fetchone()
    if row is not None:
        return _row(row)
    if "/" not in ref:
        raise UsageError(
            f"no trial {ref!r} in this store", hint="name it RUN/TASK#REPEAT, as `reach show RUN` lists it"
        )
    run, rest = _split_run(store, ref)
    match = re.fullmatch(_SLOT, rest)
    if match is not None:
        trial = _slot(store, run, match["task"], int(match["repeat"]), match["attempt"])
        if trial is not None:
            return trial
    # A key may itself hold what looks like a repeat.
    rows = _of_task(store, run, rest)
    if len({candidate.start.repeat for candidate in rows}) == 1:
        return _speaking(rows)
    if rows:
        known = ", ".join(f"#{repeat}" for repeat in sorted({candidate.start.repeat for candidate in rows}))
        raise UsageError(f"task {rest!r} has several trials in {run.uid}", hint=f"say which: {known}")
    raise UsageError(f"no trial {rest!r} in run {run.uid}", hint=_near(store, run, match["task"] if match else rest))


def _split_run(store: Store, ref: str) -> tuple[RunRow, str]:
    """The run and the rest: at the first slash after which the part before it names a run (names may hold slashes)."""
    first: UsageError | None = None
    for match in re.finditer("/", ref):
        try:
            return find_run(store, ref[: match.start()]), ref[match.end() :]
        except UsageError as error:
            first = first or error
    assert first is not None
    raise first


def _of_task(store: Store, run: RunRow, key: str) -> list[TrialRow]:
    ids = [row[0] for row in store.db.execute("SELECT id FROM tasks WHERE key = ?", (key,)).fetchall()]
    rows = []
    for task_id in ids:
        rows += store.db.execute(f"{_SELECT} WHERE t.run_id = ? AND t.task_id = ?", (run.id, task_id)).fetchall()
    return [_row(row) for row in rows]


def _slot(store: Store, run: RunRow, key: str, repeat: int, attempt: str | None) -> TrialRow | None:
    rows = [row for row in _of_task(store, run, key) if row.start.repeat == repeat]
    if not rows:
        return None
    if attempt is None:
        return _speaking(rows)
    for trial in rows:
        if trial.start.attempt == int(attempt):
            return trial
    known = ", ".join(f".{row.start.attempt}" for row in sorted(rows, key=lambda row: row.start.attempt))
    raise UsageError(f"{key}#{repeat} has no attempt {attempt} in run {run.uid}", hint=f"its attempts: {known}")


def _speaking(rows: Sequence[TrialRow]) -> TrialRow:
    return max(rows, key=lambda row: (row.final, row.start.attempt))


def _near(store: Store, run: RunRow, key: str) -> str:
    rows = store.db.execute(
        "SELECT DISTINCT k.key, t.repeat FROM trials t JOIN tasks k ON k.id = t.task_id WHERE t.run_id = ?"
        " ORDER BY t.task_id, t.repeat",
        (run.id,),
    ).fetchall()
    if not rows:
        return "the run has no trials yet"
    repeats = sorted(repeat for task, repeat in rows if task == key)
    if repeats:
        return f"its repeats are {', '.join(f'#{repeat}' for repeat in repeats)}"
    keys = list(dict.fromkeys(task for task, _ in rows))
    near = difflib.get_close_matches(key, keys, n=3, cutoff=0.5)
    return (
        f"did you mean {', '.join(near)}?"
        if near
        else f"its tasks are {', '.join(keys[:5])}" + ", ..." * (len(keys) > 5)
    )
