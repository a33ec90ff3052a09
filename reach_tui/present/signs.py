"""The one table of signs: each sign is one cell wide and means one thing, on every screen and in every text.

Colour only repeats what a sign says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from reach_tui.core.grading import NOT_COUNTED, StateStatus, TrialStatus
from reach_tui.core.run import RunStatus
from reach_tui.core.trajectory import StepKind
from reach_tui.core.verdicts import Fate, VerdictWord
from reach_tui.present.cells import Piece
from reach_tui.present.language import phrase


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign with the role that colours it and what it means."""

    sign: str
    role: str
    meaning: str

    @property
    def piece(self) -> Piece:
        """The sign as drawn."""
        return self.sign, self.role


_NOT_COUNTED = Sign("-", "dim", "not counted")
TRIAL: Mapping[TrialStatus, Sign] = {
    "passed": Sign(".", "good", "passed"),
    "failed": Sign("x", "bad", "failed"),
    "partial": Sign("p", "warn", "partial"),
    **dict.fromkeys(NOT_COUNTED, _NOT_COUNTED),
    "running": Sign("~", "accent", "running"),
}

RUN: Mapping[RunStatus, Sign] = {
    "queued": Sign("q", "dim", "queued"),
    "running": TRIAL["running"],
    "paused": Sign("|", "warn", "paused"),
    "ended": Sign(" ", "", ""),
    "cancelled": Sign("/", "dim", "cancelled"),
    "interrupted": Sign("%", "warn", "interrupted"),
}

STATE: Mapping[StateStatus, Sign] = {
    "match": Sign("=", "good", "as expected"),
    "wrong": Sign("!", "bad", "wrong"),
    "missing": Sign("o", "warn", "expected, not there yet"),
    "unexpected": Sign("+", "warn", "an unexpected change"),
    "lost": Sign("?", "bad", "was right and is lost"),
}

StepMark = Literal["decisive", "parting", "error", "deviation", "fault", "write", "milestone"]
STEP: Mapping[StepMark, Sign] = {
    "decisive": Sign("*", "bad", "decisive"),
    "parting": Sign("{", "bad", "where things part: the state from what is expected, two trials from each other"),
    "error": Sign("e", "bad", "error"),
    "deviation": Sign("d", "warn", "deviation"),
    "fault": Sign("f", "warn", "fault injected"),
    "write": Sign("w", "good", "changed the state"),
    "milestone": Sign("m", "good", "milestone reached"),
}
"""What a step may carry, the gravest first."""

SPEAKER: Mapping[StepKind, Sign] = {
    "user": Sign("u", "accent", "user"),
    "agent": Sign("a", "text", "agent"),
    "call": Sign("t", "dim", "tool"),
    "notice": Sign("n", "warn", "notice"),
    "error": STEP["error"],
}
"""Who a step is by; an error outside the agent is by nobody."""

TASK: Mapping[Fate, Sign] = {
    "fixed": Sign("^", "good", "better"),
    "rose": Sign("^", "good", "better"),
    "broken": Sign("v", "bad", "worse"),
    "fell": Sign("v", "warn", "worse"),
    "unchanged": Sign(" ", "dim", ""),
    "not_counted": _NOT_COUNTED,
}
"""A task between two arms."""

PAIR: Mapping[Literal["parting", "unlike", "other_result"], Sign] = {
    "parting": STEP["parting"],
    "unlike": Sign(":", "warn", "the steps are not the same"),
    "other_result": Sign("r", "warn", "the same call gave something else"),
}
"""Two steps side by side; where they are the same there is no sign."""

HERE = Sign(">", "lit", "the step that is shown")
MARKED = Sign("#", "key", "marked")

VERDICT_ROLES: Mapping[VerdictWord, str] = {
    "cause": "good", "harmful": "bad", "partial": "warn", "not_a_cause": "dim", "inconclusive": "warn",
}  # fmt: skip


def legend() -> list[tuple[str, list[Sign]]]:
    """Every sign with its meaning, once, by family: what the help and the docs list."""
    families: Sequence[tuple[str, Sequence[Sign]]] = (
        ("a trial", [TRIAL["passed"], TRIAL["failed"], TRIAL["partial"], _NOT_COUNTED, TRIAL["running"]]),
        ("a run", [sign for status, sign in RUN.items() if status not in ("running", "ended")]),
        ("a row of state", list(STATE.values())),
        ("a step", [*STEP.values(), HERE]),
        ("who a step is by", [SPEAKER[kind] for kind in ("user", "agent", "call", "notice")]),
        ("a task between two arms", [TASK["fixed"], TASK["broken"]]),
        ("two steps side by side", [PAIR["unlike"], PAIR["other_result"]]),
        ("a row of a list", [MARKED]),
    )
    return [(phrase(family), list(signs)) for family, signs in families]


def strip(statuses: Sequence[TrialStatus]) -> tuple[Piece, ...]:
    """A task's repeats as a strip: `x.xp`."""
    return tuple(TRIAL[status].piece for status in statuses)
