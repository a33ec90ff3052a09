"""Conditions of milestones and forbidden things: a call made, a state reached, words said; and when they held."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reach_tui.core.trajectory import Step
from reach_tui.grading.evidence import Evidence, args_of, succeeded
from reach_tui.grading.patterns import PatternTrouble
from reach_tui.grading.state.expectations import expected_rows
from reach_tui.grading.state.expressions import matches
from reach_tui.grading.state.row_history import track
from reach_tui.grading.wording import where_said

Spans = list[tuple[int, int | None]]
"""Stretches of steps in which a condition held: (first, last); an event's are one step long, None is to the end."""


def spans(condition: Mapping[str, Any], evidence: Evidence, *, tried: bool = False) -> Spans:
    """When the condition held, in order. `tried` also counts calls that failed, unless the pattern says `ok`."""
    if isinstance(called := condition.get("called"), (Mapping, str)):
        steps = (step.n for step in evidence.calls if matches_call(called, step, tried=tried))
        return [(n, n) for n in steps]
    if isinstance(state := condition.get("state"), Mapping):
        return _state_spans(state, evidence)
    if (said := condition.get("said")) is not None:
        return _said_spans(said, evidence)
    return []


def matches_call(pattern: Mapping[str, Any] | str, step: Step, *, tried: bool = False) -> bool:
    """Whether a call fits a pattern {tool, args, ok}; without `ok`, one that succeeded (or any, if `tried`)."""
    if isinstance(pattern, str):
        pattern = {"tool": pattern}
    if pattern.get("tool") not in (None, step.tool):
        return False
    wanted = pattern.get("ok")
    if wanted is not None and succeeded(step) is not bool(wanted):
        return False
    if wanted is None and not tried and not succeeded(step):
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
    tracks = [track(row, evidence.history) for row in expected_rows(state)]
    steps = sorted({step for one in tracks for step in one.steps})
    held = [(step, all(one.oks[one.index(step)] for one in tracks)) for step in steps]
    found: Spans = []
    for i, (step, ok) in enumerate(held):
        if ok and (i == 0 or not held[i - 1][1]):
            end = next((after - 1 for after, still in held[i + 1 :] if not still), None)
            found.append((step, end))
    return found


def _said_spans(said: Any, evidence: Evidence) -> Spans:
    found: Spans = []
    for message in evidence.messages:
        try:
            if where_said(said, [message], evidence.value_at) is not None:
                found.append((message.step.n, message.step.n))
        except PatternTrouble:
            return found
    return found


def first_from(found: Spans, step: int) -> int | None:
    """The first step, not before `step`, at which a condition held."""
    return next((max(start, step) for start, end in found if end is None or end >= step), None)
