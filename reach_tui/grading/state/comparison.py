"""A trial's state against one acceptable outcome: expected rows over time, and every change that nobody asked for."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Parts, differing
from reach_tui.core.equality import EXACT, same
from reach_tui.core.history import StateHistory
from reach_tui.core.task import AcceptableState, Task
from reach_tui.grading.state.expectations import ALL, ANY, VALUE, expected_rows
from reach_tui.grading.state.expressions import is_operator, wishes
from reach_tui.grading.state.row_history import RowHistory, row_history

CREATED, DELETED, CHANGED = "created", "deleted", "changed"


@dataclass(frozen=True, slots=True)
class Difference:
    """A net change against the initial state: a record made or gone as a whole, else a field. `since` set it so."""

    parts: Parts
    kind: str
    old: Any
    new: Any
    since: int
    excused: bool

    @property
    def path(self) -> str:
        """The pointer."""
        return pointers.join(self.parts)


class Comparison:
    """Built once for a trial and an outcome; then any step is a look-up.

    `allow` are the task's patterns of places that may change. Changes that cancel out are none.
    """

    def __init__(self, state: Mapping[str, Any], history: StateHistory, allow: Iterable[str] = ()) -> None:
        self.history = history
        self.rows = tuple(row_history(expected, history) for expected in expected_rows(state))
        self._allow = [pointers.split("/" + pattern.removeprefix("/")) for pattern in allow if pattern]
        self._fields: dict[Parts, list[Parts]] = {}
        self._tables: set[str] = set()
        self._every: dict[str, list[Parts]] = {}
        self._made: set[Parts] = set()
        self._known: dict[tuple[Parts, int], tuple[Difference, ...]] = {}
        for row in self.rows:
            self._excuse(row)

    def missing(self) -> list[RowHistory]:
        """Rows that are not there at the end and were never changed to anything else."""
        return [row for row in self.rows if row.status(len(row.oks) - 1) == "missing"]

    def wrong(self) -> list[RowHistory]:
        """Rows that were changed to something else, or were right and no longer are."""
        return [row for row in self.rows if row.status(len(row.oks) - 1) in ("wrong", "lost")]

    def right(self) -> list[RowHistory]:
        """Rows as expected at the end."""
        return [row for row in self.rows if row.status(len(row.oks) - 1) == "match"]

    def unexpected(self) -> list[Difference]:
        """All net changes at the end that are neither expected nor allowed, in order of first touch."""
        return [
            difference
            for record, versions in self.history.records.items()
            for difference in self.differences(record, len(versions.steps))
            if not difference.excused
        ]

    def differences(self, record: Parts, version: int) -> tuple[Difference, ...]:
        """The net changes of a record at one of its versions (0 is the initial one), expected and allowed ones too."""
        if version == 0:
            return ()
        known = self._known.get((record, version))
        if known is None:
            known = self._known[record, version] = tuple(self._differences(record, version))
        return known

    def at(self, record: Parts, step: int) -> int:
        """The version of a record after `step`."""
        return bisect.bisect_right(self.history.records[record].steps, step)

    def off_since(self, difference: Difference) -> int:
        """The step from which on the place was not as at the start, up to the end."""
        versions = self.history.records[difference.parts[:2]]
        below = difference.parts[2:]
        first = pointers.get_parts(versions.initial, below)
        since = difference.since
        for step, value in zip(reversed(versions.steps), reversed(versions.values), strict=True):
            if same(pointers.get_parts(value, below), first, EXACT):
                break
            since = step
        return since

    def excused(self, parts: Parts, kind: str = CHANGED) -> bool:
        """Whether a change of this kind at these segments is expected or allowed.

        A record may be made where a row names anything in it, and may go where a row is about the whole of it.
        """
        if any(pointers.covers_parts(pattern, parts) for pattern in self._allow):
            return True
        if parts[0] in self._tables or parts[:2] in self._made:
            return True
        below = parts[2:]
        rows = self._fields.get(parts[:2], ())
        if kind == CREATED:
            return bool(rows)
        return any(below[: len(row)] == row for row in (*rows, *self._every.get(parts[0], ())))

    def _differences(self, record: Parts, version: int) -> Iterator[Difference]:
        versions = self.history.records[record]
        old, new = versions.initial, versions.values[version - 1]
        if old is ABSENT and new is ABSENT:
            return
        if old is ABSENT or new is ABSENT:
            kind = CREATED if old is ABSENT else DELETED
            yield Difference(record, kind, old, new, versions.steps[version - 1], self.excused(record, kind))
            return
        for parts, before, after in changed_fields(record, old, new):
            since = self.history.since(parts, versions.steps[version - 1])
            yield Difference(parts, CHANGED, before, after, since, self.excused(parts))

    def _excuse(self, row: RowHistory) -> None:
        expected = row.expected
        if expected.form == VALUE or len(expected.parts) != 1:
            if len(expected.parts) < 2:
                self._tables.update(expected.parts)
            else:
                self._fields.setdefault(expected.parts[:2], []).append(expected.parts[2:])
        elif expected.form == ALL:
            self._every.setdefault(expected.parts[0], []).extend(_named(expected.expression["$all"]))
        elif expected.form == ANY:
            for want, key in zip(wishes(expected.expression["$any"]), row.bound, strict=False):
                if key is None:
                    continue
                record = (expected.parts[0], key)
                versions = self.history.records.get(record)
                if versions is not None and versions.initial is ABSENT:
                    self._made.add(record)
                self._fields.setdefault(record, []).extend(_named(want))


def _named(want: Any) -> list[Parts]:
    """The fields that a wish about a record names; the record itself where it names none."""
    if not isinstance(want, dict) or not want or any(is_operator(key) for key in want):
        return [()]
    return [parts for key, value in want.items() for parts in _under((str(key),), value)]


def _under(parts: Parts, want: Any) -> Iterator[Parts]:
    if isinstance(want, dict) and want and not any(is_operator(key) for key in want):
        for key, value in want.items():
            yield from _under((*parts, str(key)), value)
    else:
        yield parts


def changed_fields(record: Parts, before: Any, after: Any) -> Iterator[tuple[Parts, Any, Any]]:
    """(segments, before, after) of every field that differs. A mapping that is new is its fields, one that went is one.

    `record` are the segments of what is compared.
    """
    for parts, old, new in differing(before, after, record):
        if isinstance(new, dict) and new:
            yield from ((parts + below, ABSENT, value) for below, value in pointers.leaves(new))
        else:
            yield parts, old, new


NO_OUTCOME = AcceptableState()


def judges_changes(task: Task | None) -> bool:
    """Whether a change that no expectation names counts against a trial of the task.

    Not where nothing is said of the state: an action without expected state, a task judged by its text, no task.
    """
    if task is None or task.body.get("judge") == "text":
        return False
    return task.kind in ("query", "refuse") or any(outcome.state for outcome in task.outcomes)


def comparisons(task: Task | None, history: StateHistory) -> list[tuple[AcceptableState, Comparison]]:
    """Each acceptable outcome with the trial's state against it; one without expectations where the task has none."""
    outcomes = (task.outcomes if task is not None else ()) or (NO_OUTCOME,)
    allow = task.allow_changes if task is not None else ()
    return [(outcome, Comparison(outcome.state, history, allow)) for outcome in outcomes]


def distance(comparison: Comparison, judged: bool) -> int:
    """How many rows and changes keep the final state from the outcome; 0 is reached."""
    return len(comparison.rows) - len(comparison.right()) + (len(comparison.unexpected()) if judged else 0)


def closest(task: Task | None, history: StateHistory) -> tuple[AcceptableState, Comparison]:
    """The outcome that the final state reaches, else the one it comes closest to, the first of equals."""
    judged, compared = judges_changes(task), comparisons(task, history)
    return compared[0] if len(compared) == 1 else min(compared, key=lambda pair: distance(pair[1], judged))
