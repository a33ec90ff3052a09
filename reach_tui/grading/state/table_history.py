"""`$any` and `$all` over a table through time, looking again only at the records that a step touched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.equality import EXACT, same
from reach_tui.core.history import RecordHistory, StateHistory
from reach_tui.grading.identifiers import looks_like_id
from reach_tui.grading.state.expectations import ANY, Expected
from reach_tui.grading.state.expressions import assign, holds, is_operator, wishes

_REFERENCES = ("id", "_id", "_no", "_number", "_code", "sku")


class TableHistory:
    """The records of one table against the wishes of a row.

    `bound` names, for each wish of a `$any`, the record that met it at the end (one made in the trial before one that
    was there), else the one that met it earlier, else the touched one that came closest; None where there is none.
    """

    def __init__(self, row: Expected, history: StateHistory) -> None:
        self._any = row.form == ANY
        operand = row.expression["$any" if self._any else "$all"]
        self._wishes = wishes(operand) if self._any else [operand]
        self._table = row.parts[0]
        initial = history.initial.get(self._table, ABSENT)
        self._initial = initial if isinstance(initial, dict) else {}
        self._touched = history.tables.get(self._table, {})
        # For each wish, which untouched records suit it: they suit it at every step.
        self._still = [
            [key for key, record in self._initial.items() if key not in self._touched and holds(want, record, record)]
            for want in self._wishes
        ]
        self._untouched = sum(key not in self._touched for key in self._initial)
        self._history = history
        self._ever: list[dict[str, None]] = [{} for _ in self._wishes]
        self._entries = list(self._run())
        self.bound: tuple[str | None, ...] = self._bind() if self._any else ()

    def entries(self) -> Iterator[tuple[int, int, int, bool, bool]]:
        """(step, suiting records, all records, whether the row holds, whether it moved), the start as step 0 first.

        A `$any` has moved where a record that it is bound to was changed and does not suit.
        """
        bound = [(want, self._touched[key]) for want, key in self._pairs_bound()]
        shown: tuple[Any, ...] | None = None
        for step, good, total, ok in self._entries:
            if self._any:
                records = [versions.at(step) for _, versions in bound]
                now: tuple[Any, ...] = (good, ok, *map(id, records))
            else:
                records, now = [], (good, total, ok)
            if now != shown:
                shown = now
                moved = any(self._is_off(want, record, step) for want, record in bound) if self._any else step > 0
                yield step, good, total, ok, moved

    def _pairs_bound(self) -> Iterator[tuple[Any, str]]:
        for want, key in zip(self._wishes, self.bound, strict=False):
            if key is not None and key in self._touched:
                yield want, key

    @staticmethod
    def _is_off(want: Any, versions: RecordHistory, step: int) -> bool:
        record = versions.at(step)
        return not same(record, versions.initial, EXACT) and not holds(want, record, versions.initial)

    def _run(self) -> Iterator[tuple[int, int, int, bool]]:
        suits: list[dict[str, None]] = [{} for _ in self._wishes]
        present: dict[str, None] = {}
        for key, versions in self._touched.items():
            self._see(key, versions.initial, suits, present)
        yield 0, *self._sum(0, suits, present)
        events: dict[int, list[tuple[str, Any]]] = {step: [] for step in self._history.steps_of((self._table,))}
        for key, record in self._touched.items():
            for step, value in zip(record.steps, record.values, strict=True):
                events[step].append((key, value))
        for step, seen in events.items():
            for key, value in seen:
                self._see(key, value, suits, present)
            yield step, *self._sum(step, suits, present)

    def _see(self, key: str, value: Any, suits: list[dict[str, None]], present: dict[str, None]) -> None:
        first = self._touched[key].initial
        present.pop(key, None)
        if value is not ABSENT:
            present[key] = None
        for want, ever, good in zip(self._wishes, self._ever, suits, strict=True):
            good.pop(key, None)
            if value is not ABSENT and holds(want, value, first):
                good[key] = None
                ever[key] = None

    def _sum(self, step: int, suits: list[dict[str, None]], present: dict[str, None]) -> tuple[int, int, bool]:
        total = self._untouched + len(present)
        if len(self._wishes) == 1:
            good = len(self._still[0]) + len(suits[0])
            ok = good > 0 if self._any else good == total and self._history.is_table(self._table, step)
            return good, total, ok
        good = sum(key is not None for key in self._assigned(suits))
        return good, total, good == len(self._wishes)

    def _assigned(self, suits: list[dict[str, None]]) -> list[str | None]:
        """For each wish a record of its own: made ones first, then other touched ones, then those never touched."""
        names: dict[str, int] = {}
        choices = []
        for good, still in zip(suits, self._still, strict=True):
            made = sorted(good, key=lambda key: self._touched[key].initial is not ABSENT)
            # One more candidate than there are wishes is never needed.
            listed = [*made, *still][: len(self._wishes)]
            choices.append([names.setdefault(key, len(names)) for key in listed])
        keys = list(names)
        return [None if place is None else keys[place] for place in assign(choices)]

    def _bind(self) -> tuple[str | None, ...]:
        final: list[dict[str, None]] = [{} for _ in self._wishes]
        for key, versions in self._touched.items():
            for want, good in zip(self._wishes, final, strict=True):
                if versions.final is not ABSENT and holds(want, versions.final, versions.initial):
                    good[key] = None
        bound = self._assigned(final)
        taken = {key for key in bound if key is not None}
        for i, want in enumerate(self._wishes):
            if bound[i] is None:
                bound[i] = self._once(i, taken) or self._closest(want, taken)
                taken.add(bound[i] or "")
        return tuple(bound)

    def _once(self, wish: int, taken: set[str]) -> str | None:
        return next((key for key in self._ever[wish] if key not in taken), None)

    def _closest(self, want: Any, taken: set[str]) -> str | None:
        best, best_share = None, 0.0
        for key, versions in self._touched.items():
            record = versions.final
            if key in taken or record is ABSENT or same(record, versions.initial, EXACT):
                continue
            share = likeness(want, record, versions.initial)
            if share > best_share:
                best, best_share = key, share
        return best


def likeness(want: Any, record: Any, initial: Any) -> float:
    """How close a record comes to an expression: the share of its fields that are right, or 0 if it is about another.

    It is about another where a field that names something (an id) is not as expected; where no field does, at least
    half must be right.
    """
    if not isinstance(want, dict):
        return 0.0
    fields = [(key, value) for key, value in want.items() if not is_operator(key)]
    if not fields:
        return 0.0
    right, references = 0, 0
    for key, value in fields:
        good = holds(value, _field(record, key), _field(initial, key))
        right += good
        if _refers(key, value):
            references += 1
            if not good:
                return 0.0
    share = right / len(fields)
    return share if right and (references or share >= 0.5) else 0.0


def _field(record: Any, key: Any) -> Any:
    return pointers.get_parts(record, (str(key),))


def _refers(key: Any, value: Any) -> bool:
    """Whether a field says which record it is about. A list of ids says which part of it, and may be wrong."""
    if isinstance(value, (list, tuple, dict)):
        return False
    return (isinstance(value, str) and looks_like_id(value)) or str(key).lower().endswith(_REFERENCES)
