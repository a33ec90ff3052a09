"""A record's fields as columns: names, values and records back, all in the order of the fields.

`Columns(Record)` writes the lists of an INSERT, an UPDATE or a SELECT, encodes a record into a row of values and makes
a record of a row. A field that is a record itself stands for the columns of its own fields. Tables, joins and
conditions stay SQL text where they are used.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import sys
import types
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import Any, Generic, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, is_typeddict

from reach_tui.core.absent import Absent
from reach_tui.store.encode import (
    flag,
    json_or_absent,
    json_or_null,
    json_text,
    loads,
    loads_or_absent,
    plain,
    plain_or_null,
    real,
    truth,
    whole,
)

Record = TypeVar("Record")
Row: TypeAlias = tuple[Any, ...]
Encoder: TypeAlias = Callable[[Any], Any]


def as_is(value: Any) -> Any:
    """The encoder of what this program made itself, like uids: nothing in it can be a secret."""
    return value


@dataclasses.dataclass(frozen=True, slots=True)
class _Field:
    path: str
    hint: Any
    optional: bool
    inner: tuple[_Field, ...] = ()
    """The fields of the record that this one is."""


class Columns(Generic[Record]):
    """The columns of `kind`. Fields `without` (paths) have none; what is left out here the caller adds.

    Texts are redacted, numbers held within 64 bits, mappings and values become JSON, by the fields' annotations;
    `encoders` (by path) are for what lies otherwise. `places` says where a SELECT finds things: by path the alias of a
    table for a record ("" is the whole), an expression for a field. A field that is a record or None is None where the
    first of its columns is NULL. TypeError at first use for a field that no column can hold.
    """

    def __init__(
        self,
        kind: type[Record],
        *,
        without: Collection[str] = (),
        encoders: Mapping[str, Encoder] | None = None,
        places: Mapping[str, str] | None = None,
    ) -> None:
        self.kind = kind
        self._without = frozenset(without)
        self._encoders = encoders or {}
        self._places = places or {}

    @cached_property
    def _fields(self) -> tuple[_Field, ...]:
        return tuple(_fields_of(self.kind, "", self._without))

    @cached_property
    def _leaves(self) -> tuple[_Field, ...]:
        return tuple(_leaves(self._fields))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in the record's order."""
        return tuple(leaf.path.rpartition(".")[2] for leaf in self._leaves)

    @cached_property
    def select(self) -> str:
        """What stands between SELECT and FROM; `decode` reads a row that begins so."""
        return ", ".join(self._place(leaf.path) for leaf in self._leaves)

    def _place(self, path: str) -> str:
        if path in self._places:
            return self._places[path]
        record, _, name = path.rpartition(".")
        alias = self._places.get(record, self._places.get("", ""))
        return f"{alias}.{name}" if alias else name

    def insert(self, table: str, *more: str, tail: str = "") -> str:
        """An INSERT of the columns `more` and, behind them, those of the record."""
        columns = (*more, *self.names)
        return f"INSERT INTO {table}({', '.join(columns)}) VALUES({', '.join('?' * len(columns))}) {tail}"

    @cached_property
    def assignments(self) -> str:
        """What stands behind SET in an UPDATE of all columns: `a = ?, b = ?`."""
        return ", ".join(f"{name} = ?" for name in self.names)

    def of_mapping(self, values: Mapping[str, Any]) -> Row:
        """A row of encoded values by name. A name that is missing takes its field's default, else KeyError."""
        return tuple(values[name] if name in values else self._defaults[name] for name in self.names)

    @cached_property
    def _defaults(self) -> Mapping[str, Any]:
        fields = dataclasses.fields(self.kind)  # type: ignore[arg-type]
        return {field.name: field.default for field in fields if field.default is not dataclasses.MISSING}

    # Both are written as source once and compiled, as dataclasses do: they are called for each row of every list.

    @cached_property
    def encode(self) -> Callable[[Record], Row]:
        """The values of a record, one a column."""
        names: dict[str, Any] = {}
        parts = []
        for number, leaf in enumerate(self._leaves):
            encoder = self._encoders.get(leaf.path) or _ENCODERS[_kind_of(leaf), leaf.optional]
            value = f"record.{leaf.path}"
            if encoder is not as_is:
                names[f"e{number}"] = encoder
                value = f"e{number}({value})"
            parts.append(value)
        made: Callable[[Record], Row] = eval(f"lambda record: ({', '.join(parts)},)", names)
        return made

    @cached_property
    def decode(self) -> Callable[..., Record]:
        """A record from a row of `select`; the fields `without` columns come by name."""
        names: dict[str, Any] = {}
        source = self._source(self.kind, self._fields, itertools.count(), names, more=bool(self._without))
        made: Callable[..., Record] = eval(f"lambda row{', **more' * bool(self._without)}: {source}", names)
        return made

    def _source(
        self, kind: Any, fields: Collection[_Field], places: Iterator[int], names: dict[str, Any], more: bool = False
    ) -> str:
        parts = []
        for field in fields:
            if field.inner:
                place = next(places)
                inner = self._source(field.hint, field.inner, itertools.chain([place], places), names)
                value = f"(None if row[{place}] is None else {inner})" if field.optional else inner
            else:
                value = f"row[{next(places)}]"
                decoder = _DECODERS.get((_kind_of(field), field.optional))
                if decoder is not None:
                    names[decoder.__name__] = decoder
                    value = f"{decoder.__name__}({value})"
            # By name only where fields are left out: a constructor is called faster by position.
            parts.append(f"{field.path.rpartition('.')[2]}={value}" if self._without else value)
        names[kind.__name__] = _quick(kind)
        return f"{kind.__name__}({', '.join([*parts, *(['**more'] if more else [])])})"


