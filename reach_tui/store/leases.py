"""Leases: which process executes a run, and how others see that it is gone, without comparing clocks."""

from __future__ import annotations

import time
from collections.abc import Callable

from reach_tui.store.processes import Lease, is_gone, lease_on
from reach_tui.store.store import Store, translated

BEAT_SECONDS = 5.0
STALE_SECONDS = 30.0


@translated
def owner(store: Store, run_id: int) -> Lease | None:
    """The lease on a run, dead or alive; None where there is none."""
    return lease_on(store.db, run_id)


@translated
def claim(
    store: Store,
    run_id: int,
    runner_uid: str,
    host: str,
    pid: int,
    pid_started: int | None,
    *,
    over: Lease | None = None,
) -> bool:
    """Take the lease on a run. False where another runner holds it and is not certainly gone.

    `over` is a lease that the caller watched and found stale (`LeaseWatch`): it is taken over if it has not beaten
    since. A runner that claims its own lease again keeps it.
    """
    with store.transaction():
        held = owner(store, run_id)
        if held is not None and held.uid != runner_uid and held != over and not is_gone(held):
            return False
        beat_before = held.beat if held is not None else 0
        store.db.execute(
            "INSERT INTO runners(run_id, uid, host, pid, pid_started, beat) VALUES(?, ?, ?, ?, ?, ?)"
            " ON CONFLICT(run_id) DO UPDATE SET uid = excluded.uid, host = excluded.host, pid = excluded.pid,"
            " pid_started = excluded.pid_started, beat = excluded.beat, said = NULL",
            (run_id, runner_uid, host, pid, pid_started, beat_before + 1),
        )
        return True


@translated
def beat(store: Store, runner_uid: str, message: str | None = None) -> bool:
    """Show that a runner lives, on all its leases. False where it holds none any more: it must stop."""
    with store.transaction():
        cursor = store.db.execute(
            "UPDATE runners SET beat = beat + 1, said = coalesce(?, said) WHERE uid = ?", (message, runner_uid)
        )
        return cursor.rowcount > 0


@translated
def release(store: Store, runner_uid: str, run_id: int | None = None) -> None:
    """Give up a runner's lease on one run, or all of its leases."""
    with store.transaction():
        store.db.execute(
            "DELETE FROM runners WHERE uid = ? AND (? IS NULL OR run_id = ?)", (runner_uid, run_id, run_id)
        )


class LeaseWatch:
    """Tells stale leases by watching their beats: one that has not moved for `seconds` of the watcher's own clock."""

    def __init__(self, seconds: float = STALE_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._seen: dict[int, tuple[str, int, float]] = {}

    def stale(self, lease: Lease) -> bool:
        """Look at a lease as it is now; True where its process is gone or its beat stood still for too long."""
        if is_gone(lease):
            return True
        now = self._clock()
        seen = self._seen.get(lease.run_id)
        if seen is None or seen[:2] != (lease.uid, lease.beat):
            self._seen[lease.run_id] = (lease.uid, lease.beat, now)
            return False
        return now - seen[2] >= self._seconds
