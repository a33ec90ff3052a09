"""Bringing an older store to the present version: small steps, after a backup, in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

from reach_tui.core.errors import ReachError
from reach_tui.store import schema
from reach_tui.store.base import path_of, transaction
from reach_tui.store.older import results_without_sentences

Step = Callable[[sqlite3.Connection], None]

STEPS: Mapping[int, Step] = {1: results_without_sentences}
"""By version: the step that makes it the next one. A step may use `sqlite_utils.Database(db)` to transform a table,
imported inside the step; it must not commit, and never lets a library guess the type of a column."""


def version_of(db: sqlite3.Connection) -> int:
    """The version of a store. Raises ReachError where the file is another program's or of a newer version."""
    where = path_of(db)
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application != schema.APPLICATION_ID:
        raise ReachError("this is another program's database, not a store", where=where, hint="name another file")
    if version > schema.VERSION:
        raise ReachError(
            f"the store has version {version}, this program knows up to {schema.VERSION}",
            where=where,
            hint="update the program; the store was not touched",
        )
    return int(version)


def migrate(db: sqlite3.Connection) -> Path | None:
    """Bring a store that is open for writing to the present version; where its backup is, None if nothing was to do."""
    if version_of(db) == schema.VERSION:
        return None
    copy = _backup(db, version_of(db))
    # Steps may rebuild tables that others refer to; the references are checked before the commit instead.
    db.execute("PRAGMA foreign_keys = off")
    try:
        with transaction(db):
            # Read again under the lock: another program may have migrated meanwhile.
            for version in range(version_of(db), schema.VERSION):
                _step(version)(db)
                db.execute(f"PRAGMA user_version = {version + 1}")
            if db.execute("PRAGMA foreign_key_check").fetchone() is not None:
                raise ReachError("the migration would leave dangling references", where=path_of(db), hint=f"see {copy}")
    finally:
        db.execute("PRAGMA foreign_keys = on")
    return copy


def _step(version: int) -> Step:
    if version not in STEPS:
        raise ReachError(f"a store of version {version} is too old to be migrated", hint="use an older release first")
    return STEPS[version]


def _backup(db: sqlite3.Connection, version: int) -> Path:
    store = Path(path_of(db))
    number, target = 0, store.with_name(f"{store.name}.v{version}-backup")
    while target.exists():
        number += 1
        target = store.with_name(f"{store.name}.v{version}-backup-{number}")
    copy = sqlite3.connect(target)
    try:
        db.backup(copy)
        # A copy of a store with a write-ahead log would ask for one too, even in a read-only place.
        copy.execute("PRAGMA journal_mode = delete")
    finally:
        copy.close()
    return target
