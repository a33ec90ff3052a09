"""What every part of the store stands on: connections, transactions, errors in words, the revision."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reach_tui.core.errors import ReachError

BUSY_MS = 10_000
"""How long an opener waits for another program's write lock."""
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class StoreLocked(ReachError):
    """Another program held the store's write lock for longer than the busy timeout."""


class StoreDamaged(ReachError):
    """The file is no database, is torn, or holds what a store cannot hold."""


def now_ms() -> int:
    """The wall clock: milliseconds UTC since 1970."""
    return time.time_ns() // 1_000_000


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code of an error; 0 where the error did not come from SQLite."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def connect(target: Path, *, mode: str, busy_ms: int = BUSY_MS, immutable: bool = False) -> sqlite3.Connection:
    """A connection with the store's pragmas. `mode` is SQLite's: ro, rw, rwc. For any one thread at a time."""
    address = f"{target.absolute().as_uri()}?mode={mode}" + ("&immutable=1" if immutable else "")
    db = sqlite3.connect(
        address, uri=True, isolation_level=None, check_same_thread=False, cached_statements=256, timeout=busy_ms / 1000
    )
    db.execute("PRAGMA foreign_keys = on")
    db.execute("PRAGMA synchronous = normal")
    # A store may come from anyone: what its schema says must not reach functions with side effects.
    db.execute("PRAGMA trusted_schema = off")
    if mode == "ro":
        db.execute("PRAGMA query_only = on")
    return db


def path_of(db: sqlite3.Connection) -> str:
    """The file behind a connection ("" for one in memory)."""
    return next((row[2] for row in db.execute("PRAGMA database_list") if row[1] == "main"), "")


def explain(error: sqlite3.Error, where: str) -> ReachError:
    """A SQLite error in words that a person can act on."""
    code, message = primary_code(error), str(error)
    if code in BUSY:
        return StoreLocked("the store is locked by another program", where=where, hint="try again when it has finished")
    if code == sqlite3.SQLITE_NOTADB:
        return StoreDamaged("this is no SQLite database, or its beginning is lost", where=where, hint="name the store")
    if code in DAMAGED or "malformed" in message:
        return StoreDamaged(
            f"the store is damaged: {message}", where=where, hint="`reach store check` says more; restore a backup"
        )
    if code == sqlite3.SQLITE_FULL:
        return ReachError("the disk is full", where=where, hint="free some space; nothing stored so far is lost")
    if code == sqlite3.SQLITE_CANTOPEN:
        return ReachError("the store cannot be opened or made here", where=where, hint="may you write to its folder?")
    if code == sqlite3.SQLITE_READONLY:
        return ReachError("the store cannot be written here", where=where, hint="copy it to a folder of your own")
    return ReachError(f"the store could not be used: {message}", where=where)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """One short BEGIN IMMEDIATE … COMMIT, rolled back on any error; inside another one, a part of that one."""
    inside = db.in_transaction
    if inside:
        yield
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def bump(db: sqlite3.Connection) -> int:
    """The store's next revision; every row written in the same transaction may carry it."""
    row = db.execute(
        "UPDATE meta SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) WHERE key = 'rev' RETURNING value"
    ).fetchone()
    return int(row[0])


def meta(db: sqlite3.Connection, key: str) -> str | None:
    """A value of the table `meta`."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def set_meta(db: sqlite3.Connection, key: str, value: str) -> None:
    """Set a value of the table `meta`, in the caller's transaction."""
    db.execute(
        "INSERT INTO meta(key, value) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value", (key, value)
    )
