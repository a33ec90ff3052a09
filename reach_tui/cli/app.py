"""`reach` alone, which opens the app, and `reach keys`."""

from __future__ import annotations

import sys

import click

from reach_tui.cli.options import json_option, print_json, say
from reach_tui.core.config import store_path
from reach_tui.core.errors import ReachError, UsageError


def open_app(store: str | None, *, mouse: bool = True) -> None:
    """Open the app on a store. UsageError without a terminal; an absent store is offered the demo in words."""
    path = store_path(store)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the app needs a terminal", hint="list runs with `reach runs`, or see `reach --help`")
    if not path.exists():
        raise ReachError(
            f"there is no store at {path}",
            hint="start a run with `reach run SUITE`, import with `reach import FILE`, or take the tour: `reach demo`",
        )
    from reach_tui.tui.app import run_app

    run_app(path, mouse=mouse)


@click.command("keys")
@json_option
def keys_command(as_json: bool) -> None:
    """List every key of the app, by screen."""
    from reach_tui.tui.actions import key_table

    rows = key_table()
    if as_json:
        print_json({"keys": [{"where": where, "key": key, "help": text} for where, key, text in rows]})
        return
    from reach_tui.reports.tables import Column, table

    say(table((Column("where"), Column("key"), Column("what it does")), rows))
