"""Going to what a name means: a run, a trial at a step, an experiment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reach_tui.present import reading as queries

if TYPE_CHECKING:
    from reach_tui.tui.app import ReachApp
    from reach_tui.tui.screens.everywhere import ReachScreen


def open_place(app: ReachApp, place: queries.Place) -> None:
    """Open the screen of a place."""
    if place.kind == "trial":
        app.open_trial(place.id, place.run_id, step=place.step)
    elif place.kind == "run":
        app.open_run(place.id)
    else:
        app.open_experiment(place.uid)


def open_name(app: ReachApp, name: str, screen: ReachScreen) -> None:
    """Ask the store what `name` means; `screen` hears of it as `got_place`."""
    screen.ask("place", queries.find, name)
