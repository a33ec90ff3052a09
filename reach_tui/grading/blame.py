"""Why a trial failed, whose fault it was and where: the first rule that holds, in a fixed order of blame.

Infrastructure, then tools, then user and grader, then the agent's first write that did harm, then what it claimed,
then what it left out, then what it did not say. What no rule can state honestly is `unclassified`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reach_tui.core.faults import SPOILS
from reach_tui.core.grading import CheckKind, CheckResult, Claim, Deviation, FailureMode, Owner, TrialStatus
from reach_tui.core.trajectory import FAULT, LATE, Step
from reach_tui.grading.detectors import FALSE_CLAIM, LOOP, last_failed_write
from reach_tui.grading.evidence import Evidence, args_of, succeeded, writes
from reach_tui.grading.misuse import Calls, argument_fault, expected_calls, misuse, wrong_argument
from reach_tui.grading.state.comparison import Comparison


def offending_steps(comparison: Comparison, judged: bool) -> list[int]:
    """The steps that brought about what is wrong or unexpected at the end, rising."""
    steps = {row.off_since() for row in comparison.wrong()}
    if judged:
        steps |= {comparison.off_since(difference) for difference in comparison.unexpected()}
    return sorted(step for step in steps if step > 0)


def parting_step(comparison: Comparison, judged: bool, claims: Sequence[Claim], evidence: Evidence) -> int | None:
    """The first step whose write is wrong or unexpected to the end. Where writes are only missing: the step at which
    the agent claimed one of them, else its final message, else the last step. None where the state is as expected.
    """
    offending = offending_steps(comparison, judged)
    if offending:
        return offending[0]
    missing = {row.expected.path for row in comparison.missing()}
    if not missing:
        return None
    claimed = [claim.step for claim in claims if claim.supported is False and claim.pointer in missing]
    if claimed:
        return min(claimed)
    final = evidence.final_message
    return final.step.n if final is not None else evidence.last_step or None


LIMITS: Mapping[str, FailureMode] = {
    "step_limit": "planning:ran_out_of_steps", "loop": "planning:loop", "token_limit": "other:token_limit",
    "time_limit": "other:time_limit", "cost_limit": "other:cost_limit",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Blame:
    """Mode with its sub-class, owner, decisive step."""

    mode: FailureMode | None
    owner: Owner | None
    step: int | None


@dataclass(frozen=True, slots=True)
class Failure:
    """What the rules of blame look at."""

    evidence: Evidence
    comparison: Comparison
    judged: bool
    checks: Sequence[CheckResult]
    deviations: Sequence[Deviation]
    claims: Sequence[Claim]
    parting: int | None

    def failing(self, *kinds: CheckKind) -> list[CheckResult]:
        """The deciding checks of these kinds that failed."""
        return [check for check in self.checks if check.decides and check.verdict == "fail" and check.kind in kinds]

    @property
    def end(self) -> int | None:
        """The agent's final message, else the last step."""
        final = self.evidence.final_message
        return final.step.n if final is not None else self.evidence.last_step or None


def not_counted(status: TrialStatus, evidence: Evidence) -> Blame:
    """Owner and step of a trial that is not counted; it has no failure mode."""
    owners: Mapping[TrialStatus, Owner] = {
        "infra_error": "infrastructure",
        "simulator_error": "user",
        "grader_error": "grader",
    }
    if status not in owners:
        return Blame(None, None, None)
    broke = [step.n for step in evidence.trajectory.steps if step.kind == "error"]
    return Blame(None, owners[status], broke[-1] if broke else evidence.last_step or None)


def blame(failure: Failure) -> Blame:
    """The first rule that names a cause."""
    for rule in RULES:
        cause = rule(failure)
        if cause is not None:
            return cause
    return Blame("unclassified", "agent", failure.parting or failure.end)


def _tool_fault(failure: Failure) -> Blame | None:
    """A call that an injected fault or the clock broke, and whose tool never answered soundly afterwards.

    A refusal is a sound answer: a tool that says no to wrong arguments works. Nor does a fault excuse what the agent
    says that another tool had done.
    """
    calls = failure.evidence.calls
    broken = [step for step in calls if _broken(step)]
    for step in broken:
        if not any(o.n > step.n and o.tool == step.tool and not _broken(o) for o in calls):
            lied = {c.tool for c in failure.claims if c.supported is False and c.tool} - {b.tool for b in broken}
            return None if lied else Blame("other:tool_fault", "tool", step.n)
    return None


def _broken(step: Step) -> bool:
    """Whether a fault or the clock left nothing to go by: an error, an empty list, half an answer."""
    spoiled = (step.body.get("fault") or {}).get("kind") in SPOILS
    return bool(step.flags & (FAULT | LATE)) and (spoiled or not succeeded(step))


def _user_or_grader(failure: Failure) -> Blame | None:
    if failure.evidence.trajectory.end_reason == "user_left":
        return Blame("other:user_left", "user", failure.evidence.last_step or None)
    if any(check.decides and check.verdict == "skipped" for check in failure.checks):
        return Blame("other:undecided_check", "grader", failure.end)
    return None


_HARM: tuple[tuple[CheckKind, FailureMode], ...] = (
    ("asked", "planning:never_asked"), ("forbidden", "tool:forbidden"), ("constraint", "argument:constraint"),
)  # fmt: skip
"""Checks whose failing step did harm by itself, the gravest first, with the mode they stand for."""


