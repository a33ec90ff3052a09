"""Comparing any runs: like with like, paired by task, and never a cause where several parts differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reach_tui.core.condition import Condition, PartDifference, Setup, differing
from reach_tui.core.errors import UsageError
from reach_tui.core.experiment import Effect, Flips, MetricRow
from reach_tui.core.reasons import Reason
from reach_tui.counterfactual.metric_rows import metric_rows
from reach_tui.counterfactual.pairs import TaskResult, effect, flips, mean_rate, shared
from reach_tui.counterfactual.plan import plan_of
from reach_tui.counterfactual.subset import results_of
from reach_tui.store.gradings import current_grading
from reach_tui.store.replay import task_of
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import find_run
from reach_tui.store.store import Store
from reach_tui.store.trial_rows import TrialRow
from reach_tui.store.trials import trials_of


@dataclass(frozen=True, slots=True)
class ChangedTask:
    """A task's key, and its bodies in two runs that are not of the same task."""

    key: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PairComparison:
    """One run against the first. All shares and flips are of the shared tasks: the same task, counted in both.

    `only_a`, `only_b`: tasks counted in one run only; `changed`: tasks of one name that are not the same task.
    `differs` is None where the setup of a run is unknown. `notes` say how far the comparison reaches.
    """

    a: RunRow
    b: RunRow
    shared: tuple[str, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    changed: tuple[ChangedTask, ...]
    rate_a: float | None
    rate_b: float | None
    trials_a: int
    trials_b: int
    effect: Effect | None
    flips: Flips
    differs: tuple[PartDifference, ...] | None
    metrics: tuple[MetricRow, ...]
    notes: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several runs, each against the first."""

    runs: tuple[RunRow, ...]
    pairs: tuple[PairComparison, ...]


@dataclass(frozen=True, slots=True)
class _Side:
    row: RunRow
    trials: tuple[TrialRow, ...]
    results: dict[str, TaskResult]
    ids: dict[str, int]
    setup: Setup | None


def compare(store: Store, references: Sequence[str]) -> Comparison:
    """Compare the runs that people name, each with the first.

    UsageError for fewer than two, for one run twice, and where trials were graded by different versions of the grader:
    then the difference may be the grader's.
    """
    rows = [find_run(store, reference) for reference in references]
    if len(rows) < 2:
        raise UsageError("comparing takes two runs or more", hint="reach compare RUN RUN")
    if len({row.id for row in rows}) < len(rows):
        raise UsageError("a run is compared with itself", hint="name different runs")
    sides = [_side(store, row) for row in rows]
    _check_versions(store, sides)
    return Comparison(tuple(rows), tuple(_pair(store, sides[0], side) for side in sides[1:]))


def _side(store: Store, row: RunRow) -> _Side:
    trials = tuple(trials_of(store, row.id))
    counted = {key: result for key, result in results_of(trials).items() if result.counted}
    try:
        setup: Setup | None = plan_of(store, row).setup
    except UsageError:
        setup = None
    return _Side(row, trials, counted, {trial.task.key: trial.start.task_id for trial in trials}, setup)


def _check_versions(store: Store, sides: Sequence[_Side]) -> None:
    by_version: dict[str, list[str]] = {}
    for side in sides:
        gradings = (current_grading(store, trial.id) for trial in side.trials if trial.final)
        for version in sorted({grading.version for grading in gradings if grading is not None}):
            by_version.setdefault(version, []).append(side.row.uid)
    if len(by_version) > 1:
        versions = "; ".join(f"version {version}: {', '.join(uids)}" for version, uids in by_version.items())
        raise UsageError(
            f"these runs were graded by different graders ({versions})", hint="re-grade them by one version"
        )


def _pair(store: Store, a: _Side, b: _Side) -> PairComparison:
    changed = tuple(key for key in a.results if key in b.results and a.ids[key] != b.ids[key])
    left = {key: result for key, result in a.results.items() if key not in changed}
    right = {key: result for key, result in b.results.items() if key not in changed}
    keys = shared(left, right)
    measured = effect(left, right)
    differs = None
    if a.setup is not None and b.setup is not None:
        differs = differing(Condition(a.setup), Condition(b.setup))
    return PairComparison(
        a=a.row,
        b=b.row,
        shared=keys,
        only_a=tuple(key for key in a.results if key not in b.results),
        only_b=tuple(key for key in b.results if key not in a.results),
        changed=tuple(
            ChangedTask(key, task_of(store, a.ids[key]).body, task_of(store, b.ids[key]).body) for key in changed
        ),
        rate_a=mean_rate(left, keys),
        rate_b=mean_rate(right, keys),
        trials_a=sum(left[key].counted for key in keys),
        trials_b=sum(right[key].counted for key in keys),
        effect=measured,
        flips=flips(left, right),
        differs=differs,
        metrics=tuple(
            metric_rows({"control": a.trials, "branch": b.trials}, keys, measured, measured.p) if measured else ()
        ),
        notes=tuple(_notes(left, right, keys, differs, (a.row, b.row))),
    )


def _notes(
    left: dict[str, TaskResult],
    right: dict[str, TaskResult],
    keys: Sequence[str],
    differs: tuple[PartDifference, ...] | None,
    rows: tuple[RunRow, RunRow],
) -> list[Reason]:
    if not keys:
        return [Reason("nothing_shared")]
    notes = []
    if differs is None:
        notes.append(Reason("setup_unknown"))
    elif not differs:
        notes.append(Reason("no_difference"))
    elif len(differs) > 1:
        notes.append(Reason("several_parts", {"parts": [part.name for part in differs]}))
    else:
        notes.append(Reason("one_part", {"part": differs[0].name}))
    if rows[0].experiment_id is not None and rows[0].experiment_id == rows[1].experiment_id:
        notes.append(Reason("same_experiment", {"experiment": rows[0].experiment_uid}))
    elif not any(left[key].reached for key in keys):
        gained = sum(right[key].reached for key in keys)
        if gained:
            notes.append(Reason("all_had_failed", {"gained": gained}))
    return notes
