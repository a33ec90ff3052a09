"""The versions of a store: what made each of the one before, and bringing an older store to the present one.

A fresh store is the steps run from an empty file. Files that hold something are migrated by sqlite-utils, after a
backup, in one transaction; fresh ones run the same steps by the standard library, because importing sqlite-utils
would make the start of a run a third slower.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from reach_tui.core.errors import ReachError
from reach_tui.store.base import path_of, transaction
from reach_tui.store.older import facts_of_agents, results_without_sentences

Step: TypeAlias = str | Callable[[sqlite3.Connection], None]

APPLICATION_ID = 1380270403
"""The letters REAC, in the header of every store."""

STEPS: tuple[Step, ...] = (
    Path(__file__).with_name("version_1.sql").read_text(encoding="utf-8"),
    results_without_sentences,
    facts_of_agents,
    "ALTER TABLE trials ADD COLUMN faults TEXT;\n",
)
"""What makes each version of the one before, from an empty file on: SQL text, or a function of the connection. A
function may use `sqlite_utils.Database(db)` to transform a table, imported inside; it must not commit, and never lets a
library guess the type of a column. A step that was released is never changed."""

VERSION = len(STEPS)
"""The version that this code reads and writes, in `user_version`."""


def create(db: sqlite3.Connection, store_uid: str) -> None:
    """Make a store of an empty database, in one transaction that the caller holds."""
    for version in range(VERSION):
        _run(db, version)
    db.executemany("INSERT INTO meta(key, value) VALUES(?, ?)", [("store_uid", store_uid), ("rev", "0"), ("demo", "0")])
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _run(db: sqlite3.Connection, version: int) -> None:
    """Make the version behind `version`, and say so in the store."""
    step = STEPS[version]
    if isinstance(step, str):
        statement = ""
        for line in step.splitlines():
            statement += line + "\n"
            # One by one, because executescript would commit the caller's transaction first.
            if sqlite3.complete_statement(statement):
                db.execute(statement)
                statement = ""
    else:
        step(db)
    db.execute(f"PRAGMA user_version = {version + 1}")


def version_of(db: sqlite3.Connection) -> int:
    """The version of a store. Raises ReachError where the file is another program's or of a newer version."""
    where = path_of(db)
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise ReachError("this is another program's database, not a store", where=where, hint="name another file")
    if version > VERSION:
        raise ReachError(
            f"the store has version {version}, this program knows up to {VERSION}",
            where=where,
            hint="update the program; the store was not touched",
        )
    return int(version)


def migrate(db: sqlite3.Connection) -> Path | None:
    """Bring a store that is open for writing to the present version; where its backup is, None if nothing was to do."""
    if version_of(db) == VERSION:
        return None
    copy = _backup(db, version_of(db))
    # Steps may rebuild tables that others refer to; the references are checked before the commit instead.
    db.execute("PRAGMA foreign_keys = off")
    try:
        with transaction(db):
            _apply_due(db)
            if db.execute("PRAGMA foreign_key_check").fetchone() is not None:
                raise ReachError("the migration would leave dangling references", where=path_of(db), hint=f"see {copy}")
    finally:
        db.execute("PRAGMA foreign_keys = on")
    return copy


def _apply_due(db: sqlite3.Connection) -> None:
    # Imported here: only a store that is older pays for it.
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

    due = Migrations("reach")
    # Read again under the lock: another program may have migrated meanwhile.
    for version in range(version_of(db), VERSION):
        due(name=f"version {version + 1}")(lambda utils, version=version: _run(utils.conn, version))
    utils = Database(db)
    due.apply(utils)
    # It keeps a table of what it applied. `user_version` says that already, for fresh stores too, and two answers to
    # one question can differ: the table goes within the same transaction.
    utils.table(Migrations.migrations_table).drop()


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
