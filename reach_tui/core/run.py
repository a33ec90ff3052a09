"""Runs: the words of their lives and what a run adds up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypedDict, get_args

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


ReachRule = Literal["mean", "at_least_once", "majority"]
REACH_RULES: tuple[ReachRule, ...] = get_args(ReachRule)


class ReachShares(TypedDict):
    """Reach of a run by one rule, each task weighed by its weight or equally; None before any counted trial."""

    weighted: float | None
    unweighted: float | None


class ReachIntervals(TypedDict):
    """95 % intervals of `ReachShares`, each [low, high]."""

    weighted: list[float] | None
    unweighted: list[float] | None


class Gap(TypedDict):
    """Weighted minus unweighted mean reach with its 95 % interval, and how to read it."""

    difference: float
    low: float
    high: float
    reading: GapReading


class UnstableTasks(TypedDict):
    """Tasks reached at least once but not by majority: how many, and the keys of the first of them."""

    count: int
    tasks: list[str]


class FaultCount(TypedDict):
    """How often a fault befell: in how many of the trials that speak for their slots, in how many of their calls."""

    trials: int
    calls: int


class RunSummary(TypedDict, total=False):
    """What a run's trials come to beyond its columns, stored as JSON; a run without totals yet has none of it.

    `repeats` is the largest number of counted trials of a task, `n_eff` Kish's effective number of tasks. `bands` count
    tasks, `modes` failed or partial trials, `not_counted` slots. `cost_per_pass` is None without a pass or where a cost
    is unknown, `tokens_per_pass` without a pass; `intervals` and `gap` are there once a task is counted (the gap: two).
    `faults` has every fault of the setup, those that never befell too; it is missing where there is none.
    """

    tasks: int
    tasks_not_counted: int
    repeats: int
    reach: dict[ReachRule, ReachShares]
    intervals: dict[ReachRule, ReachIntervals]
    n_eff: float
    gap: Gap | None
    unstable: UnstableTasks
    bands: Mapping[str, int]
    modes: Mapping[str, int]
    not_counted: Mapping[str, int]
    tokens_per_pass: float | None
    cost_per_pass: float | None
    faults: Mapping[str, FaultCount]


@dataclass(frozen=True, slots=True)
class RunTotals:
    """The totals of a run, written with the end of each trial.

    Reach values are shares of the tasks that have a counted trial, None before any; `tokens` and `cost` cover every
    attempt, superseded ones too; `unknown_cost` counts attempts whose cost nobody knows.
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
    summary: RunSummary

    def reach(self, rule: ReachRule, *, weighted: bool = False) -> tuple[float | None, tuple[float, float] | None]:
        """Reach by a rule and its 95 % interval; None for what no counted trial has given yet."""
        side: Literal["weighted", "unweighted"] = "weighted" if weighted else "unweighted"
        shares, intervals = self.summary.get("reach", {}).get(rule), self.summary.get("intervals", {}).get(rule)
        interval = intervals[side] if intervals else None
        return shares[side] if shares else None, (interval[0], interval[1]) if interval else None
