"""What must never hold (`forbidden`), and what arguments must be wherever they are given (`constraints`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.grading import CheckResult
from reach_tui.core.trajectory import Step
from reach_tui.grading.checks.make import check
from reach_tui.grading.conditions import in_words, spans
from reach_tui.grading.equality import show
from reach_tui.grading.evidence import Evidence, args_of, succeeded, writes
from reach_tui.grading.state.explanations import explain

_NOT_IN = "not_in"


def forbidden_checks(evidence: Evidence) -> Iterator[CheckResult]:
    """A check for each forbidden thing. A call counts when tried; a state only if the trial brought it about."""
    for condition in evidence.task.forbidden:
        name = str(condition.get("name") or in_words(condition))
        found = [start for start, _ in spans(condition, evidence, tried=True) if start > 0]
        expected = {key: value for key, value in condition.items() if key != "name"}
        if found:
            yield check("forbidden", False, f"forbidden: {name}, at step {found[0]}", expected=expected, step=found[0])
        else:
            yield check("forbidden", True, f"never: {name}", expected=expected)


def constraint_checks(evidence: Evidence) -> Iterator[CheckResult]:
    """A check for each constraint, over all successful writes (of its tool, if it names one) that give the argument."""
    for constraint in evidence.task.constraints:
        arg, tool = str(constraint.get("arg")), constraint.get("tool")
        expression = _expression(constraint)
        calls = [step for step in evidence.calls if _is_bound(step, tool, evidence)]
        given = [(step, value) for step in calls if (value := _argument(step, arg)) is not ABSENT]
        broken = [(step, value, found) for step, value in given if (found := explain(expression, value))]
        if not broken:
            last = given[-1][0].n if given else None
            words = "as demanded" if given else "never given"
            yield check("constraint", True, f"argument {arg} {words}", expected=expression, step=last)
            continue
        step, value, mismatches = broken[0]
        why = f"{step.tool} was called with {arg} {show(value)}: {mismatches[0].why}"
        held = None if mismatches[0].trouble else False
        yield check("constraint", held, why, expected=expression, actual=value, step=step.n)


def _is_bound(step: Step, tool: Any, evidence: Evidence) -> bool:
    if not succeeded(step):
        return False
    return step.tool == tool if tool else writes(step, evidence.specs)


def _argument(step: Step, arg: str) -> Any:
    return pointers.get(args_of(step), arg) if arg.startswith("/") else args_of(step).get(arg, ABSENT)


def _expression(constraint: Mapping[str, Any]) -> Any:
    """A constraint's comparison as a state expression: `equals` a literal, `in` `$in`, `not_in` the reverse."""
    if "equals" in constraint:
        return constraint["equals"]
    wanted: dict[str, Any] = {}
    for key, value in constraint.items():
        if key == _NOT_IN:
            wanted["$ne"] = {"$in": value}
        elif key not in ("arg", "tool", "name"):
            wanted[key if key.startswith("$") else f"${key}"] = value
    return wanted or {"$exists": True}
