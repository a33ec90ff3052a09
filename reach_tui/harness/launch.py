"""Starting runs as processes of their own: they go on when whoever started them is closed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from reach_tui.core.errors import ReachError, UsageError


def launch_run(store: Path, run_uid: str) -> subprocess.Popen[bytes]:
    """Start the process that executes a queued or unfinished run."""
    return _launch(["run", "--plan", run_uid, "--store", str(store.resolve())], log_path(store, run_uid))


def launch_experiment(store: Path, experiment_uid: str) -> subprocess.Popen[bytes]:
    """Start the process that conducts an experiment."""
    return _launch(
        ["branch", "--conduct", experiment_uid, "--store", str(store.resolve())], log_path(store, experiment_uid)
    )


def log_path(store: Path, uid: str) -> Path:
    """Where a detached process says what went wrong with it; empty or gone where nothing did."""
    if not uid.isalnum():
        raise UsageError(f"{uid!r} is no uid")
    return store.with_name(f"{store.name}.{uid}.log")


def last_words(store: Path, uid: str) -> str:
    """The last words of a detached process, if it left any."""
    try:
        return log_path(store, uid).read_text("utf-8", "replace").strip()[-2000:]
    except OSError:
        return ""


def tidy(store: Path, uid: str) -> None:
    """Remove a log that nobody needs: one with nothing in it."""
    path = log_path(store, uid)
    try:
        if path.stat().st_size == 0:
            path.unlink()
    except OSError:
        return


def _launch(arguments: list[str], log: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "reach_tui", *arguments]
    try:
        with log.open("wb") as out:
            # A session of its own: closing the terminal must not end the run.
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True, env=os.environ.copy()
            )
    except OSError as error:
        raise ReachError(f"the run could not be started: {error.strerror or error}", where=str(log)) from None
