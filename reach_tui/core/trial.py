"""A trial as it begins and as it ended: the two records that everything which lists or stores trials is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reach_tui.core.run import StateKind
from reach_tui.core.trajectory import EndReason


@dataclass(frozen=True, slots=True)
class TrialStart:
    """A trial begins: `attempt` (from 1) of the slot (run, task, `repeat` from 1).

    `started_at` is ms UTC, None where a log does not say; so is `seed`.
    """

    uid: str
    run_id: int
    task_id: int
    repeat: int
    attempt: int
    seed: str | None
    state_kind: StateKind
    started_at: int | None


@dataclass(frozen=True, slots=True)
class TrialEnd:
    """How a trial ended, in numbers. `ended_at` is ms UTC, the others are counts, milliseconds and `cost` in USD.

    A number is None where nobody knows it: a log does not say, the runner was gone, an older program did not count it.
    """

    ended_at: int
    end_reason: EndReason
    end_text: str | None
    steps: int | None
    turns: int | None
    calls: int | None
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    model_ms: int | None
    wall_ms: int | None
    failed_requests: int | None
    final_digest: bytes | None
    faults: Mapping[str, int] | None = None
    """How many calls each fault befell, by name."""

    @property
    def tokens(self) -> int | None:
        """Tokens in and out together; None where either is unknown."""
        return None if self.tokens_in is None or self.tokens_out is None else self.tokens_in + self.tokens_out
