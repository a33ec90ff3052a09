"""What `reach store` does, in one place: check, digest, migrate, vacuum, back up, index, search."""

from __future__ import annotations

from pathlib import Path

from reach_tui.store.check import Finding, check
from reach_tui.store.digest import content_digest as _content_digest
from reach_tui.store.search import Found, Hit, Indexed, index, index_more, search
from reach_tui.store.store import Store
from reach_tui.store.upkeep import (
    Migrated,
    TableRows,
    Vacuumed,
    backup,
    compact,
    mark_demo,
    migrate,
    overview,
    table_rows,
    vacuum,
)

__all__ = [
    "Finding",
    "Found",
    "Hit",
    "Indexed",
    "Migrated",
    "TableRows",
    "Vacuumed",
    "backup",
    "check",
    "compact",
    "content_digest",
    "index",
    "index_more",
    "mark_demo",
    "migrate",
    "overview",
    "search",
    "table_rows",
    "vacuum",
]


def content_digest(path: str | Path) -> str:
    """32 hex digits of everything the store at `path` holds: equal for equal content (see `store.digest`)."""
    with Store(path) as store:
        return _content_digest(store)
