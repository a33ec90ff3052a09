"""The world of one call: reads see what the call has written, writes wait in an overlay, commit makes them changes.

A write is known the moment it is made, so no state is ever compared as a whole. Records are never changed in place:
a patch copies the record along the path it touches, and all else goes on being shared with the world before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import WORLD, Change
from reach_tui.sandbox.records import Record, identical, plain

State = dict[str, dict[str, Any]]


class ToolError(Exception):
    """The business says no. `message` tells the agent what is wrong and what to do, `code` names the kind."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class World:
    """What a tool is given as its world. Every table of the family is an attribute: `w.orders`.

    `fields` are the known fields by table: a field that no table has is a mistake of the tool and raises KeyError.
    """

    __slots__ = ("_fields", "_paths", "_records", "_state", "_tables", "_trial_key")

    def __init__(self, state: State, fields: Mapping[str, frozenset[str]], trial_key: str) -> None:
        self._state = state
        self._fields = fields
        self._trial_key = trial_key
        self._records: dict[tuple[str, str], Any] = {}
        self._paths: dict[tuple[str, ...], None] = {}
        self._tables: dict[str, Table] = {}

    def __getattr__(self, name: str) -> Table:
        table = self._tables.get(name)
        if table is None:
            if name not in self._fields:
                raise AttributeError(f"this world has no table {name!r}; it has {', '.join(sorted(self._fields))}")
            table = self._tables[name] = Table(self, name)
        return table

    @property
    def now(self) -> str:
        """The world's frozen clock: ISO 8601 with its offset."""
        now: str = self._state[WORLD]["now"]
        return now

    def new_id(self, table: str, prefix: str) -> str:
        """An id that no record of `table` has: `prefix`, three digits of this trial, two or more that count.

        A function of the trial's key and of how many the world has given out for the table, which is part of the state.
        """
        seq = self._records.get((WORLD, "seq"), ABSENT)
        if seq is ABSENT:
            seq = self._state[WORLD]["seq"]
        number: int = seq.get(table, 0)
        text = f"{self._trial_key}\x1f{table}".encode("utf-8", "surrogatepass")
        mark = int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") % 900 + 100
        known = getattr(self, table)
        while True:
            number += 1
            key = f"{prefix}{mark}{number:02d}"
            if key not in known:
                break
        self._records[(WORLD, "seq")] = {**seq, table: number}
        self._paths[(WORLD, "seq", table)] = None
        return key

    def commit(self) -> tuple[Change, ...]:
        """Apply the overlay to the state; its net changes in the order in which their fields were first written."""
        changes = []
        for path in self._paths:
            if any(path[:cut] in self._paths for cut in range(2, len(path))):
                continue  # what stands above it was written as a whole and says it all
            old = pointers.get_parts(self._state, path)
            new = pointers.get_parts(self._records[path[0], path[1]], path[2:])
            if not identical(old, new):
                changes.append(Change(pointers.join(path), old, new))
        for (table, key), record in self._records.items():
            if record is ABSENT:
                self._state[table].pop(key, None)
            else:
                self._state[table][key] = record
        return tuple(changes)


class Table:
    """One table, as a call sees it."""

    __slots__ = ("_known", "_name", "_owner", "_rows")

    def __init__(self, owner: World, name: str) -> None:
        self._owner = owner
        self._name = name
        self._known = owner._fields[name]
        self._rows = owner._state[name]

    def _data(self, key: str) -> Any:
        written = self._owner._records.get((self._name, key))
        return self._rows.get(key, ABSENT) if written is None else written

    def get(self, key: str) -> Record | None:
        """The record of that id, or None."""
        data = self._data(key)
        return None if data is ABSENT else Record(data, key)

    def __getitem__(self, key: str) -> Record:
        data = self._data(key)
        if data is ABSENT:
            raise KeyError(f"{self._name} has no record {key!r}")
        return Record(data, key)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._data(key) is not ABSENT

    def __iter__(self) -> Iterator[Record]:
        return iter(self.where())

    def where(self, predicate: Callable[[Record], bool] | None = None, /, **equals: Any) -> list[Record]:
        """Records whose fields equal `equals` and for which `predicate` holds, in the table's order."""
        name, written = self._name, self._owner._records
        records = []
        for key in [*self._rows, *(k for t, k in written if t == name and k not in self._rows)]:
            data = self._data(key)
            if data is ABSENT or any(data.get(field, ABSENT) != value for field, value in equals.items()):
                continue
            record = Record(data, key)
            if predicate is None or predicate(record):
                records.append(record)
        return records

    def insert(self, key: str, record: Mapping[str, Any]) -> str:
        """A new record under `key`, which it returns. KeyError if there is one already."""
        if key in self:
            raise KeyError(f"{self._name} has a record {key!r} already")
        self._check(record)
        self._owner._records[self._name, key] = plain(record)
        self._owner._paths[self._name, key] = None
        return key

    def patch(self, key: str, /, **fields: Any) -> None:
        """Set fields of a record. KeyError where there is none.

        A mapping given for a field that holds an object sets only the keys it names (`address={"city": "Wuhan"}` is a
        change of `/orders/A100/address/city`); any other value replaces the field, and ABSENT removes it.
        """
        data = self._data(key)
        if data is ABSENT:
            raise KeyError(f"{self._name} has no record {key!r}")
        self._check(fields)
        self._owner._records[self._name, key] = _patched(data, fields, (self._name, key), self._owner._paths)

    def delete(self, key: str) -> None:
        """Remove a record. KeyError where there is none."""
        if key not in self:
            raise KeyError(f"{self._name} has no record {key!r}")
        self._owner._records[self._name, key] = ABSENT
        self._owner._paths[self._name, key] = None

    def _check(self, fields: Mapping[str, Any]) -> None:
        if not self._known.issuperset(fields):
            unknown = ", ".join(sorted(set(fields) - self._known))
            raise KeyError(f"{self._name} has no field {unknown}")


def _patched(
    data: Mapping[str, Any], fields: Mapping[str, Any], at: tuple[str, ...], paths: dict[tuple[str, ...], None]
) -> dict[str, Any]:
    new = dict(data)
    for name, value in fields.items():
        path = (*at, name)
        old = new.get(name)
        if isinstance(value, Mapping) and isinstance(old, dict):
            new[name] = _patched(old, value, path, paths)
            continue
        if value is ABSENT:
            new.pop(name, None)
        else:
            new[name] = plain(value)
        paths[path] = None
    return new
