"""Every record that a trial touched, as it stood after each step that touched it.

One pass over the changes; versions share what did not change, nothing is copied deeply, the rest of the state is never
walked. A top-level value that is no table counts as a record whose segments are one.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import WORLD, Change

Parts = tuple[str, ...]

AT_END = 2**62
"""A step after all others."""


class Versions:
    """A value over time: `initial`, then `values[i]` from step `steps[i]` on. Steps rise strictly."""

    __slots__ = ("initial", "steps", "values")

    def __init__(self, initial: Any) -> None:
        self.initial = initial
        self.steps: list[int] = []
        self.values: list[Any] = []

    @property
    def final(self) -> Any:
        """The value at the end."""
        return self.values[-1] if self.values else self.initial

    def at(self, step: int) -> Any:
        """The value after `step`."""
        index = bisect.bisect_right(self.steps, step)
        return self.values[index - 1] if index else self.initial

    def put(self, step: int, value: Any) -> None:
        """The value after a further change at `step`; several changes of one step leave one version."""
        if self.steps and self.steps[-1] == step:
            self.values[-1] = value
        else:
            self.steps.append(step)
            self.values.append(value)


class Ledger:
    """Versions by record, in order of first change, from (step, change) in order. The world's hidden table is left out.

    `touches` holds, by record, the steps at which each place below it was written; `leaves`, for records that were
    there at the start, the places below them that ever got a value.
    """

    def __init__(self, initial: Mapping[str, Any], changes: Iterable[tuple[int, Change]]) -> None:
        self.initial = initial
        self.records: dict[Parts, Versions] = {}
        self.touches: dict[Parts, dict[Parts, list[int]]] = {}
        self.leaves: dict[Parts, dict[Parts, None]] = {}
        self.tables: dict[str, list[Parts]] = {}
        for step, change in changes:
            # A pointer that is none comes from a log that others wrote: there is nothing it could have changed.
            parts = pointers.split(change.pointer) if change.pointer.startswith("/") else ()
            if parts and parts[0] != WORLD:
                self._apply(step, parts, change.new)

    def value(self, parts: Parts, step: int) -> Any:
        """The value at `parts` after `step`, or ABSENT."""
        if len(parts) < 2:
            return self.records[parts].at(step) if parts in self.records else self._container(parts, step)
        versions = self.records.get(parts[:2])
        if versions is None and parts[:1] in self.records:
            versions, rest = self.records[parts[:1]], parts[1:]
            return pointers.get_parts(versions.at(step), rest)
        if versions is None:
            return pointers.get_parts(self.initial, parts)
        return pointers.get_parts(versions.at(step), parts[2:])

    def steps_of(self, parts: Parts) -> list[int]:
        """The steps at which the value at `parts` may have changed, rising; long for a table, short for a field."""
        if len(parts) >= 2 and parts[:2] in self.records:
            return self.records[parts[:2]].steps
        if len(parts) >= 2:
            return []
        touched = self.records if not parts else self.tables.get(parts[0], ())
        return sorted({step for record in touched for step in self.records[record].steps})

    def since(self, parts: Parts, step: int) -> int:
        """The last step up to `step` that wrote the place, something in it or something above it; 0 if none did."""
        below, latest = parts[2:], 0
        for place, steps in self.touches.get(parts[:2], {}).items():
            shorter = min(len(place), len(below))
            if place[:shorter] == below[:shorter]:
                index = bisect.bisect_right(steps, step)
                latest = max(latest, steps[index - 1] if index else 0)
        return latest

    def _container(self, parts: Parts, step: int) -> Any:
        if not parts:
            names = dict.fromkeys([*(name for name in self.initial if name != WORLD), *self.tables])
            found = {name: self.value((name,), step) for name in names}
            return {name: value for name, value in found.items() if value is not ABSENT}
        before = self.initial.get(parts[0], ABSENT)
        touched = self.tables.get(parts[0], ())
        if not touched:
            return before
        rows = dict(before) if isinstance(before, dict) else {}
        for record in touched:
            value = self.records[record].at(step)
            if value is ABSENT:
                rows.pop(record[1], None)
            else:
                rows[record[1]] = value
        return rows if rows or before is not ABSENT else ABSENT

    def _apply(self, step: int, parts: Parts, new: Any) -> None:
        if len(parts) == 1:
            self._apply_to_table(step, parts[0], new)
            return
        record = parts[:2]
        versions = self.records.get(record)
        if versions is None:
            versions = self._open(record, pointers.get_parts(self.initial, record))
        below = parts[2:]
        versions.put(step, _with(versions.final, below, new))
        self.touches[record].setdefault(below, []).append(step)
        if versions.initial is not ABSENT:
            for deeper, _ in pointers.leaves(new):
                self.leaves[record][below + deeper] = None

    def _apply_to_table(self, step: int, table: str, new: Any) -> None:
        before = self.initial.get(table, ABSENT)
        if not isinstance(new, dict) and not isinstance(before, dict) and table not in self.tables:
            versions = self.records.get((table,)) or self._open((table,), before)
            versions.put(step, new)
            self.touches[(table,)].setdefault((), []).append(step)
            return
        rows = new if isinstance(new, dict) else {}
        held = before if isinstance(before, dict) else {}
        known = [*held, *(record[1] for record in self.tables.get(table, ()) if len(record) == 2)]
        for key in dict.fromkeys([*known, *rows]):
            self._apply(step, (table, key), rows.get(key, ABSENT))

    def _open(self, record: Parts, initial: Any) -> Versions:
        versions = self.records[record] = Versions(initial)
        self.touches[record] = {}
        self.leaves[record] = {}
        self.tables.setdefault(record[0], []).append(record)
        return versions


def _with(value: Any, parts: Parts, new: Any) -> Any:
    """`value` with `new` at `parts`, what is on the way copied one level deep; as `core.changes.apply_change` does."""
    if not parts:
        return new
    copied = dict(value) if isinstance(value, dict) else {}
    if len(parts) == 1 and new is ABSENT:
        copied.pop(parts[0], None)
    else:
        copied[parts[0]] = _with(copied.get(parts[0], ABSENT), parts[1:], new)
    return copied