@functools.cache
def _quick(kind: type[Any]) -> Callable[..., Any]:
    """A constructor of a frozen record that takes a third of the time (that was half of listing trials).

    A frozen record's own sets each field through `object.__setattr__`; this one sets them on an object of the same
    slots that is not frozen yet. It is called as the record's own is.
    """
    names = [field.name for field in dataclasses.fields(kind)]
    defaults = {f"d_{f.name}": f.default for f in dataclasses.fields(kind) if f.default is not dataclasses.MISSING}
    given = ", ".join(f"{name}=d_{name}" if f"d_{name}" in defaults else name for name in names)
    source = "\n ".join(
        [f"def __init__(self, {given}):", *(f"self.{name} = {name}" for name in names), "self.__class__ = frozen_"]
    )
    made: dict[str, Any] = {"frozen_": kind, **defaults}
    exec(source, made)
    return type(kind.__name__, (), {"__slots__": kind.__slots__, "__init__": made["__init__"]})


def _fields_of(kind: Any, path: str, without: Collection[str]) -> Iterator[_Field]:
    for field in dataclasses.fields(kind):
        place = f"{path}{field.name}"
        if place not in without:
            hint, optional = _without_none(_hint(kind.__module__, str(field.type)))
            inner = tuple(_fields_of(hint, f"{place}.", without)) if dataclasses.is_dataclass(hint) else ()
            yield _Field(place, hint, optional, inner)


@functools.cache
def _hint(module: str, annotation: str) -> Any:
    """What an annotation means where it stands. `typing.get_type_hints` takes thrice as long, 20 ms of `reach show`."""
    return eval(annotation, vars(sys.modules[module]))


def _leaves(fields: Collection[_Field]) -> Iterator[_Field]:
    for field in fields:
        if field.inner:
            yield from _leaves(field.inner)
        else:
            yield field


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in (Union, types.UnionType):
        return hint, False
    kinds = [kind for kind in get_args(hint) if kind not in (types.NoneType, Absent)]
    return (kinds[0] if len(kinds) == 1 else Union[tuple(kinds)]), types.NoneType in get_args(hint)  # noqa: UP007


def _kind_of(field: _Field) -> Any:
    origin = get_origin(field.hint)
    mapping = is_typeddict(field.hint) or (isinstance(origin, type) and issubclass(origin, Mapping))
    kind = Mapping if mapping else origin or field.hint
    if (kind, field.optional) not in _ENCODERS:
        raise TypeError(f"no column can hold the field {field.path}")
    return kind


def _mapping_text(value: Mapping[str, Any]) -> str:
    return json_text(dict(value))


def _mapping(text: str | None) -> Any:
    return loads(text) or {}


_ENCODERS: Mapping[tuple[Any, bool], Encoder] = {
    (str, False): plain, (str, True): plain_or_null,
    (int, False): whole, (int, True): whole,
    (float, False): real, (float, True): real,
    (bool, False): int, (bool, True): flag,
    (bytes, False): as_is, (bytes, True): as_is,
    (Literal, False): as_is, (Literal, True): as_is,
    (Mapping, False): _mapping_text, (Mapping, True): json_or_null,
    (Any, False): json_or_absent,
}  # fmt: skip
"""By kind of a field, and whether it may be None."""

_DECODERS: Mapping[tuple[Any, bool], Callable[[Any], Any]] = {
    (bool, False): bool, (bool, True): truth, (Mapping, False): _mapping, (Mapping, True): loads,
    (Any, False): loads_or_absent,
}  # fmt: skip
