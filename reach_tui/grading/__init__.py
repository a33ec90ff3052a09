"""What a trial came to, and why: deterministic, from the event log alone, every label with the step that earned it.

Names are loaded when first used, so that a screen that only needs the state table does not pay for the detectors.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reach_tui.grading.grader import grade
    from reach_tui.grading.state.expectations import expected_paths
    from reach_tui.grading.state.explanations import Mismatch, explain
    from reach_tui.grading.state.expressions import OPERATORS, matches
    from reach_tui.grading.state.table import VIEWS, Counts, StateTable
    from reach_tui.grading.version import GRADER_VERSION

__all__ = [
    "GRADER_VERSION", "OPERATORS", "VIEWS", "Counts", "Mismatch", "StateTable", "expected_paths", "explain", "grade",
    "matches",
]  # fmt: skip

_WHERE = {
    "GRADER_VERSION": "version",
    "VIEWS": "state.table",
    "Counts": "state.table",
    "Mismatch": "state.explanations",
    "StateTable": "state.table",
    "expected_paths": "state.expectations",
    "OPERATORS": "state.expressions",
    "explain": "state.explanations",
    "grade": "grader",
    "matches": "state.expressions",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    globals()[name] = value
    return value
