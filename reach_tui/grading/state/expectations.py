"""A state expression laid out as rows: one path each, what is expected there, and which changes that excuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.task import Task
from reach_tui.grading.state.explanations import show
from reach_tui.grading.state.expressions import is_operator, wishes

VALUE, ANY, ALL = "value", "any", "all"
"""A row about one value, about some element of a table or list, about all of its elements."""


@dataclass(frozen=True, slots=True)
class Expected:
    """One row of an expected state.

    `parts` lead to the value that `expression` is about; `path` is the pointer as shown (`/refunds/*` for elements).
    `shown` is the expected value as a table shows it; `record` is set for a row of `$pairs`: the
    segments of the record and the whole expression on it.
    """

    parts: tuple[str, ...]
    path: str
    form: str
    expression: Any
    shown: Any
    note: str = ""
    record: tuple[tuple[str, ...], Any] | None = None


def expected_rows(state: Mapping[str, Any]) -> tuple[Expected, ...]:
    """The rows of a state expression, in its order. An empty expression has none."""
    return tuple(_rows(state, ())) if state else ()


def expected_paths(task: Task) -> tuple[str, ...]:
    """Every path that some acceptable outcome of the task says something about, in their order."""
    return tuple(dict.fromkeys(row.path for outcome in task.outcomes for row in expected_rows(outcome.state)))


def _rows(expression: Any, parts: tuple[str, ...]) -> Iterator[Expected]:
    if not isinstance(expression, dict) or not expression:
        yield _value(parts, expression)
        return
    rest: dict[str, Any] = {}
    for key, want in expression.items():
        if not is_operator(key):
            yield from _rows(want, (*parts, str(key)))
        elif key == "$any":
            yield _any(parts, want)
        elif key == "$all":
            path = pointers.join((*parts, "*"))
            yield Expected(parts, path, ALL, {key: want}, "all records", note=show(want))
        elif key == "$pairs" and isinstance(want, dict) and want:
            yield from _pairs(parts, want)
        else:
            rest[key] = want
    if rest:
        yield _value(parts, rest)


def _value(parts: tuple[str, ...], expression: Any) -> Expected:
    shown, note = expression, ""
    if isinstance(expression, dict) and set(expression) == {"$unordered"}:
        shown, note = expression["$unordered"], "order ignored"
    return Expected(parts, pointers.join(parts), VALUE, expression, shown, note)


def _any(parts: tuple[str, ...], want: Any) -> Expected:
    count = len(wishes(want))
    shown = "1 record" if count == 1 else f"{count} records"
    return Expected(parts, pointers.join((*parts, "*")), ANY, {"$any": want}, shown, note=show(want))


def _pairs(parts: tuple[str, ...], want: Mapping[str, Any]) -> Iterator[Expected]:
    # The first list is right in any order; each further one is right if its elements go with the first one's.
    first = next(iter(want))
    for name, values in want.items():
        here = (*parts, str(name))
        if name == first:
            yield Expected(
                here, pointers.join(here), VALUE, {"$unordered": values}, values, "order ignored, pairs below"
            )
        else:
            whole = {"$pairs": {first: want[first], name: values}}
            note = f"order ignored, paired with {first}"
            yield Expected(here, pointers.join(here), VALUE, whole, values, note, record=(parts, whole))
