"""The numbers of a trial's end that both faces tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reach_tui.present.language import phrase
from reach_tui.present.numbers import decimal, duration
from reach_tui.store.trial_rows import TrialRow


@dataclass(frozen=True, slots=True)
class TrialNumber:
    """A number of a trial's end: its field (and its name in JSON), how its mean over trials reads ("5.2 steps")."""

    name: str
    mean: Callable[[float], str] | None = None
    in_json: bool = True

    def of(self, trial: TrialRow) -> float | None:
        """Of one trial; None where it has not ended or nobody knows."""
        value: float | None = getattr(trial.end, self.name, None)
        return value


def _counted(noun: str) -> Callable[[float], str]:
    return lambda mean: f"{decimal(mean)} {phrase(noun)}"


TRIAL_NUMBERS = (
    TrialNumber("steps", _counted("steps")),
    TrialNumber("calls", _counted("calls")),
    TrialNumber("turns", _counted("turns"), in_json=False),
    TrialNumber("tokens_in"),
    TrialNumber("tokens_out"),
    TrialNumber("cost"),
    TrialNumber("failed_requests"),
    TrialNumber("wall_ms", lambda mean: duration(round(mean))),
)
"""What is told of a trial's end in numbers, in this order, by both faces."""
