"""`reach sandbox`: show, new."""

from __future__ import annotations

from pathlib import Path

import click

from reach_tui.cli.options import json_option, print_json, say
from reach_tui.core.errors import UsageError
from reach_tui.present.language import phrase
from reach_tui.present.sandbox import sandbox_json, sandbox_text
from reach_tui.sandbox.registry import find_sandbox
from reach_tui.sandbox.skeleton import skeleton


@click.group("sandbox")
def sandbox_command() -> None:
    """Look into sandboxes, and begin one of your own."""


@sandbox_command.command("show")
@click.argument("name")
@click.argument("table", required=False)
@click.argument("id", required=False)
@click.option("--tools", is_flag=True, help="Its tools, as agents see them, and what they are wanted for.")
@json_option
def show(name: str, table: str | None, id: str | None, tools: bool, as_json: bool) -> None:
    """Say what the world of a sandbox holds: its tables, the records of TABLE, the record ID."""
    if tools and table is not None:
        raise UsageError("--tools beside a table", hint="ask for one of them")
    family = find_sandbox(name)
    if as_json:
        print_json(sandbox_json(family, table, id, tools=tools))
    else:
        say(sandbox_text(family, table, id, tools=tools))


@sandbox_command.command("new")
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@json_option
def new(name: str, folder: Path | None, as_json: bool) -> None:
    """Write the skeleton of a sandbox named NAME, a package of its own, into FOLDER (else ./reach-NAME)."""
    target = folder or Path(f"reach-{name}")
    files = skeleton(name)
    if target.exists() and any(target.iterdir()):
        raise UsageError("the folder is not empty", where=str(target), hint="name another")
    try:
        for path, text in files.items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(error.strerror or str(error), where=str(target)) from None
    made = [str(target / path) for path in files]
    if as_json:
        print_json({"files": made})
    else:
        say(phrase("wrote {files}", files=", ".join(made)))
        say(phrase("next: pip install -e {folder}, then reach sandbox show {name}", folder=target, name=name))
