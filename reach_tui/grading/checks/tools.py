"""The tools a good trajectory calls: explains, and decides only with `gate: true`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reach_tui.core.grading import CheckResult
from reach_tui.core.trajectory import Step
from reach_tui.grading.checks.make import check
from reach_tui.grading.conditions import matches_call
from reach_tui.grading.evidence import Evidence


def tool_checks(evidence: Evidence) -> Iterator[CheckResult]:
    """The check of `expected_tools`, over the calls that succeeded."""
    expected = evidence.task.expected_tools
    if not expected:
        return
    order = next((key for key in ("in_order", "any_order", "set") if expected.get(key) is not None), None)
    if order is None or not isinstance(expected[order], (list, tuple)):
        return
    wanted, decides = list(expected[order]), bool(expected.get("gate"))
    calls = list(evidence.calls)
    missing = _missing(order, wanted, calls)
    called = [step.tool for step in calls]
    if not missing:
        words = f"called: {', '.join(map(_name, wanted))}" if wanted else "no tool is expected"
        yield check("tools", True, words, decides=decides, expected={order: wanted}, actual=called)
        return
    names = [_name(one) for one in missing]
    if order == "in_order" and not _missing("any_order", wanted, calls):
        why = f"called in another order: {', '.join(names)} not after what should come before"
    else:
        why = f"not called: {', '.join(names)}"
    yield check("tools", False, why, decides=decides, expected={order: wanted}, actual=called)


def _missing(order: str, wanted: Sequence[Any], calls: Sequence[Step]) -> list[Any]:
    if order == "set":
        return [one for one in wanted if not any(matches_call(_pattern(one), step) for step in calls)]
    left, missing = list(calls), []
    for one in wanted:
        place = next((i for i, step in enumerate(left) if matches_call(_pattern(one), step)), None)
        if place is None:
            missing.append(one)
        elif order == "in_order":
            left = left[place + 1 :]
        else:
            del left[place]
    return missing


def _pattern(one: Any) -> Any:
    if isinstance(one, dict) and "tool" not in one and len(one) == 1:
        [(tool, args)] = one.items()
        return {"tool": tool, "args": args or {}}
    return one


def _name(one: Any) -> str:
    pattern = _pattern(one)
    return str(pattern.get("tool")) if isinstance(pattern, dict) else str(pattern)
