"""`reach demo`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from reach_tui.actions.demo import build_demo_store, demo_store
from reach_tui.cli.opening import AppFace
from reach_tui.cli.options import note, say
from reach_tui.cli.tour import tell
from reach_tui.present.language import phrase
from reach_tui.store.store import Store


@click.command("demo")
@click.option(
    "--store", metavar="FILE", type=click.Path(path_type=Path), help="The store to use; else the demo's copy."
)
@click.option("--text", is_flag=True, help="Tell the tour as text, also in a terminal.")
@click.option("--rebuild", metavar="FILE", type=click.Path(path_type=Path), help="Make the demo store anew at FILE.")
@click.pass_obj
def demo_command(app: AppFace, store: Path | None, text: bool, rebuild: Path | None) -> None:
    """Take the tour: in the app on a terminal, as text elsewhere. The demo store itself is never written to."""
    if rebuild is not None:
        digest = build_demo_store(rebuild)
        say(
            phrase(
                "{rebuild}: {st_size} bytes, content digest {digest}",
                rebuild=rebuild,
                st_size=f"{rebuild.stat().st_size:,}",
                digest=digest,
            )
        )
        return
    shipped = store or demo_store()
    if shipped is not None and not text and sys.stdin.isatty() and sys.stdout.isatty():
        note(phrase("the tour: enter opens a run, f goes to its next failing trial, b branches from there, ? helps"))
        app.run(shipped, True)
        return

    tell(_writable(shipped or Path("reach-demo.db")))


def _writable(store: Path) -> Path:
    """The store that may be written: a demo store's copy beside it."""
    with Store(store, write=True) as opened:
        return opened.path
