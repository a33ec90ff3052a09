"""A trajectory folds into state: changes, how they apply, and the digest that proves a fold.

A state is a JSON object of tables, a table an object of records by id, a record any JSON value. Changes are at the
grain of a field (`/orders/A100/status`) or of a whole record (`/refunds/R1`); a list is one value and changes whole.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical

WORLD = "_world"
"""The table of the world itself (clock and counters): part of the state, hidden from agent and checks."""

_MODULUS = 2**128


@dataclass(frozen=True, slots=True)
class Change:
    """One value replaced at a JSON Pointer. ABSENT as `old` is an insertion, as `new` a deletion."""

    pointer: str
    old: Any
    new: Any


def apply_change(state: dict[str, Any], change: Change) -> None:
    """Apply one change in place. Missing parents are made; containers shared with `change` are copied first."""
    parts = pointers.split(change.pointer)
    if not parts:
        raise ValueError("a change cannot replace the whole state")
    here: Any = state
    for part in parts[:-1]:
        below = here.get(part)
        if not isinstance(below, dict):
            below = {}
            here[part] = below
        here = below
    if change.new is ABSENT:
        here.pop(parts[-1], None)
    else:
        here[parts[-1]] = copy.deepcopy(change.new)


def fold(initial: Mapping[str, Any], changes: Iterable[Change]) -> dict[str, Any]:
    """The state after `changes`, in order; `initial` is left as it is."""
    state: dict[str, Any] = copy.deepcopy(dict(initial))
    for change in changes:
        apply_change(state, change)
    return state


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """The changes that turn `before` into `after`: inserted and deleted records whole, the rest field by field."""
    return tuple(_difference((), before, after))


def _difference(at: tuple[str, ...], before: Any, after: Any) -> Iterable[Change]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from _difference((*at, key), before.get(key, ABSENT), after.get(key, ABSENT))
    elif before is ABSENT and after is not ABSENT and len(at) == 1 and isinstance(after, dict):
        # A table that appears is its records, one insertion each, as a world writes them.
        for key, value in after.items():
            yield Change(pointers.join((*at, key)), ABSENT, value)
    elif not same_json(before, after):
        yield Change(pointers.join(at), before, after)


def same_json(left: Any, right: Any) -> bool:
    """Equal as JSON: `1` and `true` differ, `1` and `1.0` are one number."""
    if left is ABSENT or right is ABSENT:
        return left is right
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right
    if type(left) is not type(right) and not (isinstance(left, (list, tuple)) and isinstance(right, (list, tuple))):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same_json(value, right[key]) for key, value in left.items())
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same_json, left, right))
    return bool(left == right)


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
        touched = {(parts[0], parts[1]) for parts in (pointers.split(c.pointer) for c in changes) if len(parts) > 1}
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
