"""`reach compare`."""

from __future__ import annotations

from pathlib import Path

import click

from reach_tui.cli.options import json_option, print_json, say, store_option
from reach_tui.counterfactual.compare import compare
from reach_tui.present.comparison import comparison_json, comparison_text
from reach_tui.store.store import Store


@click.command("compare")
@click.argument("runs", nargs=-1, required=True)
@store_option
@json_option
def compare_command(runs: tuple[str, ...], store: Path, as_json: bool) -> None:
    """Compare RUNS, each with the first: paired by task, over the tasks that both counted, flips both ways."""
    with Store(store) as opened:
        comparison = compare(opened, runs)
    print_json(comparison_json(comparison)) if as_json else say(comparison_text(comparison))
