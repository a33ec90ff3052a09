"""The tally of a run, kept while its trials end: reach by three rules, weighted and not, and what was not counted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from reach_tui.core.grading import COUNTED, NOT_COUNTED, FailureMode, TrialStatus
from reach_tui.core.run import FaultCount, Gap, GapReading, ReachRule, RunSummary, RunTotals
from reach_tui.metrics.intervals import normal_quantile, wilson
from reach_tui.metrics.repeats import at_least_once, majority

BANDS = ("never_started", "broke_midway", "ended_wrong", "reached_sometimes", "reached_stably", "not_counted")
"""Every task is in exactly one. Without milestones a task that never passed reads `ended_wrong`: that is all one can
say (`broke_midway` where a trial was partly complete)."""

LISTED = 100
"""The most unstable tasks that a summary names; it always holds their number."""

_COST_UNIT = 10**9  # Costs add up as whole billionths: the sum is then the same in whatever order trials end.


@dataclass(frozen=True, slots=True)
class _Attempt:
    number: int
    status: TrialStatus
    mode: FailureMode | None
    depth: int
    depth_of: int
    tokens: int | None
    cost: int | None
    faults: Mapping[str, int]


class _Task:
    """What one task's trials came to: `final` stands for each slot, `attempts` holds all by (slot, number)."""

    __slots__ = ("attempts", "final", "weight")

    def __init__(self, weight: float) -> None:
        self.weight = weight
        self.attempts: dict[tuple[int, int], _Attempt] = {}
        self.final: dict[int, _Attempt] = {}

    def counts(self) -> tuple[int, int]:
        counted = [attempt.status for attempt in self.final.values() if attempt.status in COUNTED]
        return counted.count("passed"), len(counted)

    def band(self) -> str:
        passes, counted = self.counts()
        if not counted:
            return "not_counted"
        if passes:
            return "reached_stably" if passes == counted else "reached_sometimes"
        known = [attempt for attempt in self.final.values() if attempt.status in COUNTED and attempt.depth_of > 0]
        if not known:
            partly = any(attempt.status == "partial" for attempt in self.final.values())
            return "broke_midway" if partly else "ended_wrong"
        if any(attempt.depth >= attempt.depth_of for attempt in known):
            return "ended_wrong"
        return "broke_midway" if any(attempt.depth for attempt in known) else "never_started"


class RunTally:
    """Adds up the ended trials of one run; each end costs the same however many came before.

    Trials are grouped by task, never by the slot they ran in. `partial` is counted and is not a pass.
    """

    def __init__(self, faults: Iterable[str] = ()) -> None:
        """`faults` are the names of the setup's faults."""
        self._faults: dict[str, FaultCount] = {name: {"trials": 0, "calls": 0} for name in faults}
        self._tasks: dict[str, _Task] = {}
        self._shapes: Counter[tuple[float, int, int]] = Counter()
        self._bands: Counter[str] = Counter()
        self._unstable: set[str] = set()
        self._statuses: Counter[str] = Counter()
        self._modes: Counter[str] = Counter()
        self._repeats: Counter[int] = Counter()
        self._attempts = self._tokens_known = self._tokens = 0
        self._cost = self._cost_known = 0

    def add(
        self,
        task_key: str,
        weight: float,
        repeat: int,
        status: TrialStatus,
        tokens: int | None = None,
        cost: float | None = None,
        mode: FailureMode | None = None,
        *,
        attempt: int = 1,
        depth: int | None = None,
        depth_of: int | None = None,
        final: bool = True,
        faults: Mapping[str, int] | None = None,
    ) -> None:
        """Count an ended trial. A later attempt stands for its slot; the same one again replaces what it was.

        One that is not `final` (it is to be tried again) only adds to what was spent, which stays in the totals.
        ValueError for a status that is no end.
        """
        if status not in COUNTED and status not in NOT_COUNTED:
            raise ValueError(f"{status!r} is not how a trial ends")
        task = self._tasks.get(task_key)
        if task is None:
            task = self._tasks[task_key] = _Task(weight)
        else:
            self._forget(task_key, task)
        task.weight = weight
        ended = _Attempt(
            attempt,
            status,
            mode,
            depth or 0,
            depth_of or 0,
            tokens,
            None if cost is None else round(cost * _COST_UNIT),
            faults or {},
        )
        self._spend(task.attempts.get((repeat, attempt)), -1)
        self._spend(ended, 1)
        task.attempts[repeat, attempt] = ended
        before = task.final.get(repeat)
        if final and (before is None or attempt >= before.number):
            self._stand(before, -1)
            self._stand(ended, 1)
            task.final[repeat] = ended
        self._remember(task_key, task)

    def _spend(self, attempt: _Attempt | None, sign: int) -> None:
        if attempt is None:
            return
        self._attempts += sign
        if attempt.tokens is not None:
            self._tokens_known += sign
            self._tokens += sign * attempt.tokens
        if attempt.cost is not None:
            self._cost_known += sign
            self._cost += sign * attempt.cost

    def _stand(self, attempt: _Attempt | None, sign: int) -> None:
        if attempt is None:
            return
        self._statuses[attempt.status] += sign
        if attempt.status in ("failed", "partial"):
            self._modes[attempt.mode or "unclassified"] += sign
        for name, calls in attempt.faults.items():
            count = self._faults.setdefault(name, {"trials": 0, "calls": 0})
            count["trials"] += sign
            count["calls"] += sign * calls

    def _forget(self, key: str, task: _Task) -> None:
        self._count(task, -1)
        self._unstable.discard(key)

    def _remember(self, key: str, task: _Task) -> None:
        passes, counted = self._count(task, 1)
        if at_least_once(passes, counted) and not majority(passes, counted):
            self._unstable.add(key)

    def _count(self, task: _Task, sign: int) -> tuple[int, int]:
        passes, counted = task.counts()
        self._bands[task.band()] += sign
        if counted:
            self._shapes[task.weight, counted, passes] += sign
            self._repeats[counted] += sign
        return passes, counted

    def totals(self) -> RunTotals:
        """The totals so far: a function of the trials added, not of their order."""
        shapes = sorted((shape, times) for shape, times in self._shapes.items() if times)
        statuses = {status: count for status, count in self._statuses.items() if count}
        reach = {name: _reach(shapes, rule) for name, rule in _RULES.items()}
        passed = statuses.get("passed", 0)
        not_counted: dict[str, int] = {status: statuses[status] for status in NOT_COUNTED if status in statuses}
        cost = self._cost / _COST_UNIT if self._cost_known else None
        unknown_cost = self._attempts - self._cost_known
        tasks = sum(times for _, times in shapes)
        summary: RunSummary = {
            "tasks": tasks,
            "tasks_not_counted": self._bands["not_counted"],
            "repeats": max((n for n, times in self._repeats.items() if times), default=0),
            "reach": {name: {"weighted": w, "unweighted": u} for name, (w, u) in reach.items()},
            "n_eff": _n_eff(shapes),
            "unstable": {"count": len(self._unstable), "tasks": sorted(self._unstable)[:LISTED]},
            "bands": {band: self._bands[band] for band in BANDS},
            "modes": {mode: count for mode, count in sorted(self._modes.items()) if count},
            "not_counted": not_counted,
            "tokens_per_pass": self._tokens / passed if passed and self._tokens_known else None,
            "cost_per_pass": cost / passed if cost is not None and passed and not unknown_cost else None,
        }
        if self._faults:
            summary["faults"] = {name: {**count} for name, count in self._faults.items()}
        if tasks:
            n_eff = summary["n_eff"]
            summary["intervals"] = {
                name: {"weighted": _interval(w, n_eff), "unweighted": _interval(u, tasks)}
                for name, (w, u) in reach.items()
            }
            summary["gap"] = _gap(shapes)
        return RunTotals(
            done=sum(statuses.values()),
            passed=passed,
            partial=statuses.get("partial", 0),
            failed=statuses.get("failed", 0),
            not_counted=sum(not_counted.values()),
            reach_once=reach["at_least_once"][1],
            reach_majority=reach["majority"][1],
            reach_mean=reach["mean"][1],
            reach_weighted=reach["mean"][0],
            tokens=self._tokens if self._tokens_known else None,
            cost=cost,
            unknown_cost=unknown_cost,
            summary=summary,
        )


