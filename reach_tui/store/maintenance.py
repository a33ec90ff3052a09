"""Looking after a store: migrating, backups, copies to hand around, vacuuming, its digest, its tables and rows."""

from __future__ import annotations

import contextlib
import difflib
import os
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reach_tui.core.errors import ReachError, UsageError
from reach_tui.store import digest, migrations
from reach_tui.store.base import connect, explain, now_ms, primary_code, set_meta
from reach_tui.store.check import REFERENCED
from reach_tui.store.demo import is_demo
from reach_tui.store.leases import owner
from reach_tui.store.processes import is_gone
from reach_tui.store.store import Store, translated

DAY_MS = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Migrated:
    """A migration: versions before and after, and where the backup of the old store is (None: nothing was to do)."""

    before: int
    after: int
    backup: Path | None


@dataclass(frozen=True, slots=True)
class Vacuumed:
    """What a vacuum did: file sizes in bytes, exchanges and texts dropped."""

    before: int
    after: int
    exchanges: int
    texts: int


def migrate(path: str | Path) -> Migrated:
    """Bring a store to the present version, after a backup beside it."""
    target = Path(path)
    if not target.exists():
        raise UsageError(f"there is no store at {target}")
    try:
        db = connect(target, mode="rw")
        try:
            before = migrations.version_of(db)
            if is_demo(db):
                raise UsageError("the demo store is never written", where=str(target), hint="`reach demo` rebuilds it")
            return Migrated(before, migrations.VERSION, migrations.migrate(db))
        finally:
            db.close()
    except sqlite3.Error as error:
        raise explain(error, str(target)) from error


def content_digest(path: str | Path) -> str:
    """32 hex digits of everything the store at `path` holds: equal for equal content (see `store.digest`)."""
    with Store(path) as store:
        return digest.content_digest(store)


def backup(path: str | Path, to: str | Path) -> Path:
    """A copy with every finished result, taken while others may write; in rollback mode, so that it can be handed on.

    UsageError where `to` exists.
    """
    target = _fresh(to)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    with Store(path) as store:
        try:
            copy = sqlite3.connect(draft)
            try:
                store.db.backup(copy)
                copy.execute("PRAGMA journal_mode = delete")
            finally:
                copy.close()
            os.replace(draft, target)
        except sqlite3.Error as error:
            raise explain(error, str(target)) from error
        finally:
            with contextlib.suppress(FileNotFoundError):
                draft.unlink()
    return target


def compact(path: str | Path, to: str | Path) -> Path:
    """Like `backup`, written anew without free pages: the form of a store to hand around."""
    target = _fresh(to)
    with Store(path) as store:
        try:
            store.db.execute("PRAGMA query_only = off")
            store.db.execute("VACUUM INTO ?", (str(target),))
        except sqlite3.Error as error:
            raise explain(error, str(target)) from error
    return target


def _fresh(to: str | Path) -> Path:
    target = Path(to)
    if target.exists():
        raise UsageError(f"{target} exists already", hint="name another file")
    return target


def vacuum(path: str | Path, *, drop_raw_older_than: float | None = None, now: int | None = None) -> Vacuumed:
    """Give unused space back; first drop texts that nothing refers to.

    With `drop_raw_older_than` (days), what models were sent and answered is dropped for trials that ended earlier;
    steps, changes and gradings stay. `now` is ms UTC. ReachError while a run is being executed.
    """
    with Store(path, write=True) as store:
        return _vacuum(store, drop_raw_older_than, now_ms() if now is None else now)


@translated
def _vacuum(store: Store, drop_raw_older_than: float | None, now: int) -> Vacuumed:
    _refuse_live(store)
    before = os.path.getsize(store.path)
    exchanges = texts = 0
    with store.transaction():
        if drop_raw_older_than is not None:
            limit = now - int(drop_raw_older_than * DAY_MS)
            exchanges = store.db.execute(
                "DELETE FROM exchanges WHERE trial_id IN (SELECT id FROM trials WHERE ended_at < ?)", (limit,)
            ).rowcount
        texts = store.db.execute(f"DELETE FROM texts WHERE id NOT IN ({REFERENCED})").rowcount
    # In place: SQLite's own vacuum is atomic and keeps programs that have the store open on the same file.
    store.db.execute("VACUUM")
    store.db.execute("PRAGMA wal_checkpoint(truncate)").fetchall()
    return Vacuumed(before, os.path.getsize(store.path), exchanges, texts)


@translated
def mark_demo(store: Store, demo: bool) -> None:
    """Say of an open store that it is (or no longer is) a demo store."""
    with store.transaction():
        set_meta(store.db, "demo", "1" if demo else "0")


def _refuse_live(store: Store) -> None:
    for (run_id,) in store.db.execute("SELECT run_id FROM runners").fetchall():
        lease = owner(store, run_id)
        if lease is not None and not is_gone(lease):
            (uid,) = store.db.execute("SELECT uid FROM runs WHERE id = ?", (run_id,)).fetchone()
            raise ReachError(
                f"run {uid} is being executed", where=str(store.path), hint=f"wait for it, or `reach stop {uid}`"
            )


@translated
def overview(store: Store) -> list[dict[str, Any]]:
    """The store's tables and views with their columns and rows, for people: made by sqlite-utils."""
    from sqlite_utils import Database as Utils

    utils = Utils(store.db)
    rows: list[dict[str, Any]] = []
    for table in utils.tables:
        if not table.name.startswith("search"):
            rows.append({"name": table.name, "kind": "table", "rows": table.count, "columns": list(table.columns_dict)})
    for view in utils.views:
        rows.append({"name": view.name, "kind": "view", "rows": view.count, "columns": list(view.columns_dict)})
    return rows


@dataclass(frozen=True, slots=True)
class TableRows:
    """Rows of a table or view; blobs are hexadecimal text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def as_mappings(self) -> list[dict[str, Any]]:
        """Each row by column."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@translated
def table_rows(
    store: Store,
    name: str,
    *,
    where: str | None = None,
    values: Mapping[str, Any] | None = None,
    limit: int | None = None,
) -> TableRows:
    """Rows of a table or view, read by sqlite-utils; `where` is an SQL expression with named `values`.

    UsageError for an unknown table or column, and for an expression that SQLite does not read.
    """
    from sqlite_utils import Database as Utils

    utils = Utils(store.db)
    names = [*utils.table_names(), *utils.view_names()]
    if name not in names:
        raise UsageError(f"no table {name!r} in a store", hint=_near(name, names))
    columns = list(utils[name].columns_dict)
    try:
        held = list(utils[name].rows_where(where, dict(values or {}), limit=limit))
    except (sqlite3.OperationalError, sqlite3.ProgrammingError) as error:
        if primary_code(error) not in (0, sqlite3.SQLITE_ERROR):
            raise
        unknown = str(error).partition("no such column: ")[2]
        if unknown:
            raise UsageError(f"no column {unknown!r} in {name}", hint=_near(unknown, columns)) from error
        raise UsageError(
            f"SQLite does not read {where!r}: {error}", hint="for example \"status = 'failed'\""
        ) from error
    rows = (tuple(value.hex() if isinstance(value, bytes) else value for value in row.values()) for row in held)
    return TableRows(tuple(columns), tuple(rows))


def _near(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    return f"did you mean {', '.join(near)}?" if near else f"there are {', '.join(sorted(known))}"
