"""Opening stores: one function sets connections up, two others know demo copies, snapshots and what can be wrong."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from reach_tui.core.errors import ReachError, UsageError
from reach_tui.core.ids import new_uid
from reach_tui.store import demo, schema
from reach_tui.store.base import (
    BUSY,
    Database,
    data_version,
    explain,
    primary_code,
    revision,
    transaction,
)
from reach_tui.store.migrations import migrate, version_of

__all__ = [
    "BUSY_MS",
    "Database",
    "Opened",
    "connect",
    "data_version",
    "open_for_reading",
    "open_for_writing",
    "revision",
]

BUSY_MS = 10_000
"""How long an opener waits for another program's write lock."""
SNAPSHOT = "snapshot"
"""The note of a store that cannot be watched here: what others write meanwhile does not show."""
OLDEST_SQLITE = (3, 37, 0)


@dataclass(frozen=True, slots=True)
class Opened:
    """An open store: the connection, the file it really is (a demo store's copy, say), a note for the status line."""

    db: Database
    path: Path
    note: str = ""

    def close(self) -> None:
        """Close the connection."""
        self.db.close()


def connect(target: Path, *, mode: str, busy_ms: int = BUSY_MS, immutable: bool = False) -> Database:
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


def open_for_reading(path: str | Path, *, busy_ms: int = BUSY_MS, exactly: bool = False) -> Opened:
    """Open an existing store to read it. A demo store's copy is opened in its place once it exists, unless `exactly`.

    UsageError where there is no store; ReachError where the file is torn, newer, another program's, or cannot be read.
    An older store is migrated first, after a backup; of an older demo store, the copy.
    """
    target = Path(path)
    _look(target)
    opened = _open_readable(target, busy_ms)
    try:
        older, is_demo = version_of(opened.db) < schema.VERSION, demo.is_demo(opened.db)
        if older and is_demo:
            demo.make_copy(opened.db, target)
            exactly = False
        elif older:
            opened.close()
            _migrate_file(target, busy_ms)
            opened = _open_readable(target, busy_ms)
        if is_demo:
            copy = demo.local_copy(target)
            if copy.exists() and not exactly:
                opened.close()
                inner = open_for_reading(copy, busy_ms=busy_ms)
                return Opened(inner.db, inner.path, _joined(f"{demo.NOTE_COPY} {copy.name}", inner.note))
            return Opened(opened.db, target, _joined(demo.NOTE_DEMO, opened.note))
    except sqlite3.Error as error:
        opened.close()
        raise explain(error, str(target)) from error
    except ReachError:
        opened.close()
        raise
    return opened


def open_for_writing(path: str | Path, *, busy_ms: int = BUSY_MS) -> Opened:
    """Open a store to write to it: made where there is none, migrated after a backup where it is older.

    For a demo store the copy beside it is opened, made if need be. Results that an earlier program had to leave in the
    side file are taken in. ReachError where the file is torn, newer, another program's or cannot be written.
    """
    target = Path(path)
    _check_sqlite()
    db: Database | None = None
    try:
        if not target.exists() or target.stat().st_size == 0:
            if not target.absolute().parent.is_dir():
                raise UsageError(f"there is no folder {target.parent}", hint="make it first, or name another file")
            db = connect(target, mode="rwc", busy_ms=busy_ms)
            _create(db)
        else:
            _look(target)
            if _is_demo_file(target, busy_ms):
                return _open_demo_copy(target, busy_ms)
            _refuse_unwritable(target)
            db = connect(target, mode="rw", busy_ms=busy_ms)
            migrate(db)
        note = _switch_wal_on(db)
        # Imported here: reading must not pay for it.
        from reach_tui.store.pending import pending_path, try_take_in

        if pending_path(target).exists():
            note = _joined(note, try_take_in(db))
        return Opened(db, target, note)
    except sqlite3.Error as error:
        if db is not None:
            db.close()
        raise explain(error, str(target)) from error
    except (OSError, ReachError) as error:
        if db is not None:
            db.close()
        if isinstance(error, OSError):
            raise ReachError(f"the store cannot be written: {error.strerror}", where=str(target)) from error
        raise


