"""Watching a run from outside, through the store alone."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from reach_tui.core.errors import ReachError
from reach_tui.harness.launch import last_words, tidy
from reach_tui.store import control, leases, processes
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import run_by_uid
from reach_tui.store.store import Store

POLL_SECONDS = 0.2
ENDED = ("ended", "cancelled", "interrupted", "paused")


def wait_for_run(
    path: Path, run_uid: str, process: subprocess.Popen[bytes], on_row: Callable[[RunRow], None]
) -> RunRow:
    """Wait until a launched run has ended; `on_row` sees every change. Ctrl-C or SIGTERM cancels it, a second leaves.

    ReachError, with the process's last words, where it ended before the run did.
    """
    with watching(path) as store, asking(lambda: cancel(path, run_uid, process)):
        rev = -1
        for _ in until_gone(process):
            row = _run(store, run_uid)
            if row.rev != rev:
                rev = row.rev
                on_row(row)
        if row.status not in ENDED or (process.returncode != 0 and row.status != "cancelled"):
            raise ended_early(path, run_uid, f"run {run_uid}", f"reach run --resume {run_uid}")
        tidy(path, run_uid)
        return row


def _run(store: Store, uid: str) -> RunRow:
    row = run_by_uid(store, uid)
    if row is None:
        raise ReachError(f"run {uid} is no longer in the store", where=str(store.path))
    return row


def until_gone(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Every `POLL_SECONDS` while a process lives, and once more after it has ended: what it stored last is seen."""
    gone = False
    while not gone:
        gone = process.poll() is not None
        yield
        if not gone:
            time.sleep(POLL_SECONDS)


def ended_early(path: Path, uid: str, what: str, go_on: str) -> ReachError:
    """What to raise where the process of a run or experiment ended before its work did: with its last words."""
    words = last_words(path, uid)
    return ReachError(
        f"the process of {what} ended early" + (f": {words}" if words else ""), hint=f"go on with: {go_on}"
    )


def cancel(path: Path, run_uid: str, process: subprocess.Popen[bytes]) -> None:
    """Cancel a run that this process launched: by signal, which needs no store, and by word where one can be left."""
    process.terminate()
    with contextlib.suppress(ReachError):
        ask(path, run_uid, "cancel")


@contextmanager
def watching(path: Path) -> Iterator[Store]:
    """A store to be read while other processes write to it, and closed as they leave it.

    A reader that closes last cannot bring what a write-ahead log holds into the store's one file: a writer does.
    """
    store = Store(path)
    try:
        with store:
            yield store
    finally:
        with contextlib.suppress(ReachError):
            Store(path, write=True).close()


def ask(path: Path, run_uid: str, verb: str) -> RunRow:
    """Leave a command for the runner of a run; where none lives, the run is marked interrupted or cancelled instead."""
    with Store(path, write=True) as store:
        row = run_by_uid(store, run_uid)
        if row is None:
            raise ReachError(f"no run {run_uid!r} in {path}")
        lease = leases.owner(store, row.id)
        if lease is not None and not processes.is_gone(lease):
            control.add_command(store, row.id, verb)
        elif row.status in ("queued", "running", "paused"):
            # Nobody is there to hear it: what can be done is done here, and nothing is left for a later runner.
            control.recover(store, row.id)
            control.drop_commands(store, row.id)
            if verb == "cancel":
                control.set_run_status(store, row.id, "cancelled", only_from=("queued", "paused"))
        return run_by_uid(store, run_uid) or row


@contextmanager
def asking(on_first: Callable[[], Any]) -> Iterator[None]:
    """While inside, the first SIGINT or SIGTERM calls `on_first`; a second one ends the waiting at once."""
    asked = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        on_first()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def make_ready(path: Path, run_uids: Sequence[str]) -> None:
    """Queue runs that shall go on, and close what was asked of their earlier runners."""
    with Store(path, write=True) as store:
        for uid in run_uids:
            row = run_by_uid(store, uid)
            if row is None:
                continue
            lease = leases.owner(store, row.id)
            if lease is not None and not processes.is_gone(lease):
                raise ReachError(f"run {uid} is being executed by another process", hint="watch it with `reach runs`")
            control.recover(store, row.id)
            control.drop_commands(store, row.id)
            control.set_run_status(store, row.id, "queued", only_from=("cancelled", "interrupted", "paused"))


def was_cancelled(path: Path, run_uid: str) -> bool:
    """Whether a run was cancelled while its process was still starting."""
    with Store(path) as store:
        row = run_by_uid(store, run_uid)
        return row is not None and row.status == "cancelled"
