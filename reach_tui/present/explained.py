"""One small JSON value explained against another, place by place: records, tasks, parts of setups."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical
from reach_tui.core.equality import EXACT, RELATIVE, same
from reach_tui.core.grading import StateRow
from reach_tui.core.text import one_line
from reach_tui.grading.state.explanations import in_words
from reach_tui.grading.state.expressions import below, is_operator, item_at, matches
from reach_tui.grading.state.table import StateTable
from reach_tui.present.cells import Line
from reach_tui.present.language import phrase
from reach_tui.present.layout import fit, width
from reach_tui.present.values import plain, shown

MOST = 64 * 1024
"""Bytes of JSON of either value beyond which nothing is explained: a difference of large values may take minutes."""
SHOWN = 12
"""So many tasks, parts or places are explained at once, the rest counted."""
_KEPT = 12
"""Characters before the first difference of two texts that are shown with it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in which two values differ; ABSENT where one of them has nothing there."""

    pointer: str
    before: Any
    after: Any


def places(before: Any, after: Any) -> tuple[Place, ...] | None:
    """Where two JSON values differ, in document order, exactly compared. None: too large to explain."""
    return _places(before, after, subset=False)


def places_short_of(expected: Any, actual: Any, initial: Any = ABSENT) -> tuple[Place, ...] | None:
    """Where a value falls short of a state expression (fields that it does not name may be anything); else as `places`.

    What an operator asks stands in words: `before` may be `one of ["a","b"]`.
    """
    return _places(_literal(expected, actual, initial), actual, subset=True)


def _places(before: Any, after: Any, *, subset: bool) -> tuple[Place, ...] | None:
    if before is ABSENT or after is ABSENT:
        return () if before is after else (Place("", before, after),)
    texts = canonical(before), canonical(after)
    if max(len(text.encode()) for text in texts) > MOST:
        return None
    # Imported here: it takes longer to import than the command line to answer.
    from deepdiff import DeepDiff
    from deepdiff.helper import notpresent

    # From the text: DeepDiff tells a tuple from a list, and JSON does not.
    # By default it takes two objects that share few keys for two unlike values and names none of their fields.
    tree = DeepDiff(json.loads(texts[0]), json.loads(texts[1]), view="tree", threshold_to_diff_deeper=0)
    levels = [level for kind in tree.values() for level in kind]
    differences = []
    for level in levels:
        left, right = (ABSENT if value is notpresent else value for value in (level.t1, level.t2))
        path = level.path(output_format="list")
        unasked = subset and left is ABSENT and isinstance(path[-1], str)
        if not unasked and not same(left, right, RELATIVE if subset else EXACT):
            differences.append((path, left, right))
    differences.sort(key=lambda entry: [(isinstance(part, str), part) for part in entry[0]])
    return tuple(Place(pointers.join(map(str, path)), left, right) for path, left, right in differences)


def _literal(expected: Any, actual: Any, initial: Any) -> Any:
    """An expression as a value: where an operator is met, what is there; where it is not, its words."""
    if isinstance(expected, dict):
        if any(is_operator(key) for key in expected):
            return actual if matches(expected, actual, initial) else in_words(expected)
        fields = {key: _literal(want, below(actual, key), below(initial, key)) for key, want in expected.items()}
        return {key: value for key, value in fields.items() if value is not ABSENT}
    if isinstance(expected, (list, tuple)):
        return [_literal(want, item_at(actual, at), item_at(initial, at)) for at, want in enumerate(expected)]
    return expected


def row_lines(states: StateTable, row: StateRow, step: int, cells: int) -> list[Line]:
    """A row that is not as expected, explained field by field after `step`; none where its own columns say all."""
    if row.status == "unexpected":
        pairs = [(row.path, places(row.expected, row.actual))]
    else:
        pairs = [
            (pointers.join(held.parts), places_short_of(held.expected, held.actual, held.initial))
            for held in states.held_against(row.path, step)
        ]
    more = [pair for pair in pairs if _says_more(row.path, *pair)]
    lines = [line for name, differing in more for line in place_lines(name, differing, cells)]
    return [((phrase("expected -> actual, field by field"), "head"),), *lines] if lines else []


def _says_more(path: str, name: str, differing: Sequence[Place] | None) -> bool:
    return differing is None or name != path or any(place.pointer for place in differing)


def place_lines(name: str, differing: Sequence[Place] | None, cells: int) -> list[Line]:
    """A line of at most `cells` columns for each place of what is called `name`: where, before, after."""
    if differing is None:
        return [((f"{name.strip()}: {phrase('too large to explain')}", "dim"),)]
    out: list[Line] = []
    for place in differing[:SHOWN]:
        before, after = (one_line(text) for text in _from_difference(shown(place.before), shown(place.after)))
        where = _cut(one_line(name + place.pointer).strip(), max(8, cells // 2))
        room = max(12, cells - width(where) - 6)
        before = _cut(before, max(room // 2, room - width(after)))
        out.append(
            ((f"{where}: ", "text"), (before, "removed"), (" -> ", "dim"), (_cut(after, room - width(before)), "added"))
        )
    if len(differing) > SHOWN:
        out.append(((phrase("{name}: {n} more", name=name.strip(), n=len(differing) - SHOWN), "dim"),))
    return out


def _cut(text: str, cells: int) -> str:
    return text if width(text) <= cells else fit(text, cells)


def _from_difference(before: str, after: str) -> Iterator[str]:
    """Both texts without all but the last characters of what they begin with alike."""
    alike = next((at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), None)
    start = (min(len(before), len(after)) if alike is None else alike) - _KEPT
    return (("…" + text[start:]) if start > 1 else text for text in (before, after))


def places_json(differing: Sequence[Place] | None) -> list[dict[str, Any]] | None:
    """The places as `--json` prints them; null where the values are too large to explain."""
    if differing is None:
        return None
    return [
        {"pointer": place.pointer, "before": plain(place.before), "after": plain(place.after)} for place in differing
    ]
