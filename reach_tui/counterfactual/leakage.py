"""The leakage lint: a repair must not hold the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from reach_tui.core.task import Task

_WORD = re.compile(r"[^\W_]+(?:[-_.:/][^\W_]+)*")
_SHORTEST = 3


def leaks(before: str, after: str, tasks: Iterable[Task]) -> tuple[str, ...]:
    """Expected values of the tasks that stand in `after` and did not in `before`, each as `value (task)`.

    Looked at: record ids and values of expected states, words that must be said, and arguments of reference calls,
    as far as they hold a digit and at least three characters. Words of the trade (`refund`, `cancelled`) are what
    descriptions are made of, and no answers.
    """
    fresh = _words(after) - _words(before)
    if not fresh:
        return ()
    leaked: dict[str, str] = {}
    for task in tasks:
        for value in _expected(task):
            if value.casefold() in fresh:
                leaked.setdefault(value, task.key)
    return tuple(f"{value} ({key})" for value, key in sorted(leaked.items()))


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _expected(task: Task) -> Iterator[str]:
    for outcome in task.outcomes:
        for part in (outcome.state, outcome.must_include, outcome.told):
            yield from _answers(part)
    for call in task.reference:
        yield from _answers(call.get("args", {}))


def _answers(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _answers(key)
            yield from _answers(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _answers(item)
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        text = str(value)
        if len(text) >= _SHORTEST and any(ch.isdigit() for ch in text):
            yield text
