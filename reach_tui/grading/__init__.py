"""What a trial came to, and why: deterministic, from the event log alone, every label with the step that earned it.

Here live the rules of a grading: `state` (expectations against the state over time, and the table of it), `checks`,
`milestones`, `claims` (what the agent says against what it did), `detectors` (derailing events), `blame` with `misuse`
(mode, owner, decisive step), and `grader`, which puts them together; `evidence`, `wording` and `identifiers` read the
log for them. How changes apply, what equal means and the records of a grading are `core`'s. Nothing here calls a model,
knows a sandbox, reads a store or draws a screen.

Names are loaded when first used, so that a screen that only needs the state table does not pay for the detectors.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reach_tui.grading.grader import grade, grader_version
    from reach_tui.grading.state.expectations import expected_paths
    from reach_tui.grading.state.explanations import Mismatch, explain
    from reach_tui.grading.state.expressions import OPERATORS, matches
    from reach_tui.grading.state.table import VIEWS, Counts, StateTable

__all__ = [
    "GRADER_VERSION", "OPERATORS", "VIEWS", "Counts", "Mismatch", "StateTable", "expected_paths", "explain", "grade",
    "grader_version", "matches",
]  # fmt: skip

GRADER_VERSION = "1"
"""The version of the rules. It rises whenever a grading could come out differently; two versions are never compared."""

_WHERE = {
    "OPERATORS": "state.expressions",
    "VIEWS": "state.table",
    "Counts": "state.table",
    "Mismatch": "state.explanations",
    "StateTable": "state.table",
    "expected_paths": "state.expectations",
    "explain": "state.explanations",
    "grade": "grader",
    "grader_version": "grader",
    "matches": "state.expressions",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    globals()[name] = value
    return value
