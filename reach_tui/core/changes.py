"""A trajectory folds into state: changes, how they apply, and the digest that proves a fold.

A state is a JSON object of tables, a table an object of records by id, a record any JSON value. Changes are at the
grain of a field (`/orders/A100/status`) or of a whole record (`/refunds/R1`); a list is one value and changes whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical
from reach_tui.core.equality import EXACT, same

WORLD = "_world"
"""The table of the world itself (clock and counters): part of the state, hidden from agent and checks."""

_MODULUS = 2**128


Parts = tuple[str, ...]
"""The segments of a JSON Pointer."""


@dataclass(frozen=True, slots=True)
class Change:
    """One value replaced at a JSON Pointer. ABSENT as `old` is an insertion, as `new` a deletion."""

    pointer: str
    old: Any
    new: Any

    @property
    def parts(self) -> Parts:
        """The segments of its pointer. None where it is no pointer, as a log that others wrote may have it, and where
        it names the whole state: such a change changes nothing.
        """
        return pointers.split(self.pointer) if self.pointer.startswith("/") else ()


def replaced(value: Any, parts: Parts, new: Any) -> Any:
    """`value` with `new` at the segments `parts`: the one rule of how a change applies.

    ABSENT removes what is there. What is on the way and is no mapping becomes one. Mappings on the way are copied one
    level deep and all else is shared with `value` and `new`, neither of which is changed.
    """
    if not parts:
        return new
    copied = dict(value) if isinstance(value, dict) else {}
    if len(parts) == 1 and new is ABSENT:
        copied.pop(parts[0], None)
    else:
        copied[parts[0]] = replaced(copied.get(parts[0], ABSENT), parts[1:], new)
    return copied


def fold(initial: Mapping[str, Any], changes: Iterable[Change]) -> dict[str, Any]:
    """The state after `changes`, in order. It shares with `initial` what did not change, so it is not to be written."""
    state = dict(initial)
    for change in changes:
        if parts := change.parts:
            state = replaced(state, parts, change.new)
    return state


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """The changes that turn one state into another: inserted and deleted records whole, the rest field by field."""
    changes: list[Change] = []
    for parts, old, new in differing(before, after):
        if len(parts) == 1 and old is ABSENT and isinstance(new, dict):
            # A table that appears is its records, one insertion each, as a world writes them.
            changes.extend(Change(pointers.join((*parts, key)), ABSENT, record) for key, record in new.items())
        else:
            changes.append(Change(pointers.join(parts), old, new))
    return tuple(changes)


def differing(before: Any, after: Any, at: Parts = ()) -> Iterator[tuple[Parts, Any, Any]]:
    """(segments, before, after) of every place that is not the same, exactly compared, in document order.

    Mappings are compared key by key; one that came or went is one place, and so is a record, or a mapping in one, that
    was emptied. `at` are the segments above, by which records are told from tables.
    """
    if before is after:
        return
    if isinstance(before, dict) and isinstance(after, dict) and (after or len(at) < 2):
        for key in dict.fromkeys([*before, *after]):
            yield from differing(before.get(key, ABSENT), after.get(key, ABSENT), (*at, str(key)))
    elif not same(before, after, EXACT):
        yield at, before, after


def _record_hash(table: str, key: str, record: Any) -> int:
    text = canonical([table, key, record]).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "big")


class StateDigest:
    """The digest of a state, kept up to date record by record: the sum of all records' hashes modulo 2^128."""

    __slots__ = ("_records", "_sum")

    def __init__(self, state: Mapping[str, Any]) -> None:
        self._records = {
            (table, key): _record_hash(table, key, record)
            for table, records in state.items()
            if isinstance(records, dict)
            for key, record in records.items()
        }
        self._sum = sum(self._records.values()) % _MODULUS

    def copy(self) -> StateDigest:
        """The same digest, to be kept up to date apart from this one: cheaper than hashing the state again."""
        twin = StateDigest({})
        twin._records, twin._sum = self._records.copy(), self._sum
        return twin

    def update(self, state: Mapping[str, Any], changes: Sequence[Change]) -> bytes:
        """Re-hash the records that `changes` touched, as they now stand in `state`; the new digest."""
        touched = {(parts[0], parts[1]) for parts in (change.parts for change in changes) if len(parts) > 1}
        for table, key in touched:
            self._sum -= self._records.pop((table, key), 0)
            record = state.get(table, {}).get(key, ABSENT)
            if record is not ABSENT:
                value = _record_hash(table, key, record)
                self._records[(table, key)] = value
                self._sum += value
        self._sum %= _MODULUS
        return self.digest

    @property
    def digest(self) -> bytes:
        """16 bytes, the same for equal states whatever their history."""
        return self._sum.to_bytes(16, "big")
