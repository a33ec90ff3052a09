"""One expected row over time: its value after every step that moved it, and whether that was as expected."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.equality import EXACT, same, type_word
from reach_tui.core.grading import StateStatus
from reach_tui.core.history import StateHistory
from reach_tui.grading.state.expectations import ALL, ANY, Expected
from reach_tui.grading.state.explanations import Mismatch, explain, show
from reach_tui.grading.state.expressions import PatternTrouble, elements, holds, wishes
from reach_tui.grading.state.table_history import TableHistory


@dataclass(slots=True)
class RowHistory:
    """A row's history: entry 0 is the initial state (step 0), each further one the state from `steps[i]` on.

    `values` are as a table shows them (a count for rows about elements); `moved` says whether the value was then
    another than at the start. `bound` are the records of the table that a `$any` was met by or came closest to, in the
    order of its wishes; `trouble` is set where the expression could not be decided.
    """

    expected: Expected
    initial: Any
    steps: list[int] = field(default_factory=lambda: [0])
    values: list[Any] = field(default_factory=list)
    oks: list[bool] = field(default_factory=list)
    moved: list[bool] = field(default_factory=list)
    bound: tuple[str | None, ...] = ()
    trouble: str | None = None
    first_ok: int | None = None

    def index(self, step: int) -> int:
        """The entry that holds after `step`."""
        return bisect.bisect_right(self.steps, step) - 1

    def status(self, index: int) -> StateStatus:
        """The sign's word at an entry: right, right once and lost, changed to something else, or not yet there."""
        if self.oks[index]:
            return "match"
        if self.first_ok is not None and self.first_ok < index:
            return "lost"
        return "wrong" if self.moved[index] else "missing"

    def off_since(self) -> int:
        """The step from which on it was not right to the end, where something moved it there; else 0."""
        last = len(self.oks) - 1
        run = self.oks if self.first_ok is not None else [not moved for moved in self.moved]
        if run[last]:
            return 0
        while last > 0 and not run[last - 1]:
            last -= 1
        return self.steps[last]

    def explain(self, history: StateHistory, step: int) -> tuple[Mismatch, ...]:
        """Why it is not as expected after `step`."""
        at, expression = self.expected.record or (self.expected.parts, self.expected.expression)
        return explain(expression, history.value(at, step), pointers.get_parts(history.initial, at), at)


def row_history(expected: Expected, history: StateHistory) -> RowHistory:
    """The history of one expected row in a trial."""
    whole_table = (
        expected.form in (ANY, ALL) and len(expected.parts) == 1 and history.is_always_table(expected.parts[0])
    )
    result = _over_table(expected, history) if whole_table else _over_value(expected, history)
    result.first_ok = next((i for i, ok in enumerate(result.oks) if ok), None)
    return result


def _over_value(expected: Expected, history: StateHistory) -> RowHistory:
    at, expression = expected.record or (expected.parts, expected.expression)
    below = expected.parts[len(at) :]
    initial = pointers.get_parts(history.initial, at)
    result = RowHistory(expected, pointers.get_parts(initial, below))
    moves = _moves([(0, initial), *history.values(at)])
    for i, (step, value) in enumerate(moves):
        ok = False
        # One look is enough: a slow pattern is not run again at every step, but the end decides and is looked at.
        if result.trouble is None or i + 1 == len(moves):
            result.trouble = None
            try:
                ok = holds(expression, value, initial)
            except (PatternTrouble, RecursionError) as trouble:
                result.trouble = str(trouble)
        shown = pointers.get_parts(value, below)
        if step:
            result.steps.append(step)
        result.values.append(_count(expected, value, initial) if expected.form in (ANY, ALL) else shown)
        result.oks.append(ok)
        result.moved.append(not same(shown, result.initial, EXACT))
    return result


def _moves(history: Iterable[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """The entries at which the value is another than before; the first one is."""
    moves: list[tuple[int, Any]] = []
    for step, value in history:
        if not moves or not (value is moves[-1][1] or same(value, moves[-1][1], EXACT)):
            moves.append((step, value))
    return moves


def _count(expected: Expected, value: Any, initial: Any) -> str:
    items = elements(value)
    operand = expected.expression["$any" if expected.form == ANY else "$all"]
    listed = wishes(operand) if expected.form == ANY else [operand]
    try:
        good = sum(
            any(holds(want, item, pointers.get_parts(initial, (key,))) for want in listed) for key, item in items
        )
    except (PatternTrouble, RecursionError):
        return "undecided"
    return counted(good) if expected.form == ANY else f"{good} of {counted(len(items))}"


def counted(number: int) -> str:
    """`1 record`, `2 records`."""
    return f"{number} record" if number == 1 else f"{number} records"


def _over_table(expected: Expected, history: StateHistory) -> RowHistory:
    result = RowHistory(expected, ABSENT)
    try:
        table = TableHistory(expected, history)
    except (PatternTrouble, RecursionError) as trouble:
        result.trouble = str(trouble)
        result.values, result.oks, result.moved = ["undecided"], [False], [False]
        return result
    result.bound = table.bound
    for step, good, total, ok, moved in table.entries():
        if step:
            result.steps.append(step)
        result.values.append(counted(good) if expected.form == ANY else f"{good} of {counted(total)}")
        result.oks.append(ok)
        result.moved.append(moved)
    return result


@dataclass(frozen=True, slots=True)
class Held:
    """A value at the segments `parts` held against what is expected there; `initial` is what `$delta` counts from."""

    parts: tuple[str, ...]
    expected: Any
    actual: Any
    initial: Any


def nearest(row: RowHistory, history: StateHistory, step: int) -> Iterator[Held]:
    """For each wish of a `$any` over a table the record that meets it or comes closest, where there is one."""
    if row.expected.form != ANY or len(row.expected.parts) != 1:
        return
    table = row.expected.parts[0]
    for want, key in zip(wishes(row.expected.expression["$any"]), row.bound, strict=False):
        record = ABSENT if key is None else history.value((table, key), step)
        if key is not None and record is not ABSENT:
            yield Held((table, key), want, record, pointers.get_parts(history.initial, (table, key)))


def near_miss(row: RowHistory, history: StateHistory, step: int) -> str:
    """What the record that came closest to a `$any` has otherwise, in words; empty where there is none."""
    return "; ".join(
        f"{mismatch.pointer}: {mismatch.why}"
        for held in nearest(row, history, step)
        for mismatch in explain(held.expected, held.actual, held.initial, held.parts)
    )


def as_expected(row: RowHistory) -> str:
    """What a row expects in words, for a sentence."""
    if row.expected.form in (ANY, ALL):
        return f"{row.expected.shown} like {row.expected.note}"
    return show(row.expected.shown)


def note_of(row: RowHistory, index: int, history: StateHistory) -> str:
    """The remark beside a row of the state table, at one entry of its history: what its values alone do not say.

    Empty where there is nothing to add.
    """
    expected, step = row.expected, row.steps[index]
    if row.trouble is not None:
        return row.trouble
    if row.oks[index]:
        return expected.note
    if expected.form == ANY and row.status(index) != "missing":
        return near_miss(row, history, step) or expected.note
    if expected.form in (ANY, ALL) or not _wants_words(expected.expression, row.values[index]):
        return expected.note
    mismatches = row.explain(history, step)
    return mismatches[0].why if mismatches else expected.note


def _wants_words(expected: Any, actual: Any) -> bool:
    """A scalar against another of its type explains itself; lists, operators and other types do not."""
    if isinstance(expected, (dict, list, tuple)):
        return True
    return type_word(expected) != type_word(actual) and "absent" not in (type_word(expected), type_word(actual))
