"""How a value is put into words."""

from __future__ import annotations

from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical
from reach_tui.core.equality import is_number

SHOWN = 120
"""Characters of a value that a sentence quotes."""


def type_word(value: Any) -> str:
    """The JSON type in a reader's words."""
    if value is None or value is ABSENT:
        return "null" if value is None else "absent"
    if isinstance(value, bool):
        return "boolean"
    if is_number(value):
        return "number"
    if isinstance(value, str):
        return "text"
    return "list" if isinstance(value, (list, tuple)) else "record"


def show(value: Any) -> str:
    """The value as compact JSON, cut to SHOWN characters; "nothing" for ABSENT."""
    if value is ABSENT:
        return "nothing"
    try:
        text = canonical(value)
    except (TypeError, RecursionError):
        text = repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def contrast(expected: Any, actual: Any) -> str:
    """The words "expected X, found Y"; where types differ each is named: `1 (number)` against `"1" (text)`."""
    if type_word(expected) == type_word(actual) or expected is ABSENT or actual is ABSENT:
        return f"expected {show(expected)}, found {show(actual)}"
    return f"expected {_typed(expected)}, found {_typed(actual)}"


def _typed(value: Any) -> str:
    return "null" if value is None else f"{show(value)} ({type_word(value)})"
