"""When two JSON values are the same: one function for expectations, changes and differences, and one tolerance.

Where a value is held against what a task expects, fractions are the same within RELATIVE: a sum that was added up in
another order is right. Where a state is held against a state (changes, differences, rows that moved) they are taken
EXACT: what the world holds did change, however little. A digest is of the canonical text and sees more: there `1` and
`1.0` differ (`sandbox.records.identical` asks for that).
"""

from __future__ import annotations

import math
from typing import Any

from reach_tui.core.absent import ABSENT

RELATIVE = 1e-9
"""Fractions count as the same within this share of the larger one; whole numbers only if they are equal."""
EXACT = 0.0
"""No tolerance."""


def same(left: Any, right: Any, relative: float = RELATIVE) -> bool:
    """Equal by JSON type and value: `1` is `1.0`, and neither `true` nor `"1"`; `null` is not ABSENT; a tuple is a
    list. NaN is not even itself. Fractions, at any depth, may differ by the share `relative`.
    """
    if isinstance(left, str):
        return isinstance(right, str) and left == right
    if left is None or left is ABSENT or isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if is_number(left):
        return is_number(right) and same_number(left, right, relative)
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(same(value, right[key], relative) for key, value in left.items())
        )
    if isinstance(left, (list, tuple)):
        return (
            isinstance(right, (list, tuple))
            and len(left) == len(right)
            and all(same(*pair, relative) for pair in zip(left, right, strict=True))
        )
    return bool(left == right)


def same_number(left: float, right: float, relative: float = RELATIVE) -> bool:
    """Whole numbers are compared exactly (`1` is `1.0`), fractions within `relative`; `0.0` is `-0.0`."""
    if left == right:
        return True
    if not relative or (_is_whole(left) and _is_whole(right)):
        return False
    try:
        return math.isclose(left, right, rel_tol=relative, abs_tol=0.0)
    except OverflowError:
        return False


def is_number(value: Any) -> bool:
    """A JSON number; `true` is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def type_word(value: Any) -> str:
    """The JSON type in a reader's words: null, boolean, number, text, list, record; absent for ABSENT."""
    if value is None or value is ABSENT:
        return "null" if value is None else "absent"
    if isinstance(value, bool):
        return "boolean"
    if is_number(value):
        return "number"
    if isinstance(value, str):
        return "text"
    return "list" if isinstance(value, (list, tuple)) else "record"


def _is_whole(number: float) -> bool:
    return isinstance(number, int) or number.is_integer()
