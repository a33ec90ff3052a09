"""The values of a trajectory's state at any step, without folding the whole state again."""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Change, fold


class StateHistory:
    """An index of changes by record. Built once a trial; a look-up then touches only that record's changes.

    `changes` is a sequence of (step, Change) in order; step 0 is the initial state.
    """

    def __init__(self, initial: Mapping[str, Any], changes: Sequence[tuple[int, Change]]) -> None:
        self.initial = initial
        self.changes = tuple(changes)
        self._steps = [step for step, _ in self.changes]
        self._by_record: dict[tuple[str, ...], list[tuple[int, Change]]] = {}
        self._keys: dict[str, dict[str, None]] = {
            table: dict.fromkeys(rows) for table, rows in initial.items() if isinstance(rows, dict)
        }
        for step, change in self.changes:
            parts = pointers.split(change.pointer)
            self._by_record.setdefault(parts[:2], []).append((step, change))
            if len(parts) > 1:
                self._keys.setdefault(parts[0], {})[parts[1]] = None

    @property
    def last_step(self) -> int:
        """The last step that changed anything; 0 if none did."""
        return self._steps[-1] if self._steps else 0

    def state_at(self, step: int) -> dict[str, Any]:
        """The whole state after `step`, folded afresh."""
        upto = bisect.bisect_right(self._steps, step)
        return fold(self.initial, (change for _, change in self.changes[:upto]))

    def record_at(self, table: str, key: str, step: int) -> Any:
        """The record after `step`, or ABSENT."""
        record = pointers.get_parts(self.initial, (table, key))
        relevant = [change for at, change in self._by_record.get((table, key), ()) if at <= step]
        if not relevant:
            return record
        inner = {} if record is ABSENT else {"": record}
        # The record alone is folded: its changes' pointers lose their first two segments and gain the wrapper's.
        moved = [Change(pointers.join(("", *pointers.split(c.pointer)[2:])), c.old, c.new) for c in relevant]
        return fold(inner, moved).get("", ABSENT)

    def table_at(self, table: str, step: int) -> dict[str, Any]:
        """All records of a table after `step`."""
        rows = {key: self.record_at(table, key, step) for key in self._keys.get(table, ())}
        return {key: record for key, record in rows.items() if record is not ABSENT}

    def value_at(self, pointer: str, step: int) -> Any:
        """The value at a pointer after `step`, or ABSENT."""
        parts = pointers.split(pointer)
        if len(parts) == 0:
            return self.state_at(step)
        if len(parts) == 1:
            table = pointers.get_parts(self.initial, parts)
            return self.table_at(parts[0], step) if isinstance(table, dict) or table is ABSENT else table
        return pointers.get_parts(self.record_at(parts[0], parts[1], step), parts[2:])

    def since(self, pointer: str, step: int) -> int:
        """The last step up to `step` that changed the pointer's value, something in it or above it; 0 if none."""
        parts = pointers.split(pointer)
        if len(parts) >= 2:
            candidates: Sequence[tuple[int, Change]] = self._by_record.get(parts[:2], ())
        else:
            candidates = [item for item in self.changes if pointers.split(item[1].pointer)[: len(parts)] == parts]
        for at, change in reversed(candidates):
            if at <= step:
                other = pointers.split(change.pointer)
                shorter = min(len(other), len(parts))
                if other[:shorter] == parts[:shorter]:
                    return at
        return 0

    def touched(self, upto: int | None = None) -> list[str]:
        """Every pointer changed up to `upto` (all steps if None), in order of first change."""
        return list(dict.fromkeys(c.pointer for at, c in self.changes if upto is None or at <= upto))
