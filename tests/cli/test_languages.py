"""Another language is a catalogue: it reaches help texts, the list of keys and the app's own screens."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from reach_tui.cli.main import COMMANDS
from reach_tui.present import language
from reach_tui.tui import keys

# Every text looked up gets this mark; what is on screen without it was not looked up.
MARK = "§"
SCRIPT = """
import contextlib, io, json, sys
from reach_tui.__main__ import _key_table
from reach_tui.cli.main import run
from reach_tui.cli.opening import AppFace
from reach_tui.present import language
language.speak(lambda text: "\\u00a7" + text)
out = {}
for name, arguments in json.loads(sys.argv[1]).items():
    with contextlib.redirect_stdout(io.StringIO()) as text:
        run(arguments, AppFace(lambda store, mouse: None, _key_table))
    out[name] = text.getvalue()
print(json.dumps(out))
"""


@pytest.fixture(scope="module")
def spoken() -> dict[str, str]:
    """What commands print under a catalogue that marks each text."""
    inner = {"store": ["check", "rows"], "suite": ["lint", "new"], "agent": ["serve"]}
    calls = {"": ["--help"], "keys": ["keys"], **{f"{name} --help": [name, "--help"] for name in COMMANDS}}
    calls |= {f"{name} {sub}": [name, sub, "--help"] for name, subs in inner.items() for sub in subs}
    done = subprocess.run([sys.executable, "-c", SCRIPT, json.dumps(calls)], capture_output=True, text=True, check=True)
    told: dict[str, str] = json.loads(done.stdout)
    return told


def test_help_is_spoken_command_by_command(spoken: dict[str, str]) -> None:
    for name, text in spoken.items():
        if name != "keys":
            assert MARK in text.split("\n\n")[1], name  # the first thing behind the usage line
            options = [line for line in text.splitlines() if re.match(r"  -\S.*  \S", line)]
            silent = [line for line in options if MARK not in line and not re.search(r"--(help|version) ", line)]
            assert not silent, (name, silent)  # these two are click's own
    commands = spoken[""].partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert all(MARK in line for line in commands if re.match(r"  \w", line)), commands


def test_keys_are_spoken(spoken: dict[str, str]) -> None:
    head, *rows = spoken["keys"].splitlines()
    assert head.count(MARK) == 3
    assert all(row.count(MARK) == 2 for row in rows)


def test_the_apps_help_and_last_line_are_spoken() -> None:
    from reach_tui.tui.screen import fitting_hints
    from reach_tui.tui.screens.help import _rows

    try:
        language.speak(lambda text: MARK + text)
        rows = _rows("replay")
        hints = fitting_hints(keys.hints("replay"), 300)
    finally:
        language.speak(None)
    last = [row.cells[-1] for row in rows if row.cells[-1]]
    assert len(last) > 60
    assert [cell for cell in last if not cell[0][0].startswith(MARK)] == []
    assert all(text.startswith(f" {MARK}") for text, role in hints if role == "dim"), hints


def test_news_of_commands_are_spoken() -> None:
    """`say` and `note` are never given an f-string: what a person reads is looked up."""
    folder = Path(__file__).parents[2] / "reach_tui" / "cli"
    built = [
        f"{path.name}: {line.strip()}"
        for path in folder.glob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if re.search(r"\b(say|note)\(f?['\"]", line)
    ]
    assert built == []
