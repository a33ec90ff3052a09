"""A YAML document as a tree that remembers where everything stands and how it was typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reach_tui.core.text import one_line

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,3999}", re.ASCII)
_FRACTION = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+", re.ASCII)
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}
_OTHERS_TYPE = frozenset(
    form
    for word in ("true", "false", "null", "yes", "no", "on", "off")
    for form in (word, word.capitalize(), word.upper())
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a file; line and column count from 1, the column in characters."""

    line: int
    column: int


START = Mark(1, 1)


@dataclass(frozen=True, slots=True)
class Plain:
    """A scalar read as a number or as true or false, with the text its author typed: a textual field takes that."""

    text: str
    value: bool | int | float


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """One scalar. `plain` is True where it stands without quotes and block signs; only then can it be typed."""

    text: str
    plain: bool
    mark: Mark
    value: str | bool | int | float | None

    @property
    def looks_typed(self) -> bool:
        """A bare word that other YAML readers take for a boolean or null, kept as text here."""
        return self.plain and isinstance(self.value, str) and self.text in _OTHERS_TYPE


@dataclass(frozen=True, slots=True)
class ListNode:
    """A sequence."""

    items: tuple[Node, ...]
    mark: Mark


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of a mapping with its value. `merged` is True where it came by `<<`."""

    key: str
    mark: Mark
    node: Node
    merged: bool = False


@dataclass(frozen=True, slots=True)
class MapNode:
    """A mapping: every key once, merges resolved."""

    entries: dict[str, Entry]
    mark: Mark


Node = ScalarNode | ListNode | MapNode


def typed(text: str) -> str | bool | int | float | None:
    """The value of a plain scalar: true, false, null, JSON-style whole numbers and decimal fractions; else the text."""
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _FRACTION.fullmatch(text):
        number = float(text)
        return number if abs(number) != float("inf") else text
    return text


def value_of(node: Node) -> Any:
    """Plain JSON, built anew at every call: two uses of one anchor share nothing."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, ListNode):
        return [value_of(item) for item in node.items]
    return {key: value_of(entry.node) for key, entry in node.entries.items()}


def raw_of(node: Node) -> Any:
    """Like `value_of`, but what was typed as number or boolean is a `Plain` that still knows its text."""
    if isinstance(node, ScalarNode):
        if isinstance(node.value, (bool, int, float)):
            return Plain(node.text, node.value)
        return node.value
    if isinstance(node, ListNode):
        return [raw_of(item) for item in node.items]
    return {key: raw_of(entry.node) for key, entry in node.entries.items()}


def unwrap(value: Any) -> Any:
    """Plain JSON from what `raw_of` made."""
    if isinstance(value, Plain):
        return value.value
    if isinstance(value, list):
        return [unwrap(item) for item in value]
    if isinstance(value, dict):
        return {key: unwrap(item) for key, item in value.items()}
    return value


def find(node: Node, path: Sequence[str | int], *, at_key: bool = False) -> tuple[Mark, Node]:
    """The place and node that `path` leads to. Segments that the file does not have (shorthands) are passed over.

    With `at_key` the place is that of the last key in the path, not of its value.
    """
    here: Node = node
    mark = node.mark
    for part in path:
        if isinstance(here, MapNode) and part in here.entries:
            entry = here.entries[str(part)]
            here, mark = entry.node, entry.mark if at_key else entry.node.mark
        elif isinstance(here, ListNode) and isinstance(part, int) and part < len(here.items):
            here = here.items[part]
            mark = here.mark
    return mark, here


def describe(node: Node) -> str:
    """What stands there, in a few words for an error."""
    if isinstance(node, ListNode):
        return f"a list of {len(node.items)}" if node.items else "an empty list"
    if isinstance(node, MapNode):
        names = list(node.entries)
        shown = ", ".join(short(name, 20) for name in names[:3]) + (", …" if len(names) > 3 else "")
        return f"a mapping with {shown}" if names else "an empty mapping"
    if node.value is None:
        return "null" if node.text else "nothing"
    if isinstance(node.value, str):
        return f"the text '{short(node.text)}'"
    return f"the number {short(node.text)}" if not isinstance(node.value, bool) else f"the word {node.text}"


def short(text: str, limit: int = 40) -> str:
    """`text` on one line, harmless to a terminal, cut after `limit` characters."""
    shown = one_line(text[: limit + 1])
    return shown[:limit] + "…" if len(shown) > limit else shown
