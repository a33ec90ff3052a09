"""Records as JSON and back: one codec for every frozen dataclass that is stored or handed on.

A record becomes an object of its fields by name; tuples and sets become lists, bytes hexadecimal text. Reading is by
the fields' annotations: unknown keys pass (a newer program may have written them), a key that is not there takes the
field's default, and what does not fit raises RecordError with its place.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from reach_tui.core.absent import ABSENT, Absent
from reach_tui.core.pointer import escape

Record = TypeVar("Record")
_Reader = Callable[[Any, str], Any]


class RecordError(ValueError):
    """A JSON value is not what a record needs; `where` is the JSON Pointer of the value."""

    def __init__(self, where: str, needed: str, value: Any) -> None:
        super().__init__(f"{where or 'the whole value'}: {needed} is needed, not {type(value).__name__}")
        self.where = where


def to_json(value: Any) -> Any:
    """A record (or a tuple, mapping or plain value of them) as plain JSON; TypeError for what JSON cannot hold."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        # A value that is absent is left out: JSON's null is a value.
        held = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {name: to_json(field_value) for name, field_value in held if field_value is not ABSENT}
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_json(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(to_json(item) for item in value)
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(f"no JSON for {type(value).__name__}")


def from_json(kind: type[Record], body: Any, where: str = "") -> Record:
    """The inverse of `to_json` for a record of `kind`. RecordError where `body` does not hold one."""
    reader: Callable[[Any, str], Record] = _reader(kind)  # type: ignore[arg-type]
    return reader(body, where)


@functools.cache
def _reader(kind: Any) -> _Reader:
    origin, args = get_origin(kind), get_args(kind)
    if dataclasses.is_dataclass(kind):
        return _record_reader(kind)
    if origin is Literal:
        return _literal_reader(args)
    if origin in (Union, types.UnionType):
        return _union_reader(args)
    if origin is tuple:
        return _tuple_reader(args)
    if origin in (list, frozenset, set):
        return _many_reader(origin, args[0])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_reader(args)
    return _PLAIN.get(kind, _anything)


def _record_reader(kind: Any) -> _Reader:
    @functools.cache
    def fields() -> list[tuple[str, _Reader, bool]]:
        # Looked up at first use: a record may hold records of its own kind.
        hints = get_type_hints(kind)
        missing = dataclasses.MISSING
        return [
            (field.name, _reader(hints[field.name]), field.default is missing and field.default_factory is missing)
            for field in dataclasses.fields(kind)
            if field.init
        ]

    def read(body: Any, where: str) -> Any:
        if not isinstance(body, Mapping):
            raise RecordError(where, "an object", body)
        values = {}
        for name, reader, needed in fields():
            if name in body:
                values[name] = reader(body[name], f"{where}/{escape(name)}")
            elif needed:
                raise RecordError(f"{where}/{escape(name)}", "a value", None)
        return kind(**values)

    return read


def _literal_reader(words: tuple[Any, ...]) -> _Reader:
    def read(body: Any, where: str) -> Any:
        # `1 in (True,)` holds in Python; a word is one of its own type only.
        if not any(type(body) is type(word) and body == word for word in words):
            raise RecordError(where, "one of " + ", ".join(map(str, words)), body)
        return body

    return read


def _union_reader(kinds: tuple[Any, ...]) -> _Reader:
    readers = [_reader(kind) for kind in kinds if kind not in (types.NoneType, Absent)]
    optional = types.NoneType in kinds

    def read(body: Any, where: str) -> Any:
        if body is None and optional:
            return None
        told: RecordError | None = None
        for reader in readers:
            try:
                return reader(body, where)
            except RecordError as error:
                told = told or error
        raise told or RecordError(where, "nothing", body)

    return read


def _tuple_reader(kinds: tuple[Any, ...]) -> _Reader:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return _many_reader(tuple, kinds[0])
    readers = [_reader(kind) for kind in kinds]

    def read(body: Any, where: str) -> Any:
        if not isinstance(body, list) or len(body) != len(readers):
            raise RecordError(where, f"a list of {len(readers)}", body)
        return tuple(reader(item, f"{where}/{n}") for n, (reader, item) in enumerate(zip(readers, body, strict=True)))

    return read


def _many_reader(make: Callable[[Any], Any], kind: Any) -> _Reader:
    reader = _reader(kind)

    def read(body: Any, where: str) -> Any:
        if not isinstance(body, list):
            raise RecordError(where, "a list", body)
        return make(reader(item, f"{where}/{n}") for n, item in enumerate(body))

    return read


def _mapping_reader(kinds: tuple[Any, ...]) -> _Reader:
    key_reader, reader = _reader(kinds[0]), _reader(kinds[1])

    def read(body: Any, where: str) -> Any:
        if not isinstance(body, Mapping):
            raise RecordError(where, "an object", body)
        return {key_reader(key, where): reader(item, f"{where}/{escape(key)}") for key, item in body.items()}

    return read


def _plain_reader(kind: type, *, name: str) -> _Reader:
    def read(body: Any, where: str) -> Any:
        if not isinstance(body, kind) or (kind is int and isinstance(body, bool)):
            raise RecordError(where, name, body)
        return body

    return read


def _real(body: Any, where: str) -> float:
    if isinstance(body, bool) or not isinstance(body, (int, float)):
        raise RecordError(where, "a number", body)
    return body


def _blob(body: Any, where: str) -> bytes:
    try:
        return bytes.fromhex(body)
    except (TypeError, ValueError):
        raise RecordError(where, "hexadecimal text", body) from None


def _anything(body: Any, where: str) -> Any:
    return body


_PLAIN: dict[Any, _Reader] = {
    str: _plain_reader(str, name="text"),
    int: _plain_reader(int, name="a whole number"),
    bool: _plain_reader(bool, name="true or false"),
    float: _real,
    bytes: _blob,
}
