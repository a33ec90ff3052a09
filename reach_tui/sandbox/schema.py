"""JSON Schema from Python types: what parameters and records are written in."""

from __future__ import annotations

import types
from collections.abc import Collection, Mapping
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
}


class Keywords:
    """Further keywords of a schema, to stand in Annotated: `Annotated[str, Keywords(minLength=1)]`."""

    __slots__ = ("values",)

    def __init__(self, **values: Any) -> None:
        self.values = values


def schema_of(annotation: Any) -> dict[str, Any]:
    """The schema of a type: str, int, float, bool, None, Literal of texts or whole numbers, list[T], dict[str, T],
    a TypedDict (closed), `T | None`, and Annotated with a description (a text) or Keywords.

    TypeError for anything else: a parameter that an agent cannot be told about is a mistake of who wrote the tool.
    """
    origin, args = get_origin(annotation), get_args(annotation)
    if annotation in _PLAIN:
        return dict(_PLAIN[annotation])
    if origin is Annotated:
        schema = schema_of(args[0])
        for extra in args[1:]:
            schema.update({"description": extra} if isinstance(extra, str) else extra.values)
        return schema
    if origin in (NotRequired, Required):
        return schema_of(args[0])
    if origin is Literal:
        kinds = {type(value) for value in args}
        if len(kinds) != 1 or kinds.pop() not in (str, int):
            raise TypeError(f"{annotation} mixes kinds of values")
        return {**_PLAIN[type(args[0])], "enum": list(args)}
    if origin is list:
        return {"type": "array", "items": schema_of(args[0])}
    if origin is dict and args[0] is str:
        return {"type": "object", "additionalProperties": schema_of(args[1])}
    if origin in (Union, types.UnionType):
        return _union([schema_of(option) for option in args])
    if is_typeddict(annotation):
        hints = get_type_hints(annotation, include_extras=True)
        # Not from __required_keys__: where annotations are postponed it counts NotRequired fields as required.
        optional = Required if not annotation.__total__ else None
        return object_schema(hints, [name for name, hint in hints.items() if _is_required(hint, optional)])
    raise TypeError(f"{annotation!r} has no JSON Schema here")


def _is_required(hint: Any, only: Any) -> bool:
    return get_origin(hint) is only if only is not None else get_origin(hint) is not NotRequired


def object_schema(hints: Mapping[str, Any], required: Collection[str]) -> dict[str, Any]:
    """A closed object: its properties in order, those in `required` needed, any other refused."""
    return {
        "type": "object",
        "properties": {name: schema_of(hint) for name, hint in hints.items()},
        "required": [name for name in hints if name in required],
        "additionalProperties": False,
    }


def _union(options: list[dict[str, Any]]) -> dict[str, Any]:
    null = [option for option in options if option == {"type": "null"}]
    rest = [option for option in options if option != {"type": "null"}]
    if len(rest) != 1 or not null:
        raise TypeError("a union is one type or None")
    schema = {**rest[0], "type": [rest[0]["type"], "null"]}
    if "enum" in schema:
        schema["enum"] = [*schema["enum"], None]
    return schema
