"""Values of a log, taken for what they are worth: texts, numbers, times, names, none trusted to be of its type."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from reach_tui.core.canonical import canonical
from reach_tui.core.ids import content_uid
from reach_tui.core.text import storable
from reach_tui.core.tools import ToolView

LONGEST_KEY = 200
_SAME = 1e-6
"""How far from 1 a reward may be and still be full: the tolerance of tau-bench and tau2-bench."""


def text_of(value: Any) -> str:
    """A JSON value as the text to show: strings as they are, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def short(value: Any, most: int = 120) -> str:
    """A value in one line of at most `most` characters; of an error object its message."""
    if isinstance(value, Mapping) and isinstance(value.get("message"), str):
        value = value["message"]
    text = " ".join(text_of(value).split())
    return storable(text if len(text) <= most else text[: most - 1] + "…")


def mapping(value: Any) -> Mapping[str, Any]:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def items(value: Any) -> list[Any]:
    """`value` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def names_of(value: Mapping[str, Any]) -> str:
    """The first keys of an object, for a sentence."""
    names = ", ".join(short(key, 30) for key in list(value)[:6])
    return names + (", …" if len(value) > 6 else "") if names else "no keys"


def total(known: int | None, more: int | None) -> int | None:
    """A sum of what is known; None as long as nothing is."""
    return known if more is None else (known or 0) + more


def instant(value: Any) -> int | None:
    """A logged time in ms UTC: ISO text (without an offset it is read as UTC), or seconds or milliseconds."""
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value.strip())
            return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)
        except (ValueError, OverflowError):
            return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1e14:
        return None
    return int(value if value > 1e11 else value * 1000)


def number(value: Any) -> float | None:
    """A finite number, or None; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        converted = float(value)
    except OverflowError:
        return None
    return converted if abs(converted) < float("inf") else None


def milliseconds(seconds: Any) -> int | None:
    """A duration logged in seconds, in whole ms from 0 to 2^53, or None."""
    amount = number(seconds)
    return None if amount is None or not 0 <= amount * 1000 <= 2**53 else int(amount * 1000)


def count(value: Any) -> int | None:
    """A whole number from 0 to 2^53, or None."""
    amount = number(value)
    return int(amount) if amount is not None and 0 <= amount < 2**53 and amount == int(amount) else None


def full(reward: float) -> bool:
    """Whether a reward is the whole one."""
    return abs(reward - 1) <= _SAME


def first_text(record: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    """The first of `keys` that holds a text or a number, as text."""
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return canonical(value)
    return None


def clean_key(key: str) -> str:
    """A task's key as it can stand in a link: one line, no control characters, not too long; never empty."""
    text = " ".join("".join(c if c.isprintable() else " " for c in storable(key)).split())
    if len(text) > LONGEST_KEY:
        text = text[: LONGEST_KEY - 13] + content_uid("~", key)
    return text or content_uid("task-", key)


def read_tools(listed: Iterable[Any]) -> tuple[ToolView, ...]:
    """Tools as the agent was told of them, from function definitions in the chat or the legacy form."""
    tools: dict[str, ToolView] = {}
    for item in listed:
        function = mapping(mapping(item).get("function")) or mapping(item)
        name = function.get("name")
        if isinstance(name, str) and name:
            parameters = _schema(function.get("parameters", function.get("input_schema")))
            description = storable(text_of(function.get("description") or ""))
            tools.setdefault(name, ToolView(storable(name), description, parameters))
    return tuple(tools.values())


def _schema(value: Any) -> dict[str, Any]:
    """A tool's parameters, if they are the schema of an object whose properties are schemas themselves."""
    schema = dict(mapping(value))
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and all(isinstance(subschema, Mapping) for subschema in properties.values()):
        return schema
    return {**schema, "type": "object", "properties": {}}
