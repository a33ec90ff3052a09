"""How a writer's operations become rows. Applying one a second time changes nothing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from reach_tui.core.grading import TrialStatus
from reach_tui.store.base import bump
from reach_tui.store.ops import EndOp, ExchangeOp, GradingOp, Op, Row, StartOp, StepOp, TotalsOp
from reach_tui.store.texts import put_text, split_body

OPEN_STATUSES: tuple[TrialStatus, ...] = ("running", "interrupted")
"""A trial in one of these may still end: what was found without its runner may turn up in a side file."""

_STEP = (
    "INSERT INTO steps(trial_id, n, turn, kind, tool, call_id, ok, flags, at_ms, took_ms, tokens, preview, body,"
    " text_id, state_digest) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(trial_id, n) DO NOTHING"
)
_CHANGE = (
    "INSERT INTO changes(trial_id, n, seq, pointer, old, new, source) VALUES(?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT(trial_id, n, seq) DO NOTHING"
)
_EXCHANGE = (
    "INSERT INTO exchanges(trial_id, turn, attempt, who, model, options, messages, tools_text_id, response_text_id,"
    " request_digest, status, error, finish, tokens_in, tokens_out, waited_ms, took_ms)"
    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(trial_id, turn, who, attempt) DO NOTHING"
)
_TOTALS = (
    "UPDATE runs SET done = ?, passed = ?, partial = ?, failed = ?, not_counted = ?, reach_once = ?,"
    " reach_majority = ?, reach_mean = ?, reach_weighted = ?, tokens = ?, cost = ?, unknown_cost = ?, summary = ?,"
    " rev = ? WHERE id = ?"
)


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
        found = (int(row[0]), str(row[1])) if row[2] in OPEN_STATUSES else None
        self._trials[uid] = found
        return found

    def _start(self, op: StartOp) -> None:
        if self.db.execute("SELECT 1 FROM trials WHERE uid = ?", (op.uid,)).fetchone() is not None:
            return
        initial = None if op.initial is None else self._text(op.initial)
        (taken,) = self.db.execute(
            "SELECT max(attempt) FROM trials WHERE run_id = ? AND task_id = ? AND repeat = ? AND EXISTS"
            " (SELECT 1 FROM trials WHERE run_id = ? AND task_id = ? AND repeat = ? AND attempt = ?)",
            (op.run_id, op.task_id, op.repeat, op.run_id, op.task_id, op.repeat, op.attempt),
        ).fetchone()
        attempt = op.attempt
        if taken is not None:
            # A side file may bring a trial whose slot was run again meanwhile: both are kept, the first one counts.
            attempt = taken + 1
            self._late.add(op.uid)
        cursor = self.db.execute(
            "INSERT INTO trials(uid, run_id, task_id, repeat, attempt, seed, status, state_kind, initial_text_id,"
            " started_at, rev) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (op.uid, op.run_id, op.task_id, op.repeat, attempt, op.seed, "running", op.state_kind, initial,
             op.started_at, self._rev),
        )  # fmt: skip
        self.db.execute("UPDATE runs SET rev = ? WHERE id = ?", (self._rev, op.run_id))
        self._trials[op.uid] = (int(cursor.lastrowid or 0), op.state_kind)

    def _step(self, op: StepOp, steps: list[Row], changes: list[Row]) -> None:
        trial = self._trial(op.uid)
        if trial is None:
            return
        trial_id, state_kind = trial
        body, text_id = split_body(self.db, op.body, compress=self.compress)
        steps.append(
            (trial_id, op.n, op.turn, op.kind, op.tool, op.call_id, op.ok, op.flags, op.at_ms, op.took_ms, op.tokens,
             op.preview, body, text_id, op.state_digest)
        )  # fmt: skip
        source = "observed" if state_kind == "observed" else "exact"
        changes.extend((trial_id, op.n, *change, source) for change in op.changes)

    def _exchange(self, op: ExchangeOp) -> None:
        trial = self._trial(op.uid)
        if trial is None:
            return
        messages = json.dumps([self._text(message) for message in op.messages], separators=(",", ":"))
        self.db.execute(
            _EXCHANGE,
            (trial[0], op.turn, op.attempt, op.who, op.model, op.options, messages, self._text(op.tools),
             self._text(op.response), op.request_digest, op.status, op.error, op.finish, op.tokens_in, op.tokens_out,
             op.waited_ms, op.took_ms),
        )  # fmt: skip

    def _text(self, text: str) -> int:
        found = self._texts.get(text)
        if found is None:
            found = put_text(self.db, text, compress=self.compress)
            if len(self._texts) >= 2000:
                self._texts.clear()
            self._texts[text] = found
        return found

    def _end(self, op: EndOp) -> None:
        trial = self._trial(op.uid)
        if trial is None:
            return
        self._trials[op.uid] = None
        trial_id = trial[0]
        grading = op.grading
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
        self.db.execute(
            "UPDATE trials SET final = ?, status = ?, end_reason = ?, end_text = ?, mode = ?, owner = ?,"
            " decisive_step = ?, depth = ?, depth_of = ?, steps = ?, turns = ?, calls = ?, tokens_in = ?,"
            " tokens_out = ?, cost = ?, model_ms = ?, wall_ms = ?, failed_requests = ?, final_digest = ?, ended_at = ?,"
            " rev = ? WHERE id = ?",
            (final, grading.status, op.end_reason, op.end_text, grading.mode, grading.owner, grading.step,
             grading.depth, grading.depth_of, op.steps, op.turns, op.calls, op.tokens_in, op.tokens_out, op.cost,
             op.model_ms, op.wall_ms, op.failed_requests, op.final_digest, op.ended_at, self._rev, trial_id),
        )  # fmt: skip
        write_grading(self.db, trial_id, grading, op.ended_at)
        write_totals_row(self.db, run_id, op.totals, self._rev, unless_older=True)


def write_grading(db: sqlite3.Connection, trial_id: int, grading: GradingOp, at: int) -> None:
    """Store a grading as the trial's current one, in the caller's transaction. The same version again replaces it."""
    db.execute("UPDATE gradings SET current = 0 WHERE trial_id = ? AND current = 1", (trial_id,))
    row = db.execute(
        "INSERT INTO gradings(trial_id, version, oracle, at, status, mode, owner, step, parting, depth, depth_of, why,"
        " current) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT(trial_id, version, oracle) DO NOTHING"
        " RETURNING id",
        (trial_id, grading.version, grading.oracle, at, *grading[2:10]),
    ).fetchone()
    if row is None:
        row = db.execute(
            "UPDATE gradings SET at = ?, status = ?, mode = ?, owner = ?, step = ?, parting = ?, depth = ?,"
            " depth_of = ?, why = ?, current = 1 WHERE trial_id = ? AND version = ? AND oracle = ? RETURNING id",
            (at, *grading[2:10], trial_id, grading.version, grading.oracle),
        ).fetchone()
        for table in ("checks", "milestones", "deviations", "claims"):
            db.execute(f"DELETE FROM {table} WHERE grading_id = ?", row)
    one = (int(row[0]),)
    db.executemany(
        "INSERT INTO checks(grading_id, ord, kind, decides, path, verdict, expected, actual, step, why)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [one + check for check in grading.checks],
    )
    db.executemany(
        "INSERT INTO milestones(grading_id, ord, name, verdict, step, expected, actual) VALUES(?, ?, ?, ?, ?, ?, ?)",
        [one + milestone for milestone in grading.milestones],
    )
    db.executemany(
        "INSERT INTO deviations(grading_id, ord, detector, tool, step, last_step, evidence)"
        " VALUES(?, ?, ?, ?, ?, ?, ?)",
        [one + deviation for deviation in grading.deviations],
    )
    db.executemany(
        "INSERT INTO claims(grading_id, ord, step, pointer, value, span, supported, tool)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
        [one + claim for claim in grading.claims],
    )


def write_totals_row(
    db: sqlite3.Connection, run_id: int, totals: TotalsOp, rev: int, *, unless_older: bool = False
) -> None:
    """Set a run's totals. With `unless_older`, totals that know of fewer trials than the row does only touch `rev`.

    That happens where a side file brings trials late; `check` then names the run, and its totals can be written anew.
    """
    if unless_older:
        row = db.execute("SELECT done FROM runs WHERE id = ?", (run_id,)).fetchone()
        if row is not None and row[0] > totals.done:
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
