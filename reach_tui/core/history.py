"""The state of a trajectory at any step: what each record was after every step that touched it.

One pass over the changes; the versions of a record share what did not change, and records that no step touched are
never looked at. The world's own table is left out, as it is hidden from agent and checks.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import WORLD, Change, Parts, replaced

AT_END = 2**62
"""A step after all others."""

_TABLE: Final[dict[str, Any]] = {}
"""Stands for a top-level value that is a table; its records have histories of their own."""


class RecordHistory:
    """A record over time: `initial`, then `values[i]` from step `steps[i]` on. Steps rise strictly.

    `leaves` are the places below it that ever got a value; they are kept for a record that was there at the start.
    """

    __slots__ = ("_writes", "initial", "leaves", "steps", "values")

    def __init__(self, initial: Any) -> None:
        self.initial = initial
        self.steps: list[int] = []
        self.values: list[Any] = []
        self.leaves: dict[Parts, None] = {}
        self._writes: dict[Parts, list[int]] = {}

    @property
    def final(self) -> Any:
        """The value at the end."""
        return self.values[-1] if self.values else self.initial

    def at(self, step: int) -> Any:
        """The value after `step`."""
        index = bisect.bisect_right(self.steps, step)
        return self.values[index - 1] if index else self.initial

    def since(self, below: Parts, step: int) -> int:
        """The last step up to `step` that wrote the place `below`, something in it or above it; 0 if none did."""
        latest = 0
        for place, steps in self._writes.items():
            shorter = min(len(place), len(below))
            if place[:shorter] == below[:shorter]:
                index = bisect.bisect_right(steps, step)
                latest = max(latest, steps[index - 1] if index else 0)
        return latest

    def put(self, step: int, below: Parts, new: Any) -> None:
        """Take in a change at `step`, not before the last; several changes of one step leave one version."""
        value = replaced(self.final, below, new)
        if self.steps and self.steps[-1] == step:
            self.values[-1] = value
        else:
            self.steps.append(step)
            self.values.append(value)
        self._writes.setdefault(below, []).append(step)
        if self.initial is not ABSENT:
            for deeper, _ in pointers.leaves(new):
                self.leaves[below + deeper] = None


class StateHistory:
    """Built once a trial from (step, change) in order; step 0 is the initial state, and any look-up is then short.

    `records` holds the history of every touched record by its two segments, in order of first change; `tables` the same
    by table and id. A top-level value that is no table counts as a record whose segments are one.
    """

    def __init__(self, initial: Mapping[str, Any], changes: Iterable[tuple[int, Change]]) -> None:
        self.initial = initial
        self.records: dict[Parts, RecordHistory] = {}
        self.tables: dict[str, dict[str, RecordHistory]] = {}
        # Top-level values that were not tables all the time; few trials have any.
        self._tops: dict[str, RecordHistory] = {}
        for step, change in changes:
            parts = change.parts
            if parts and parts[0] != WORLD:
                self._apply(step, parts, change.new)

    def state_at(self, step: int) -> dict[str, Any]:
        """The whole state after `step`, without the world's own table."""
        names = dict.fromkeys([*self.initial, *self.tables, *self._tops])
        state = {name: self.value((name,), step) for name in names if name != WORLD}
        return {name: value for name, value in state.items() if value is not ABSENT}

    def value(self, parts: Parts, step: int) -> Any:
        """The value at the segments `parts` after `step`, or ABSENT."""
        if not parts:
            return self.state_at(step)
        top = self._top_at(parts[0], step)
        if top is not _TABLE:
            return pointers.get_parts(top, parts[1:])
        if len(parts) == 1:
            return self._table_at(parts[0], step)
        record = self.records.get(parts[:2])
        if record is None:
            return pointers.get_parts(self._initial_rows(parts[0]), parts[1:])
        return pointers.get_parts(record.at(step), parts[2:])

    def values(self, parts: Parts) -> Iterator[tuple[int, Any]]:
        """(step, value at `parts` from there on) for the steps that may have changed it, without the initial state."""
        record = self.records.get(parts[:2]) if len(parts) > 1 and parts[0] not in self._tops else None
        if record is not None:
            for step, value in zip(record.steps, record.values, strict=True):
                yield step, pointers.get_parts(value, parts[2:])
        else:
            for step in self.steps_of(parts):
                yield step, self.value(parts, step)

    def since(self, parts: Parts, step: int) -> int:
        """The last step up to `step` that wrote the place, something in it or something above it; 0 if none did."""
        record = self.records.get(parts[:2]) if len(parts) > 1 else None
        if record is not None:
            return record.since(parts[2:], step)
        return max((at for at in self.steps_of(parts) if at <= step), default=0)

    def is_table(self, name: str, step: int) -> bool:
        """Whether the top-level value `name` is a table after `step`."""
        return self._top_at(name, step) is _TABLE

    def is_always_table(self, name: str) -> bool:
        """Whether the top-level value `name` is a table, or not there, at every step."""
        tops = self._tops.get(name)
        values = [self._initial_top(name), *(tops.values if tops is not None else ())]
        return all(value is _TABLE or value is ABSENT for value in values)

    def steps_of(self, parts: Parts) -> list[int]:
        """The steps that may have changed the value at `parts`, rising: those that wrote its record or its table."""
        if len(parts) > 1:
            histories = [self.records[parts[:2]]] if parts[:2] in self.records else []
        else:
            tables = [rows for table, rows in self.tables.items() if parts in ((), (table,))]
            histories = [record for rows in tables for record in rows.values()]
        histories += [tops for name, tops in self._tops.items() if parts[:1] in ((), (name,))]
        return sorted({step for history in histories for step in history.steps})

    def _top_at(self, name: str, step: int) -> Any:
        tops = self._tops.get(name)
        return self._initial_top(name) if tops is None else tops.at(step)

    def _initial_top(self, table: str) -> Any:
        value = self.initial.get(table, ABSENT)
        return _TABLE if isinstance(value, dict) else value

    def _initial_rows(self, table: str) -> Mapping[str, Any]:
        value = self.initial.get(table)
        return value if isinstance(value, dict) else {}

    def _table_at(self, table: str, step: int) -> dict[str, Any]:
        rows = dict(self._initial_rows(table))
        for key, record in self.tables.get(table, {}).items():
            value = record.at(step)
            if value is ABSENT:
                rows.pop(key, None)
            else:
                rows[key] = value
        return rows

    def _apply(self, step: int, parts: Parts, new: Any) -> None:
        table = parts[0]
        if len(parts) > 1:
            self._record(table, parts[1]).put(step, parts[2:], new)
            self._set_top(step, table, _TABLE)
            return
        rows = new if isinstance(new, dict) else {}
        for key in dict.fromkeys([*self._initial_rows(table), *self.tables.get(table, ()), *rows]):
            self._record(table, key).put(step, (), rows.get(key, ABSENT))
        self._set_top(step, table, _TABLE if isinstance(new, dict) else new)

    def _record(self, table: str, key: str) -> RecordHistory:
        record = self.records.get((table, key))
        if record is None:
            record = RecordHistory(self._initial_rows(table).get(key, ABSENT))
            self.records[table, key] = self.tables.setdefault(table, {})[key] = record
        return record

    def _set_top(self, step: int, table: str, top: Any) -> None:
        """Note what a top-level value has become, and that it was none or a value of its own before."""
        tops = self._tops.get(table)
        before = self._initial_top(table) if tops is None else tops.final
        if before is _TABLE and top is _TABLE:
            return
        if tops is None:
            tops = self._tops[table] = RecordHistory(before)
        tops.put(step, (), top)
        if (before is _TABLE and top is ABSENT) or (before is ABSENT and top is _TABLE):
            return  # a table that comes or goes is its records
        record = self.records.get((table,))
        if record is None:
            record = self.records[(table,)] = RecordHistory(ABSENT if before is _TABLE else before)
        record.put(step, (), ABSENT if top is _TABLE else top)
