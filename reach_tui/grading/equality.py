"""When two JSON scalars are the same, and how a value is put into words where they are not."""

from __future__ import annotations

import math
from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical

RELATIVE = 1e-9
"""Fractions count as equal within this share of the larger one; whole numbers only if they are equal."""

SHOWN = 120
"""Characters of a value that a sentence quotes."""


def is_number(value: Any) -> bool:
    """A JSON number; `true` is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def same_number(left: float, right: float) -> bool:
    """Whole numbers are compared exactly (`1` is `1.0`), fractions within RELATIVE; `0.0` is `-0.0`, NaN is nothing."""
    if left == right:
        return True
    whole = (isinstance(left, int) or left.is_integer()) and (isinstance(right, int) or right.is_integer())
    if whole:
        return False
    try:
        return math.isclose(left, right, rel_tol=RELATIVE, abs_tol=0.0)
    except OverflowError:
        return False


def same_scalar(left: Any, right: Any) -> bool:
    """Equal by JSON type and value: `1`, `true` and `"1"` differ, `null` and ABSENT differ. Containers never are."""
    if isinstance(left, str):
        return isinstance(right, str) and left == right
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if is_number(left):
        return is_number(right) and same_number(left, right)
    return left is right and (left is None or left is ABSENT)


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
