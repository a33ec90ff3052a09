"""What an agent is called beside its model, and how loudly: numbers of a stand-in speak of no model."""

from __future__ import annotations

from reach_tui.core.agent import Measures
from reach_tui.present.language import word


def label_of(label: str | None, measures: Measures | None, kind: str | None) -> tuple[str, str]:
    """(what people call its kind, role): a warning where its numbers measure the suite and nothing of any model."""
    return word(label or kind or ""), "warn" if measures == "suite" else "dim"


def stand_in(label: str | None, measures: Measures | None) -> str:
    """The label of an agent whose numbers speak of no model; empty for all others."""
    return word(label) if label and measures == "suite" else ""
