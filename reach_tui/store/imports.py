"""What was imported, from where, and what was skipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reach_tui.store.base import bump, now_ms
from reach_tui.store.columns import Columns
from reach_tui.store.encode import json_text, loads, plain
from reach_tui.store.store import Store, translated


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One file that was imported: how many trials it gave, and what in it was skipped, with reasons."""

    id: int
    format: str
    source: str
    digest: bytes | None
    trials: int
    skipped: tuple[Any, ...]
    at: int


_IMPORT = Columns(ImportRow, without=("skipped",), places={"trials": "coalesce(trials, 0)"})


@translated
def record_import(
    store: Store,
    format: str,
    source: str,
    digest: bytes | None,
    trials: int,
    skipped: Sequence[Any] = (),
    at: int | None = None,
) -> int:
    """Remember an import (`digest` of the file's bytes, `skipped` as JSON values); its id."""
    with store.transaction():
        cursor = store.db.execute(
            "INSERT INTO imports(format, source, digest, trials, skipped, at)"
            " VALUES(:format, :source, :digest, :trials, :skipped, :at)",
            {
                "format": format,
                "source": plain(source),
                "digest": digest,
                "trials": trials,
                "skipped": json_text(list(skipped)),
                "at": now_ms() if at is None else at,
            },
        )
        return int(cursor.lastrowid or 0)


@translated
def imports_of(store: Store, digest: bytes) -> list[ImportRow]:
    """Earlier imports of a file with these contents, newest first."""
    rows = store.db.execute(
        f"SELECT {_IMPORT.select}, skipped FROM imports WHERE digest = ? ORDER BY id DESC", (digest,)
    ).fetchall()
    return [_IMPORT.decode(row, skipped=tuple(loads(row[-1]) or ())) for row in rows]


@translated
def grow_run(store: Store, run_id: int, planned: int, repeats: int) -> None:
    """Say that an imported run has at least so many slots and repeats: a repaired log may bring what was missing."""
    with store.transaction():
        store.db.execute(
            "UPDATE runs SET planned = max(planned, ?1), repeats = max(coalesce(repeats, 0), ?2), rev = ?3"
            " WHERE id = ?4 AND (planned < ?1 OR coalesce(repeats, 0) < ?2)",
            (planned, repeats, bump(store.db), run_id),
        )
