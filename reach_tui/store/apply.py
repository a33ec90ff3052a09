"""How a writer's operations become rows. Applying one a second time changes nothing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from reach_tui.core.grading import TrialStatus
from reach_tui.store.base import bump
from reach_tui.store.columns import Row
from reach_tui.store.encoded import EndOp, ExchangeOp, Op, StartOp, StepOp
from reach_tui.store.texts import put_text, split_body
from reach_tui.store.trial_columns import CHANGE, END, EXCHANGE, GRADING, PARTS, START, STEP, TOTALS, GradingOp

OPEN_STATUSES: tuple[TrialStatus, ...] = ("running", "interrupted")
"""A trial in one of these may still end: what was found without its runner may turn up in a side file."""

_START = START.insert("trials", "status", "initial_text_id", "rev")
_STEP = STEP.insert("steps", "trial_id", "preview", "body", "text_id", tail="ON CONFLICT(trial_id, n) DO NOTHING")
_CHANGE = CHANGE.insert("changes", "trial_id", "n", "seq", "source", tail="ON CONFLICT(trial_id, n, seq) DO NOTHING")
_EXCHANGE = EXCHANGE.insert(
    "exchanges",
    "trial_id",
    "messages",
    "tools_text_id",
    "response_text_id",
    "request_digest",
    tail="ON CONFLICT(trial_id, turn, who, attempt) DO NOTHING",
)
_END = f"UPDATE trials SET {END.assignments}, final = ?, rev = ? WHERE id = ?"
_GRADING = GRADING.insert(
    "gradings", "trial_id", "at", "current", tail="ON CONFLICT(trial_id, version, oracle) DO NOTHING RETURNING id"
)
_GRADED_AGAIN = (
    f"UPDATE gradings SET {GRADING.assignments}, at = ?, current = 1"
    " WHERE trial_id = ? AND version = ? AND oracle = ? RETURNING id"
)
_PARTS = {table: part.insert(table, "grading_id", "ord") for table, part in PARTS.items()}
_HEAD = (
    "UPDATE trials SET status = g.status, mode = g.mode, owner = g.owner, decisive_step = g.step, depth = g.depth,"
    " depth_of = g.depth_of, rev = ? FROM gradings g WHERE trials.id = ? AND g.id = ?"
)
_TOTALS = f"UPDATE runs SET {TOTALS.assignments}, rev = ? WHERE id = ?"
_N, _ENDED_AT, _DONE = STEP.names.index("n"), END.names.index("ended_at"), TOTALS.names.index("done")
_VERSION, _ORACLE = GRADING.names.index("version"), GRADING.names.index("oracle")

POISON = (
    sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError, OverflowError,
    ValueError, TypeError,
)  # fmt: skip
"""Errors that lie in an operation itself: trying again would not help."""


class UnknownTrial(ValueError):
    """An operation speaks of a trial that never began."""


class Applier:
    """Applies operations within transactions that the caller holds."""

    def __init__(self, db: sqlite3.Connection, *, compress: bool = True) -> None:
        self.db = db
        self.compress = compress
        self._trials: dict[str, tuple[int, str] | None] = {}
        self._texts: dict[str, int] = {}
        self._late: set[str] = set()
        self._seen_version = -1
        self._rev = 0

    def apply(self, ops: Sequence[Op]) -> None:
        """All of `ops`, in the caller's transaction. After an error the caller rolls back and calls `forget`."""
        version = int(self.db.execute("PRAGMA data_version").fetchone()[0])
        if version != self._seen_version:
            # Another program committed: it may have dropped texts or ended trials that are remembered here.
            self.forget()
            self._seen_version = version
        self._rev = bump(self.db)
        steps: list[Row] = []
        changes: list[Row] = []
        for op in ops:
            if isinstance(op, StepOp):
                self._step(op, steps, changes)
            elif isinstance(op, StartOp):
                self._start(op)
            elif isinstance(op, ExchangeOp):
                self._exchange(op)
            else:
                self._end(op)
        self.db.executemany(_STEP, steps)
        self.db.executemany(_CHANGE, changes)

    def forget(self) -> None:
        """Drop what is remembered of rows: they may have been rolled back."""
        self._trials.clear()
        self._texts.clear()

    def _trial(self, uid: str) -> tuple[int, str] | None:
        """(id, kind of state) of a trial that may still be written to; None for one that has ended."""
        if uid in self._trials:
            return self._trials[uid]
        row = self.db.execute("SELECT id, state_kind, status FROM trials WHERE uid = ?", (uid,)).fetchone()
        if row is None:
            raise UnknownTrial(f"trial {uid} never began")
        open_trial = (int(row[0]), str(row[1])) if row[2] in OPEN_STATUSES else None
        self._trials[uid] = open_trial
        return open_trial

    def _start(self, op: StartOp) -> None:
        if self.db.execute("SELECT 1 FROM trials WHERE uid = ?", (op.uid,)).fetchone() is not None:
            return
        start = op.start
        initial = None if op.initial is None else self._text(op.initial)
        slot = {"run": start.run_id, "task": start.task_id, "repeat": start.repeat, "attempt": start.attempt}
        (taken,) = self.db.execute(
            "SELECT max(attempt) FROM trials WHERE run_id = :run AND task_id = :task AND repeat = :repeat AND EXISTS"
            " (SELECT 1 FROM trials WHERE run_id = :run AND task_id = :task AND repeat = :repeat"
            " AND attempt = :attempt)",
            slot,
        ).fetchone()
        if taken is not None:
            # A side file may bring a trial whose slot was run again meanwhile: both are kept, the first one counts.
            start = replace(start, attempt=taken + 1)
            self._late.add(op.uid)
        cursor = self.db.execute(_START, ("running", initial, self._rev, *START.encode(start)))
        self.db.execute("UPDATE runs SET rev = ? WHERE id = ?", (self._rev, start.run_id))
        self._trials[op.uid] = (int(cursor.lastrowid or 0), start.state_kind)

    def _step(self, op: StepOp, steps: list[Row], changes: list[Row]) -> None:
        trial = self._trial(op.uid)
        if trial is None:
            return
        trial_id, state_kind = trial
        body, text_id = split_body(self.db, op.body, compress=self.compress)
        steps.append((trial_id, op.preview, body, text_id, *op.step))
        if op.changes:
            n, source = op.step[_N], "observed" if state_kind == "observed" else "exact"
            changes.extend((trial_id, n, seq, source, *change) for seq, change in enumerate(op.changes))

    def _exchange(self, op: ExchangeOp) -> None:
        trial = self._trial(op.uid)
        if trial is None:
            return
        messages = json.dumps([self._text(message) for message in op.messages], separators=(",", ":"))
        texts = (messages, self._text(op.tools), self._text(op.response))
        self.db.execute(_EXCHANGE, (trial[0], *texts, op.request_digest, *op.exchange))

    def _text(self, text: str) -> int:
        text_id = self._texts.get(text)
        if text_id is None:
            text_id = put_text(self.db, text, compress=self.compress)
            if len(self._texts) >= 2000:
                self._texts.clear()
            self._texts[text] = text_id
        return text_id

    def _end(self, op: EndOp) -> None:
        trial = self._trial(op.uid)
        if trial is None:
            return
        self._trials[op.uid] = None
        trial_id = trial[0]
        run_id, task_id, repeat, attempt = self.db.execute(
            "SELECT run_id, task_id, repeat, attempt FROM trials WHERE id = ?", (trial_id,)
        ).fetchone()
        (standing,) = self.db.execute(
            "SELECT max(attempt) FROM trials WHERE run_id = ? AND task_id = ? AND repeat = ? AND final = 1",
            (run_id, task_id, repeat),
        ).fetchone()
        final = int(op.final and (standing is None or (standing < attempt and op.uid not in self._late)))
        if final:
            self.db.execute(
                "UPDATE trials SET final = 0, rev = ? WHERE run_id = ? AND task_id = ? AND repeat = ? AND final = 1",
                (self._rev, run_id, task_id, repeat),
            )
        self.db.execute(_END, (*op.end, final, self._rev, trial_id))
        write_grading(self.db, trial_id, op.grading, op.end[_ENDED_AT], self._rev)
        write_totals_row(self.db, run_id, op.totals, self._rev, unless_older=True)


