"""Speaking to runs from elsewhere, their status, and what becomes of trials whose runner is gone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from reach_tui.core.run import RUN_STATUSES, RunStatus
from reach_tui.store.base import bump, now_ms, path_of
from reach_tui.store.columns import Columns
from reach_tui.store.encode import json_or_null, plain_or_null
from reach_tui.store.leases import owner
from reach_tui.store.processes import is_gone
from reach_tui.store.store import Store, translated

# The same words as the partial index, which SQLite otherwise would not use.
_LIVE = "SELECT id FROM runs WHERE status IN ('queued', 'running', 'paused') AND status <> 'queued' ORDER BY id"


@dataclass(frozen=True, slots=True)
class Command:
    """A request to the runner of a run: `verb` is "cancel", "pause", "resume", "concurrency" or another it knows."""

    id: int
    run_id: int
    verb: str
    args: Mapping[str, Any]
    at: int
    by: str | None


_COMMAND = Columns(Command)


@translated
def add_command(
    store: Store,
    run_id: int,
    verb: str,
    args: Mapping[str, Any] | None = None,
    by: str | None = None,
    at: int | None = None,
) -> int:
    """Ask the runner of a run for something; the command's id."""
    with store.transaction():
        cursor = store.db.execute(
            "INSERT INTO commands(run_id, verb, args, at, by) VALUES(?, ?, ?, ?, ?)",
            (run_id, verb, json_or_null(args), now_ms() if at is None else at, plain_or_null(by)),
        )
        return int(cursor.lastrowid or 0)


@translated
def commands_for(store: Store, run_id: int) -> list[Command]:
    """What was asked and is not done, oldest first."""
    rows = store.db.execute(
        f"SELECT {_COMMAND.select} FROM commands WHERE run_id = ? AND done_at IS NULL ORDER BY id", (run_id,)
    ).fetchall()
    return [_COMMAND.decode(row) for row in rows]


@translated
def done_command(store: Store, command_id: int, at: int | None = None) -> None:
    """Say that a command was carried out."""
    with store.transaction():
        store.db.execute(
            "UPDATE commands SET done_at = ? WHERE id = ? AND done_at IS NULL",
            (now_ms() if at is None else at, command_id),
        )


@translated
def set_run_status(
    store: Store, run_id: int, status: RunStatus, at: int | None = None, *, only_from: Collection[str] = ()
) -> bool:
    """Set a run's status, with the time it started or ended.

    With `only_from`, only where the present status is one of these; False where it is not.
    """
    if status not in RUN_STATUSES:
        raise ValueError(f"no status of a run: {status!r}")
    when = now_ms() if at is None else at
    with store.transaction():
        row = store.db.execute("SELECT status FROM runs WHERE id = ?", (run_id,)).fetchone()
        if row is None or (only_from and row[0] not in only_from):
            return False
        if status == "running":
            # A run that goes on has not ended; its first start stays.
            store.db.execute(
                "UPDATE runs SET started_at = coalesce(started_at, ?), ended_at = NULL WHERE id = ?", (when, run_id)
            )
        elif status not in ("queued", "paused"):
            store.db.execute("UPDATE runs SET ended_at = ? WHERE id = ?", (when, run_id))
        store.db.execute("UPDATE runs SET status = ?, rev = ? WHERE id = ?", (status, bump(store.db), run_id))
        return True


@translated
def recover(
    store: Store, run_id: int, at: int | None = None, *, runner_uid: str | None = None, stale: Collection[str] = ()
) -> int:
    """Turn the trials of a run that are `running` without a runner into `interrupted`; how many there were.

    They are kept and readable, and never counted. Nothing happens while a lease is held by a runner that may live;
    `stale` names runners that the caller watched and found still (`LeaseWatch`). The runner that has just claimed the
    run passes its own uid before it starts a trial; without it a run found `running` or `paused` becomes `interrupted`.
    Results waiting in the side file are stored first.
    """
    # Imported here: only writers pay for it.
    from reach_tui.store.spill import pending_path, try_take_in

    if pending_path(path_of(store.db)).exists() and not store.db.in_transaction:
        try_take_in(store.db)
    with store.transaction():
        lease = owner(store, run_id)
        ours = runner_uid is not None and lease is not None and lease.uid == runner_uid
        if lease is not None and not ours and lease.uid not in stale and not is_gone(lease):
            return 0
        row = store.db.execute("SELECT origin, status FROM runs WHERE id = ?", (run_id,)).fetchone()
        origin, status = row or ("", "")
        if not status or (lease is None and origin == "import"):
            return 0  # an import has no lease: its own program ends it
        when = now_ms() if at is None else at
        rev = bump(store.db)
        interrupted = store.db.execute(
            "UPDATE trials SET status = 'interrupted', end_reason = 'interrupted', final = 0, ended_at = ?, rev = ?"
            " WHERE run_id = ? AND status = 'running'",
            (when, rev, run_id),
        ).rowcount
        if not ours:
            store.db.execute("DELETE FROM runners WHERE run_id = ?", (run_id,))
            set_run_status(store, run_id, "interrupted", when, only_from=("running",) if lease is None else _ALIVE)
        store.db.execute("UPDATE runs SET rev = ? WHERE id = ?", (rev, run_id))
        return interrupted


_ALIVE = ("running", "paused")
"""Statuses of a run under a lease. One paused without a lease was left in order, to be gone on with."""


@translated
def drop_commands(store: Store, run_id: int, at: int | None = None) -> None:
    """Close what was asked of a runner that is gone: the next one shall not obey it."""
    with store.transaction():
        store.db.execute(
            "UPDATE commands SET done_at = ? WHERE run_id = ? AND done_at IS NULL",
            (now_ms() if at is None else at, run_id),
        )


@translated
def recover_all(store: Store, at: int | None = None, *, stale: Collection[str] = ()) -> list[int]:
    """`recover` for every run found `running` or `paused`; the ids of those that became `interrupted`."""
    rows = store.db.execute(_LIVE).fetchall()
    interrupted = []
    for (run_id,) in rows:
        recover(store, run_id, at, stale=stale)
        (status,) = store.db.execute("SELECT status FROM runs WHERE id = ?", (run_id,)).fetchone()
        if status == "interrupted":
            interrupted.append(int(run_id))
    return interrupted
