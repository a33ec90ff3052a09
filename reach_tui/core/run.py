"""Runs: the words of their lives and what a run adds up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

RunStatus = Literal["queued", "running", "paused", "ended", "cancelled", "interrupted"]
RUN_STATUSES: tuple[RunStatus, ...] = get_args(RunStatus)
Arm = Literal["control", "branch", "placebo"]
"""A run's role in an experiment: unchanged, with the one factor changed, with a neutral edit in its place."""
ARMS: tuple[Arm, ...] = get_args(Arm)
RunOrigin = Literal["run", "branch", "import", "demo"]
GapReading = Literal["no_clear_gap", "weighted_lower", "weighted_higher"]
"""How weighted mean reach stands to unweighted: lower means that frequent tasks are the weak ones."""
StateKind = Literal["exact", "observed", "none"]
"""What is known of a trial's state: a world of ours, entities as they were seen in results, nothing."""


@dataclass(frozen=True, slots=True)
class RunTotals:
    """The totals of a run, written with the end of each trial.

    Reach values are shares of the tasks that have a counted trial, None before any; `tokens` and `cost` cover every
    attempt, superseded ones too; `unknown_cost` counts attempts whose cost nobody knows. `summary` is JSON:

    - `tasks`, `tasks_not_counted`, `repeats` (the largest number of counted trials of a task)
    - `reach` {mean, at_least_once, majority}, each {weighted, unweighted}; `intervals` alike, with [low, high] (95 %)
    - `n_eff` (Kish), `gap` {difference, low, high, reading} of weighted against unweighted mean reach
    - `unstable` {count, tasks} (reached at least once, not by majority), `bands` {name: tasks}
    - `modes` {failure mode: failed or partial trials}, `not_counted` {status: slots}
    - `tokens_per_pass`, `cost_per_pass` (None without a pass; the latter also where a cost is unknown)
    """

    done: int
    passed: int
    partial: int
    failed: int
    not_counted: int
    reach_once: float | None
    reach_majority: float | None
    reach_mean: float | None
    reach_weighted: float | None
    tokens: int | None
    cost: float | None
    unknown_cost: int
    summary: Mapping[str, Any]
