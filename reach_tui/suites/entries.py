"""What the agent must have said: a text, several that will do, a pattern, or a value of the state."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from reach_tui.core import pointer as pointers
from reach_tui.suites.fields import AS_TEXT, as_flag, as_name, as_said, refuse
from reach_tui.suites.nodes import Plain, short
from reach_tui.suites.patterns import pattern_trouble
from reach_tui.suites.vocabulary import near_hint

FORMS = ("text", "$in", "$regex", "state")
_KEYS = (*FORMS, "decides")
_WANTED = "a text, a list of texts of which one will do, or a mapping with one of text, $in, $regex, state"


def _entry(value: Any) -> Any:
    if isinstance(value, (str, Plain)):
        return as_said(value)
    if isinstance(value, list):
        return _alternatives(value)
    if not isinstance(value, dict):
        raise refuse("expected what must be said", _WANTED)
    unknown = [key for key in value if key not in _KEYS]
    if unknown:
        message = f"unknown key `{short(unknown[0])}` in what must be said{near_hint(unknown[0], _KEYS)}"
        raise refuse(message, "one of " + ", ".join(_KEYS))
    given = [key for key in FORMS if key in value]
    if len(given) != 1:
        shown = " and ".join(given) or "none"
        raise refuse(f"what must be said has one of {', '.join(FORMS)}; here stand {shown}", _WANTED)
    decides = {"decides": as_flag(value["decides"])} if "decides" in value else {}
    return {given[0]: _form(given[0], value[given[0]]), **decides}


def _form(form: str, value: Any) -> Any:
    if form == "$in":
        return _alternatives(value)
    text = as_said(value)
    if form == "$regex" and (trouble := pattern_trouble(text)):
        raise refuse(trouble, "a regular expression")
    if form == "state" and (not text.startswith("/") or "" in pointers.split(text)):
        raise refuse("`state` names a place in the state", "a JSON Pointer, such as /orders/A100/total")
    return text


def _alternatives(value: Any) -> list[str]:
    if not isinstance(value, list) or not value:
        raise refuse("expected a list of texts of which one will do", "at least one text")
    return [as_said(text) for text in value]


def _asked(value: Any) -> Any:
    if isinstance(value, list):
        if not value:
            raise refuse("expected names of which one will do", "at least one name")
        return [as_name(name) for name in value]
    return as_name(value)


_TEXTS = {"type": "array", "minItems": 1, "items": AS_TEXT}
Entry = Annotated[
    Any,
    BeforeValidator(_entry),
    WithJsonSchema(
        {
            "anyOf": [
                AS_TEXT,
                _TEXTS,
                {
                    "type": "object",
                    "properties": {
                        "text": AS_TEXT,
                        "$in": _TEXTS,
                        "$regex": {"type": "string"},
                        "state": {"type": "string", "pattern": "^/."},
                        "decides": {"type": "boolean"},
                    },
                    "additionalProperties": False,
                },
            ]
        }
    ),
]
"""One thing that must be said. `{..., decides: false}` shows it without letting it count."""
Asked = Annotated[Any, BeforeValidator(_asked), WithJsonSchema({"anyOf": [AS_TEXT, _TEXTS]})]
"""One field that must be asked for, or several names of it."""


def entry_decides(entry: Any) -> bool:
    """Whether an entry counts: all do that do not say otherwise."""
    return not (isinstance(entry, dict) and entry.get("decides") is False)


def entry_texts(entry: Any) -> list[str]:
    """The texts of which one must be said; empty for a pattern and for a value of the state."""
    if isinstance(entry, dict):
        entry = entry.get("$in", entry.get("text", []))
    return list(entry) if isinstance(entry, list) else [entry]
