"""All string constants of the simulated models, for a test that intersects them with the suites."""

from __future__ import annotations

import ast
from pathlib import Path

import reach_tui.agents.simulated as package


def string_constants() -> frozenset[str]:
    """Every string constant in the package's code; docstrings and the lexicon's tables of words are left out."""
    out: set[str] = set()
    for path in sorted(Path(package.__file__).parent.glob("*.py")):
        if path.name.startswith("lexicon"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
                out.add(node.value)
    return frozenset(out)
