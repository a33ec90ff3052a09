"""The class `Store`, and all that opening one may meet: demo copies, snapshots, older versions, damage."""

from __future__ import annotations

import functools
import os
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from reach_tui.core.errors import ReachError, UsageError
from reach_tui.core.ids import new_uid
from reach_tui.store import demo, migrations
from reach_tui.store.base import BUSY, BUSY_MS, connect, explain, meta, primary_code, transaction
from reach_tui.store.migrations import migrate, version_of

SNAPSHOT = "snapshot"
"""The note of a store that cannot be watched here: what others write meanwhile does not show."""
OLDEST_SQLITE = (3, 37, 0)

Params = ParamSpec("Params")
Result = TypeVar("Result")
_Opened = tuple[sqlite3.Connection, Path, str]
"""What opening gives: the connection, the file that it is on, a note."""


def translated(function: Callable[Concatenate[Store, Params], Result]) -> Callable[Concatenate[Store, Params], Result]:
    """Let a function of a store raise ReachError where SQLite raised."""

    @functools.wraps(function)
    def inner(store: Store, /, *args: Params.args, **kwargs: Params.kwargs) -> Result:
        try:
            return function(store, *args, **kwargs)
        except sqlite3.Error as error:
            raise explain(error, str(store.path)) from error

    return inner


class Store:
    """An open store: `with Store(path) as store:` reads, `with Store(path, write=True) as store:` writes.

    Reading: UsageError where there is no store; ReachError where the file is torn, newer, another program's, or cannot
    be read. An older store is migrated first, after a backup; of an older demo store, the copy. A demo store's copy is
    opened in its place once it exists.

    Writing: a store is made where there is none, migrated after a backup where it is older. For a demo store the copy
    beside it is opened, made if need be. Results that an earlier program had to leave in the side file are taken in.
    ReachError where the file is torn, newer, another program's or cannot be written.

    `path` is the file that it really is (a demo store's copy, say), `note` what a status line should say of it ("" for
    nothing). `busy_ms` is how long another program's write lock is waited for. For any one thread at a time. `db`, the
    connection, is this package's own.
    """

    __slots__ = ("db", "note", "path")

    def __init__(self, path: str | Path, *, write: bool = False, busy_ms: int = BUSY_MS) -> None:
        self.db, self.path, self.note = (_for_writing if write else _for_reading)(Path(path), busy_ms)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. Doing so twice is no error."""
        self.db.close()

    def transaction(self) -> AbstractContextManager[None]:
        """One short BEGIN IMMEDIATE … COMMIT, rolled back on any error; inside another one, a part of that one."""
        return transaction(self.db)

    @translated
    def revision(self) -> int:
        """The store's revision: rows with a higher `rev` than the last one seen are new to a screen."""
        return int(meta(self.db, "rev") or 0)

    @translated
    def data_version(self) -> int:
        """A number that changes when another connection commits; reading it costs next to nothing."""
        return int(self.db.execute("PRAGMA data_version").fetchone()[0])


def in_use(path: Path) -> Path:
    """The file that *the store* at `path` is: a demo store's copy once it has one, else `path`, which need not exist.

    Every program that is given a path works on this file and names it.
    """
    copy = demo.local_copy(path)
    if not (copy.exists() and path.is_file()):
        return path
    try:
        db, _, _ = _open_readable(path, BUSY_MS)
        try:
            return copy if demo.is_demo(db) else path
        finally:
            db.close()
    except (ReachError, sqlite3.Error):
        return path  # whoever opens it says what is wrong with it


def _for_reading(target: Path, busy_ms: int) -> _Opened:
    _look(target)
    db, _, note = _open_readable(target, busy_ms)
    try:
        older, is_demo = version_of(db) < migrations.VERSION, demo.is_demo(db)
        if older and is_demo:
            demo.make_copy(db, target)
        elif older:
            db.close()
            _migrate_file(target, busy_ms)
            db, _, note = _open_readable(target, busy_ms)
        if is_demo:
            copy = demo.local_copy(target)
            if copy.exists():
                db.close()
                return _for_reading(copy, busy_ms)
            note = _joined(demo.NOTE_DEMO, note)
        else:
            note = _joined(demo.copy_note(db, target), note)
    except sqlite3.Error as error:
        db.close()
        raise explain(error, str(target)) from error
    except ReachError:
        db.close()
        raise
    return db, target, note


def _for_writing(target: Path, busy_ms: int) -> _Opened:
    _check_sqlite()
    db: sqlite3.Connection | None = None
    try:
        if not target.exists() or target.stat().st_size == 0:
            if not target.absolute().parent.is_dir():
                raise UsageError(f"there is no folder {target.parent}", hint="make it first, or name another file")
            db = connect(target, mode="rwc", busy_ms=busy_ms)
            _create(db)
        else:
            _look(target)
            copy = _demo_copy(target, busy_ms)
            if copy is not None:
                return _for_writing(copy, busy_ms)
            _refuse_unwritable(target)
            db = connect(target, mode="rw", busy_ms=busy_ms)
            migrate(db)
        note = _joined(demo.copy_note(db, target), _switch_wal_on(db))
        # Imported here: reading must not pay for it.
        from reach_tui.store.spill import pending_path, try_take_in

        if pending_path(target).exists():
            note = _joined(note, try_take_in(db))
        return db, target, note
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


def _demo_copy(target: Path, busy_ms: int) -> Path | None:
    """The copy of a demo store, made if it is not there; None for a store that is no demo."""
    db, _, _ = _open_readable(target, busy_ms)
    try:
        version_of(db)
        return demo.make_copy(db, target) if demo.is_demo(db) else None
    finally:
        db.close()


def _create(db: sqlite3.Connection) -> None:
    with transaction(db):
        # Under the lock: another program may have made it between the look and the open.
        if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            migrations.create(db, new_uid("s"))
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


def _switch_wal_on(db: sqlite3.Connection) -> str:
    try:
        (mode,) = db.execute("PRAGMA journal_mode").fetchone()
        if mode != "wal":
            (mode,) = db.execute("PRAGMA journal_mode = wal").fetchone()
    except sqlite3.OperationalError as error:
        if primary_code(error) in BUSY:
            return ""  # someone is reading; the next writer switches
        mode = "refused"
    return "" if mode == "wal" else "no write-ahead log here: readers and writers wait for each other"


def _migrate_file(target: Path, busy_ms: int) -> None:
    db = connect(target, mode="rw", busy_ms=busy_ms)
    try:
        migrate(db)
    finally:
        db.close()


def _open_readable(target: Path, busy_ms: int) -> _Opened:
    """Read-only, and where a write-ahead log cannot be used, as a snapshot."""
    db: sqlite3.Connection | None = None
    try:
        db = connect(target, mode="ro", busy_ms=busy_ms)
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return db, target, ""
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


def _open_snapshot(target: Path) -> _Opened:
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
        return db, target, f"{SNAPSHOT}, without what is still in {log.name}"
    return db, target, SNAPSHOT


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
