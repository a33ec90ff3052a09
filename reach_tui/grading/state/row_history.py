"""One expected row over time: its value after every step that moved it, and whether that was as expected."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
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
from reach_tui.grading.state.table_history import ElementTracker


@dataclass(slots=True)
class Track:
    """A row's history: entry 0 is the initial state (step 0), each further one the state from `steps[i]` on.

    `values` are as a table shows them (a count for rows about elements); `moved` says whether the value was then
    another than at the start. `bound` are the records of the table that a `$any` was met by or came closest to, in the
    order of its wishes; `trouble` is set where the expression could not be decided.
    """

    row: Expected
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
        at, expression = self.row.record or (self.row.parts, self.row.expression)
        return explain(expression, history.value(at, step), pointers.get_parts(history.initial, at), at)


def track(row: Expected, history: StateHistory) -> Track:
    """The row's history in a trial."""
    whole_table = row.form in (ANY, ALL) and len(row.parts) == 1 and history.is_always_table(row.parts[0])
    result = _track_table(row, history) if whole_table else _track_value(row, history)
    result.first_ok = next((i for i, ok in enumerate(result.oks) if ok), None)
    return result


def _track_value(row: Expected, history: StateHistory) -> Track:
    at, expression = row.record or (row.parts, row.expression)
    below = row.parts[len(at) :]
    initial = pointers.get_parts(history.initial, at)
    result = Track(row, pointers.get_parts(initial, below))
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
        result.values.append(_count(row, value, initial) if row.form in (ANY, ALL) else shown)
        result.oks.append(ok)
        result.moved.append(not same(shown, result.initial, EXACT))
    return result


def _moves(history: Iterable[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """The entries at which the value is another than before; the first one is."""
    found: list[tuple[int, Any]] = []
    for step, value in history:
        if not found or not (value is found[-1][1] or same(value, found[-1][1], EXACT)):
            found.append((step, value))
    return found


def _count(row: Expected, value: Any, initial: Any) -> str:
    items = elements(value)
    operand = row.expression["$any" if row.form == ANY else "$all"]
    wanted = wishes(operand) if row.form == ANY else [operand]
    try:
        good = sum(
            any(holds(want, item, pointers.get_parts(initial, (key,))) for want in wanted) for key, item in items
        )
    except (PatternTrouble, RecursionError):
        return "undecided"
    return counted(good) if row.form == ANY else f"{good} of {counted(len(items))}"


def counted(number: int) -> str:
    """`1 record`, `2 records`."""
    return f"{number} record" if number == 1 else f"{number} records"


def _track_table(row: Expected, history: StateHistory) -> Track:
    result = Track(row, ABSENT)
    try:
        tracker = ElementTracker(row, history)
    except (PatternTrouble, RecursionError) as trouble:
        result.trouble = str(trouble)
        result.values, result.oks, result.moved = ["undecided"], [False], [False]
        return result
    result.bound = tracker.bound
    for step, good, total, ok, moved in tracker.entries():
        if step:
            result.steps.append(step)
        result.values.append(counted(good) if row.form == ANY else f"{good} of {counted(total)}")
        result.oks.append(ok)
        result.moved.append(moved)
    return result


def near_miss(track: Track, history: StateHistory, step: int) -> str:
    """What the record that came closest to a `$any` has otherwise, in words; empty where there is none."""
    if track.row.form != ANY or len(track.row.parts) != 1:
        return ""
    words: list[str] = []
    table = track.row.parts[0]
    for want, key in zip(wishes(track.row.expression["$any"]), track.bound, strict=False):
        record = ABSENT if key is None else history.value((table, key), step)
        if key is None or record is ABSENT:
            continue
        differing = explain(want, record, pointers.get_parts(history.initial, (table, key)), (table, key))
        words.extend(f"{one.pointer}: {one.why}" for one in differing)
    return "; ".join(words)


def as_expected(track: Track) -> str:
    """The row's expectation in words, for a sentence."""
    if track.row.form in (ANY, ALL):
        return f"{track.row.shown} like {track.row.note}"
    return show(track.row.shown)


def note_of(track: Track, index: int, history: StateHistory) -> str:
    """The note at one entry of a row's history; empty where there is nothing to add."""
    row, step = track.row, track.steps[index]
    if track.trouble is not None:
        return track.trouble
    if track.oks[index]:
        return row.note
    if row.form == ANY and track.status(index) != "missing":
        return near_miss(track, history, step) or row.note
    if row.form in (ANY, ALL) or not _wants_words(row.expression, track.values[index]):
        return row.note
    found = track.explain(history, step)
    return found[0].why if found else row.note


def _wants_words(expected: Any, actual: Any) -> bool:
    """A scalar against another of its type explains itself; lists, operators and other types do not."""
    if isinstance(expected, (dict, list, tuple)):
        return True
    return type_word(expected) != type_word(actual) and "absent" not in (type_word(expected), type_word(actual))
