"""Leases: which process executes a run, and how others see that it is gone, without comparing clocks."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reach_tui.store.base import Database, transaction, translated

BEAT_SECONDS = 5.0
STALE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Process:
    """A process: `host` names machine and process namespace, `started` (None: unknown) tells it from a namesake."""

    host: str
    pid: int
    started: int | None


@dataclass(frozen=True, slots=True)
class Lease:
    """The claim of a runner on a run. `beat` counts up while the runner lives; `said` is its last word."""

    run_id: int
    uid: str
    host: str | None
    pid: int | None
    pid_started: int | None
    beat: int
    said: str | None


def this_process() -> Process:
    """The present process, as a lease names it."""
    pid = os.getpid()
    return Process(this_host(), pid, process_started(pid))


def this_host() -> str:
    """The machine's name, and on Linux the process namespace: equal pids in two containers are not one process."""
    try:
        return f"{socket.gethostname()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return socket.gethostname()


def process_started(pid: int) -> int | None:
    """When a process started, in the kernel's own ticks; None where that cannot be seen or it is gone (or a zombie)."""
    try:
        # The name may hold anything, closing parentheses included.
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return None if fields[0] in (b"Z", b"X") else int(fields[19])
    except (OSError, IndexError, ValueError):
        return None


def is_gone(lease: Lease) -> bool:
    """True only where it is certain: the lease is this host's, and its process has ended or is another one."""
    if lease.pid is None or lease.host != this_host():
        return False
    if Path("/proc/self/stat").exists():
        started = process_started(lease.pid)
        return started is None or (lease.pid_started is not None and started != lease.pid_started)
    try:
        os.kill(lease.pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


@translated
def owner(db: Database, run_id: int) -> Lease | None:
    """The lease on a run, dead or alive; None where there is none."""
    row = db.execute(
        "SELECT run_id, uid, host, pid, pid_started, beat, said FROM runners WHERE run_id = ?", (run_id,)
    ).fetchone()
    return None if row is None else Lease(*row)


@translated
def claim(
    db: Database, run_id: int, runner_uid: str, host: str, pid: int, pid_started: int | None, *,
    over: Lease | None = None,
) -> bool:  # fmt: skip
    """Take the lease on a run. False where another runner holds it and is not certainly gone.

    `over` is a lease that the caller watched and found stale (`LeaseWatch`): it is taken over if it has not beaten
    since. A runner that claims its own lease again keeps it.
    """
    with transaction(db):
        held = owner(db, run_id)
        if held is not None and held.uid != runner_uid and held != over and not is_gone(held):
            return False
        beat_before = held.beat if held is not None else 0
        db.execute(
            "INSERT INTO runners(run_id, uid, host, pid, pid_started, beat) VALUES(?, ?, ?, ?, ?, ?)"
            " ON CONFLICT(run_id) DO UPDATE SET uid = excluded.uid, host = excluded.host, pid = excluded.pid,"
            " pid_started = excluded.pid_started, beat = excluded.beat, said = NULL",
            (run_id, runner_uid, host, pid, pid_started, beat_before + 1),
        )
        return True


@translated
def beat(db: Database, runner_uid: str, said: str | None = None) -> bool:
    """Show that a runner lives, on all its leases. False where it holds none any more: it must stop."""
    with transaction(db):
        cursor = db.execute(
            "UPDATE runners SET beat = beat + 1, said = coalesce(?, said) WHERE uid = ?", (said, runner_uid)
        )
        return cursor.rowcount > 0


@translated
def release(db: Database, runner_uid: str, run_id: int | None = None) -> None:
    """Give up a runner's lease on one run, or all of its leases."""
    with transaction(db):
        db.execute("DELETE FROM runners WHERE uid = ? AND (? IS NULL OR run_id = ?)", (runner_uid, run_id, run_id))


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
