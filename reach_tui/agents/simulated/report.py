"""What became of a goal, for the answer and for the goals after it."""

from __future__ import annotations

from dataclasses import dataclass

from reach_tui.agents.simulated.catalogue import Tool
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.situation import Call, Fact

DONE, REFUSED, SKIPPED, UNMET, IMPOSSIBLE, FORGOTTEN, UNSUPPORTED, NONE_FITS, PICKED, FORBIDDEN, UNKNOWN = (
    "done", "refused", "skipped", "unmet", "impossible", "forgotten", "unsupported", "none_fits", "picked",
    "forbidden", "unknown",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Report:
    """`state` is one of the names above. `calls` are those that count for it, `failed` those refused, `facts` records
    that answer it without a call of its own."""

    goal: Goal
    state: str
    tool: Tool | None = None
    calls: tuple[Call, ...] = ()
    failed: tuple[Call, ...] = ()
    facts: tuple[Fact, ...] = ()
