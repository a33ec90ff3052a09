"""What the calls must be: never forbidden ones, arguments as demanded, the write of an action, the tools expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.grading import CheckResult
from reach_tui.core.task import AcceptableState
from reach_tui.core.trajectory import Step
from reach_tui.grading.checks import check
from reach_tui.grading.detectors import unread_writes
from reach_tui.grading.evidence import Evidence, args_of, succeeded, writes
from reach_tui.grading.milestones import in_words, matches_call, spans
from reach_tui.grading.state.explanations import explain, show

_NOT_IN = "not_in"


def forbidden_checks(evidence: Evidence) -> Iterator[CheckResult]:
    """A check for each forbidden thing. A call counts when tried; a state only if the trial brought it about."""
    for condition in evidence.task.forbidden:
        name = str(condition.get("name") or in_words(condition))
        held_at = [start for start, _ in spans(condition, evidence, tried=True) if start > 0]
        expected = {key: value for key, value in condition.items() if key != "name"}
        if held_at:
            why = f"forbidden: {name}, at step {held_at[0]}"
            yield check("forbidden", False, why, expected=expected, step=held_at[0])
        else:
            yield check("forbidden", True, f"never: {name}", expected=expected)


def constraint_checks(evidence: Evidence) -> Iterator[CheckResult]:
    """A check for each constraint, over all successful writes (of its tool, if it names one) that give the argument."""
    for constraint in evidence.task.constraints:
        arg, tool = str(constraint.get("arg")), constraint.get("tool")
        expression = _expression(constraint)
        calls = [step for step in evidence.calls if _is_bound(step, tool, evidence)]
        given = [(step, value) for step in calls if (value := _argument(step, arg)) is not ABSENT]
        broken = [(step, value, mismatches) for step, value in given if (mismatches := explain(expression, value))]
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
    expression: dict[str, Any] = {}
    for key, value in constraint.items():
        if key == _NOT_IN:
            expression["$ne"] = {"$in": value}
        elif key not in ("arg", "tool", "name"):
            expression[key if key.startswith("$") else f"${key}"] = value
    return expression or {"$exists": True}


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


def tool_checks(evidence: Evidence) -> Iterator[CheckResult]:
    """The check of `expected_tools`, over the calls that succeeded."""
    expected = evidence.task.expected_tools
    if not expected:
        return
    order = next((key for key in ("in_order", "any_order", "set") if expected.get(key) is not None), None)
    if order is None or not isinstance(expected[order], (list, tuple)):
        return
    entries, decides = list(expected[order]), bool(expected.get("gate"))
    calls = list(evidence.calls)
    missing = _missing(order, entries, calls)
    called = [step.tool for step in calls]
    if not missing:
        words = f"called: {', '.join(map(_name, entries))}" if entries else "no tool is expected"
        yield check("tools", True, words, decides=decides, expected={order: entries}, actual=called)
        return
    names = [_name(entry) for entry in missing]
    if order == "in_order" and not _missing("any_order", entries, calls):
        why = f"called in another order: {', '.join(names)} not after what should come before"
    else:
        why = f"not called: {', '.join(names)}"
    yield check("tools", False, why, decides=decides, expected={order: entries}, actual=called)


def _missing(order: str, entries: Sequence[Any], calls: Sequence[Step]) -> list[Any]:
    if order == "set":
        return [entry for entry in entries if not any(matches_call(_pattern(entry), step) for step in calls)]
    left, missing = list(calls), []
    for entry in entries:
        place = next((i for i, step in enumerate(left) if matches_call(_pattern(entry), step)), None)
        if place is None:
            missing.append(entry)
        elif order == "in_order":
            left = left[place + 1 :]
        else:
            del left[place]
    return missing


def _pattern(entry: Any) -> Any:
    if isinstance(entry, dict) and "tool" not in entry and len(entry) == 1:
        [(tool, args)] = entry.items()
        return {"tool": tool, "args": args or {}}
    return entry


def _name(entry: Any) -> str:
    pattern = _pattern(entry)
    return str(pattern.get("tool")) if isinstance(pattern, dict) else str(pattern)
