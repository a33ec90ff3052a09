"""The table `texts`: every long text once, named by the digest of its bytes."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable

from reach_tui.core.canonical import digest_text

INLINE_BYTES = 4096
"""Longer bodies go to `texts`."""
COMPRESS_FROM = 32 * 1024
"""Texts of so many bytes are compressed, where the store is not one to hand around."""


def put_text(db: sqlite3.Connection, text: str, *, compress: bool = True) -> int:
    """The id of a text, stored if it was not yet; in the caller's transaction."""
    name = digest_text(text)
    row = db.execute("SELECT id FROM texts WHERE digest = ?", (name,)).fetchone()
    if row is not None:
        return int(row[0])
    codec, size, body = _packed(text, compress)
    cursor = db.execute("INSERT INTO texts(digest, codec, size, body) VALUES(?, ?, ?, ?)", (name, codec, size, body))
    return int(cursor.lastrowid or 0)


def _packed(text: str, compress: bool) -> tuple[str, int, str | bytes]:
    size = _size(text)
    if size < COMPRESS_FROM or not compress:
        return "raw", size, text
    return "zlib", size, zlib.compress(text.encode(), 1)


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def unpacked(codec: str, body: str | bytes) -> str:
    """The text behind a row of `texts`."""
    if codec == "zlib":
        assert isinstance(body, bytes)
        return zlib.decompress(body).decode()
    assert isinstance(body, str)
    return body


def get_text(db: sqlite3.Connection, text_id: int | None) -> str | None:
    """The text of that id; None for None or where it was dropped."""
    if text_id is None:
        return None
    row = db.execute("SELECT codec, body FROM texts WHERE id = ?", (text_id,)).fetchone()
    return None if row is None else unpacked(row[0], row[1])


def get_texts(db: sqlite3.Connection, ids: Iterable[int]) -> dict[int, str]:
    """Several texts by id; what was dropped is left out."""
    distinct_ids = sorted(set(ids))
    texts: dict[int, str] = {}
    for start in range(0, len(distinct_ids), 500):
        page = distinct_ids[start : start + 500]
        marks = ",".join("?" * len(page))
        rows = db.execute(f"SELECT id, codec, body FROM texts WHERE id IN ({marks})", page).fetchall()
        texts.update({row[0]: unpacked(row[1], row[2]) for row in rows})
    return texts


def split_body(db: sqlite3.Connection, text: str, *, compress: bool = True) -> tuple[str | None, int | None]:
    """Where a body goes: (inline text, None), or (None, id in `texts`) for a long one."""
    if _size(text) <= INLINE_BYTES:
        return text, None
    return None, put_text(db, text, compress=compress)
