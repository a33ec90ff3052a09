"""Options and output that commands share."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from reach_tui.core.config import store_path
from reach_tui.core.text import visible

Command = TypeVar("Command", bound=Callable[..., Any])


def store_option(function: Command) -> Command:
    """`--store FILE`; the command gets as `store` the file in use (`store.in_use`)."""
    return click.option(
        "--store",
        "store",
        metavar="FILE",
        callback=lambda ctx, _param, value: _resolve(ctx, value),
        help="The store; else REACH_STORE, else ./runs.db.",
    )(function)


def json_option(function: Command) -> Command:
    """`--json`; the command gets a flag `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")(function)


def _resolve(ctx: click.Context, value: str | None) -> Path:
    # Imported here: commands that need no store do not pay for SQLite.
    from reach_tui.store.store import in_use

    return in_use(store_path(value or ctx.find_root().params.get("store")))


def print_json(value: Any) -> None:
    """One JSON object on standard output, in UTF-8 whatever the locale."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    write(text + "\n")


def say(text: str = "") -> None:
    """A line on standard output; control characters in it are shown, not sent."""
    write(visible(text) + "\n")


def note(text: str) -> None:
    """A line on standard error: news that is no part of the output."""
    print(visible(text), file=sys.stderr, flush=True)


def write(text: str) -> None:
    """Text on standard output; characters that its encoding lacks are written as escapes."""
    if sys.stdout is None:
        return
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()
