"""Which of a task's acceptable outcomes a trial's state is held against."""

from __future__ import annotations

from reach_tui.core.history import StateHistory
from reach_tui.core.task import AcceptableState, Task
from reach_tui.grading.state.comparison import Comparison

NO_OUTCOME = AcceptableState()


def judges_changes(task: Task | None) -> bool:
    """Whether a change that no expectation names counts against a trial of the task.

    Not where nothing is said of the state: an action without expected state, a task judged by its text, no task.
    """
    if task is None or task.body.get("judge") == "text":
        return False
    return task.kind in ("query", "refuse") or any(outcome.state for outcome in task.outcomes)


def comparisons(task: Task | None, history: StateHistory) -> list[tuple[AcceptableState, Comparison]]:
    """Each acceptable outcome with the trial's state against it; one without expectations where the task has none."""
    outcomes = (task.outcomes if task is not None else ()) or (NO_OUTCOME,)
    allow = task.allow_changes if task is not None else ()
    return [(outcome, Comparison(outcome.state, history, allow)) for outcome in outcomes]


def distance(comparison: Comparison, judged: bool) -> int:
    """How many rows and changes keep the final state from the outcome; 0 is reached."""
    return len(comparison.tracks) - len(comparison.right()) + (len(comparison.unexpected()) if judged else 0)


def closest(task: Task | None, history: StateHistory) -> tuple[AcceptableState, Comparison]:
    """The outcome that the final state reaches, else the one it comes closest to, the first of equals."""
    judged, found = judges_changes(task), comparisons(task, history)
    return found[0] if len(found) == 1 else min(found, key=lambda one: distance(one[1], judged))
