"""What a trial came to and why: the closed sets of words of a grading, and its records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

CountedStatus = Literal["passed", "partial", "failed"]
NotCountedStatus = Literal["unscored", "infra_error", "grader_error", "simulator_error", "cancelled", "interrupted"]
TrialStatus = Literal[CountedStatus, NotCountedStatus, "running"]
COUNTED: tuple[CountedStatus, ...] = get_args(CountedStatus)
"""The statuses that make up the denominator of every share."""
NOT_COUNTED: tuple[NotCountedStatus, ...] = get_args(NotCountedStatus)
TRIAL_STATUSES: tuple[TrialStatus, ...] = get_args(TrialStatus)

Owner = Literal["agent", "user", "grader", "tool", "infrastructure"]
OWNERS: tuple[Owner, ...] = get_args(Owner)

FailureMode = Literal[
    "planning:gave_up",
    "planning:loop",
    "planning:never_asked",
    "planning:not_looked_up",
    "planning:nothing_tried",
    "planning:policy_misjudged",
    "planning:ran_out_of_steps",
    "tool:forbidden",
    "tool:write_in_query",
    "tool:wrong_tool",
    "argument:constraint",
    "argument:left_out",
    "argument:rejected",
    "argument:ungrounded",
    "argument:wrong_record",
    "argument:wrong_value",
    "drift:abandoned_error",
    "drift:repeated_write",
    "hallucination:false_completion",
    "other:cost_limit",
    "other:not_told",
    "other:time_limit",
    "other:token_limit",
    "other:tool_fault",
    "other:undecided_check",
    "other:user_action",
    "other:user_left",
    "unclassified",
]
"""What the rules of blame can name: a family and, behind the colon, its sub-class."""
ModeFamily = Literal[
    "planning", "tool", "argument", "reading", "drift", "hallucination", "format", "other", "unclassified"
]
"""The families; those of the label bar are all but the last, keys 1 to 8 in this order."""
MODE_FAMILIES: tuple[ModeFamily, ...] = get_args(ModeFamily)

CheckKind = Literal[
    "state_missing",
    "state_wrong",
    "state_unexpected",
    "state",
    "text",
    "asked",
    "told",
    "tools",
    "forbidden",
    "constraint",
    "write",
    "refusal",
    "custom",
]
CheckVerdict = Literal["pass", "fail", "skipped"]
MilestoneVerdict = Literal["reached", "missed"]

StateStatus = Literal["match", "wrong", "missing", "unexpected", "lost"]
"""How a row of the state table stands to what is expected of it. `lost`: it was right before and is not any more."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check of a grading; only checks with `decides` make the status. `step`: where it was decided, if known."""

    kind: CheckKind
    decides: bool
    verdict: CheckVerdict
    why: str
    path: str | None = None
    expected: Any = None
    actual: Any = None
    step: int | None = None


@dataclass(frozen=True, slots=True)
class MilestoneResult:
    """One milestone, reached at `step` or missed."""

    name: str
    verdict: MilestoneVerdict
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
    status: TrialStatus
    why: str
    mode: FailureMode | None = None
    owner: Owner | None = None
    step: int | None = None
    parting: int | None = None
    depth: int = 0
    depth_of: int = 0
    checks: tuple[CheckResult, ...] = ()
    milestones: tuple[MilestoneResult, ...] = ()
    deviations: tuple[Deviation, ...] = ()
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class GradingHead:
    """What lists show of a trial's current grading; all but `status` is None before there is one."""

    status: TrialStatus
    mode: FailureMode | None
    owner: Owner | None
    decisive_step: int | None
    depth: int | None
    depth_of: int | None
    why: str | None


@dataclass(frozen=True, slots=True)
class StateRow:
    """One row of the state table at a step. Values are as shown; ABSENT where there is none."""

    path: str
    expected: Any
    actual: Any
    claimed: Any
    status: StateStatus
    since_step: int
    note: str = ""
