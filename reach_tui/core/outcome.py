"""How trials and runs end: the words of the product, and what a grading holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PASSED, PARTIAL, FAILED = "passed", "partial", "failed"
COUNTED = (PASSED, PARTIAL, FAILED)
NOT_COUNTED = ("unscored", "infra_error", "grader_error", "simulator_error", "cancelled", "interrupted")
RUNNING = "running"
TRIAL_STATUSES = (*COUNTED, *NOT_COUNTED, RUNNING)

RUN_STATUSES = ("queued", "running", "paused", "ended", "cancelled", "interrupted")

ANSWERED = "answered"
"""The agent gave its last word and the user had no more to say."""
END_REASONS = (
    ANSWERED, "step_limit", "token_limit", "time_limit", "cost_limit", "loop", "infra_error", "simulator_error",
    "cancelled", "interrupted", "user_left", "unknown",
)  # fmt: skip

OWNERS = ("agent", "user", "grader", "tool", "infrastructure")

MODES = ("planning", "tool", "argument", "drift", "hallucination", "other", "unclassified")
"""Failure modes; keys 1 to 6 of the label bar are the first six. A sub-class follows a colon: `planning:gave_up`."""

MATCH, WRONG, MISSING, UNEXPECTED, LOST = "match", "wrong", "missing", "unexpected", "lost"
SIGNS = {MATCH: "=", WRONG: "!", MISSING: ".", UNEXPECTED: "+", LOST: "~"}

VERDICTS = ("cause", "harmful", "not_a_cause", "partial", "inconclusive")
SCOPES = ("this_step", "these_tasks", "tasks_like_these")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check of a grading. `verdict` is "pass", "fail" or "skipped"; only checks with `decides` make the status.

    `kind` is one of: state_missing, state_wrong, state_unexpected, state, text, asked, told, tools, forbidden,
    constraint, write, refusal, custom. `step` is where it was decided, if a step can be named.
    """

    kind: str
    decides: bool
    verdict: str
    why: str
    path: str | None = None
    expected: Any = None
    actual: Any = None
    step: int | None = None


@dataclass(frozen=True, slots=True)
class MilestoneResult:
    """One milestone: "reached" at `step`, or "missed"."""

    name: str
    verdict: str
    step: int | None = None
    expected: Any = None
    actual: Any = None


@dataclass(frozen=True, slots=True)
class Deviation:
    """A derailing event, with the steps that show it."""

    detector: str
    step: int
    evidence: str
    tool: str | None = None
    last_step: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the agent about the world, at `step`; `span` is its words.

    `pointer` and `value` name the state it speaks of, where that can be said; `supported` is whether a successful
    write at or before that step bears it out (None: cannot be told); `tool` is the write it would take.
    """

    step: int
    span: str
    pointer: str | None = None
    value: Any = None
    supported: bool | None = None
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class Grading:
    """What a trial came to, and why. `step` is the decisive step, `parting` the first where state parts from expected.

    `depth` counts the milestones reached in order from the first, of `depth_of`.
    """

    version: str
    oracle: bytes
    status: str
    why: str
    mode: str | None = None
    owner: str | None = None
    step: int | None = None
    parting: int | None = None
    depth: int = 0
    depth_of: int = 0
    checks: tuple[CheckResult, ...] = ()
    milestones: tuple[MilestoneResult, ...] = ()
    deviations: tuple[Deviation, ...] = ()
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class StateRow:
    """One row of the state table at a step. Values are as shown; ABSENT where there is none; `status` as in SIGNS."""

    path: str
    expected: Any
    actual: Any
    claimed: Any
    status: str
    since_step: int
    note: str = ""
