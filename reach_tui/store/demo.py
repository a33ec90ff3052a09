"""The demo store is never written: the first write goes to a copy beside it, and from then on the copy is opened."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from reach_tui.core.ids import new_uid
from reach_tui.store.base import meta, set_meta

NOTE_DEMO = "demo"


def local_copy(path: Path) -> Path:
    """Where a demo store's own copy is: `runs-local.db` beside `runs.db`."""
    return path.with_name(f"{path.stem}-local{path.suffix}")


def is_demo(db: sqlite3.Connection) -> bool:
    """Whether the open store is a demo store."""
    return meta(db, "demo") == "1"


def copy_note(db: sqlite3.Connection, path: Path) -> str:
    """What a status line says of a demo store's copy, however it was named; "" for any other store."""
    return "" if meta(db, "copied_from") is None else f"demo copy {path.name}"


def make_copy(db: sqlite3.Connection, path: Path) -> Path:
    """The demo store's copy, made if it is not there yet. Two programs that make it at once end with one."""
    target = local_copy(path)
    if target.exists():
        return target
    draft = path.with_name(f".{target.name}.{os.getpid()}.{new_uid('d')}")
    copy = sqlite3.connect(draft, isolation_level=None)
    try:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode = delete")
        copy.execute("BEGIN IMMEDIATE")
        set_meta(copy, "demo", "0")
        set_meta(copy, "store_uid", new_uid("s"))
        set_meta(copy, "copied_from", meta(db, "store_uid") or "")
        copy.execute("COMMIT")
        copy.close()
        try:
            os.link(draft, target)
        except FileExistsError:
            return target
        except OSError:  # a file system without hard links
            if not target.exists():
                os.replace(draft, target)
    finally:
        copy.close()
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
    return target
