"""Who executes a run: processes, their claims on runs, and whether one is certainly gone."""

from __future__ import annotations

import os
import socket
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from reach_tui.store.columns import Columns


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


_LEASE = Columns(Lease)


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


def lease_on(db: sqlite3.Connection, run_id: int) -> Lease | None:
    """The lease on a run, dead or alive; None where there is none."""
    row = db.execute(f"SELECT {_LEASE.select} FROM runners WHERE run_id = ?", (run_id,)).fetchone()
    return None if row is None else _LEASE.decode(row)
