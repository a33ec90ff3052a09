"""One thing of a store, opened: where a name leads, and a trial with all that showing it needs.

Apart from what lists read, because the command line waits for every module that it loads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from reach_tui.core.errors import UsageError

if TYPE_CHECKING:
    from reach_tui.grading import StateTable
    from reach_tui.store.replay import RawExchange
    from reach_tui.store.rows import RunRow
    from reach_tui.store.store import Store
    from reach_tui.store.trial_rows import StoredTrial, TrialRow


class Place(NamedTuple):
    """Where a name leads: a run, a trial (with a step), or an experiment."""

    kind: str
    id: int
    run_id: int = 0
    step: int | None = None
    uid: str = ""


def find(store: Store, name: str) -> Place:
    """What `RUN`, `RUN/TASK#2@7`, a trial's or an experiment's uid names. UsageError where nothing does."""
    from reach_tui.store import runs, trials

    ref, step = trials.split_step(name.strip())
    # What the name looks like only decides whose error is told: runs have names of any beginning.
    likely = "trial" if "/" in ref else {"t": "trial", "x": "experiment"}.get(ref[:1], "run")
    told: dict[str, UsageError] = {}
    for kind in ("trial",) if "/" in ref else ("run", "trial", "experiment"):
        try:
            if kind == "run":
                return _run_place(runs.find_run(store, ref))
            if kind == "trial":
                return _trial_place(trials.find_trial(store, ref), step)
            # Imported for experiments alone: their records take a tenth of what `reach show` of a trial takes.
            from reach_tui.store.experiments import experiment

            return Place("experiment", experiment(store, ref).id, uid=ref)
        except UsageError as error:
            told[kind] = error
    raise told[likely]


def _run_place(row: RunRow) -> Place:
    return Place("run", row.id, row.id, uid=row.uid)


def _trial_place(row: TrialRow, step: int | None) -> Place:
    return Place("trial", row.id, row.start.run_id, step, row.start.uid)


class Loaded(NamedTuple):
    """A trial with its state table, for Replay; `table` is None where the log holds no state."""

    trial: StoredTrial
    table: StateTable | None


def load(store: Store, trial_id: int) -> Loaded:
    """Everything that replaying a trial needs."""
    from reach_tui.grading import StateTable
    from reach_tui.store import replay

    trial = replay.load_trial(store, trial_id)
    if trial.row.start.state_kind == "none":
        return Loaded(trial, None)
    claims = trial.grading.claims if trial.grading else ()
    return Loaded(trial, StateTable(trial.task, trial.trajectory.history(), claims))


def raw_exchange(store: Store, trial_id: int, turn: int) -> RawExchange | None:
    """What the model was really sent for a turn, and what came back."""
    from reach_tui.store import replay

    return replay.raw_exchange(store, trial_id, turn)
