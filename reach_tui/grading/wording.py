"""What an agent must have said: texts, numbers by value, alternatives, patterns, values bound to the world's state.

An entry of `must_include`, `told` or `said` is a text; a number, or a text that is one (found by value: 129.00 is 129,
80 % is 0.8 is 八成); a list of alternatives; or a mapping with `$in` (alternatives), `$regex` (a pattern) or `state` (a
pointer: the value that stands there at the end). A mapping may hold `decides: false`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.equality import is_number, same_number
from reach_tui.core.trajectory import Step
from reach_tui.grading.state.explanations import show
from reach_tui.grading.state.expressions import found
from reach_tui.grading.tokens import normal, number_of, numbers_in

_CJK = "\u3400-\u9fff\uf900-\ufaff\u3000-\u303f"
_LOOSE_SPACE = re.compile(rf"(?<=[{_CJK}]) | (?=[{_CJK}])")


@dataclass(slots=True)
class Message:
    """One message, made comparable once."""

    step: Step
    text: str
    normal: str
    _numbers: list[float] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, step: Step) -> Message:
        """The message of a step that has a text."""
        return cls(step, step.text, _squeezed(step.text))

    @property
    def numbers(self) -> list[float]:
        """Every number in it, by value."""
        if self._numbers is None:
            self._numbers = numbers_in(self.normal)
        return self._numbers


def entry_decides(entry: Any) -> bool:
    """Whether an entry counts: all do that do not say otherwise."""
    return not (isinstance(entry, dict) and entry.get("decides") is False)


def where_said(entry: Any, messages: Sequence[Message], value_at: Callable[[str], Any]) -> Step | None:
    """The first message that holds the entry, or None. `value_at` gives the state's value at a pointer.

    Raises PatternTrouble where a pattern cannot be decided.
    """
    return next((message.step for message in messages if _holds(entry, message, value_at)), None)


def entry_in_words(entry: Any) -> str:
    """The entry as a sentence quotes it."""
    if isinstance(entry, (list, tuple)):
        return " or ".join(map(entry_in_words, entry))
    if isinstance(entry, dict):
        if "$in" in entry and isinstance(entry["$in"], (list, tuple)):
            return entry_in_words(entry["$in"])
        if "$regex" in entry:
            return f"text like {show(entry['$regex'])}"
        if "state" in entry:
            return f"the value of {entry['state']}"
        if "text" in entry:
            return entry_in_words(entry["text"])
    return show(entry)


def _holds(entry: Any, message: Message, value_at: Callable[[str], Any]) -> bool:
    if isinstance(entry, (list, tuple)):
        return any(_holds(one, message, value_at) for one in entry)
    if isinstance(entry, dict):
        return _mapping_holds(entry, message, value_at)
    if is_number(entry):
        return _has_number(entry, message.numbers)
    return isinstance(entry, str) and contains(message, entry)


def _mapping_holds(entry: dict[str, Any], message: Message, value_at: Callable[[str], Any]) -> bool:
    if "$regex" in entry:
        return found(str(entry["$regex"]), message.text)
    if "state" in entry:
        value = value_at(str(entry["state"]))
        return value is not ABSENT and value is not None and _holds(value, message, value_at)
    inner = entry.get("$in", entry.get("text"))
    return inner is not None and _holds(inner, message, value_at)


def contains(message: Message, wanted: str) -> bool:
    """Whether a message holds a text, letter case, width and spacing aside; never a part of a number or id."""
    needle = _squeezed(wanted)
    if not needle:
        return True
    value = number_of(needle)
    if value is not None:
        return _has_number(value, message.numbers)
    return holds_text(message.normal, needle)


def holds_text(haystack: str, needle: str) -> bool:
    """`needle` in `haystack`, both normal; `A100` is not in `A1001`, nor `12` in `120`."""
    at = haystack.find(needle)
    while at >= 0:
        if _free(haystack, at, needle):
            return True
        at = haystack.find(needle, at + 1)
    return False


def _free(haystack: str, at: int, needle: str) -> bool:
    named = any(c.isdigit() for c in needle)
    before = haystack[at - 1] if at else " "
    after = haystack[at + len(needle)] if at + len(needle) < len(haystack) else " "
    starts_id = needle[0].isdigit() or (named and needle[0].isascii() and needle[0].isalpha())
    if starts_id and before.isascii() and before.isalnum():
        return False
    return not (needle[-1].isdigit() and after.isascii() and after.isdigit())


def _has_number(value: float, numbers: Iterable[float]) -> bool:
    return any(same_number(value, one) for one in numbers)


def _squeezed(text: str) -> str:
    """Normal, and without the spaces that some put between Chinese and other writing."""
    return _LOOSE_SPACE.sub("", normal(text))
