"""What was wrong with a call: the tool, which argument, or what its tool's own schema says of the arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical
from reach_tui.core.equality import EXACT, is_number, same, type_word
from reach_tui.core.grading import Deviation, FailureMode
from reach_tui.core.tools import ToolSpec
from reach_tui.core.trajectory import Step
from reach_tui.grading.detectors import UNGROUNDED
from reach_tui.grading.evidence import Evidence, args_of
from reach_tui.grading.identifiers import looks_like_id
from reach_tui.grading.state.comparison import Comparison
from reach_tui.grading.state.explanations import show
from reach_tui.grading.state.expressions import matches

Calls = dict[str, list[dict[str, Any]]]
"""Patterns of arguments by tool."""


def expected_calls(evidence: Evidence) -> Calls:
    """The argument patterns of the calls a task expects, by tool: from its reference, else from its expected tools and
    milestones. Empty where the task names none.
    """
    task = evidence.task
    calls: Calls = {}
    for call in task.reference:
        if isinstance(call.get("tool"), str):
            calls.setdefault(call["tool"], []).append(_mapping(call.get("args")))
    if calls:
        return calls
    expected = task.expected_tools or {}
    for order in ("in_order", "any_order", "set"):
        for name in expected.get(order) or ():
            tool = name.get("tool") if isinstance(name, dict) else name
            calls.setdefault(str(tool), []).append({})
    for milestone in task.milestones:
        called = milestone.get("called")
        if isinstance(called, dict) and called.get("tool"):
            calls.setdefault(str(called["tool"]), []).append(_mapping(called.get("args")))
    return calls


def misuse(
    step: Step, evidence: Evidence, comparison: Comparison, deviations: Iterable[Deviation]
) -> FailureMode | None:
    """The failure mode of a successful write that was wrong or unasked for; None where the rules do not say."""
    task = evidence.task
    if task.kind == "refuse":
        return "planning:policy_misjudged"
    if task.kind == "query":
        return "tool:write_in_query"
    if _repeats(step, evidence):
        return "drift:repeated_write"
    expected = expected_calls(evidence)
    if expected and step.tool not in expected:
        return "tool:wrong_tool"
    if any(deviation.detector == UNGROUNDED and deviation.step == step.n for deviation in deviations):
        return "argument:ungrounded"
    known = [pattern for pattern in expected.get(step.tool or "", ()) if pattern]
    if known:
        return wrong_argument(args_of(step), known)
    return _by_state(step, evidence, comparison)


def wrong_argument(args: dict[str, Any], known: Sequence[dict[str, Any]]) -> FailureMode | None:
    """Against the nearest expected call: another record, another value, or nothing wrong (None)."""
    differing = min(
        ([key for key, want in pattern.items() if not matches(want, args.get(key, ABSENT))] for pattern in known),
        key=len,
    )
    if not differing:
        return None
    if all(key not in args for key in differing):
        return "argument:left_out"
    given = [args[key] for key in differing if key in args]
    return (
        "argument:wrong_record"
        if any(isinstance(v, str) and looks_like_id(v) for v in given)
        else "argument:wrong_value"
    )


def _repeats(step: Step, evidence: Evidence) -> bool:
    key = canonical(args_of(step))
    before = [write for write in evidence.writes if write.n < step.n and write.tool == step.tool]
    return any(canonical(args_of(write)) == key for write in before)


def _by_state(step: Step, evidence: Evidence, comparison: Comparison) -> FailureMode | None:
    """Without a reference: the record named is none that is expected, or the wrong value is the one that was given."""
    spec = evidence.spec(step)
    if spec is None:
        return None
    rows = [row.expected for row in comparison.rows]
    tables = {row.parts[0] for row in rows if row.parts}
    records = {row.parts[1] for row in rows if len(row.parts) > 1 and row.parts[0] == spec.entity}
    about = args_of(step).get(spec.entity_arg or "")
    if records and isinstance(about, str) and about not in records:
        return "argument:wrong_record"
    given = list(args_of(step).values())
    wrong = [row.values[-1] for row in comparison.wrong()]
    scalars = [value for value in wrong if not isinstance(value, (dict, list, tuple))]
    if any(same(value, argument) for value in scalars for argument in given):
        return "argument:wrong_value"
    if tables and spec.entity not in tables:
        return "tool:wrong_tool"
    return None


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: is_number(value) and float(value).is_integer(),
    "number": is_number,
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, (list, tuple)),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def argument_fault(step: Step, spec: ToolSpec) -> str | None:
    """The first fault in words, None if there is none: unreadable, missing, unknown, ill-typed, not in the enum."""
    if not isinstance(step.body.get("args"), dict):
        return "the arguments are no JSON object"
    args, schema = args_of(step), spec.view.parameters
    properties = schema.get("properties")
    required = schema.get("required")
    for name in required if isinstance(required, (list, tuple)) else ():
        if name not in args:
            return f"{name} is missing"
    if not isinstance(properties, Mapping):
        return None
    closed = schema.get("additionalProperties") is False
    for name, value in args.items():
        if closed and name not in properties:
            return f"there is no parameter {name}"
        fault = _value_fault(name, value, properties.get(name))
        if fault:
            return fault
    return None


def _value_fault(name: str, value: Any, schema: Any) -> str | None:
    if not isinstance(schema, Mapping):
        return None
    kinds = schema.get("type")
    listed = [kinds] if isinstance(kinds, str) else list(kinds) if isinstance(kinds, (list, tuple)) else []
    known = [_TYPES[kind] for kind in listed if kind in _TYPES]
    if known and not any(fits(value) for fits in known):
        return f"{name} is a {type_word(value)}, not {' or '.join(listed)}"
    enum = schema.get("enum")
    if isinstance(enum, (list, tuple)) and not any(same(value, option, EXACT) for option in enum):
        return f"{name} is {show(value)}, none of {show(list(enum))}"
    return None
