"""What screens ask of the store: functions of the reader's store that give frozen values, and nothing else.

The store's modules are imported inside, so that the first paint does not wait for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reach_tui.present.opened import Loaded, load

# Named tuples: as many frozen dataclasses take six times as long to define.

if TYPE_CHECKING:
    from reach_tui.core.condition import Setup
    from reach_tui.core.experiment import ExperimentPlan, ExperimentResult
    from reach_tui.core.run import Arm
    from reach_tui.core.verdicts import VerdictWord
    from reach_tui.counterfactual.compare import Comparison
    from reach_tui.counterfactual.plan import BranchRequest
    from reach_tui.store.experiments import ExperimentRow
    from reach_tui.store.rows import RunRow
    from reach_tui.store.store import Store
    from reach_tui.store.trial_rows import TrialRow
    from reach_tui.store.trials import InFlight

PAGE = 500


class RunItem(NamedTuple):
    """A run as the list shows it: `effect` (estimate, low, high) is a branch's against its control, once known."""

    row: RunRow
    effect: tuple[float, float, float] | None = None
    verdict: VerdictWord | None = None


class Point(NamedTuple):
    """A run in the history of its suite; `changed` is the factor in which it differs from the point before it."""

    run_id: int
    at: int
    reach: float | None
    changed: str


class Card(NamedTuple):
    """What the card of a run shows."""

    item: RunItem
    history: tuple[Point, ...] = ()
    trials: tuple[TrialRow, ...] = ()
    live: tuple[InFlight, ...] = ()


class Ids(NamedTuple):
    """All runs in the order of the list, and the revision up to which this is true."""

    ids: tuple[int, ...]
    revision: int


class Changes(NamedTuple):
    """Runs that changed since a revision; `ids` are all runs anew where some of them are new."""

    rows: tuple[RunItem, ...]
    revision: int
    ids: tuple[int, ...] | None = None


def run_ids(store: Store) -> Ids:
    """All runs, newest trees first, branches under their parents."""
    from reach_tui.store import runs

    revision = store.revision()
    return Ids(tuple(runs.run_ids(store)), revision)


def run_items(store: Store, ids: Sequence[int]) -> tuple[RunItem, ...]:
    """Runs by id, in that order; those that are gone are left out."""
    from reach_tui.store import runs

    return _items(store, runs.runs_by_ids(store, list(ids)))


def _items(store: Store, rows: Sequence[RunRow]) -> tuple[RunItem, ...]:
    from reach_tui.store import experiments

    results: dict[str, ExperimentRow] = {}
    items = []
    for row in rows:
        effect, verdict = None, None
        if row.experiment_uid and row.arm and row.arm != "control":
            if row.experiment_uid not in results:
                results[row.experiment_uid] = experiments.experiment(store, row.experiment_uid)
            experiment = results[row.experiment_uid]
            if row.arm == "branch" and experiment.result is not None and experiment.result.effect is not None:
                change = experiment.result.effect
                effect, verdict = (change.estimate, change.low, change.high), experiment.verdict
        items.append(RunItem(row, effect, verdict))
    return tuple(items)


def run_changes(store: Store, revision: int, known: frozenset[int]) -> Changes:
    """What became of runs since `revision`."""
    from reach_tui.store import runs

    now = store.revision()
    rows = runs.runs_since(store, revision)
    fresh = any(row.id not in known for row in rows)
    # A full answer may be the first of several: go on from the last row it held, not from now.
    upto = now if len(rows) < 500 else max(row.rev for row in rows)
    return Changes(_items(store, rows), upto, tuple(runs.run_ids(store)) if fresh else None)


def card(store: Store, run_id: int) -> Card | None:
    """A run with its suite's history and its trials."""
    from reach_tui.store import trials

    items = run_items(store, [run_id])
    if not items:
        return None
    row = items[0].row
    history = _history(store, row.suite_id) if row.suite_id is not None else ()
    live = trials.in_flight(store, run_id) if row.status == "running" else []
    return Card(items[0], history, tuple(trials.trials_of(store, run_id)), tuple(live))


def _history(store: Store, suite_id: int) -> tuple[Point, ...]:
    """The suite's latest whole runs, oldest first. Arms of experiments ran on a subset: no points of one line."""
    from reach_tui.store import runs

    points = runs.reach_history(store, suite_id, 120)
    whole = [row for row in runs.runs_by_ids(store, [point.run_id for point in points]) if row.arm is None][-60:]
    history = []
    for before, row in zip([None, *whole[:-1]], whole, strict=True):
        changed = row.factor or ("model" if before is not None and before.model != row.model else "")
        history.append(Point(row.id, row.created_at, row.totals.reach_mean, changed))
    return tuple(history)


def arranged_runs(store: Store, text: str, order: str, reverse: bool) -> tuple[int, ...]:
    """The ids of runs that hold every word of `text`, in an order: tree, reach, name, status or age."""
    from reach_tui.store import runs

    words = text.split()
    ids = runs.run_ids(store, text=words[0] if words else "")
    for word in words[1:]:
        more = set(runs.run_ids(store, text=word))
        ids = [id for id in ids if id in more]
    if order != "tree":
        keys: dict[int, Any] = {}
        for start in range(0, len(ids), PAGE):
            keys.update((row.id, _order_key(row, order)) for row in runs.runs_by_ids(store, ids[start : start + PAGE]))
        ids.sort(key=lambda id: keys[id])
    return tuple(reversed(ids)) if reverse else tuple(ids)


