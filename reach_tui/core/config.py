"""Where things are: the store that a command works on, and the endpoints that may be sent a key."""

from __future__ import annotations

import json
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


def trust_file() -> Path:
    """Where the endpoints are kept that may be sent a key: `reach/trusted.json` in the user's configuration folder."""
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(base).expanduser() / "reach" / "trusted.json"


def trusts(host: str, key_env: str) -> bool:
    """Whether the user has named this variable for this host before."""
    return [host, key_env] in _trusted()


def trust(host: str, key_env: str) -> None:
    """Remember that the user named this variable for this host. UsageError where that cannot be kept."""
    known = _trusted()
    if [host, key_env] in known:
        return
    path = trust_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps([*known, [host, key_env]], indent=1) + "\n", "utf-8")
    except OSError as error:
        raise UsageError(
            f"it cannot be remembered that {host} may be sent the key in {key_env}: {error.strerror or error}",
            where=str(path),
            hint="name a writable folder in XDG_CONFIG_HOME",
        ) from None


def _trusted() -> list[list[str]]:
    try:
        entries = json.loads(trust_file().read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return [entry for entry in entries if isinstance(entry, list)] if isinstance(entries, list) else []
