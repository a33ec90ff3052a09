"""The kinds of value a suite's keys take, and how each is refused in words that name what was expected."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from reach_tui.core import pointer as pointers
from reach_tui.core.context import STRATEGIES, strategy_of
from reach_tui.core.errors import UsageError
from reach_tui.suites.nodes import Plain, short, unwrap
from reach_tui.suites.vocabulary import near_hint

MAX_NAME = 200
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def refuse(message: str, expected: str) -> PydanticCustomError:
    """An error of one field; `message` is the sentence, `expected` what should stand there."""
    return PydanticCustomError("reach", "{message}", {"message": message, "expected": expected})


def as_text(value: Any) -> str:
    """Text as typed; a number or boolean without quotes gives its own characters."""
    if isinstance(value, Plain):
        return value.text
    if isinstance(value, str):
        return value
    raise refuse("expected text", "text")


def as_said(value: Any) -> str:
    """Like `as_text`; a blank text is refused, too."""
    text = as_text(value)
    if not text.strip():
        raise refuse("the text is empty", "text")
    return text


def as_name(value: Any) -> str:
    """Like `as_said`, but one line, without spaces around it and of at most MAX_NAME characters."""
    text = as_said(value)
    if text != text.strip() or _UNPRINTABLE.search(text):
        raise refuse("a name is one line without spaces around it", "one line of text")
    if len(text) > MAX_NAME:
        raise refuse(f"the name is {len(text)} characters long", f"at most {MAX_NAME} characters")
    return text


def as_flag(value: Any) -> bool:
    """A boolean typed without quotes; anything else is refused."""
    if isinstance(value, Plain) and isinstance(value.value, bool):
        return value.value
    raise refuse("expected true or false", "true or false")


def _number(value: Any) -> float | int:
    typed = value.value if isinstance(value, Plain) else None
    # A whole number of any length is finite, though no float can hold it.
    if type(typed) is int or (isinstance(typed, float) and math.isfinite(typed)):
        return typed
    raise refuse("expected a number", "a number, such as 3 or 0.5, without quotes")


def _ordered(value: Any) -> float | int | str:
    """A number, or a text that is compared as text, such as a date."""
    return as_said(value) if isinstance(value, str) else _number(value)


def _positive(value: Any) -> float:
    number = _number(value)
    if number <= 0:
        raise refuse("the number must be above 0", "a number above 0")
    try:
        return float(number)
    except OverflowError:
        raise refuse("the number is too large", "a number below 1e308") from None


def _chance(value: Any) -> float:
    number = _number(value)
    if not 0 < number <= 1:  # Compared before it is made a float: a number of any length may stand here.
        raise refuse("a chance lies above 0 and is at most 1", "a number above 0 and up to 1")
    return float(number)


def _context(value: Any) -> dict[str, Any]:
    """A strategy, or {window: N}, which YAML makes of `window: N`."""
    if isinstance(value, dict) and list(value) == ["window"] and isinstance(value["window"], Plain):
        value = f"window:{value['window'].text}"
    if isinstance(value, (dict, list)):
        raise refuse("expected a context strategy", STRATEGIES)
    try:
        return strategy_of(as_text(value))
    except UsageError as error:
        raise refuse(f"{error.what} ({STRATEGIES})", STRATEGIES) from None


def _whole(low: int, high: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        expected = f"a whole number from {low} to {high}"
        if not (isinstance(value, Plain) and type(value.value) is int):
            raise refuse(f"expected {expected}", expected)
        if not low <= value.value <= high:
            raise refuse(f"expected {expected}", expected)
        return value.value

    return check


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise refuse("expected a mapping", "a mapping, such as {key: value}")
    plain: dict[str, Any] = unwrap(value)
    return plain


def _labels(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(label, (str, Plain)) for label in value.values()):
        raise refuse("expected names with a text each", "a mapping of text to text, such as {cluster: refunds}")
    return {as_name(key): as_name(label) for key, label in value.items()}


def _moment(value: Any) -> str:
    expected = "date, time and offset, such as 2026-03-01T10:00:00+08:00"
    text = as_text(value)
    if not _MOMENT.fullmatch(text):
        raise refuse("expected a date and time with its offset", expected)
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise refuse("there is no such date or time", expected) from None
    return text


def _path_pattern(value: Any) -> str:
    text = as_text(value)
    if not text.startswith("/") or text == "/" or "" in pointers.split(text):
        expected = "a JSON Pointer that may hold *, such as /tickets/* or /orders/*/note"
        raise refuse("expected the path of a place in the state", expected)
    return text


def _address(value: Any) -> str:
    text = as_text(value)
    expected = "an address, such as http://localhost:8000/v1"
    try:
        parts = urlsplit(text)
        port_ok = parts.port is None or parts.port > 0
    except ValueError:
        raise refuse("the address cannot be read", expected) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_ok or _UNPRINTABLE.search(text):
        raise refuse("expected an http or https address", expected)
    if parts.username or parts.password:
        raise refuse("an address in a suite carries no user or password", expected)
    return text.rstrip("/")


def one_of(*words: str, later: tuple[str, ...] = ()) -> Any:
    """The annotation of a field that takes one of `words`. Those in `later` are refused as not there yet."""

    def check(value: Any) -> str:
        text = as_text(value)
        if text in words:
            return text
        expected = "one of " + ", ".join(words)
        if text in later:
            raise refuse(f"`{text}` is not supported yet in this version; there is {', '.join(words)}", expected)
        raise refuse(f"'{short(text)}' is not {expected}{near_hint(text, words)}", expected)

    return Annotated[str, BeforeValidator(check), WithJsonSchema({"type": "string", "enum": list(words)})]


EXPRESSION = "x-expression"
"""Marks, in a schema, a mapping that is a state expression."""
AS_TEXT = {"type": ["string", "number", "boolean"]}
Text = Annotated[str, BeforeValidator(as_text), WithJsonSchema(AS_TEXT)]
Said = Annotated[str, BeforeValidator(as_said), WithJsonSchema(AS_TEXT)]
Name = Annotated[str, BeforeValidator(as_name), WithJsonSchema(AS_TEXT)]
Flag = Annotated[bool, BeforeValidator(as_flag), WithJsonSchema({"type": "boolean"})]
Ordered = Annotated[Any, BeforeValidator(_ordered), WithJsonSchema({"type": ["number", "string"]})]
Positive = Annotated[float, BeforeValidator(_positive), WithJsonSchema({"type": "number", "exclusiveMinimum": 0})]
Chance = Annotated[
    float, BeforeValidator(_chance), WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "maximum": 1})
]
_STRATEGY = {
    "anyOf": [
        {"type": "string", "pattern": "^(full|summary|window:[1-9][0-9]*)$"},
        {"type": "object", "required": ["window"], "properties": {"window": {"type": "integer", "minimum": 1}}},
    ]
}  # fmt: skip
Context = Annotated[dict[str, Any], BeforeValidator(_context), WithJsonSchema(_STRATEGY)]
Json = Annotated[Any, BeforeValidator(unwrap), WithJsonSchema({})]
Mapping = Annotated[dict[str, Any], BeforeValidator(_mapping), WithJsonSchema({"type": "object"})]
State = Annotated[dict[str, Any], BeforeValidator(_mapping), WithJsonSchema({"type": "object", EXPRESSION: True})]
Labels = Annotated[
    dict[str, str], BeforeValidator(_labels), WithJsonSchema({"type": "object", "additionalProperties": AS_TEXT})
]
Moment = Annotated[str, BeforeValidator(_moment), WithJsonSchema({"type": "string"})]
PathPattern = Annotated[str, BeforeValidator(_path_pattern), WithJsonSchema({"type": "string", "pattern": "^/."})]
Address = Annotated[str, BeforeValidator(_address), WithJsonSchema({"type": "string", "pattern": "^https?://"})]


def whole(low: int, high: int) -> Any:
    """The annotation of a whole number in a range, both ends included."""
    return Annotated[
        int, BeforeValidator(_whole(low, high)), WithJsonSchema({"type": "integer", "minimum": low, "maximum": high})
    ]
