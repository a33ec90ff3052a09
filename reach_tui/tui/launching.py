"""Starting an experiment in a process of its own: it goes on when the app closes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reach_tui.core.errors import ReachError
from reach_tui.tui.screen import ReachScreen

if TYPE_CHECKING:
    from reach_tui.core.experiment import ExperimentPlan


def start_branch(screen: ReachScreen, plan: ExperimentPlan, started: Callable[[str], None]) -> None:
    """Store the plan and launch its process, off the screen's thread; then `started(uid)` on the screen's."""
    app, host, path = screen.app, screen.reach, screen.reach.store

    def work() -> None:
        from reach_tui.counterfactual.start import start_experiment
        from reach_tui.harness.launch import launch_experiment
        from reach_tui.store.connect import open_for_writing

        try:
            opened = open_for_writing(path)
            opened.close()
            uid = start_experiment(opened.path, plan)
            launch_experiment(opened.path, uid)
        except ReachError as error:
            app.call_from_thread(screen.say, str(error), "bad")
            return
        app.call_from_thread(host.wrote, opened.path, opened.note)
        app.call_from_thread(started, uid)

    screen.run_worker(work, thread=True)
