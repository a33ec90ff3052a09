"""The public face: what tenants and strangers import. A name in it is a promise, so the list stands here once more."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import reach_tui

FACE = Path(reach_tui.__file__)
PROMISED = [
    "Agent", "AgentChoice", "AgentFacts", "AgentKind", "AgentSideError", "Brief", "ChatLoop", "Deviation", "Evidence",
    "Exchange", "Keywords", "LogReader", "Model", "ModelRequest", "Need", "ReachError", "Record", "SENT", "Sandbox",
    "Served", "Session", "Setup", "Step", "StopTrial", "Store", "Task", "ToolError", "ToolSpec", "ToolView",
    "UsageError", "World", "__version__", "approximate_tokens", "canonical", "code_digest", "draw", "load_suite",
    "messages_of_summary",
    "pick", "seed_number", "tool", "tools_in",
]  # fmt: skip


def test_the_face_holds_what_is_promised_and_nothing_else() -> None:
    assert sorted(reach_tui.__all__) == sorted(PROMISED)
    assert dir(reach_tui) == reach_tui.__all__


@pytest.mark.parametrize("name", PROMISED)
def test_each_name_is_there_with_a_docstring_or_a_value(name: str) -> None:
    value = getattr(reach_tui, name)
    assert value is not None
    if isinstance(value, type) or (callable(value) and name != "Need"):
        assert value.__doc__, name


def test_type_checkers_and_python_are_told_the_same() -> None:
    tree = ast.parse(FACE.read_text("utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    typed = {
        alias.asname: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert typed == {name: f"reach_tui.{place}" for name, place in reach_tui._PLACES.items()}


def test_the_face_alone_loads_nothing_and_a_name_only_what_it_needs() -> None:
    script = (
        "import sys, reach_tui\n"
        "print(sorted(m for m in sys.modules if m.startswith('reach_tui')))\n"
        "from reach_tui import ToolError\n"
        "heavy = ('textual', 'httpx', 'pydantic', 'sqlite3', 'click')\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in heavy))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["['reach_tui']", "[]"]


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Sandbocks'"):
        reach_tui.Sandbocks  # noqa: B018
