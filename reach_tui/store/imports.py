"""What was imported, from where, and what was skipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reach_tui.store.base import Database, bump, now_ms, transaction, translated
from reach_tui.store.encode import json_text, loads, plain


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


@translated
def record_import(
    db: Database, format: str, source: str, digest: bytes | None, trials: int, skipped: Sequence[Any] = (),
    at: int | None = None,
) -> int:  # fmt: skip
    """Remember an import (`digest` of the file's bytes, `skipped` as JSON values); its id."""
    with transaction(db):
        cursor = db.execute(
            "INSERT INTO imports(format, source, digest, trials, skipped, at) VALUES(?, ?, ?, ?, ?, ?)",
            (format, plain(source), digest, trials, json_text(list(skipped)), now_ms() if at is None else at),
        )
        return int(cursor.lastrowid or 0)


@translated
def imports_of(db: Database, digest: bytes) -> list[ImportRow]:
    """Earlier imports of a file with these contents, newest first."""
    rows = db.execute(
        "SELECT id, format, source, digest, coalesce(trials, 0), skipped, at FROM imports WHERE digest = ?"
        " ORDER BY id DESC",
        (digest,),
    ).fetchall()
    return [ImportRow(*(*row[:5], tuple(loads(row[5]) or ()), row[6])) for row in rows]


@translated
def grow_run(db: Database, run_id: int, planned: int, repeats: int) -> None:
    """Say that an imported run has at least so many slots and repeats: a repaired log may bring what was missing."""
    with transaction(db):
        db.execute(
            "UPDATE runs SET planned = max(planned, ?1), repeats = max(coalesce(repeats, 0), ?2), rev = ?3"
            " WHERE id = ?4 AND (planned < ?1 OR coalesce(repeats, 0) < ?2)",
            (planned, repeats, bump(db), run_id),
        )
