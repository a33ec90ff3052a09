"""The one sentence beside a status."""

from __future__ import annotations

from collections.abc import Sequence

from reach_tui.core.grading import CheckResult, TrialStatus
from reach_tui.core.task import AcceptableState, Task
from reach_tui.core.trajectory import Trajectory

_ENDS = {
    "step_limit": "the trial ended at its step limit", "token_limit": "the trial ended at its token limit",
    "time_limit": "the trial ran out of time", "cost_limit": "the trial ended at its cost limit",
    "loop": "the trial was stopped in a loop", "user_left": "the user left",
}  # fmt: skip
_FIRST = (
    "state_unexpected", "state_wrong", "state_missing", "forbidden", "constraint", "asked", "write", "refusal", "told",
    "text", "tools",
)  # fmt: skip
"""The order in which failing checks are named: harm before omission, state before words."""


def reason(
    status: TrialStatus, task: Task, trajectory: Trajectory, outcome: AcceptableState, checks: Sequence[CheckResult]
) -> str:
    """Why the trial has its status, with what ended it if that was not the agent's last word."""
    words = _words(status, task, trajectory, outcome, checks)
    end = _ENDS.get(trajectory.end_reason)
    if end is not None and status in ("passed", "partial", "failed", "unscored"):
        words = f"{words}; {end}"
    return words


def _words(
    status: TrialStatus, task: Task, trajectory: Trajectory, outcome: AcceptableState, checks: Sequence[CheckResult]
) -> str:
    if status in ("partial", "failed"):
        return _failed(status, checks)
    if status == "passed":
        return _passed(task, outcome, checks)
    if status == "grader_error":
        return next((one.why for one in checks if one.decides and one.verdict == "skipped"), "a check is undecided")
    if status == "unscored":
        if checks_declared(checks):
            return "no state is known, and the task expects one"
        return "no deciding check: nothing says when this task is done"
    ends = {"cancelled": "cancelled", "interrupted": "interrupted before its end"}
    return trajectory.end_text or ends.get(status) or f"ended by {status}"


def checks_declared(checks: Sequence[CheckResult]) -> bool:
    """Whether any row of an expected state was looked at."""
    return any(one.kind in ("state", "state_missing", "state_wrong") for one in checks)


def _passed(task: Task, outcome: AcceptableState, checks: Sequence[CheckResult]) -> str:
    rows = sum(one.kind == "state" for one in checks)
    others = sum(one.decides and one.kind not in ("state", "state_unexpected") for one in checks)
    parts = []
    if rows:
        parts.append(f"{rows} expected {'value is' if rows == 1 else 'values are'} there and nothing else changed")
    elif any(one.kind == "state_unexpected" for one in checks):
        parts.append("nothing changed")
    if others:
        parts.append(f"{others} further {'check holds' if others == 1 else 'checks hold'}")
    if outcome.name and len(task.outcomes) > 1:
        parts.append(f"outcome {outcome.name!r}")
    uncounted = sum(not one.decides and one.verdict == "fail" for one in checks)
    if uncounted:
        parts.append("1 check failed, does not count" if uncounted == 1 else f"{uncounted} checks failed, do not count")
    return "; ".join(parts) or "every deciding check holds"


def _failed(status: TrialStatus, checks: Sequence[CheckResult]) -> str:
    failing = [one for one in checks if one.decides and one.verdict != "pass"]
    failing.sort(key=lambda one: _FIRST.index(one.kind) if one.kind in _FIRST else len(_FIRST))
    words = failing[0].why if failing else "a deciding check failed"
    if len(failing) > 1:
        more = len(failing) - 1
        words = f"{words} (and {more} more {'check' if more == 1 else 'checks'})"
    if status == "partial":
        done = sum(one.kind == "state" and one.verdict == "pass" for one in checks)
        words = f"{done} of {done + _rows_failing(checks)} expected values are there, nothing else changed; {words}"
    return words


def _rows_failing(checks: Sequence[CheckResult]) -> int:
    return sum(one.kind in ("state_missing", "state_wrong") for one in checks)
