"""The state table: expected, actual and claimed value of every path at any step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Parts
from reach_tui.core.grading import Claim, StateRow, StateStatus
from reach_tui.core.history import StateHistory
from reach_tui.core.task import AcceptableState, Task
from reach_tui.grading.state.comparison import (
    CHANGED,
    CREATED,
    Comparison,
    Difference,
    changed_fields,
    closest,
    judges_changes,
)
from reach_tui.grading.state.expectations import ALL, ANY
from reach_tui.grading.state.explanations import show
from reach_tui.grading.state.row_history import Held, RowHistory, nearest, note_of

VIEWS = ("differing", "changed", "expected", "all")
"""Rows that are not as expected; rows that this step changed; rows with an expectation; every row."""

MADE, GONE, KEPT = "created", "deleted", "kept"


class Counts(NamedTuple):
    """How many rows of the table differ at a step, of how many it watches at every step (the view "all").

    Watched are the expected rows and, of every record that the task names or the trial touches, each further field; a
    record made in the trial is one row. The number is the same at every step.
    """

    differing: int
    watched: int


class StateTable:
    """Built once a trial (one pass over its changes); a table at a step is then look-ups.

    `task` None, or a task that says nothing of the state, makes a table without judgement (`judged` is False): actual
    values only, and "differing" means other than at the start. Claims without a pointer are passed over. `outcome`
    fixes which acceptable outcome is shown; without it, it is the one that the end comes closest to.
    """

    def __init__(
        self,
        task: Task | None,
        history: StateHistory,
        claims: Sequence[Claim] = (),
        *,
        outcome: AcceptableState | None = None,
    ) -> None:
        self._history = history
        self.judged = judges_changes(task)
        if outcome is None:
            self.outcome, self._comparison = closest(task, self._history)
        else:
            allow = task.allow_changes if task is not None else ()
            self.outcome, self._comparison = outcome, Comparison(outcome.state, self._history, allow)
        self._expected = {row.expected.path for row in self._comparison.rows}
        self._claims: dict[str, list[tuple[int, object]]] = {}
        for claim in sorted(claims, key=lambda claim: claim.step):
            if claim.pointer is not None:
                self._claims.setdefault(claim.pointer, []).append((claim.step, claim.value))
        self._rows: dict[tuple[int, int], StateRow] = {}
        self._others: dict[tuple[Parts, int], tuple[StateRow, ...]] = {}
        self._watched: tuple[Parts, ...] | None = None

    def rows(self, step: int, view: str = "differing") -> list[StateRow]:
        """The rows of a view (one of VIEWS) after `step`: expected ones in their order, then others by first change.

        Raises ValueError for an unknown view.
        """
        if view not in VIEWS:
            raise ValueError(f"there is no view {view!r}; there are {', '.join(VIEWS)}")
        rows = enumerate(self._comparison.rows)
        if view == "changed":
            own = [self._row(i, row, step) for i, row in rows if step > 0 and row.steps[row.index(step)] == step]
            return [*own, *self._changed(step)]
        own = [self._row(i, row, step) for i, row in rows if view != "differing" or not row.oks[row.index(step)]]
        if view == "differing":
            return [*own, *self._differing(step)]
        return own if view == "expected" else [*own, *self._rest(step)]

    def counts(self, step: int) -> Counts:
        """The figures of "differing 3 of 41" at a step."""
        rows = self._comparison.rows
        differing = sum(not row.oks[row.index(step)] for row in rows) + sum(1 for _ in self._differing(step))
        return Counts(differing, len(rows) + len(self._watch()))

    def held_against(self, path: str, step: int) -> list[Held]:
        """What is expected of the row at `path` and what is there after `step`: one value against another, or each wish
        of a `$any` against the record that comes closest. Empty for a path of which the task expects nothing.
        """
        for row in self._comparison.rows:
            if row.expected.path == path and row.expected.form in (ANY, ALL):
                return list(nearest(row, self._history, step))
            if row.expected.path == path:
                parts = row.expected.parts
                initial = pointers.get_parts(self._history.initial, parts)
                return [Held(parts, row.expected.expression, self._history.value(parts, step), initial)]
        return []

    # --- expected rows ---

    def _row(self, number: int, row: RowHistory, step: int) -> StateRow:
        index = row.index(step)
        path = row.expected.path
        claimed = self._claimed(path, step)
        known = self._rows.get((number, index))
        if known is None or claimed is not ABSENT:
            known = StateRow(
                path,
                row.expected.shown,
                row.values[index],
                claimed,
                row.status(index),
                row.steps[index],
                note_of(row, index, self._history),
            )
            if claimed is ABSENT:
                self._rows[number, index] = known
        return known

    def _claimed(self, path: str, step: int) -> object:
        if path not in self._claims:
            return ABSENT
        return next((value for at, value in reversed(self._claims[path]) if at <= step), ABSENT)

    # --- all other rows ---

    def _differing(self, step: int) -> Iterator[StateRow]:
        for record, versions in self._history.records.items():
            if versions.steps[0] > step:
                return  # records stand in the order of their first change
            version = self._comparison.at(record, step)
            if version:
                rows = self._others.get((record, version))
                if rows is None:
                    rows = self._others[record, version] = tuple(self._unasked(record, version))
                if rows:
                    yield from rows if not self._claims else (self._with_claim(row, step) for row in rows)

    def _unasked(self, record: Parts, version: int) -> Iterator[StateRow]:
        for difference in self._comparison.differences(record, version):
            if not (self.judged and difference.excused) and difference.path not in self._expected:
                yield self._difference(difference)

    def _difference(self, difference: Difference) -> StateRow:
        status: StateStatus = "unexpected" if self.judged and not difference.excused else "match"
        note = "not judged" if not self.judged else "may change" if difference.excused else ""
        if difference.kind == CHANGED:
            expected = difference.old if status == "unexpected" else ABSENT
            actual = GONE if difference.new is ABSENT else difference.new
            return StateRow(difference.path, expected, actual, ABSENT, status, difference.since, note)
        made = difference.kind == CREATED
        content = show(difference.new if made else difference.old)
        expected = ABSENT if made or status == "match" else KEPT
        note = f"{note}: {content}" if note else content
        return StateRow(difference.path, expected, MADE if made else GONE, ABSENT, status, difference.since, note)

    def _changed(self, step: int) -> Iterator[StateRow]:
        for record, versions in self._history.records.items():
            version = self._comparison.at(record, step)
            if not version or versions.steps[version - 1] != step:
                continue
            before = versions.values[version - 2] if version > 1 else versions.initial
            after = versions.values[version - 1]
            if versions.initial is ABSENT or before is ABSENT or after is ABSENT:
                if pointers.join(record) not in self._expected:
                    yield self._with_claim(self._whole(record, step), step)
                continue
            for parts, _old, _new in changed_fields(record, before, after):
                if pointers.join(parts) not in self._expected:
                    yield self._with_claim(self._leaf(parts, step), step)

    def _rest(self, step: int) -> Iterator[StateRow]:
        for parts in self._watch():
            whole = parts in self._history.records and len(parts) == 2
            row = self._whole(parts, step) if whole else self._leaf(parts, step)
            yield self._with_claim(row, step)

    def _whole(self, record: Parts, step: int) -> StateRow:
        """A record made or gone, as one row."""
        for difference in self._comparison.differences(record, self._comparison.at(record, step)):
            if difference.parts == record:
                return self._difference(difference)
        value, path = self._history.value(record, step), pointers.join(record)
        actual = ABSENT if value is ABSENT else "as at the start"
        return StateRow(path, ABSENT, actual, ABSENT, "match", self._history.since(record, step), "")

    def _leaf(self, parts: Parts, step: int) -> StateRow:
        """One field, changed or not."""
        record = parts[:2]
        if record in self._history.records:
            for difference in self._comparison.differences(record, self._comparison.at(record, step)):
                if difference.parts == parts:
                    return self._difference(difference)
        value = self._history.value(parts, step)
        expected = pointers.get_parts(self._history.initial, parts) if self.judged else ABSENT
        same = expected if self.judged and not self._comparison.excused(parts) else ABSENT
        return StateRow(pointers.join(parts), same, value, ABSENT, "match", self._history.since(parts, step), "")

    def _with_claim(self, row: StateRow, step: int) -> StateRow:
        claimed = self._claimed(row.path, step)
        if claimed is ABSENT:
            return row
        return StateRow(row.path, row.expected, row.actual, claimed, row.status, row.since_step, row.note)

    def _watch(self) -> tuple[Parts, ...]:
        """The segments of every row without an expectation, the same at every step."""
        if self._watched is None:
            self._watched = tuple(dict.fromkeys(self._watched_parts()))
        return self._watched

    def _watched_parts(self) -> Iterator[Parts]:
        named = {row.expected.parts[:2]: None for row in self._comparison.rows if len(row.expected.parts) > 1}
        for record in dict.fromkeys([*self._history.records, *named]):
            initial = pointers.get_parts(self._history.initial, record)
            if initial is ABSENT and record in self._history.records:
                candidates: Iterable[Parts] = [record] if record not in named else []
            else:
                candidates = self._fields(record, initial)
            yield from (parts for parts in candidates if pointers.join(parts) not in self._expected)

    def _fields(self, record: Parts, initial: object) -> Iterator[Parts]:
        if initial is not ABSENT:
            yield from (record + below for below, _ in pointers.leaves(initial))
        if record in self._history.records:
            yield from (record + below for below in self._history.records[record].leaves)
