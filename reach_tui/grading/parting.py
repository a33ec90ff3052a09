"""The step where the state parts from what is expected."""

from __future__ import annotations

from collections.abc import Sequence

from reach_tui.core.grading import Claim
from reach_tui.grading.evidence import Evidence
from reach_tui.grading.state.comparison import Comparison


def offending_steps(comparison: Comparison, judged: bool) -> list[int]:
    """The steps that brought about what is wrong or unexpected at the end, rising."""
    steps = {one.off_since() for one in comparison.wrong()}
    if judged:
        steps |= {comparison.off_since(one) for one in comparison.unexpected()}
    return sorted(step for step in steps if step > 0)


def parting_step(comparison: Comparison, judged: bool, claims: Sequence[Claim], evidence: Evidence) -> int | None:
    """The first step whose write is wrong or unexpected to the end. Where writes are only missing: the step at which
    the agent claimed one of them, else its final message, else the last step. None where the state is as expected.
    """
    offending = offending_steps(comparison, judged)
    if offending:
        return offending[0]
    missing = {one.row.path for one in comparison.missing()}
    if not missing:
        return None
    claimed = [one.step for one in claims if one.supported is False and one.pointer in missing]
    if claimed:
        return min(claimed)
    final = evidence.final_message
    return final.step.n if final is not None else evidence.last_step or None
