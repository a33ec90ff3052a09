"""Why a value is not as its state expression says, one sentence for each place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical
from reach_tui.core.equality import is_number, type_word
from reach_tui.grading.state.expressions import (
    OPERATIONS,
    PatternTrouble,
    assign,
    below,
    element_of,
    elements,
    holds,
    is_operator,
    item_at,
    matches,
    unordered,
    zipped,
)

SHOWN = 120
"""Characters of a value that a sentence quotes."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One place where a value is not as expected. `trouble` marks an expression that could not be decided."""

    pointer: str
    expected: Any
    actual: Any
    why: str
    trouble: bool = False


def explain(expected: Any, actual: Any, initial: Any = ABSENT, at: tuple[str, ...] = ()) -> tuple[Mismatch, ...]:
    """Every mismatch, in document order; empty exactly where `matches` holds. `at` are the segments above."""
    try:
        listed = tuple(_explain(expected, actual, initial, at))
    except RecursionError:
        return (Mismatch(pointers.join(at), expected, actual, "the expression is nested too deeply", True),)
    return listed


def _explain(expected: Any, actual: Any, initial: Any, at: tuple[str, ...]) -> Iterator[Mismatch]:
    if isinstance(expected, dict) and expected:
        inside: list[Mismatch] = []
        for key, want in expected.items():
            if is_operator(key):
                yield from _explain_operation(key, want, actual, initial, at)
            else:
                inside.extend(_explain(want, below(actual, key), below(initial, key), (*at, str(key))))
        if inside and not isinstance(actual, dict) and actual is not ABSENT:
            # One sentence about the wrong kind of value says more than one for each key that it cannot have.
            inside = [Mismatch(pointers.join(at), expected, actual, contrast(expected, actual))]
        yield from inside
    elif isinstance(expected, (list, tuple)):
        yield from _explain_list(expected, actual, initial, at)
    elif not holds(expected, actual, initial):
        yield Mismatch(pointers.join(at), expected, actual, contrast(expected, actual))


def _explain_list(expected: Any, actual: Any, initial: Any, at: tuple[str, ...]) -> Iterator[Mismatch]:
    try:
        if holds(expected, actual, initial):
            return
        if unordered(expected, actual, ABSENT):
            yield Mismatch(
                pointers.join(at),
                expected,
                actual,
                f"only the order differs: {contrast(expected, actual)}; declare $unordered if it carries no meaning",
            )
            return
    except PatternTrouble as trouble:
        yield Mismatch(pointers.join(at), expected, actual, str(trouble), True)
        return
    if not isinstance(actual, (list, tuple)):
        yield Mismatch(pointers.join(at), expected, actual, contrast(expected, actual))
    elif len(expected) != len(actual):
        why = f"expected {len(expected)} elements, found {len(actual)}: {contrast(expected, actual)}"
        yield Mismatch(pointers.join(at), expected, actual, why)
    else:
        for i, (want, have) in enumerate(zip(expected, actual, strict=True)):
            yield from _explain(want, have, item_at(initial, i), (*at, str(i)))


def _explain_operation(key: str, want: Any, actual: Any, initial: Any, at: tuple[str, ...]) -> Iterator[Mismatch]:
    expected = {key: want}
    try:
        if key in OPERATIONS and OPERATIONS[key](want, actual, initial):
            return
    except PatternTrouble as trouble:
        yield Mismatch(pointers.join(at), expected, actual, str(trouble), True)
        return
    if key not in OPERATIONS:
        yield Mismatch(pointers.join(at), expected, actual, f"there is no operator {key}", True)
    elif key == "$all" and elements(actual):
        for name, item in elements(actual):
            yield from _explain(want, item, element_of(initial, name), (*at, name))
    else:
        yield Mismatch(pointers.join(at), expected, actual, _why_not(key, want, actual, initial))


def _why_not(key: str, want: Any, actual: Any, initial: Any) -> str:
    if key == "$delta":
        if not is_number(initial):
            return f"$delta counts from a number, and at the start there was {show(initial)}"
        if is_number(want) and is_number(actual):
            return f"expected {show(initial)} at the start {want:+}, found {show(actual)}"
    if key == "$pairs":
        return _why_not_pairs(want, actual)
    if key == "$unordered" and isinstance(want, (list, tuple)) and isinstance(actual, (list, tuple)):
        return _why_not_unordered(want, actual)
    if key == "$any":
        return f"expected {in_words({key: want})}, found none among {len(elements(actual))}"
    actual_words = show(actual) if key in ("$exists", "$absent") else _actual_text(want, actual)
    return f"expected {in_words({key: want})}, found {actual_words}"


def _actual_text(want: Any, actual: Any) -> str:
    if actual is ABSENT or isinstance(want, (dict, list, tuple)) or type_word(want) == type_word(actual):
        return show(actual)
    return f"{show(actual)} ({type_word(actual)})"


def _why_not_pairs(want: Any, actual: Any) -> str:
    tuples, have = zipped(want, want), zipped(want, actual)
    if tuples is None:
        return "$pairs takes fields with lists of one length"
    names = list(want)
    if have is None:
        return f"expected lists of one length in {', '.join(names)}, found {show(actual)}"
    suited = assign([[i for i, row in enumerate(have) if matches(wish, row)] for wish in tuples])
    broken = []
    for wish, place in zip(tuples, suited, strict=True):
        if place is None:
            partner = next((row for row in have if matches(wish[0], row[0])), None)
            instead = "is not there" if partner is None else f"is {_arrow(partner)}"
            broken.append(f"{_arrow(wish)} {instead}")
    extra = len(have) - len(tuples)
    more = f"; {extra} more than expected" if extra > 0 else ""
    return f"pairs of {' and '.join(names)} (order ignored): {', '.join(broken) or 'too many'}{more}"


def _arrow(row: list[Any]) -> str:
    return " -> ".join(item if isinstance(item, str) else show(item) for item in row)


def _why_not_unordered(want: Any, actual: Any) -> str:
    suited = assign([[i for i, item in enumerate(actual) if matches(wish, item)] for wish in want])
    missing = [show(wish) for wish, place in zip(want, suited, strict=True) if place is None]
    extra = [show(item) for i, item in enumerate(actual) if i not in suited]
    parts = ([f"missing {', '.join(missing)}"] if missing else []) + ([f"extra {', '.join(extra)}"] if extra else [])
    return f"the list (order ignored) differs: {'; '.join(parts)}"


_WORDS = {
    "$in": "one of {}", "$ne": "anything but {}", "$gt": "> {}", "$gte": ">= {}", "$lt": "< {}", "$lte": "<= {}",
    "$regex": "text like {}", "$delta": "the initial value plus {}", "$any": "an element like {}",
    "$all": "all elements like {}", "$unordered": "{} in any order", "$pairs": "{} as pairs in any order",
    "$approx": "about {}",
}  # fmt: skip


def in_words(expected: Any) -> str:
    """The expression in short words: `one of ["a","b"]`, `> 5`; a literal is its JSON."""
    if not isinstance(expected, dict) or not any(is_operator(key) for key in expected):
        return show(expected)
    parts = []
    for key, want in expected.items():
        if key in ("$exists", "$absent"):
            parts.append("present" if (key == "$exists") is (want is not False) else "absent")
        elif key in _WORDS:
            parts.append(_WORDS[key].format(show(want)))
        else:
            parts.append(f"{key} {show(want)}")
    return " and ".join(parts)


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