def write_grading(db: sqlite3.Connection, trial_id: int, op: GradingOp, at: int, rev: int) -> None:
    """Store a grading as the trial's current one, in the caller's transaction. The same version again replaces it."""
    db.execute("UPDATE gradings SET current = 0 WHERE trial_id = ? AND current = 1", (trial_id,))
    row = db.execute(_GRADING, (trial_id, at, 1, *op.grading)).fetchone()
    if row is None:
        key = (op.grading[_VERSION], op.grading[_ORACLE])
        row = db.execute(_GRADED_AGAIN, (*op.grading, at, trial_id, *key)).fetchone()
        for table in PARTS:
            db.execute(f"DELETE FROM {table} WHERE grading_id = ?", row)
    grading_id = int(row[0])
    for table, statement in _PARTS.items():
        db.executemany(statement, [(grading_id, ord_, *part) for ord_, part in enumerate(op.parts[table])])
    db.execute(_HEAD, (rev, trial_id, grading_id))


def write_totals_row(db: sqlite3.Connection, run_id: int, totals: Row, rev: int, *, unless_older: bool = False) -> None:
    """Set a run's totals. With `unless_older`, totals that know of fewer trials than the row does only touch `rev`.

    That happens where a side file brings trials late; `check` then names the run, and its totals can be written anew.
    """
    if unless_older:
        row = db.execute("SELECT done FROM runs WHERE id = ?", (run_id,)).fetchone()
        if row is not None and row[0] > totals[_DONE]:
            db.execute("UPDATE runs SET rev = ? WHERE id = ?", (rev, run_id))
            return
    db.execute(_TOTALS, (*totals, rev, run_id))


def apply_one_by_one(db: sqlite3.Connection, applier: Applier, ops: Sequence[Op]) -> list[tuple[Op, str]]:
    """Apply what can be applied, in the caller's transaction; the rest comes back with the reason."""
    rejected = []
    for op in ops:
        db.execute("SAVEPOINT one")
        try:
            applier.apply([op])
            db.execute("RELEASE one")
        except POISON as error:
            db.execute("ROLLBACK TO one")
            db.execute("RELEASE one")
            applier.forget()
            rejected.append((op, str(error)))
    return rejected
