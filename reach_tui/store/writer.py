"""The one writer of a program: a thread that stores what has gathered, four times a second, in one transaction."""

from __future__ import annotations

import atexit
import sqlite3
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from reach_tui.core.errors import ReachError
from reach_tui.core.grading import Grading
from reach_tui.core.run import RunTotals
from reach_tui.core.trajectory import Exchange, Step
from reach_tui.core.trial import TrialEnd, TrialStart
from reach_tui.store.apply import POISON, Applier, apply_one_by_one
from reach_tui.store.base import BUSY, BUSY_MS, explain, meta, primary_code, transaction
from reach_tui.store.encode import SafeTexts
from reach_tui.store.encoded import InitialTexts, Op, end_op, exchange_op, start_op, step_op
from reach_tui.store.spill import pending_path, put_aside, put_rejected, rejected_path, try_take_in
from reach_tui.store.store import Store

EVERY_MS = 250
AT_ONCE = 2000
"""So many records are stored without waiting for more."""
_SLICE_MS = 250
"""SQLite waits for a lock in slices of this length, so that closing is heard in between."""
_RETRY_SECONDS = 1.0


class Writer:
    """Stores trials. Methods encode what they are given and return at once; any thread may call them.

    The store is opened (made, migrated, a demo store redirected) in the constructor, which raises as `Store` does;
    `path` is the file that is really written. A lock held by another program for longer than `busy_ms` keeps everything
    in memory and says so in `note`; what is left when the writer closes goes to the side file that the next one takes
    in. Use it as a context manager, or call `close`.
    """

    def __init__(
        self, path: str | Path, *, every_ms: int = EVERY_MS, busy_ms: int = BUSY_MS, compress: bool = True
    ) -> None:
        store = self._store = Store(path, write=True, busy_ms=busy_ms)
        self.path = store.path
        self._every = every_ms / 1000
        self._busy = busy_ms / 1000
        self._store_uid = meta(store.db, "store_uid") or ""
        store.db.execute(f"PRAGMA busy_timeout = {max(5, min(busy_ms, _SLICE_MS))}")
        self._safe = SafeTexts()
        self._initials = InitialTexts()
        self._applier = Applier(store.db, compress=compress)
        self._condition = threading.Condition()
        self._queue: deque[Op] = deque()
        self._put = 0
        self._settled = 0
        self._flush_to = 0
        self._closing = False
        self._give_up_at = float("inf")
        self._gone = False
        self._left = 0
        self._lost = False
        self._note = store.note
        self._news = ""
        self._trouble = ""
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()
        # A daemon thread would be cut off at the program's end; what it holds must not be.
        atexit.register(self._close_at_exit)

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def note(self) -> str:
        """What the status line should say of the store; "" if nothing."""
        return "; ".join(part for part in (self._trouble, self._news, self._note) if part)

    def start_trial(self, start: TrialStart, initial: Mapping[str, Any] | None) -> None:
        """A trial begins: its row appears as `running`. A uid that is stored already is left as it is.

        `initial` is its world's whole initial state, None where no state is known.
        """
        self._take(start_op(start, initial, self._initials))

    def step(self, trial_uid: str, step: Step) -> None:
        """A step of a trial is finished."""
        self._take(step_op(trial_uid, step))

    def exchange(self, trial_uid: str, exchange: Exchange) -> None:
        """A request to a model was answered or failed."""
        self._take(exchange_op(trial_uid, exchange, self._safe))

    def end_trial(self, trial_uid: str, end: TrialEnd, grading: Grading, totals: RunTotals, final: bool = True) -> None:
        """A trial ended: its end, grading and the run's totals appear together. One that has ended is left as it is.

        `totals` are the run's, this trial included; `final`: it speaks for its slot.
        """
        self._take(end_op(trial_uid, end, grading, totals, final))

    def flush(self, timeout: float | None = None) -> bool:
        """Store everything given so far, now. False where `timeout` (seconds) passed first: it is still kept."""
        with self._condition:
            target = self._put
            self._flush_to = max(self._flush_to, target)
            self._condition.notify_all()
            self._condition.wait_for(lambda: self._settled >= target or self._gone, timeout)
            return self._settled >= target

    def close(self, timeout: float | None = None) -> int:
        """Store what is left, waiting up to `timeout` seconds (by default the busy timeout); how many records are left.

        These are in the side file then. Closing twice is no error. ReachError where even the side file failed.
        """
        wait = self._busy if timeout is None else timeout
        with self._condition:
            if not self._closing:
                self._closing = True
                self._give_up_at = time.monotonic() + wait
            self._condition.notify_all()
        self._thread.join()
        atexit.unregister(self._close_at_exit)
        if self._lost:
            raise ReachError(
                f"{self._left} records could not be stored: {self._trouble}",
                where=str(self.path),
                hint="free some space or unlock the store, then run the same trials again",
            )
        return self._left

    def _close_at_exit(self) -> None:
        try:
            self.close()
        except ReachError as error:
            print(f"reach: {error}", file=sys.stderr)

    def _take(self, op: Op) -> None:
        with self._condition:
            if self._closing:
                raise ReachError("this writer is closed", where=str(self.path), hint=self._trouble)
            self._queue.append(op)
            self._put += 1
            if self._put - self._settled in (1, AT_ONCE):
                self._condition.notify_all()

    def _run(self) -> None:
        batch: list[Op] = []
        try:
            while True:
                with self._condition:
                    self._condition.wait_for(lambda: self._queue or self._closing)
                    self._condition.wait_for(self._due, self._every)
                    batch = list(self._queue)
                if not batch:
                    break
                if not self._commit(batch):
                    break
                with self._condition:
                    for _ in batch:
                        self._queue.popleft()
                    self._settled += len(batch)
                    self._condition.notify_all()
        except Exception as error:  # whatever it is, what is in memory goes to the side file
            self._trouble = f"the writer stopped: {type(error).__name__}: {error}"
        finally:
            self._leave()

    def _due(self) -> bool:
        return self._closing or self._flush_to > self._settled or len(self._queue) >= AT_ONCE

    def _commit(self, batch: list[Op]) -> bool:
        """Store a batch, however long it takes; False where closing ran out of patience."""
        began = time.monotonic()
        while True:
            try:
                self._apply(batch)
                if pending_path(self.path).exists():
                    self._news = try_take_in(self._store.db)
                self._trouble = ""
                return True
            except sqlite3.Error as error:
                self._applier.forget()
                busy = primary_code(error) in BUSY
                if not busy or time.monotonic() - began >= self._busy:
                    what = "another program holds the store" if busy else explain(error, "").what
                    self._trouble = f"{what}: {self._put - self._settled} records are kept and tried again"
                # A lock may go by itself while the program leaves; a full disk will not.
                if self._closing and (not busy or time.monotonic() >= self._give_up_at):
                    return False
                if not busy:
                    with self._condition:
                        self._condition.wait_for(lambda: self._closing, _RETRY_SECONDS)

    def _apply(self, batch: list[Op]) -> None:
        db = self._store.db
        try:
            with transaction(db):
                self._applier.apply(batch)
        except POISON:
            self._applier.forget()
            with transaction(db):
                rejected = apply_one_by_one(db, self._applier, batch)
            put_rejected(self.path, rejected)
            if rejected:
                where = rejected_path(self.path).name
                self._news = f"{len(rejected)} records could not be stored ({rejected[0][1]}): see {where}"

    def _leave(self) -> None:
        with self._condition:
            self._closing = True
            left = list(self._queue)
            self._left = len(left)
        try:
            put_aside(self.path, self._store_uid, left)
        except OSError as error:
            self._lost = True
            aside = f"{pending_path(self.path).name}: {error.strerror or error}"
            self._trouble = "; ".join(part for part in (self._trouble, aside) if part)
        finally:
            self._store.close()
            with self._condition:
                self._gone = True
                self._condition.notify_all()
