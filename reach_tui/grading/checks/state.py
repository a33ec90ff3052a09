"""The outcome by state: what is missing, what is wrong, what changed that nobody asked for."""

from __future__ import annotations

from collections.abc import Iterator

from reach_tui.core.absent import ABSENT
from reach_tui.core.grading import CheckKind, CheckResult, StateStatus
from reach_tui.core.history import AT_END
from reach_tui.grading.checks import check
from reach_tui.grading.state.comparison import CREATED, DELETED, Comparison, Difference
from reach_tui.grading.state.expectations import VALUE
from reach_tui.grading.state.explanations import show
from reach_tui.grading.state.row_history import Track, as_expected, near_miss

MOST_LISTED = 100
"""Unexpected changes listed one by one; a run-away trial's further ones are counted."""


def state_checks(comparison: Comparison, judged: bool) -> Iterator[CheckResult]:
    """A check for every expected row and every unexpected change; one that passed where nothing else changed."""
    for track in comparison.tracks:
        yield _row_check(track, comparison)
    if not judged:
        return
    unexpected = comparison.unexpected()
    named = {one.row.parts[1] for one in comparison.tracks if len(one.row.parts) > 1}
    for one in unexpected[:MOST_LISTED]:
        yield _unexpected_check(one, named)
    if len(unexpected) > MOST_LISTED:
        more = len(unexpected) - MOST_LISTED
        yield check("state_unexpected", False, f"{more} further changes that were neither expected nor allowed")
    if not unexpected:
        words = "nothing else changed" if comparison.tracks else "nothing changed"
        yield check("state_unexpected", True, words)


def _row_check(track: Track, comparison: Comparison) -> CheckResult:
    last = len(track.oks) - 1
    row, status, value, since = track.row, track.status(last), track.values[last], track.steps[last]
    if status == "match":
        return check(
            "state", True, f"{row.path} is as expected", path=row.path, expected=row.shown, actual=value, step=since
        )
    found = track.explain(comparison.history, AT_END)
    if track.trouble is not None or any(one.trouble for one in found):
        trouble = track.trouble or next(one.why for one in found if one.trouble)
        return check(
            "state", None, f"{row.path}: {trouble}", path=row.path, expected=row.shown, actual=value, step=since
        )
    kind: CheckKind = "state_missing" if status == "missing" else "state_wrong"
    why = f"{row.path}: {_reason(track, comparison, status)}"
    return check(kind, False, why, path=row.path, expected=row.shown, actual=value, step=since)


def _reason(track: Track, comparison: Comparison, status: StateStatus) -> str:
    found = track.explain(comparison.history, AT_END)
    first = found[0].why if found else f"expected {as_expected(track)}"
    if track.row.form != VALUE and status != "missing":
        first = near_miss(track, comparison.history, AT_END) or first
    if status == "lost":
        return f"was right and was lost again at step {track.steps[-1]}: {first}"
    if status == "missing" and track.row.form == VALUE:
        return first if track.initial is ABSENT else f"{first}, as at the start"
    if track.row.form != VALUE:
        return f"expected {as_expected(track)}, found {track.values[-1]}" + (
            f": {first}" if status != "missing" else ""
        )
    return first


def _unexpected_check(one: Difference, named: set[str]) -> CheckResult:
    known = not named or (len(one.parts) > 1 and one.parts[1] in named)
    where = "" if known else ", on a record that the task does not name"
    if one.kind in (CREATED, DELETED):
        what = f"was {one.kind}{where}: {show(one.new if one.kind == CREATED else one.old)}"
    else:
        what = f"changed from {show(one.old)} to {show(one.new)}{where}"
    return check(
        "state_unexpected", False, f"{one.path} {what}", path=one.path, expected=one.old, actual=one.new, step=one.since
    )
