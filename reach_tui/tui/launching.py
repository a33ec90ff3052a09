"""Starting an experiment from a screen: off its thread, in a process that goes on when the app closes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from reach_tui.core.errors import ReachError
from reach_tui.tui.screen import ReachScreen

if TYPE_CHECKING:
    from reach_tui.core.experiment import ExperimentPlan


def start_branch(
    screen: ReachScreen, plan: ExperimentPlan, started: Callable[[str], None], refused: Callable[[str], None]
) -> None:
    """Store the plan and launch its process, off the screen's thread; then `started(uid)` or `refused(why)` on it."""
    app, host, path = screen.app, screen.reach, screen.reach.store

    def work() -> None:
        from reach_tui.actions.branches import start  # what runs experiments is needed by those who start one

        try:
            begun = start(path, plan)
        except ReachError as error:
            app.call_from_thread(refused, str(error))
            return
        app.call_from_thread(host.wrote, begun.store, begun.note)
        app.call_from_thread(started, begun.uid)

    screen.run_worker(work, thread=True)
