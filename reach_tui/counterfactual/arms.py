"""The arms of an experiment as the store holds them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reach_tui.core.condition import Condition, Setup, differing
from reach_tui.core.experiment import Spending
from reach_tui.core.run import Arm
from reach_tui.core.task import Task
from reach_tui.core.trial import TrialEnd
from reach_tui.counterfactual.pairs import TaskResult
from reach_tui.counterfactual.plan import plan_of
from reach_tui.counterfactual.subset import results_of
from reach_tui.store.experiments import runs_of
from reach_tui.store.rows import RunRow
from reach_tui.store.store import Store
from reach_tui.store.trial_rows import TrialRow
from reach_tui.store.trials import trials_of


@dataclass(frozen=True, slots=True)
class ArmData:
    """One arm: its run, all its trials (superseded ones too), its setup and tasks as they were executed."""

    row: RunRow
    trials: tuple[TrialRow, ...]
    setup: Setup
    tasks: dict[str, Task]

    def results(self, keys: Sequence[str], repeats_done: int) -> dict[str, TaskResult]:
        """The results of the tasks `keys`, by key, after that many repeats of each."""
        return results_of(self.until(repeats_done), dict.fromkeys(keys, repeats_done))

    def until(self, repeats_done: int) -> list[TrialRow]:
        """The trials of the first `repeats_done` repeats."""
        return [row for row in self.trials if row.start.repeat <= repeats_done]

    def spending(self, keys: Sequence[str]) -> Spending:
        """Of all attempts at the tasks `keys`: trials, passes, tool calls, tokens and cost, in all and per pass.

        A figure is None where a trial does not tell it (a price that nobody knows).
        """
        task_keys = set(keys)
        # What an interrupted trial spent is not known: it was never written down.
        ended = [
            row
            for row in self.trials
            if row.task.key in task_keys and row.grading.status not in ("running", "interrupted")
        ]
        passes = sum(row.final and row.grading.status == "passed" for row in ended)
        tokens = _sum(ended, lambda end: end.tokens)
        cost = _sum(ended, lambda end: end.cost)
        return Spending(
            trials=len(ended),
            passes=passes,
            calls=_sum(ended, lambda end: end.calls),
            tokens=tokens,
            cost=cost,
            tokens_per_pass=tokens / passes if passes and tokens is not None else None,
            cost_per_pass=cost / passes if passes and cost is not None else None,
        )


def _sum(rows: Sequence[TrialRow], read: Callable[[TrialEnd], float | None]) -> float | None:
    values = [None if row.end is None else read(row.end) for row in rows]
    known = [value for value in values if value is not None]
    return math.fsum(known) if known and len(known) == len(values) else None


def load_arms(store: Store, experiment_id: int) -> dict[Arm, ArmData]:
    """The arms by name, as far as there are any."""
    arms: dict[Arm, ArmData] = {}
    for row in runs_of(store, experiment_id):
        plan = plan_of(store, row)
        tasks = {planned.task.key: planned.task for planned in plan.tasks}
        assert row.arm is not None, "a run of an experiment is one of its arms"
        arms[row.arm] = ArmData(row, tuple(trials_of(store, row.id)), plan.setup, tasks)
    return arms


def extra_parts(control: Setup, branch: Setup, factor_part: str) -> tuple[str, ...]:
    """The parts, other than the factor, in which two arms differ as they were really executed."""
    return tuple(
        difference.name
        for difference in differing(Condition(control), Condition(branch))
        if difference.name != factor_part
    )