_Shapes = list[tuple[tuple[float, int, int], int]]
"""((weight, counted trials, passes), number of tasks), sorted."""

_RULES: dict[ReachRule, Callable[[int, int], float]] = {
    "mean": lambda passes, n: passes / n,
    "at_least_once": lambda passes, n: float(at_least_once(passes, n)),
    "majority": lambda passes, n: float(majority(passes, n)),
}


def _reach(shapes: _Shapes, rule: Callable[[int, int], float]) -> tuple[float | None, float | None]:
    """(weighted, unweighted) share; the weighted one is None where nothing weighs anything."""
    tasks = sum(times for _, times in shapes)
    if not tasks:
        return None, None
    weight = math.fsum(w * times for (w, _, _), times in shapes)
    weighted = math.fsum(w * times * rule(k, n) for (w, n, k), times in shapes) / weight if weight else None
    return weighted, math.fsum(times * rule(k, n) for (_, n, k), times in shapes) / tasks


def _n_eff(shapes: _Shapes) -> float:
    squares = math.fsum(w * w * times for (w, _, _), times in shapes)
    return math.fsum(w * times for (w, _, _), times in shapes) ** 2 / squares if squares else 0.0


def _interval(share: float | None, n: float) -> list[float] | None:
    return None if share is None or n <= 0 else list(wilson(share * n, n))


def _gap(shapes: _Shapes) -> Gap | None:
    """Weighted minus unweighted mean reach, with an interval from task-level residuals, and how to read it."""
    weighted, unweighted = _reach(shapes, _RULES["mean"])
    tasks = sum(times for _, times in shapes)
    if weighted is None or unweighted is None or tasks < 2:
        return None
    weight = math.fsum(w * times for (w, _, _), times in shapes)
    squares = math.fsum(
        times * (w / weight * (k / n - weighted) - (k / n - unweighted) / tasks) ** 2 for (w, n, k), times in shapes
    )
    half = normal_quantile(0.95) * math.sqrt(squares * tasks / (tasks - 1))
    difference = weighted - unweighted
    if abs(difference) <= half or math.isclose(difference, 0.0, abs_tol=1e-12):
        reading: GapReading = "no_clear_gap"
    elif difference < 0:
        reading = "weighted_lower"
    else:
        reading = "weighted_higher"
    return {"difference": difference, "low": difference - half, "high": difference + half, "reading": reading}
