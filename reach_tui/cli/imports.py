"""`reach import`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from reach_tui.actions.imports import take_in
from reach_tui.cli.options import json_option, note, print_json, say, store_option
from reach_tui.cli.progress import Progress
from reach_tui.present.imports import import_json, import_line, skipped_lines
from reach_tui.present.language import phrase


@click.command("import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@store_option
@json_option
def import_command(paths: tuple[Path, ...], store: Path, as_json: bool) -> int:
    """Read trajectories from files or folders: chat messages, tau-bench and tau2-bench results.

    The format is told by content. What is stored already is not stored again. Exit code 1 if anything was skipped.
    """
    with Progress(sys.stderr) as progress:
        report = take_in(store, paths, lambda done, total, name: progress.update(phrase("import"), done, total, name))
    if as_json:
        print_json(import_json(report))
    else:
        for line in skipped_lines(report):
            note(line)
        say(import_line(report))
    return 1 if report.skipped else 0
