"""The words that a suite's keys take, and near misses for words that are not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

KINDS = ("query", "action", "refuse")
PRIORITIES = ("P0", "P1", "P2", "P3")
DIFFICULTIES = ("single", "chain", "branching", "competing", "recovery", "long")
RISKS = ("low", "normal", "high")
LEVELS = ("capability", "chain", "production")
PERTURBATIONS = ("paraphrase", "information_order", "noise_sentence", "field_order", "date_format")
LATER_KEYS = ("asks", "check")
"""Keys of the layout that this version cannot honour: refused, never passed over."""
ORDERS = ("in_order", "any_order", "set")
COMPARISONS = ("equals", "ne", "in", "not_in", "gt", "gte", "lt", "lte", "regex")

_MEANT = {
    "prompt": "request", "input": "request", "query": "request", "question": "request", "instruction": "request",
    "request": "prompt", "messages": "turns", "tools": "allowed_tools", "expected": "expected_state",
    "state": "expected_state", "final_state": "expected_state", "setup": "initial_state", "steps": "milestones",
    "must_include_slots": "must_include", "expected_tool_sequence": "expected_tools", "name": "suite", "title": "name",
    "repeats": "repeat", "url": "base_url", "arguments": "args", "eq": "equals", "world": "sandbox",
    "system_prompt": "prompt", "constraint": "constraints", "expected_outcomes": "outcomes", "contains": "must_include",
}  # fmt: skip
"""Words from elsewhere for keys of ours that spelling alone does not lead to."""


def near(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant, or None."""
    candidates = {name.casefold().replace("-", "_"): name for name in known}
    folded = word.casefold().replace("-", "_").replace(" ", "_")
    if folded in candidates:
        return candidates[folded]
    meant = _MEANT.get(folded)
    if meant in candidates:
        return candidates[meant]
    close = difflib.get_close_matches(folded[:200], candidates, 1, 0.7)
    return candidates[close[0]] if close else None


def near_hint(word: str, known: Iterable[str]) -> str:
    """` (did you mean X?)`, or nothing."""
    meant = near(word, known)
    return f" (did you mean {meant}?)" if meant else ""
