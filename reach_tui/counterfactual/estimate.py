"""What an experiment will cost, from the trials of the run it branches from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from reach_tui.core.experiment import Estimate
from reach_tui.store.trial_rows import TrialRow


def estimate(trials: Iterable[TrialRow], planned: Sequence[tuple[str, int]]) -> Estimate:
    """The cost of `planned` trials, (task key, how many): each as its task's trials in the parent, else as the mean."""
    ended = [(row.task.key, row.end) for row in trials if row.end is not None and row.end.steps is not None]

    def total(values: list[tuple[str, float]]) -> float | None:
        if not values:
            return None
        by_task: dict[str, list[float]] = {}
        for key, value in values:
            by_task.setdefault(key, []).append(value)
        mean = math.fsum(value for _, value in values) / len(values)
        return math.fsum(
            times * (math.fsum(by_task[key]) / len(by_task[key]) if key in by_task else mean) for key, times in planned
        )

    def whole(values: list[tuple[str, float]]) -> int | None:
        amount = total(values)
        return None if amount is None else round(amount)

    costs = [(key, end.cost) for key, end in ended if end.cost is not None]
    return Estimate(
        trials=sum(times for _, times in planned),
        turns=whole([(key, end.turns) for key, end in ended if end.turns is not None]),
        calls=whole([(key, end.calls) for key, end in ended if end.calls is not None]),
        tokens=whole([(key, end.tokens) for key, end in ended if end.tokens is not None]),
        cost=total(costs),
        cost_from=len(costs),
    )
