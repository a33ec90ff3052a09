"""The metrics of the arms side by side, task by task: the primary one is tested, the others are shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from reach_tui.core.experiment import Effect, MetricRow
from reach_tui.core.grading import COUNTED
from reach_tui.core.run import Arm
from reach_tui.core.verdicts import MetricName
from reach_tui.store.trial_rows import TrialRow

Read = Callable[[TrialRow], float | None]

_COUNTS: tuple[tuple[MetricName, Read], ...] = (
    ("tool calls", lambda row: None if row.end is None else row.end.calls),
    ("model turns", lambda row: None if row.end is None else row.end.turns),
    ("tokens", lambda row: None if row.end is None else row.end.tokens),
)


def metric_rows(
    arms: Mapping[Arm, Sequence[TrialRow]], keys: Sequence[str], effect: Effect | None, p: float | None
) -> list[MetricRow]:
    """All metrics of the arms, values being means over tasks of task means.

    `arms` holds the trials of "control", "branch" and, where it ran, "placebo"; only the tasks `keys` are looked at.
    `change` is branch minus control over the `tasks` that tell it in both, with a 95 % interval: the verdict's for the
    pass rate, else that of a paired t (of shares cut to [-1, 1]). Only the first row has a p; no other is tested.
    """
    by_task = {name: _by_task(rows, set(keys)) for name, rows in arms.items()}
    rates = {
        name: _task_means(tasks, lambda row: float(row.grading.status == "passed")) for name, tasks in by_task.items()
    }
    rows = [
        _row("pass rate", rates, None if effect is None else (effect.estimate, effect.low, effect.high), p),
        _row("reached once", {name: _shares(tasks, any) for name, tasks in by_task.items()}),
        _row("reached by majority", {name: _shares(tasks, _most) for name, tasks in by_task.items()}),
        _row("milestones reached", {name: _task_means(tasks, _milestones) for name, tasks in by_task.items()}),
    ]
    return rows + [
        _row(name, {arm: _task_means(tasks, read) for arm, tasks in by_task.items()}, share=False)
        for name, read in _COUNTS
    ]


def _milestones(row: TrialRow) -> float | None:
    return (row.grading.depth or 0) / row.grading.depth_of if row.grading.depth_of else None


_ByTask = dict[str, list[TrialRow]]


def _by_task(rows: Sequence[TrialRow], keys: set[str]) -> _ByTask:
    trials_by_task: _ByTask = {}
    for row in rows:
        if row.final and row.grading.status in COUNTED and row.task.key in keys:
            trials_by_task.setdefault(row.task.key, []).append(row)
    return trials_by_task


def _task_means(tasks: _ByTask, read: Read) -> dict[str, float]:
    means = {}
    for key, rows in tasks.items():
        values = [value for row in rows if (value := read(row)) is not None]
        if values:
            means[key] = math.fsum(values) / len(values)
    return means


def _shares(tasks: _ByTask, rule: Callable[[list[bool]], bool]) -> dict[str, float]:
    return {key: float(rule([row.grading.status == "passed" for row in rows])) for key, rows in tasks.items()}


def _most(passes: list[bool]) -> bool:
    return 2 * sum(passes) > len(passes)


def _row(
    name: MetricName,
    means: Mapping[Arm, Mapping[str, float]],
    change: tuple[float, float | None, float | None] | None = None,
    p: float | None = None,
    *,
    share: bool = True,
) -> MetricRow:
    values = {arm: _mean(list(by_key.values())) for arm, by_key in means.items()}
    control, branch = means["control"], means["branch"]
    both = [key for key in control if key in branch]
    if change is None:
        change = _change([branch[key] - control[key] for key in both])
    estimate, low, high = change or (None, None, None)
    if share and low is not None and high is not None:
        low, high = max(-1.0, low), min(1.0, high)
    return MetricRow(
        name, len(both), values["control"], values["branch"], values.get("placebo"), estimate, low, high, p
    )


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _change(differences: Sequence[float]) -> tuple[float, float | None, float | None] | None:
    """(mean difference, its interval), without the interval where one task, or equal differences, cannot give one."""
    if not differences:
        return None
    from reach_tui.metrics.stats import t_quantile

    n, mean = len(differences), math.fsum(differences) / len(differences)
    if n < 2:
        return mean, None, None
    spread = math.sqrt(math.fsum((d - mean) ** 2 for d in differences) / (n - 1) / n)
    if spread == 0:
        return mean, None, None
    half = t_quantile(0.975, n - 1) * spread
    return mean, mean - half, mean + half
