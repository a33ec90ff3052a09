"""The remark beside a row of the state table: what its values alone do not say."""

from __future__ import annotations

from typing import Any

from reach_tui.core.history import StateHistory
from reach_tui.grading.equality import type_word
from reach_tui.grading.state.expectations import ALL, ANY
from reach_tui.grading.state.row_history import Track, near_miss


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
