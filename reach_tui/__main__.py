"""`python -m reach_tui` and the `reach` command: where the command line and the app are put together."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from reach_tui.cli.opening import AppFace, only_opens, open_at_once


# Imported only when called: commands that open no app do not pay for Textual, nor `reach` alone for the command line.
def _run_app(store: Path, mouse: bool) -> None:
    from reach_tui.tui.app import run_app

    run_app(store, mouse=mouse)


def _key_table() -> list[tuple[str, str, str]]:
    from reach_tui.tui.keys import key_table

    return key_table()


def main() -> None:
    """Run the command line; errors of users are printed without a traceback."""
    # What is imported stays: with the default of 700, the collector goes over it again and again while it is imported,
    # an eighth of what `reach show` takes.
    gc.set_threshold(20_000)
    app, arguments = AppFace(_run_app, _key_table), sys.argv[1:]
    if only_opens(arguments):
        sys.exit(open_at_once(arguments, app))
    from reach_tui.cli.main import run

    sys.exit(run(arguments, app))


if __name__ == "__main__":
    main()
