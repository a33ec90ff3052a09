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
