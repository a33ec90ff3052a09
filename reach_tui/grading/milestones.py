"""Ordered partial goals: which were reached, at which step, and how deep the trial came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.grading import MilestoneResult
from reach_tui.grading.conditions import first_from, in_words, spans
from reach_tui.grading.evidence import Evidence, args_of, result_of
from reach_tui.grading.state.expectations import expected_rows
from reach_tui.grading.state.row_history import track

REACHED, MISSED = "reached", "missed"


def milestones_of(evidence: Evidence) -> tuple[tuple[MilestoneResult, ...], int]:
    """(a result for each milestone, the depth): how many were reached from the first on, each not before the last.

    A milestone that was reached, but earlier than the one before it, is reached and ends the depth.
    """
    results = []
    depth, at, contiguous = 0, 0, True
    for number, milestone in enumerate(evidence.task.milestones, 1):
        name = str(milestone.get("name") or f"milestone {number}")
        found = spans(milestone, evidence)
        expected = {key: value for key, value in milestone.items() if key != "name"}
        if not found:
            contiguous = False
            results.append(MilestoneResult(name, "missed", None, expected, _instead(milestone, evidence)))
            continue
        in_order = first_from(found, at) if contiguous else None
        step = found[0][0] if in_order is None else in_order
        contiguous = in_order is not None
        if contiguous:
            depth, at = depth + 1, step
        results.append(MilestoneResult(name, "reached", step, expected, expected))
    return tuple(results), depth


def _instead(milestone: Mapping[str, Any], evidence: Evidence) -> Any:
    """What there was instead: the last call of that tool, the state's values at the end, nothing."""
    called = milestone.get("called")
    if isinstance(called, Mapping):
        calls = [step for step in evidence.calls if step.tool == called.get("tool")]
        if not calls:
            return f"{in_words(milestone)}: never"
        step = calls[-1]
        failed = {} if step.ok is not False else {"error": result_of(step)[:200]}
        return {"tool": step.tool, "args": args_of(step), **failed}
    state = milestone.get("state")
    if isinstance(state, Mapping):
        tracks = [track(row, evidence.history) for row in expected_rows(state)]
        return {one.row.path: None if one.values[-1] is ABSENT else one.values[-1] for one in tracks}
    return None
