"""Values of a world: plain JSON where they are kept, read-only where tools look at them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical

_SCALARS = (str, int, bool, type(None))


class Record(Mapping[str, Any]):
    """A record, or an object inside one, as a tool reads it. `id` is the record's key in its table.

    Nothing can be assigned to it; objects inside are Records, lists are tuples. It shows the moment it was read: a
    later write makes a new record and leaves this one as it was.
    """

    __slots__ = ("_data", "id")

    def __init__(self, data: Mapping[str, Any], id: str = "") -> None:
        self._data = data
        self.id = id

    def __getitem__(self, key: str) -> Any:
        return readable(self._data[key])

    def get(self, key: str, default: Any = None) -> Any:
        """The field, or `default` where the record has no such field."""
        return readable(self._data.get(key, default))

    def __contains__(self, key: object) -> bool:
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __repr__(self) -> str:
        return f"Record({self.id!r}, {dict(self._data)!r})"


def readable(value: Any) -> Any:
    """A JSON value that cannot be written through: objects as Records, lists as tuples."""
    if isinstance(value, dict):
        return Record(value)
    if isinstance(value, list):
        return tuple(readable(item) for item in value)
    return value


def plain(value: Any) -> Any:
    """A fresh JSON value that shares no container with `value`. TypeError for what JSON cannot hold."""
    if isinstance(value, _SCALARS):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise TypeError(f"{value!r} is not a JSON number")
    if isinstance(value, Record):
        return plain(value._data)
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"the keys of a JSON object are text, not {key!r}")
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def identical(left: Any, right: Any) -> bool:
    """Equal to the letter, so that leaving out the change keeps even a digest of the state: 1 and 1.0 differ."""
    if left is right:
        return True
    if left is ABSENT or right is ABSENT or type(left) is not type(right):
        return False
    if isinstance(left, (dict, list, float)):
        return canonical(left) == canonical(right)
    return bool(left == right)
