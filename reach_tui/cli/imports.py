"""`reach import`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from reach_tui.cli.options import json_option, note, print_json, say, store_option
from reach_tui.present.language import phrase


@click.command("import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@store_option
@json_option
def import_command(paths: tuple[Path, ...], store: Path, as_json: bool) -> int:
    """Read trajectories from files or folders: chat messages, tau-bench and tau2-bench results.

    The format is told by content. What is stored already is not stored again. Exit code 1 if anything was skipped.
    """
    from reach_tui.cli.progress import Progress
    from reach_tui.harness.ingest import ingest
    from reach_tui.store.store import in_use

    with Progress(sys.stderr) as progress:
        report = ingest(store, paths, progress=lambda done, total, name: progress.update("import", done, total, name))
    store = in_use(store)  # the first write to a demo store makes its copy
    if as_json:
        print_json(
            {
                "imported": report.imported,
                "already": report.already,
                "skipped": len(report.skipped),
                "runs": list(report.runs),
                "reasons": [
                    {"where": one.where, "line": one.line, "reason": one.reason} for one in report.skipped
                ],
                "store": str(store),
            }
        )  # fmt: skip
    else:
        for one in report.skipped:
            note(
                phrase("skipped {where}", where=one.where)
                + (phrase(", line {line}", line=one.line) if one.line else "")
                + f": {one.reason}"
            )
        already = f", {report.already} already there" if report.already else ""
        say(
            phrase(
                "{imported} imported, {n} skipped{already}; stored in {store}",
                imported=report.imported,
                n=len(report.skipped),
                already=already,
                store=store,
            )
        )
    return 1 if report.skipped else 0
