"""`reach show`: one command for whatever a reference names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from reach_tui.cli.options import json_option, print_json, say, store_option
from reach_tui.core.canonical import canonical
from reach_tui.core.errors import UsageError
from reach_tui.harness.dead import find_dead
from reach_tui.present.opened import find, load
from reach_tui.present.replay import exchange_json
from reach_tui.present.step_marks import marks_of
from reach_tui.present.trial_text import replay_json, replay_text, trial_json
from reach_tui.store.replay import raw_exchange
from reach_tui.store.runs import find_run
from reach_tui.store.store import Store
from reach_tui.store.trials import trials_of

VIEWS = ("differing", "changed", "expected", "all")


@click.command("show")
@click.argument("what")
@click.option("--view", type=click.Choice(VIEWS), default="differing", show_default=True, help="Which state rows.")
@click.option("--raw", type=int, metavar="TURN", help="What the model was sent at this turn, and what it answered.")
@store_option
@json_option
def show_command(what: str, view: str, raw: int | None, store: Path, as_json: bool) -> None:
    """Show WHAT: a run (`RUN`), a trial (`RUN/TASK#1`), one step of it (`RUN/TASK#1@7`), or an experiment.

    A run is a uid, its beginning, a name, or `last`.
    """
    with Store(store) as opened:
        find_dead(opened)
        shown = _look_up(opened, what, view, raw)
    value, text = shown
    print_json(value) if as_json else say(text)


def _look_up(store: Store, what: str, view: str, raw: int | None) -> tuple[dict[str, Any], str]:
    """(JSON, text) of what a reference names."""
    place = find(store, what)
    if place.kind == "trial":
        return _trial(store, place.id, place.step, view, raw)
    return _experiment(store, place.uid) if place.kind == "experiment" else _run(store, place.uid)


def _trial(store: Store, trial_id: int, step: int | None, view: str, raw: int | None) -> tuple[dict[str, Any], str]:
    loaded = load(store, trial_id)
    link = loaded.trial.row.link
    if raw is not None:
        exchange = raw_exchange(store, trial_id, raw)
        if exchange is None:
            raise UsageError(f"no request to a model is kept at turn {raw} of {link}")
        body = exchange_json(exchange)
        return body, canonical(body)
    last = len(loaded.trial.trajectory.steps)
    if step is None:
        step = min(marks_of(loaded.trial).opening, last)
    elif not 0 <= step <= last:
        raise UsageError(f"{link} has steps 0 to {last}, not {step}")
    return replay_json(loaded, step, view), replay_text(loaded, step, view)


# What runs and experiments need beside is imported where they are shown: `reach show` of a trial is the common one.


def _run(store: Store, uid: str) -> tuple[dict[str, Any], str]:
    from reach_tui.present.run_text import run_json, run_summary
    from reach_tui.present.trials import trials_text

    row = find_run(store, uid)
    trials = trials_of(store, row.id)
    value = {**run_json(row), "trials": [trial_json(trial) for trial in trials]}
    return value, run_summary(row) + "\n\n" + trials_text(trials)


def _experiment(store: Store, uid: str) -> tuple[dict[str, Any], str]:
    from reach_tui.counterfactual.result import result_so_far
    from reach_tui.present.experiment_text import experiment_json, experiment_text
    from reach_tui.store.experiments import experiment

    row = experiment(store, uid)
    result = result_so_far(store, row)
    return experiment_json(row.uid, row.plan, result), experiment_text(row.uid, row.plan, result)