def _create(db: Database) -> None:
    with transaction(db):
        # Under the lock: another program may have made it between the look and the open.
        if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            schema.create(db, new_uid("s"))
    version_of(db)


def _refuse_unwritable(target: Path) -> None:
    # SQLite would open it all the same, and fail at the first result.
    effective = os.access in os.supports_effective_ids
    for place in (target, target.absolute().parent):
        if not os.access(place, os.W_OK, effective_ids=effective):
            raise ReachError(
                f"the store cannot be written: no right to write to {place}",
                where=str(target),
                hint="copy it to a folder of your own",
            )


def _switch_wal_on(db: Database) -> str:
    try:
        (mode,) = db.execute("PRAGMA journal_mode").fetchone()
        if mode != "wal":
            (mode,) = db.execute("PRAGMA journal_mode = wal").fetchone()
    except sqlite3.OperationalError as error:
        if primary_code(error) in BUSY:
            return ""  # someone is reading; the next writer switches
        mode = "refused"
    return "" if mode == "wal" else "no write-ahead log here: readers and writers wait for each other"


def _is_demo_file(target: Path, busy_ms: int) -> bool:
    opened = _open_readable(target, busy_ms)
    try:
        version_of(opened.db)
        return demo.is_demo(opened.db)
    finally:
        opened.close()


def _open_demo_copy(target: Path, busy_ms: int) -> Opened:
    source = _open_readable(target, busy_ms)
    try:
        copy = demo.make_copy(source.db, target)
    finally:
        source.close()
    inner = open_for_writing(copy, busy_ms=busy_ms)
    return Opened(inner.db, inner.path, _joined(f"{demo.NOTE_COPY} {copy.name}", inner.note))


def _migrate_file(target: Path, busy_ms: int) -> None:
    db = connect(target, mode="rw", busy_ms=busy_ms)
    try:
        migrate(db)
    finally:
        db.close()


def _open_readable(target: Path, busy_ms: int) -> Opened:
    """Read-only, and where a write-ahead log cannot be used, as a snapshot."""
    db: Database | None = None
    try:
        db = connect(target, mode="ro", busy_ms=busy_ms)
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return Opened(db, target)
    except sqlite3.OperationalError as error:
        if db is not None:
            db.close()
        if primary_code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise explain(error, str(target)) from error
    except sqlite3.Error as error:
        if db is not None:
            db.close()
        raise explain(error, str(target)) from error
    return _open_snapshot(target)


def _open_snapshot(target: Path) -> Opened:
    log, journal = Path(f"{target}-wal"), Path(f"{target}-journal")
    if journal.exists() and journal.stat().st_size:
        raise ReachError(
            f"a write to the store was interrupted, and {journal.name} cannot be taken back here",
            where=str(target),
            hint="open it once in a folder that can be written",
        )
    try:
        db = connect(target, mode="ro", immutable=True)
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        raise ReachError(
            f"the store cannot be read here: {error}",
            where=str(target),
            hint="SQLite needs to write beside it; copy it to a folder of your own",
        ) from error
    if log.exists() and log.stat().st_size:
        return Opened(db, target, f"{SNAPSHOT}, without what is still in {log.name}")
    return Opened(db, target, SNAPSHOT)


def _look(target: Path) -> None:
    """Refuse what is not there. The file is never opened but by SQLite: closing it would drop this program's locks."""
    _check_sqlite()
    if target.is_dir():
        raise UsageError(f"{target} is a folder, not a store", hint="name a file, for example runs.db")
    try:
        size = target.stat().st_size
    except FileNotFoundError:
        raise UsageError(
            f"there is no store at {target}", hint="`reach run SUITE` makes one, `reach demo` shows one"
        ) from None
    except OSError as error:
        raise ReachError(f"the store cannot be read: {error.strerror}", where=str(target)) from error
    if size == 0:
        raise UsageError(f"{target} is empty, not a store yet", hint="`reach run SUITE` fills it")


def _check_sqlite() -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise ReachError(
            f"Python's SQLite is {sqlite3.sqlite_version}; stores need 3.37 or newer", hint="use a newer Python"
        )


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)
