"""What makes a file a store: its marks, its version, its tables."""

from __future__ import annotations

import sqlite3
from pathlib import Path

APPLICATION_ID = 1380270403
"""The letters REAC, in the header of every store."""
VERSION = 2
"""The version that this code reads and writes, in `user_version`."""


def statements() -> str:
    """The DDL of the present version."""
    return Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")


def create(db: sqlite3.Connection, store_uid: str) -> None:
    """Make every table in an empty database, in one transaction that the caller holds."""
    script = ""
    for line in statements().splitlines():
        script += line + "\n"
        # One by one, because executescript would commit the caller's transaction first.
        if sqlite3.complete_statement(script):
            db.execute(script)
            script = ""
    db.executemany("INSERT INTO meta(key, value) VALUES(?, ?)", [("store_uid", store_uid), ("rev", "0"), ("demo", "0")])
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {VERSION}")
