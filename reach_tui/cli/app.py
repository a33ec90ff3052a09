"""`reach keys`."""

from __future__ import annotations

import click

from reach_tui.cli.opening import AppFace
from reach_tui.cli.options import json_option, print_json, say
from reach_tui.present.language import phrase
from reach_tui.present.tables import TextColumn, table


@click.command("keys")
@json_option
@click.pass_obj
def keys_command(app: AppFace, as_json: bool) -> None:
    """List every key of the app, by screen."""
    rows = app.key_table()
    if as_json:
        print_json({"keys": [{"where": where, "key": key, "help": text} for where, key, text in rows]})
        return

    lines = [(phrase(where), key, phrase(text)) for where, key, text in rows]
    say(table((TextColumn("where"), TextColumn("key"), TextColumn("what it does")), lines))