def _harmful_write(failure: Failure) -> Blame | None:
    """The first write that was forbidden, broke a constraint, came too early, or did what is wrong to the end."""
    candidates: list[tuple[int, int, FailureMode | None]] = [
        (check.step, gravity, mode)
        for gravity, (kind, mode) in enumerate(_HARM)
        for check in failure.failing(kind)
        if check.step is not None
    ]
    candidates += [(step, len(_HARM), None) for step in offending_steps(failure.comparison, failure.judged)]
    if not candidates:
        return None
    number, _, mode = min(candidates, key=lambda candidate: candidate[:2])
    step = next((other for other in failure.evidence.trajectory.steps if other.n == number), None)
    if mode:
        return Blame(mode, "agent", number)
    if step is None or all(call is not step for call in failure.evidence.calls):
        return Blame("other:user_action", "user", number)
    mode_of_write = misuse(step, failure.evidence, failure.comparison, failure.deviations)
    return Blame(mode_of_write or "unclassified", "agent", number)


def _false_claim(failure: Failure) -> Blame | None:
    claimed = [deviation for deviation in failure.deviations if deviation.detector == FALSE_CLAIM]
    return Blame("hallucination:false_completion", "agent", claimed[0].step) if claimed else None


def _failed_write(failure: Failure) -> Blame | None:
    """The write was tried, refused, and left at that."""
    if not failure.failing("state_missing", "write"):
        return None
    step = last_failed_write(failure.evidence)
    if step is None:
        return None
    spec = failure.evidence.spec(step)
    expected = expected_calls(failure.evidence)
    if spec is None or (expected and step.tool not in expected):
        return Blame("tool:wrong_tool", "agent", step.n)
    if argument_fault(step, spec) is not None:
        return Blame("argument:rejected", "agent", step.n)
    known = [args for args in expected.get(step.tool or "", ()) if args]
    mode = wrong_argument(args_of(step), known) if known else None
    return Blame(mode or "drift:abandoned_error", "agent", step.n)


def _limit(failure: Failure) -> Blame | None:
    mode = LIMITS.get(failure.evidence.trajectory.end_reason)
    loops = [deviation for deviation in failure.deviations if deviation.detector == LOOP]
    if loops and mode is not None:
        return Blame("planning:loop", "agent", loops[0].step)
    return Blame(mode, "agent", failure.evidence.last_step or None) if mode else None


def _never_attempted(failure: Failure) -> Blame | None:
    """Writes are missing and were never tried: something else was called, something was asked, or nothing done."""
    if failure.failing("asked"):
        return Blame("planning:never_asked", "agent", failure.end)
    if not failure.failing("state_missing", "write"):
        return None
    if not failure.evidence.calls:
        return Blame("planning:nothing_tried", "agent", failure.end)
    return Blame("planning:gave_up", "agent", failure.end)


def _refusal(failure: Failure) -> Blame | None:
    return Blame("planning:policy_misjudged", "agent", failure.end) if failure.failing("refusal") else None


def _wrong_reads(failure: Failure) -> Blame | None:
    """The answer lacks what it needed: the call that would have shown it was another, other arguments, or not made."""
    if not failure.failing("text", "told", "tools"):
        return None
    expected, calls = expected_calls(failure.evidence), failure.evidence.calls
    never = [tool for tool in expected if not any(step.tool == tool for step in calls)]
    if never:
        return _instead_of(never[0], failure, expected)
    for step in calls:
        known = [args for args in expected.get(step.tool or "", ()) if args]
        mode = wrong_argument(args_of(step), known) if known else None
        if mode is not None and not _also_right(step, known, failure):
            return Blame(mode, "agent", step.n)
    # What a refusal or a broken tool is told by is an error, so that failing is no fault of the agent's there.
    failed = [step for step in calls if step.tool in expected and not any(_worked(other, step) for other in calls)]
    if failed and failure.evidence.task.kind != "refuse":
        spec = failure.evidence.spec(failed[-1])
        fault = spec is not None and argument_fault(failed[-1], spec) is not None
        return Blame("argument:rejected" if fault else "drift:abandoned_error", "agent", failed[-1].n)
    if failure.failing("text", "told"):
        return Blame("other:not_told", "agent", failure.end)
    return None


def _worked(step: Step, like: Step) -> bool:
    return step.tool == like.tool and succeeded(step)


def _instead_of(tool: str, failure: Failure, expected: Calls) -> Blame:
    """A neighbour of the same effect was called in its place, or nothing was."""
    evidence = failure.evidence
    spec = evidence.specs.get(tool)
    effect = spec.effect if spec is not None else "read"
    for step in evidence.calls:
        other = "write" if writes(step, evidence.specs) else "read"
        if step.tool not in expected and other == effect:
            return Blame("tool:wrong_tool", "agent", step.n)
    return Blame("planning:not_looked_up" if effect == "read" else "planning:gave_up", "agent", failure.end)


def _also_right(step: Step, known: list[dict[str, Any]], failure: Failure) -> bool:
    """Whether the same tool was also called as expected: a further call with other arguments is no fault then."""
    others = [other for other in failure.evidence.calls if other.tool == step.tool]
    return any(wrong_argument(args_of(other), known) is None for other in others)


RULES: tuple[Callable[[Failure], Blame | None], ...] = (
    _tool_fault, _user_or_grader, _harmful_write, _false_claim, _failed_write, _limit, _never_attempted, _refusal,
    _wrong_reads,
)  # fmt: skip
