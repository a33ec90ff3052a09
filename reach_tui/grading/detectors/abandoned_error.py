"""Abandoned error: a write failed, and neither it nor any other write succeeded afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from reach_tui.core.grading import Deviation
from reach_tui.core.trajectory import Step
from reach_tui.grading.evidence import Evidence, result_of, succeeded, writes

DETECTOR = "abandoned_error"


def abandoned_errors(evidence: Evidence) -> Iterator[Deviation]:
    """At most one deviation: the last failed write after which no write succeeded, where the task is an action.

    In a query or a refusal, leaving a failed write alone is what should happen.
    """
    step = last_failed_write(evidence)
    if step is not None and evidence.task.kind == "action":
        words = f"{step.tool} failed and no write succeeded after it: {result_of(step)[:200]}"
        yield Deviation(DETECTOR, step.n, words, step.tool)


def last_failed_write(evidence: Evidence) -> Step | None:
    """The last failed call of a writing tool that no successful write followed."""
    done = evidence.writes[-1].n if evidence.writes else 0
    failed = [step for step in evidence.calls if not succeeded(step) and writes(step, evidence.specs)]
    return failed[-1] if failed and failed[-1].n > done else None
