"""`reach runs`."""

from __future__ import annotations

from pathlib import Path

import click

from reach_tui.cli.options import json_option, print_json, say, store_option
from reach_tui.harness.dead import find_dead
from reach_tui.present.language import phrase
from reach_tui.present.run_text import run_json, runs_table
from reach_tui.store.runs import run_ids, runs_by_ids
from reach_tui.store.store import Store


@click.command("runs")
@click.argument("text", required=False, default="")
@click.option("--limit", type=click.IntRange(1), default=30, show_default=True, help="At most so many.")
@click.option("--status", help="Only runs that are queued, running, paused, ended, cancelled or interrupted.")
@store_option
@json_option
def runs_command(text: str, limit: int, status: str | None, store: Path, as_json: bool) -> None:
    """List runs, the newest first and branches under their parents; TEXT filters by name, model, suite or factor."""
    with Store(store) as opened:
        find_dead(opened)
        ids = run_ids(opened, text=text, status=status)
        rows = runs_by_ids(opened, ids[:limit])
    if as_json:
        print_json({"runs": [run_json(row) for row in rows], "total": len(ids), "store": str(opened.path)})
        return
    if not rows:
        say(
            phrase("no runs in {path}", path=opened.path)
            + (phrase(" that match") if text or status else phrase("; start one with `reach run SUITE`"))
        )
        return
    say(runs_table(rows))
    if len(ids) > len(rows):
        say(phrase("{n} of {all}; more with --limit", n=len(rows), all=len(ids)))
    if opened.note:
        say(opened.note)
