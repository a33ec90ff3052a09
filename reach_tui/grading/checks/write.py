"""An action needs its write; `confirm: true` needs every write read back."""

from __future__ import annotations

from collections.abc import Iterator

from reach_tui.core.grading import CheckResult
from reach_tui.core.task import AcceptableState
from reach_tui.grading.checks.make import check
from reach_tui.grading.evidence import Evidence
from reach_tui.grading.read_back import unread_writes


def write_checks(outcome: AcceptableState, evidence: Evidence) -> Iterator[CheckResult]:
    """The guard of action tasks, and the read-back where it is declared.

    The guard is left out for an outcome without state beside others with one (a refusal that is acceptable too), and
    where nothing is known of tools or world, so that no write could be seen.
    """
    task = evidence.task
    if task.kind == "action" and _needs_write(outcome, evidence):
        if evidence.writes:
            first = evidence.writes[0]
            yield check("write", True, f"{first.tool} was carried out", step=first.n)
        else:
            tried = [step for step in evidence.calls if (spec := evidence.spec(step)) is not None and spec.writes]
            words = f"; {tried[-1].tool} was tried and failed" if tried else ""
            last = tried[-1].n if tried else None
            yield check("write", False, f"no write was carried out{words}", step=last)
    if task.body.get("confirm") is True:
        unread = unread_writes(evidence)
        for step in unread:
            yield check("write", False, f"{step.tool} (step {step.n}) was never read back", step=step.n)
        if evidence.writes and not unread:
            yield check("write", True, "every write was read back", step=evidence.writes[-1].n)


def _needs_write(outcome: AcceptableState, evidence: Evidence) -> bool:
    task = evidence.task
    if task.body.get("judge") == "text":
        return False
    if not outcome.state and any(other.state for other in task.outcomes):
        return False
    return evidence.trajectory.initial is not None or any(spec.writes for spec in evidence.specs.values())
