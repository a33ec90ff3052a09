"""Conditions (a call made, a state reached, words said), when they held, and the milestones made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.grading import MilestoneResult
from reach_tui.core.trajectory import Step
from reach_tui.grading.evidence import Evidence, args_of, result_of, succeeded
from reach_tui.grading.state.expectations import expected_rows
from reach_tui.grading.state.expressions import PatternTrouble, matches
from reach_tui.grading.state.row_history import row_history
from reach_tui.grading.wording import where_said

REACHED, MISSED = "reached", "missed"


def milestones_of(evidence: Evidence) -> tuple[tuple[MilestoneResult, ...], int]:
    """(a result for each milestone, the depth): how many were reached from the first on, each not before the last.

    A milestone that was reached, but earlier than the one before it, is reached and ends the depth.
    """
    results = []
    depth, at, contiguous = 0, 0, True
    for number, milestone in enumerate(evidence.task.milestones, 1):
        name = str(milestone.get("name") or f"milestone {number}")
        held = spans(milestone, evidence)
        expected = {key: value for key, value in milestone.items() if key != "name"}
        if not held:
            contiguous = False
            results.append(MilestoneResult(name, "missed", None, expected, _instead(milestone, evidence)))
            continue
        in_order = first_from(held, at) if contiguous else None
        step = held[0][0] if in_order is None else in_order
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
        rows = [row_history(expected, evidence.history) for expected in expected_rows(state)]
        return {row.expected.path: None if row.values[-1] is ABSENT else row.values[-1] for row in rows}
    return None


Spans = list[tuple[int, int | None]]
"""Stretches of steps in which a condition held: (first, last); an event's are one step long, None is to the end."""


def spans(condition: Mapping[str, Any], evidence: Evidence, *, tried: bool = False) -> Spans:
    """When the condition held, in order. `tried` also counts calls that failed, unless the pattern says `ok`."""
    if isinstance(called := condition.get("called"), (Mapping, str)):
        steps = (step.n for step in evidence.calls if matches_call(called, step, tried=tried))
        return [(n, n) for n in steps]
    if isinstance(state := condition.get("state"), Mapping):
        return _state_spans(state, evidence)
    if (words := condition.get("said")) is not None:
        return _said_spans(words, evidence)
    return []


def matches_call(pattern: Mapping[str, Any] | str, step: Step, *, tried: bool = False) -> bool:
    """Whether a call fits a pattern {tool, args, ok}; without `ok`, one that succeeded (or any, if `tried`)."""
    if isinstance(pattern, str):
        pattern = {"tool": pattern}
    if pattern.get("tool") not in (None, step.tool):
        return False
    ok = pattern.get("ok")
    if ok is not None and succeeded(step) is not bool(ok):
        return False
    if ok is None and not tried and not succeeded(step):
        return False
    args = pattern.get("args")
    return not args or matches(args, args_of(step))


def in_words(condition: Mapping[str, Any]) -> str:
    """The condition as a sentence names it."""
    called = condition.get("called")
    if isinstance(called, Mapping):
        return f"{called.get('tool', 'a tool')} called"
    if isinstance(called, str):
        return f"{called} called"
    if "state" in condition:
        return "a state"
    return f"said {condition.get('said')!r}"


def _state_spans(state: Mapping[str, Any], evidence: Evidence) -> Spans:
    rows = [row_history(expected, evidence.history) for expected in expected_rows(state)]
    steps = sorted({step for row in rows for step in row.steps})
    held = [(step, all(row.oks[row.index(step)] for row in rows)) for step in steps]
    stretches: Spans = []
    for i, (step, ok) in enumerate(held):
        if ok and (i == 0 or not held[i - 1][1]):
            end = next((after - 1 for after, still in held[i + 1 :] if not still), None)
            stretches.append((step, end))
    return stretches


def _said_spans(words: Any, evidence: Evidence) -> Spans:
    stretches: Spans = []
    for message in evidence.messages:
        try:
            if where_said(words, [message], evidence.value_at) is not None:
                stretches.append((message.step.n, message.step.n))
        except PatternTrouble:
            return stretches
    return stretches


def first_from(held: Spans, step: int) -> int | None:
    """The first step, not before `step`, at which a condition held."""
    return next((max(start, step) for start, end in held if end is None or end >= step), None)
