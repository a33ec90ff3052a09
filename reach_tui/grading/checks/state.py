"""The outcome by state: what is missing, what is wrong, what changed that nobody asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reach_tui.core.absent import ABSENT
from reach_tui.core.grading import CheckKind, CheckResult, StateStatus
from reach_tui.core.history import AT_END
from reach_tui.grading.checks import check
from reach_tui.grading.state.comparison import CREATED, DELETED, Comparison, Difference
from reach_tui.grading.state.expectations import VALUE
from reach_tui.grading.state.explanations import Mismatch, show
from reach_tui.grading.state.row_history import RowHistory, as_expected, near_miss

MOST_LISTED = 100
"""Unexpected changes listed one by one; a run-away trial's further ones are counted."""


def state_checks(comparison: Comparison, judged: bool) -> Iterator[CheckResult]:
    """A check for every expected row and every unexpected change; one that passed where nothing else changed."""
    for row in comparison.rows:
        yield _row_check(row, comparison)
    if not judged:
        return
    unexpected = comparison.unexpected()
    named = {row.expected.parts[1] for row in comparison.rows if len(row.expected.parts) > 1}
    for difference in unexpected[:MOST_LISTED]:
        yield _unexpected_check(difference, named)
    if len(unexpected) > MOST_LISTED:
        more = len(unexpected) - MOST_LISTED
        yield check("state_unexpected", False, f"{more} further changes that were neither expected nor allowed")
    if not unexpected:
        words = "nothing else changed" if comparison.rows else "nothing changed"
        yield check("state_unexpected", True, words)


def _row_check(row: RowHistory, comparison: Comparison) -> CheckResult:
    expected, last = row.expected, len(row.oks) - 1
    status = row.status(last)
    mismatches = () if status == "match" else row.explain(comparison.history, AT_END)
    trouble = row.trouble or next((mismatch.why for mismatch in mismatches if mismatch.trouble), None)
    kind: CheckKind = "state"
    held: bool | None = True
    if status == "match":
        why = f"{expected.path} is as expected"
    elif trouble is not None:
        held, why = None, f"{expected.path}: {trouble}"
    else:
        kind = "state_missing" if status == "missing" else "state_wrong"
        held, why = False, f"{expected.path}: {_reason(row, mismatches, status, comparison)}"
    return check(
        kind, held, why, path=expected.path, expected=expected.shown, actual=row.values[last], step=row.steps[last]
    )


def _reason(row: RowHistory, mismatches: Sequence[Mismatch], status: StateStatus, comparison: Comparison) -> str:
    first = mismatches[0].why if mismatches else f"expected {as_expected(row)}"
    if row.expected.form != VALUE and status != "missing":
        first = near_miss(row, comparison.history, AT_END) or first
    if status == "lost":
        return f"was right and was lost again at step {row.steps[-1]}: {first}"
    if status == "missing" and row.expected.form == VALUE:
        return first if row.initial is ABSENT else f"{first}, as at the start"
    if row.expected.form != VALUE:
        return f"expected {as_expected(row)}, found {row.values[-1]}" + (f": {first}" if status != "missing" else "")
    return first


def _unexpected_check(difference: Difference, named: set[str]) -> CheckResult:
    known = not named or (len(difference.parts) > 1 and difference.parts[1] in named)
    where = "" if known else ", on a record that the task does not name"
    if difference.kind in (CREATED, DELETED):
        what = f"was {difference.kind}{where}: {show(difference.new if difference.kind == CREATED else difference.old)}"
    else:
        what = f"changed from {show(difference.old)} to {show(difference.new)}{where}"
    return check(
        "state_unexpected",
        False,
        f"{difference.path} {what}",
        path=difference.path,
        expected=difference.old,
        actual=difference.new,
        step=difference.since,
    )