def _order_key(row: RunRow, order: str) -> tuple[Any, ...]:
    if order == "reach":
        return (row.totals.reach_majority is None, -(row.totals.reach_majority or 0.0), -row.id)
    if order == "name":
        return (row.name, -row.id)
    if order == "status":
        return (row.status != "running", row.status, -row.id)
    return (-(row.ended_at or row.started_at or row.created_at), -row.id)


class RunDetail(NamedTuple):
    """A run with all its trials, for the Run screen."""

    item: RunItem
    trials: tuple[TrialRow, ...]
    revision: int
    parent: RunRow | None = None


def run_detail(store: Store, run_id: int) -> RunDetail | None:
    """A run and its trials."""
    from reach_tui.store import runs, trials

    revision = store.revision()
    items = run_items(store, [run_id])
    if not items:
        return None
    parents = runs.runs_by_ids(store, [items[0].row.parent_id]) if items[0].row.parent_id is not None else []
    return RunDetail(items[0], tuple(trials.trials_of(store, run_id)), revision, parents[0] if parents else None)


def failing(store: Store, run_id: int) -> tuple[int, ...]:
    """The failed trials of a run, by mode."""
    from reach_tui.store import trials

    return tuple(trials.failing_ids(store, run_id))


class Twins(NamedTuple):
    """Two trials of the same task, to stand side by side."""

    left: Loaded
    right: Loaded


def passing_twin(store: Store, trial_id: int, run_id: int, task_id: int) -> Twins | None:
    """A trial beside a passing one of its task: of the same run if there is one, else the newest of any."""
    from reach_tui.store import trials

    passed = [
        row for row in trials.history_of_task(store, task_id) if row.grading.status == "passed" and row.id != trial_id
    ]
    passed.sort(key=lambda row: (row.start.run_id != run_id, -row.id))
    if not passed:
        passed = [
            row
            for row in trials.trials_of(store, run_id)
            if row.start.task_id == task_id and row.grading.status == "passed" and row.id != trial_id
        ]
    return Twins(load(store, trial_id), load(store, passed[0].id)) if passed else None


def two_trials(store: Store, left: int, right: int) -> Twins:
    """Two trials by id."""
    return Twins(load(store, left), load(store, right))


class ExperimentDetail(NamedTuple):
    """An experiment with its result so far, its arms' runs, and the trials of each by arm."""

    row: ExperimentRow
    result: ExperimentResult
    runs: tuple[RunRow, ...]
    trials: Mapping[Arm, tuple[TrialRow, ...]]
    said: str = ""


def experiment_detail(store: Store, uid: str, path: Path) -> ExperimentDetail:
    """An experiment as its screen shows it; `said` is what its process left behind if it went wrong."""
    from reach_tui.counterfactual.result import result_so_far
    from reach_tui.harness.launch import last_words
    from reach_tui.store import experiments, trials

    row = experiments.experiment(store, uid)
    arms = tuple(experiments.runs_of(store, row.id))
    trials_by_arm = {run.arm: tuple(trials.trials_of(store, run.id)) for run in arms if run.arm is not None}
    return ExperimentDetail(row, result_so_far(store, row), arms, trials_by_arm, last_words(path, uid))


class BranchBase(NamedTuple):
    """What a branch starts from: the run, its setup, its failing tasks, and the tool most of them fail at."""

    row: RunRow
    setup: Setup
    tasks: int
    failing: tuple[str, ...]
    tool: str


def branch_base(store: Store, run_id: int) -> BranchBase:
    """What branching a run needs to know of it. UsageError for one that came from elsewhere."""
    from reach_tui.counterfactual.plan import plan_of
    from reach_tui.counterfactual.subset import failing_tasks, results_of
    from reach_tui.store import runs, trials

    (row,) = runs.runs_by_ids(store, [run_id])
    plan = plan_of(store, row)
    rows = trials.trials_of(store, run_id)
    return BranchBase(row, plan.setup, len(plan.tasks), failing_tasks(results_of(rows)), _failing_tool(store, rows))


def _failing_tool(store: Store, rows: Sequence[TrialRow]) -> str:
    """The tool called at most decisive steps of failing trials; empty where none was."""
    from collections import Counter

    from reach_tui.store import replay

    tools: Counter[str] = Counter()
    failed = [row for row in rows if row.grading.status in ("failed", "partial") and row.grading.decisive_step]
    for row in failed[:60]:
        for step in replay.steps_of(store, row.id, row.grading.decisive_step):
            if step.tool:
                tools[step.tool] += 1
    return min(tools, key=lambda tool: (-tools[tool], tool)) if tools else ""


def branch_plan(store: Store, request: BranchRequest) -> ExperimentPlan:
    """The plan of a branch; nothing is written."""
    from reach_tui.counterfactual.plan import plan_branch

    return plan_branch(store, request)


def comparison(store: Store, uids: Sequence[str]) -> Comparison:
    """Runs compared, each with the first."""
    from reach_tui.counterfactual.compare import compare

    return compare(store, list(uids))
