"""Which tasks an experiment is about: the failing ones of a run, a selection, and passing ones beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reach_tui.core.draws import draw
from reach_tui.core.errors import UsageError
from reach_tui.core.experiment import Stratum
from reach_tui.core.grading import COUNTED
from reach_tui.core.reasons import Reason
from reach_tui.core.task import Task
from reach_tui.counterfactual.pairs import TaskResult
from reach_tui.store.trial_rows import TrialRow
from reach_tui.suites.select import select

FEWEST_PASSING = 20


@dataclass(frozen=True, slots=True)
class Subset:
    """The tasks of an experiment. `all_failed`: every chosen task failed in the run that chose it."""

    chosen: Stratum
    passing: Stratum | None
    all_failed: bool


def results_of(trials: Iterable[TrialRow], planned: Mapping[str, int] | None = None) -> dict[str, TaskResult]:
    """The final trials of a run by task, in their order; running and superseded ones say nothing.

    `planned` holds the slots of each task that should have ended; tasks it does not name are left out. Without it the
    final trials themselves are the plan.
    """
    by_task: dict[str, list[TrialRow]] = {key: [] for key in planned or ()}
    for trial in trials:
        if trial.final and trial.grading.status != "running" and (planned is None or trial.task.key in planned):
            by_task.setdefault(trial.task.key, []).append(trial)
    return {
        key: _result(rows, len(rows) if planned is None else max(planned[key], len(rows)))
        for key, rows in by_task.items()
    }


def _result(rows: Sequence[TrialRow], planned: int) -> TaskResult:
    counted = [row for row in rows if row.grading.status in COUNTED]
    depth_of = max((row.grading.depth_of or 0 for row in counted), default=0)
    depths = tuple(row.grading.depth or 0 for row in counted) if depth_of else ()
    return TaskResult(sum(row.grading.status == "passed" for row in counted), len(counted), planned, depths, depth_of)


def failing_tasks(results: Mapping[str, TaskResult]) -> tuple[str, ...]:
    """Tasks that did not pass by majority of their counted trials; those without a counted trial are neither."""
    return tuple(key for key, result in results.items() if result.counted and not result.reached)


def choose(
    tasks: Sequence[Task],
    results: Mapping[str, TaskResult],
    run_name: str,
    *,
    failing: bool = False,
    only: str | None = None,
    keys: Sequence[str] | None = None,
    passing: int | None = None,
    seed: str = "",
) -> Subset:
    """The subset of a run's `tasks` that the filters agree on, and its second stratum.

    `failing` keeps failing tasks; `only` is a selection expression; `keys` names tasks. `passing` is the size of the
    second stratum: None for as many passing tasks as chosen ones, at least 20, where every chosen task failed (else
    none, for the chosen ones then hold passing tasks already). It is drawn by `seed`, the same for the same seed.
    UsageError where nothing is left to branch, saying why.
    """
    failed = set(failing_tasks(results))
    kept = list(tasks)
    how: list[Reason] = []
    if only:
        kept = list(select(tasks, only))
        how.append(Reason("selected", {"expression": only}))
    if keys is not None:
        unknown = sorted(set(keys) - {task.key for task in tasks})
        if unknown:
            raise UsageError(f"{run_name} has no task {', '.join(unknown)}", hint="`reach show RUN` lists its tasks")
        kept = [task for task in kept if task.key in set(keys)]
        how.append(Reason("marked"))
    if failing or not how:
        kept = [task for task in kept if task.key in failed]
        how.append(Reason("failing", {"run": run_name}))
    chosen = tuple(task.key for task in kept if task.key in results)
    if not chosen:
        what = "no task" if not results else "no failing task" if how[-1].code == "failing" else "no tried task"
        raise UsageError(f"{what} of {run_name} fits", hint="a branch needs tasks to re-run: try --only EXPR")
    all_failed = set(chosen) <= failed
    if all_failed and how[-1].code != "failing":
        how.append(Reason("all_failing", {"run": run_name}))
    of = len(failed) if all_failed else len(chosen)
    return Subset(
        Stratum("chosen", tuple(how), chosen, of),
        _passing(tasks, results, chosen, passing, run_name, seed, all_failed),
        all_failed,
    )


def _passing(
    tasks: Sequence[Task],
    results: Mapping[str, TaskResult],
    chosen: Sequence[str],
    size: int | None,
    run_name: str,
    seed: str,
    all_failed: bool,
) -> Stratum | None:
    pool = [task.key for task in tasks if task.key in results and results[task.key].reached and task.key not in chosen]
    if size is None:
        size = max(FEWEST_PASSING, len(chosen)) if all_failed else 0
    drawn = set(sorted(pool, key=lambda key: draw(seed, "passing", key))[:size])
    if not drawn:
        return None
    return Stratum(
        "passing", (Reason("passing", {"run": run_name}),), tuple(key for key in pool if key in drawn), len(pool)
    )
