"""Stopping runs: asked first, then said to the run's own process through the store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reach_tui.present.language import phrase
from reach_tui.tui.navigation import YesNoQuestion
from reach_tui.tui.screen import ReachScreen

if TYPE_CHECKING:
    from reach_tui.store.rows import RunRow

LIVE = ("queued", "running", "paused")


def ask_to_stop(screen: ReachScreen, runs: Sequence[RunRow]) -> None:
    """Ask, then tell the runners of those of `runs` that still go on."""
    live = [run for run in runs if run.status in LIVE]
    if not live:
        screen.say(phrase("nothing is running here"), "dim")
        return
    names = ", ".join(run.name or run.uid for run in live)
    done = sum(run.totals.done for run in live)
    question = f"Stop {names}? {done} of {sum(run.planned for run in live)} trials are done and stay."

    def answered(yes: bool | None) -> None:
        if yes:
            store = screen.reach.store
            screen.write(lambda _: _tell(store, live), lambda _: screen.say(phrase("asked to stop"), "warn"))

    screen.reach.put(YesNoQuestion(question), answered)


def _tell(store: Path, runs: Sequence[RunRow]) -> None:
    from reach_tui.actions.runs import stop  # what runs suites is needed by those who stop them

    for run in runs:
        stop(store, run.uid)
