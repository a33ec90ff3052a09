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
from reach_tui.harness.launch import said, tidy
from reach_tui.store import plans
from reach_tui.store.connect import open_for_reading, open_for_writing
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import run_by_uid, run_ids

POLL_SECONDS = 0.2
ENDED = ("ended", "cancelled", "interrupted", "paused")


def wait_for_run(
    store: Path, run_uid: str, process: subprocess.Popen[bytes], on_row: Callable[[RunRow], None]
) -> RunRow:
    """Wait until a launched run has ended; `on_row` sees every change. Ctrl-C or SIGTERM cancels it, a second leaves.

    ReachError, with the process's last words, where it ended before the run did.
    """
    opened = open_for_reading(store)
    try:
        with asking(lambda: cancel(store, run_uid, process)):
            rev = -1
            while True:
                gone = process.poll() is not None
                row = run_by_uid(opened.db, run_uid)
                if row is None:
                    raise ReachError(f"run {run_uid} is no longer in the store", where=str(store))
                if row.rev != rev:
                    rev = row.rev
                    on_row(row)
                if gone:
                    if row.status not in ENDED or (process.returncode != 0 and row.status != "cancelled"):
                        words = said(store, run_uid)
                        raise ReachError(
                            f"the process of run {run_uid} ended early" + (f": {words}" if words else ""),
                            hint=f"go on with: reach run --resume {run_uid}",
                        )
                    tidy(store, run_uid)
                    return row
                time.sleep(POLL_SECONDS)
    finally:
        opened.close()
        put_together(store)


def cancel(store: Path, run_uid: str, process: subprocess.Popen[bytes]) -> None:
    """Cancel a run that this process launched: by signal, which needs no store, and by word where one can be left."""
    process.terminate()
    with contextlib.suppress(ReachError):
        ask(store, run_uid, "cancel")


def put_together(store: Path) -> None:
    """Bring what a write-ahead log holds into the store's one file: a reader that closes last cannot do that."""
    with contextlib.suppress(ReachError):
        open_for_writing(store).close()


def ask(store: Path, run_uid: str, verb: str) -> RunRow:
    """Leave a command for the runner of a run; where none lives, the run is marked interrupted or cancelled instead."""
    opened = open_for_writing(store)
    try:
        row = run_by_uid(opened.db, run_uid)
        if row is None:
            raise ReachError(f"no run {run_uid!r} in {store}")
        lease = plans.owner(opened.db, row.id)
        if lease is not None and not plans.is_gone(lease):
            plans.add_command(opened.db, row.id, verb)
        elif row.status in ("queued", "running", "paused"):
            # Nobody is there to hear it: what can be done is done here, and nothing is left for a later runner.
            plans.recover(opened.db, row.id)
            plans.drop_commands(opened.db, row.id)
            if verb == "cancel":
                plans.set_run_status(opened.db, row.id, "cancelled", only_from=("queued", "paused"))
        return run_by_uid(opened.db, run_uid) or row
    finally:
        opened.close()


def find_dead(store: Path) -> None:
    """Mark runs whose runner is gone as interrupted, where the store can be written: before they are listed."""
    try:
        opened = open_for_reading(store)
        try:
            live = run_ids(opened.db, status="running")
        finally:
            opened.close()
        if live:
            writable = open_for_writing(store)
            try:
                plans.recover_all(writable.db)
            finally:
                writable.close()
    except ReachError:
        return


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


def make_ready(store: Path, run_uids: Sequence[str]) -> None:
    """Queue runs that shall go on, and close what was asked of their earlier runners."""
    opened = open_for_writing(store)
    try:
        for uid in run_uids:
            row = run_by_uid(opened.db, uid)
            if row is None:
                continue
            lease = plans.owner(opened.db, row.id)
            if lease is not None and not plans.is_gone(lease):
                raise ReachError(f"run {uid} is being executed by another process", hint="watch it with `reach runs`")
            plans.recover(opened.db, row.id)
            plans.drop_commands(opened.db, row.id)
            plans.set_run_status(opened.db, row.id, "queued", only_from=("cancelled", "interrupted", "paused"))
    finally:
        opened.close()


def was_cancelled(store: Path, run_uid: str) -> bool:
    """Whether a run was cancelled while its process was still starting."""
    opened = open_for_reading(store)
    try:
        row = run_by_uid(opened.db, run_uid)
        return row is not None and row.status == "cancelled"
    finally:
        opened.close()
