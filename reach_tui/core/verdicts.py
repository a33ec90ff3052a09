"""The closed sets of words in which experiments are planned and judged, without the records made of them."""

from __future__ import annotations

from typing import Literal

VerdictWord = Literal["cause", "harmful", "not_a_cause", "partial", "inconclusive"]
Scope = Literal["this_step", "these_tasks", "tasks_like_these"]
StopReason = Literal["complete", "effect", "no_sign_of_help"]
ManipulationStatus = Literal["seen", "failed", "not_observable"]
PlaceboMode = Literal["auto", "on", "off"]
PlaceboStart = Literal["from_start", "when_needed", "never"]
StratumName = Literal["chosen", "passing"]
Fate = Literal["fixed", "broken", "rose", "fell", "unchanged", "not_counted"]
"""What became of a task from control to branch: it changed sides of the majority, moved without that, or stood."""
MetricName = Literal[
    "pass rate", "reached once", "reached by majority", "milestones reached", "tool calls", "model turns", "tokens"
]
SHARES: tuple[MetricName, ...] = ("pass rate", "reached once", "reached by majority", "milestones reached")
"""The metrics that are shares; the others are counts."""
