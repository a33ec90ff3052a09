"""State expressions: what a value must be, from literals and `$` operators.

A mapping without operators asks for its keys and leaves others free; the empty mapping is a literal. Lists are compared
element by element. A mapping may hold operators and keys side by side: all must hold. Every rule is the same at the
top, under a key, in a list and in an unordered list. Operators:

- `$in` [expressions]: one of them holds. `$ne`: a value is there and it is another.
- `$gt $gte $lt $lte`: numbers with numbers, texts with texts. `$approx`: a number within a thousandth, or within
  [number, tolerance], or {value, abs, rel}.
- `$regex`: text in which the pattern occurs. `$exists`, `$absent`: true or false.
- `$delta`: the initial number plus this, or an expression on the difference.
- `$any`: an element holds (given a list of mappings: each has an element of its own). `$all`: every element holds.
- `$unordered` [expressions]: the list's elements in any order. `$pairs` {field: list, ...}: lists of a record that
  belong together position by position, in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.equality import is_number, same, same_number, type_word

APPROXIMATELY = 1e-3
"""The relative tolerance of `$approx` with a bare number."""
SECONDS = 0.25
"""How long a pattern may take."""
LONGEST_PATTERN = 2000
"""Characters of a pattern."""


class PatternTrouble(Exception):
    """A pattern that cannot be read or does not come to an end: the suite's trouble, never the agent's."""


def matches(expected: Any, actual: Any, initial: Any = ABSENT) -> bool:
    """Whether `actual` (ABSENT if there is none) is as the expression says; `initial` is what `$delta` counts from.

    An expression that cannot be decided (a pattern out of time, an unknown operator) does not match.
    """
    try:
        return holds(expected, actual, initial)
    except (PatternTrouble, RecursionError):
        return False


def holds(expected: Any, actual: Any, initial: Any = ABSENT) -> bool:
    """Like `matches`, but raises PatternTrouble."""
    if isinstance(expected, dict):
        if not expected:
            return isinstance(actual, dict) and not actual
        for key, want in expected.items():
            if is_operator(key):
                operation = OPERATIONS.get(key)
                if operation is None or not operation(want, actual, initial):
                    return False
            elif not holds(want, below(actual, key), below(initial, key)):
                return False
        return True
    if isinstance(expected, (list, tuple)):
        if not isinstance(actual, (list, tuple)) or len(expected) != len(actual):
            return False
        return all(holds(want, actual[i], item_at(initial, i)) for i, want in enumerate(expected))
    return same(expected, actual)


def is_operator(key: Any) -> bool:
    """Whether a mapping's key is an operator (`$in`), known or not."""
    return isinstance(key, str) and key[:1] == "$"


def elements(value: Any) -> list[tuple[str, Any]]:
    """A table's records by id or a list's items by index: what `$any` and `$all` look at; empty for anything else."""
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, (list, tuple)):
        return [(str(i), item) for i, item in enumerate(value)]
    return []


def wishes(operand: Any) -> list[Any]:
    """The expressions of a `$any`: several where it is given a list of mappings, else one."""
    if isinstance(operand, (list, tuple)) and operand and all(isinstance(wish, dict) for wish in operand):
        return list(operand)
    return [operand]


def below(value: Any, key: Any) -> Any:
    """The value under a mapping's key, which in JSON is text; ABSENT in anything but a mapping."""
    if isinstance(value, dict):
        if key in value:
            return value[key]
        return value.get(str(key), ABSENT)
    return ABSENT


def item_at(value: Any, index: int) -> Any:
    """The element of a list, ABSENT beyond its end and in anything but a list."""
    return value[index] if isinstance(value, (list, tuple)) and index < len(value) else ABSENT


def element_of(value: Any, key: str) -> Any:
    """The element that `elements` names `key`, or ABSENT."""
    if isinstance(value, (list, tuple)):
        return item_at(value, int(key)) if key.isdecimal() else ABSENT
    return below(value, key)


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> Any:
    import regex  # 30 ms that only a trial with a pattern has to pay

    if len(pattern) > LONGEST_PATTERN:
        raise PatternTrouble(f"the pattern is longer than {LONGEST_PATTERN} characters")
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, MemoryError) as error:
        raise PatternTrouble(f"the pattern {pattern!r} cannot be read: {error}") from None


def occurs(pattern: str, text: str) -> bool:
    """Whether the pattern occurs in the text. Raises PatternTrouble where that cannot be said within SECONDS."""
    compiled = _compiled(pattern)
    try:
        return compiled.search(text, timeout=SECONDS) is not None
    except TimeoutError:
        raise PatternTrouble(f"the pattern {pattern!r} took more than {SECONDS:g} s") from None


def assign(choices: Sequence[Sequence[int]]) -> list[int | None]:
    """For each wish the index of a candidate of its own, or None; as many wishes as possible get one.

    `choices[i]` lists the candidates that suit wish i, best first. Augmenting paths: O(wishes x choices).
    """
    taken: dict[int, int] = {}

    def place(wish: int, tried: set[int]) -> bool:
        # A free candidate first: a long list of equal wishes then never moves anyone.
        for candidate in choices[wish]:
            if candidate not in taken:
                taken[candidate] = wish
                return True
        for candidate in choices[wish]:
            if candidate not in tried:
                tried.add(candidate)
                if place(taken[candidate], tried):
                    taken[candidate] = wish
                    return True
        return False

    for wish in range(len(choices)):
        place(wish, set())
    result: list[int | None] = [None] * len(choices)
    for candidate, wish in taken.items():
        result[wish] = candidate
    return result


