"""`reach` alone, which opens the app: without the command line's own machinery, which takes a third as long again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reach_tui.core.config import store_path
from reach_tui.core.errors import ReachError, UsageError


@dataclass(frozen=True, slots=True)
class AppFace:
    """The app as the command line knows it: neither imports the other, `reach_tui.__main__` hands this over.

    `run` opens it on (store, whether it takes the mouse) until the person leaves; `key_table` lists
    (screen, key, what it does).
    """

    run: Callable[[Path, bool], None]
    key_table: Callable[[], list[tuple[str, str, str]]]


def only_opens(arguments: Sequence[str]) -> bool:
    """Whether a command line does nothing but open the app, on a named store or the usual one."""
    return not arguments or (len(arguments) == 2 and arguments[0] == "--store" and not arguments[1].startswith("-"))


def open_at_once(arguments: Sequence[str], app: AppFace) -> int:
    """Open the app for such a command line; the exit code."""
    try:
        open_app(app, arguments[1] if arguments else None)
        return 0
    except ReachError as error:
        return refused(error)


def refused(error: ReachError) -> int:
    """Say on standard error what is wrong, without a traceback; the exit code."""
    from reach_tui.core.text import visible

    print("reach: " + visible(str(error)), file=sys.stderr)
    return error.exit_code


def open_app(app: AppFace, store: str | None, *, mouse: bool = True) -> None:
    """Open the app on a store. UsageError without a terminal; an absent store is offered the demo in words."""
    path = store_path(store)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the app needs a terminal", hint="list runs with `reach runs`, or see `reach --help`")
    if not path.exists():
        raise ReachError(
            f"there is no store at {path}",
            hint="start a run with `reach run SUITE`, import with `reach import FILE`, or take the tour: `reach demo`",
        )
    app.run(path, mouse)
