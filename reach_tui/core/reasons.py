"""Why something was decided: a word of a closed set with its numbers. The sentence is made where it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

VerdictReason = Literal[
    "nothing_compared",
    "arms_differ",
    "manipulation_failed",
    "too_much_not_counted",
    "copies",
    "no_wide_verdict",
    "too_few_moved",
    "within_margin",
    "not_told_apart",
    "no_sign_of_help",
    "effect_shown",
    "placebo_missing",
    "beats_placebo",
    "no_better_than_placebo",
    "no_worse_than_placebo",
    "milestones_like_placebo",
    "milestones_only",
]
CheckReason = Literal["request_differs", "no_request_kept", "fault_never_fired", "context_never_cut"]
PlanReason = Literal[
    "no_wide_verdict_possible",
    "too_few_for_power",
    "tool_not_offered",
    "fault_elsewhere",
    "chosen_by_one_trial",
    "no_placebo_planned",
    "text_leaks",
    "parent_unfinished",
]
SelectionReason = Literal["selected", "marked", "failing", "all_failing", "passing"]
ComparisonReason = Literal[
    "nothing_shared", "setup_unknown", "no_difference", "several_parts", "one_part", "same_experiment", "all_had_failed"
]
ReasonCode = Literal[VerdictReason, CheckReason, PlanReason, SelectionReason, ComparisonReason, "as_written"]
"""`as_written` holds a sentence (`text`) that a release before these words had stored."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason. `values` are the numbers and names of its sentence: JSON values, by name."""

    code: ReasonCode
    values: Mapping[str, Any] = field(default_factory=dict)
