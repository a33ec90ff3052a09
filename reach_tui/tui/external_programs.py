"""What leaves the app: the clipboard, a file with the last copy, a pager, an editor."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from textual.app import App, SuspendNotSupported

from reach_tui.core.text import visible


def copy_path() -> Path:
    """Where the last copy also stands."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "reach" / "last-copy.txt"


def copy(app: App[int], text: str) -> str:
    """Send `text` to the terminal's clipboard and to a file; what to say of it. Escape sequences go as marks."""
    text = visible(text)
    app.copy_to_clipboard(text)
    message = f"{len(text)} characters sent to the terminal's clipboard"
    path = copy_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError:
        return message
    home = str(Path.home())
    shown = "~" + str(path)[len(home) :] if str(path).startswith(home + os.sep) else str(path)
    return f"{message} and to {shown}"


def page(app: App[int], text: str) -> str:
    """Show `text` in $PAGER (else less, else more). Empty, or what went wrong in words."""
    command = os.environ.get("PAGER") or next((name for name in ("less", "more") if shutil.which(name)), "")
    if not command:
        return "no pager: set PAGER"
    return _run(app, shlex.split(command), visible(text), keep=False)[1]


def edit(app: App[int], text: str, suffix: str = ".md") -> tuple[str, str]:
    """Edit `text` in $VISUAL, $EDITOR or vi: the new text, and what went wrong (empty if nothing)."""
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    return _run(app, shlex.split(command), text, keep=True, suffix=suffix)


def _run(app: App[int], command: list[str], text: str, *, keep: bool, suffix: str = ".txt") -> tuple[str, str]:
    with tempfile.TemporaryDirectory(prefix="reach-") as folder:
        path = Path(folder) / f"text{suffix}"
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
        try:
            with app.suspend():
                code = subprocess.run([*command, str(path)], check=False).returncode
        except SuspendNotSupported:
            return text, "this terminal cannot hand over to another program"
        except OSError as error:
            return text, f"{command[0]}: {error.strerror or error}"
        if code:
            return text, f"{command[0]} ended with {code}; nothing taken over" if keep else ""
        return (path.read_text(encoding="utf-8", errors="replace"), "") if keep else (text, "")
