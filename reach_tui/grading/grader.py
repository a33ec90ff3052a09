"""Grade a trial: the end of the trial, the outcome by state, what was said, milestones, process, claims, blame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reach_tui.core.grading import CheckResult, Grading, TrialStatus
from reach_tui.core.task import AcceptableState, Task
from reach_tui.core.tools import ToolSpec
from reach_tui.core.trajectory import EndReason, Trajectory
from reach_tui.grading import GRADER_VERSION
from reach_tui.grading.blame import Blame, Failure, blame, not_counted, parting_step
from reach_tui.grading.checks.calls import constraint_checks, forbidden_checks, tool_checks, write_checks
from reach_tui.grading.checks.said import asked_checks, refusal_check, word_checks
from reach_tui.grading.checks.state import state_checks
from reach_tui.grading.claims.statements import claims_of
from reach_tui.grading.detectors import deviations_of, installed_version
from reach_tui.grading.evidence import Evidence
from reach_tui.grading.milestones import milestones_of
from reach_tui.grading.state.comparison import Comparison, comparisons, judges_changes

NOT_GRADED: Mapping[EndReason, TrialStatus] = {
    "infra_error": "infra_error", "simulator_error": "simulator_error", "cancelled": "cancelled",
    "interrupted": "interrupted",
}  # fmt: skip
"""End reasons after which the state says nothing of the agent, with their status."""

_HARMLESS = ("state_missing", "state_wrong", "text", "told", "write")
"""Kinds of check that may fail in a trial that did some of its work."""


def grader_version() -> str:
    """The version of gradings made here and now: ours, and the detectors that are installed beside it."""
    return GRADER_VERSION + installed_version()


def grade(task: Task, trajectory: Trajectory, specs: Mapping[str, ToolSpec]) -> Grading:
    """What the trial came to. Pure and deterministic; `specs` are the tools of the trial's world by name.

    Decides by the acceptable outcome that the trial meets, else by the one it comes closest to. Never raises for what a
    trajectory holds.
    """
    evidence = Evidence.of(task, trajectory, specs)
    judged = judges_changes(task)
    shared = [*forbidden_checks(evidence), *constraint_checks(evidence), *tool_checks(evidence)]
    outcome, comparison, own = _closest(evidence, judged)
    checks = (*own, *shared)
    rows = [row.expected for row in comparison.rows]
    claims = claims_of(evidence, rows)
    deviations = deviations_of(evidence, claims)
    milestones, depth = milestones_of(evidence)
    status = _status(task, trajectory, checks, comparison)
    parting, cause = None, Blame(None, None, None)
    if status in ("failed", "partial"):
        parting = parting_step(comparison, judged, claims, evidence)
        cause = blame(Failure(evidence, comparison, judged, checks, deviations, claims, parting))
    elif status != "passed":
        cause = not_counted(status, evidence)
    return Grading(
        version=grader_version(),
        oracle=task.oracle,
        status=status,
        why=reason(status, task, trajectory, outcome, checks),
        mode=cause.mode,
        owner=cause.owner,
        step=cause.step,
        parting=parting,
        depth=depth,
        depth_of=len(milestones),
        checks=checks,
        milestones=milestones,
        deviations=deviations,
        claims=claims,
    )


def _closest(evidence: Evidence, judged: bool) -> tuple[AcceptableState, Comparison, tuple[CheckResult, ...]]:
    """The outcome with the fewest failing checks on state, then on words; the first of equals."""
    best: tuple[tuple[int, int], AcceptableState, Comparison, tuple[CheckResult, ...]] | None = None
    for outcome, comparison in comparisons(evidence.task, evidence.history):
        state = tuple(state_checks(comparison, judged))
        rest = [*word_checks(outcome, evidence), *asked_checks(outcome.asked, evidence)]
        rest.extend(write_checks(outcome, evidence))
        if evidence.task.kind == "refuse":
            rest.append(refusal_check(outcome, evidence))
        score = (_failing(state), _failing(rest))
        if best is None or score < best[0]:
            best = (score, outcome, comparison, (*state, *rest))
    assert best is not None, "a task without outcomes is compared with an empty one"
    return best[1:]


def _failing(checks: Sequence[CheckResult]) -> int:
    return sum(check.decides and check.verdict != "pass" for check in checks)


def _status(task: Task, trajectory: Trajectory, checks: Sequence[CheckResult], comparison: Comparison) -> TrialStatus:
    if trajectory.end_reason in NOT_GRADED:
        return NOT_GRADED[trajectory.end_reason]
    if not _declared(task) or _state_unknown(task, trajectory):
        return "unscored"
    deciding = [check for check in checks if check.decides]
    failing = [check for check in deciding if check.verdict == "fail"]
    if not failing:
        return "grader_error" if any(check.verdict == "skipped" for check in deciding) else "passed"
    some = any(not row.oks[0] for row in comparison.right())
    missing = comparison.missing() or comparison.wrong()
    if some and missing and all(check.kind in _HARMLESS for check in failing):
        return "partial"
    return "failed"


def _state_unknown(task: Task, trajectory: Trajectory) -> bool:
    """Whether a state is expected of a log that holds none."""
    expected = any(outcome.state for outcome in task.outcomes)
    return expected and trajectory.initial is None and not any(step.changes for step in trajectory.steps)


def _declared(task: Task) -> bool:
    """Whether the task says anything by which a trial can be judged; guards that come with its kind do not count."""
    if task.kind == "refuse" or task.forbidden or task.constraints or task.body.get("confirm") is True:
        return True
    if task.expected_tools and task.expected_tools.get("gate"):
        return True
    declared = any(outcome.state or outcome.must_include or outcome.told or outcome.asked for outcome in task.outcomes)
    return declared or (task.kind == "query" and bool(task.outcomes))


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
        undecided = [check.why for check in checks if check.decides and check.verdict == "skipped"]
        return undecided[0] if undecided else "a check is undecided"
    if status == "unscored":
        if checks_declared(checks):
            return "no state is known, and the task expects one"
        return "no deciding check: nothing says when this task is done"
    ends = {"cancelled": "cancelled", "interrupted": "interrupted before its end"}
    return trajectory.end_text or ends.get(status) or f"ended by {status}"


def checks_declared(checks: Sequence[CheckResult]) -> bool:
    """Whether any row of an expected state was looked at."""
    return any(check.kind in ("state", "state_missing", "state_wrong") for check in checks)


def _passed(task: Task, outcome: AcceptableState, checks: Sequence[CheckResult]) -> str:
    rows = sum(check.kind == "state" for check in checks)
    others = sum(check.decides and check.kind not in ("state", "state_unexpected") for check in checks)
    parts = []
    if rows:
        parts.append(f"{rows} expected {'value is' if rows == 1 else 'values are'} there and nothing else changed")
    elif any(check.kind == "state_unexpected" for check in checks):
        parts.append("nothing changed")
    if others:
        parts.append(f"{others} further {'check holds' if others == 1 else 'checks hold'}")
    if outcome.name and len(task.outcomes) > 1:
        parts.append(f"outcome {outcome.name!r}")
    uncounted = sum(not check.decides and check.verdict == "fail" for check in checks)
    if uncounted:
        parts.append("1 check failed, does not count" if uncounted == 1 else f"{uncounted} checks failed, do not count")
    return "; ".join(parts) or "every deciding check holds"


def _failed(status: TrialStatus, checks: Sequence[CheckResult]) -> str:
    failing = [check for check in checks if check.decides and check.verdict != "pass"]
    failing.sort(key=lambda check: _FIRST.index(check.kind) if check.kind in _FIRST else len(_FIRST))
    words = failing[0].why if failing else "a deciding check failed"
    if len(failing) > 1:
        more = len(failing) - 1
        words = f"{words} (and {more} more {'check' if more == 1 else 'checks'})"
    if status == "partial":
        done = sum(check.kind == "state" and check.verdict == "pass" for check in checks)
        words = f"{done} of {done + _rows_failing(checks)} expected values are there, nothing else changed; {words}"
    return words


def _rows_failing(checks: Sequence[CheckResult]) -> int:
    return sum(check.kind in ("state_missing", "state_wrong") for check in checks)
