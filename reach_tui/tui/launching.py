"""Starting an experiment in a process of its own: it goes on when the app closes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reach_tui.core.errors import ReachError

if TYPE_CHECKING:
    from reach_tui.core.experiment import ExperimentPlan
    from reach_tui.tui.screens.branch import BranchScreen


def start_branch(screen: BranchScreen, plan: ExperimentPlan) -> None:
    """Store the plan and launch its process, off the screen's thread; then `screen.started(uid)`."""
    app = screen.reach
    path = app.store

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
        app.call_from_thread(app.wrote, opened.path, opened.note)
        app.call_from_thread(screen.started, uid)

    screen.run_worker(work, thread=True)
