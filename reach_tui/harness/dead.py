"""Runs whose process is gone, seen before they are listed."""

from __future__ import annotations

from contextlib import suppress

from reach_tui.core.errors import ReachError
from reach_tui.store.runs import run_ids
from reach_tui.store.store import Store


def find_dead(store: Store) -> None:
    """Mark runs of an open store whose runner is gone as interrupted, where it can be written."""
    if not run_ids(store, status="running"):
        return
    # Imported where something runs: leases and processes are 13 of the 250 ms that `reach show` takes.
    from reach_tui.store import control

    with suppress(ReachError), Store(store.path, write=True) as writable:
        control.recover_all(writable)
