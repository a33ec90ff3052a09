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
        from reach_tui.store.store import Store

        try:
            store = Store(path, write=True)
            store.close()
            uid = start_experiment(store.path, plan)
            launch_experiment(store.path, uid)
        except ReachError as error:
            app.call_from_thread(screen.say, str(error), "bad")
            return
        app.call_from_thread(app.wrote, store.path, store.note)
        app.call_from_thread(screen.started, uid)

    screen.run_worker(work, thread=True)
