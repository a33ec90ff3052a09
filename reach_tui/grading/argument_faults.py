"""What is wrong with a call's arguments by its tool's own schema, as far as names, types and enums go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reach_tui.core.equality import EXACT, is_number, same
from reach_tui.core.tools import ToolSpec
from reach_tui.core.trajectory import Step
from reach_tui.grading.equality import show, type_word
from reach_tui.grading.evidence import args_of

_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: is_number(value) and float(value).is_integer(),
    "number": is_number,
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, (list, tuple)),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def argument_fault(step: Step, spec: ToolSpec) -> str | None:
    """The first fault in words, None if there is none: unreadable, missing, unknown, ill-typed, not in the enum."""
    if not isinstance(step.body.get("args"), dict):
        return "the arguments are no JSON object"
    args, schema = args_of(step), spec.view.parameters
    properties = schema.get("properties")
    required = schema.get("required")
    for name in required if isinstance(required, (list, tuple)) else ():
        if name not in args:
            return f"{name} is missing"
    if not isinstance(properties, Mapping):
        return None
    closed = schema.get("additionalProperties") is False
    for name, value in args.items():
        if closed and name not in properties:
            return f"there is no parameter {name}"
        fault = _value_fault(name, value, properties.get(name))
        if fault:
            return fault
    return None


def _value_fault(name: str, value: Any, schema: Any) -> str | None:
    if not isinstance(schema, Mapping):
        return None
    kinds = schema.get("type")
    listed = [kinds] if isinstance(kinds, str) else list(kinds) if isinstance(kinds, (list, tuple)) else []
    known = [_TYPES[kind] for kind in listed if kind in _TYPES]
    if known and not any(fits(value) for fits in known):
        return f"{name} is a {type_word(value)}, not {' or '.join(listed)}"
    enum = schema.get("enum")
    if isinstance(enum, (list, tuple)) and not any(same(value, one, EXACT) for one in enum):
        return f"{name} is {show(value)}, none of {show(list(enum))}"
    return None
