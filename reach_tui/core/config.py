"""Where things are: the store that a command works on."""

from __future__ import annotations

import os
from pathlib import Path

from reach_tui.core.errors import UsageError

DEFAULT_STORE = "runs.db"


def store_path(option: str | None) -> Path:
    """The store that `--store`, else REACH_STORE, else ./runs.db names. It need not exist."""
    path = Path(option or os.environ.get("REACH_STORE") or DEFAULT_STORE).expanduser()
    if path.is_dir():
        raise UsageError(f"{path} is a folder, not a store", hint="name a file, for example runs.db")
    return path