# --- operators: (operand, actual, initial) -> bool ---


def _in(operand: Any, actual: Any, initial: Any) -> bool:
    return isinstance(operand, (list, tuple)) and any(holds(expression, actual, initial) for expression in operand)


def _ne(operand: Any, actual: Any, initial: Any) -> bool:
    return actual is not ABSENT and not holds(operand, actual, initial)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any, Any], bool]:
    def decide(operand: Any, actual: Any, initial: Any) -> bool:
        numbers = is_number(operand) and is_number(actual)
        texts = isinstance(operand, str) and isinstance(actual, str)
        return (numbers or texts) and compare(actual, operand)

    return decide


def _as_large(left: Any, right: Any) -> bool:
    return left >= right or (is_number(left) and same_number(left, right))


def _regex(operand: Any, actual: Any, initial: Any) -> bool:
    if not isinstance(operand, str):
        raise PatternTrouble(f"a pattern is text, not {type_word(operand)}")
    return isinstance(actual, str) and occurs(operand, actual)


def _exists(operand: Any, actual: Any, initial: Any) -> bool:
    return (actual is not ABSENT) is (operand is not False)


def _absent(operand: Any, actual: Any, initial: Any) -> bool:
    return (actual is ABSENT) is (operand is not False)


def _delta(operand: Any, actual: Any, initial: Any) -> bool:
    if not (is_number(actual) and is_number(initial)):
        return False
    try:
        if is_number(operand):
            return same_number(actual, initial + operand)
        return holds(operand, actual - initial)
    except OverflowError:
        return False


def _any(operand: Any, actual: Any, initial: Any) -> bool:
    listed = wishes(operand)
    items = elements(actual)
    if len(listed) == 1:
        return any(holds(listed[0], item, element_of(initial, key)) for key, item in items)
    choices = [
        [i for i, (key, item) in enumerate(items) if holds(want, item, element_of(initial, key))] for want in listed
    ]
    return None not in assign(choices)


def _all(operand: Any, actual: Any, initial: Any) -> bool:
    return isinstance(actual, (dict, list, tuple)) and all(
        holds(operand, item, element_of(initial, key)) for key, item in elements(actual)
    )


def unordered(operand: Any, actual: Any, initial: Any) -> bool:
    """Whether the list `actual` is a reordering of the expressions in `operand`."""
    if not isinstance(operand, (list, tuple)) or not isinstance(actual, (list, tuple)) or len(operand) != len(actual):
        return False
    return None not in assign([[i for i, item in enumerate(actual) if holds(want, item)] for want in operand])


def _pairs(operand: Any, actual: Any, initial: Any) -> bool:
    expected, have = zipped(operand, operand), zipped(operand, actual)
    return expected is not None and have is not None and unordered(expected, have, ABSENT)


def zipped(fields: Any, record: Any) -> list[list[Any]] | None:
    """The tuples that a record's lists make position by position; None where they are no lists of one length."""
    if not isinstance(fields, dict) or not fields or not isinstance(record, dict):
        return None
    lists = [record.get(name) for name in fields]
    if not all(isinstance(values, (list, tuple)) for values in lists):
        return None
    rows = [list(values) for values in lists if values is not None]
    if len({len(row) for row in rows}) != 1:
        return None
    return [list(row) for row in zip(*rows, strict=True)]


def _approx(operand: Any, actual: Any, initial: Any) -> bool:
    if not is_number(actual):
        return False
    value, absolute, relative = _tolerance(operand)
    if value is None:
        return False
    try:
        return bool(abs(actual - value) <= max(absolute, relative * max(abs(actual), abs(value))))
    except OverflowError:
        return False


def _tolerance(operand: Any) -> tuple[float | None, float, float]:
    if is_number(operand):
        return operand, 0.0, APPROXIMATELY
    if isinstance(operand, (list, tuple)) and len(operand) == 2 and all(map(is_number, operand)):
        return operand[0], operand[1], 0.0
    if isinstance(operand, dict) and is_number(operand.get("value")):
        given = [operand[name] if is_number(operand.get(name)) else 0.0 for name in ("abs", "rel")]
        return operand["value"], given[0], given[1] if any(given) else APPROXIMATELY
    return None, 0.0, 0.0


OPERATIONS: dict[str, Callable[[Any, Any, Any], bool]] = {
    "$in": _in,
    "$ne": _ne,
    "$gt": _ordered(lambda left, right: bool(left > right)),
    "$gte": _ordered(_as_large),
    "$lt": _ordered(lambda left, right: bool(left < right)),
    "$lte": _ordered(lambda left, right: _as_large(right, left)),
    "$regex": _regex,
    "$exists": _exists,
    "$absent": _absent,
    "$delta": _delta,
    "$any": _any,
    "$all": _all,
    "$unordered": unordered,
    "$pairs": _pairs,
    "$approx": _approx,
}
OPERATORS = tuple(OPERATIONS)
