"""`reach doctor`."""

from __future__ import annotations

import click

from reach_tui.cli.options import json_option, print_json, say
from reach_tui.core.config import store_path
from reach_tui.present.doctor import doctor_json, doctor_text, examined


@click.command("doctor")
@click.option("--store", metavar="FILE", help="The store; else REACH_STORE, else ./runs.db.")
@json_option
@click.pass_context
def doctor_command(ctx: click.Context, store: str | None, as_json: bool) -> int:
    """Say what is installed and what is wrong with it. Exit code 1 if something is."""
    report = examined(store_path(store or ctx.find_root().params.get("store")))
    print_json(doctor_json(report)) if as_json else say(doctor_text(report))
    return 0 if report.sound else 1
