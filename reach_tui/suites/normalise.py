"""From a validated model to the body of a task: every key there, all defaults merged, plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reach_tui.core.task import Limits
from reach_tui.suites.models import (
    DEFAULT_REPEAT,
    HIGH_RISK_REPEAT,
    ConditionModel,
    ConstraintModel,
    CoverageModel,
    CoverageTaskModel,
    ExpectedToolsModel,
    Labelled,
    LimitsModel,
    ReferenceCallModel,
    SuiteModel,
    TaskModel,
)
from reach_tui.suites.vocabulary import COMPARISONS, ORDERS

BY_STATE, BY_TEXT = "state", "text"
"""What decides a task: the state of its world, or the words of the agent (coverage layout)."""

Body = dict[str, Any]


def full_bodies(suite: SuiteModel) -> list[Body]:
    """The bodies of all tasks of a suite in the full layout."""
    return [_full_body(task, suite) for task in suite.tasks]


def coverage_bodies(suite: CoverageModel) -> list[Body]:
    """The bodies of all tasks of a suite in the coverage layout."""
    return [_coverage_body(task) for task in suite.tasks]


def _labels(task: Labelled, default_repeat: int | None) -> Body:
    repeat = default_repeat or DEFAULT_REPEAT
    if task.risk == "high":
        repeat = max(repeat, HIGH_RISK_REPEAT)
    return {
        "id": task.id,
        "domain": task.domain,
        "intent": task.intent,
        "task_type": task.task_type,
        "priority": task.priority or "P2",
        "difficulty": task.difficulty,
        "risk": task.risk or "normal",
        "weight": 1.0 if task.weight is None else task.weight,
        "repeat": task.repeat or repeat,
        "tags": task.tags or {},
    }


def _full_body(task: TaskModel, suite: SuiteModel) -> Body:
    defaults = suite.defaults
    outcomes = _outcomes(task)
    expects_state = any(outcome["state"] for outcome in outcomes)
    return {
        **_labels(task, defaults.repeat if defaults else None),
        "kind": task.kind or ("action" if expects_state else "query"),
        "level": task.level,
        "request": task.request,
        "turns": [turn.model_dump(exclude_none=True) for turn in task.turns or ()],
        "now": task.now or suite.now,
        "initial_state": task.initial_state or {},
        "allowed_tools": task.allowed_tools,
        "outcomes": outcomes,
        "allow_changes": task.allow_changes or [],
        "expected_tools": _expected_tools(task.expected_tools),
        "milestones": [_condition(condition) for condition in task.milestones or ()],
        "forbidden": [_condition(condition) for condition in task.forbidden or ()],
        "constraints": [_constraint(constraint) for constraint in task.constraints or ()],
        "reference": [_reference(entry) for entry in task.reference or ()],
        # Only where there is one: a task without it stays what it was.
        **({"answer": task.answer} if task.answer is not None else {}),
        "perturbations": task.perturbations or [],
        "quality": task.quality.model_dump() if task.quality else None,
        "limits": _limits(defaults.limits if defaults else None, task.limits),
        "sandbox": suite.sandbox,
        "judge": BY_STATE,
        "confirm": bool(task.confirm),
    }


def _reference(entry: ReferenceCallModel) -> Body:
    return {"ask": entry.ask} if entry.ask is not None else {"tool": entry.tool, "args": entry.args or {}}


def _coverage_body(task: CoverageTaskModel) -> Body:
    criteria = task.success_criteria
    slots = list(criteria.must_include_slots or ()) if criteria else []
    tools = list(dict.fromkeys(criteria.expected_tool_sequence or ())) if criteria else []
    return {
        **_labels(task, None),
        "kind": "query",
        "level": None,
        "request": task.prompt,
        "turns": [],
        "now": None,
        "initial_state": {},
        "allowed_tools": None,
        "outcomes": [{"name": "", "state": {}, "must_include": slots, "told": [], "asked": []}] if slots else [],
        "allow_changes": [],
        # In this layout the tools decide, as a set: each must have been called, in whatever order.
        "expected_tools": {"set": tools, "gate": True} if tools else None,
        "milestones": [],
        "forbidden": [],
        "constraints": [],
        "reference": [],
        "perturbations": [],
        "quality": None,
        "limits": Limits().as_json(),
        "sandbox": None,
        "judge": BY_TEXT,
        "confirm": False,
    }


def _outcomes(task: TaskModel) -> list[Body]:
    """Every acceptable outcome with what the task itself expects in each of them; none where nothing is expected."""
    shared = _outcome("", task.expected_state, task.must_include, task.told, task.asked)
    if not task.outcomes:
        return [shared] if any(shared.values()) or task.expected_state is not None else []
    own = [
        _outcome(outcome.name, outcome.state, outcome.must_include, outcome.told, outcome.asked)
        for outcome in task.outcomes
    ]
    return [
        {
            "name": outcome["name"],
            "state": merged_state(shared["state"], outcome["state"]),
            **{key: _joined(shared[key], outcome[key]) for key in ("must_include", "told", "asked")},
        }
        for outcome in own
    ]


def _joined(shared: list[Any], own: list[Any]) -> list[Any]:
    return [*shared, *(entry for entry in own if entry not in shared)]


def _outcome(
    name: str | None,
    state: Body | None,
    must_include: list[Any] | None,
    told: list[Any] | None,
    asked: list[Any] | None,
) -> Body:
    return {
        "name": name or "", "state": state or {}, "must_include": must_include or [], "told": told or [],
        "asked": asked or [],
    }  # fmt: skip


def merged_state(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """`own` over `shared`: mappings merge key by key, the operand of an operator is replaced whole."""
    merged = dict(shared)
    for key, value in own.items():
        before = merged.get(key)
        # An empty mapping is a literal of its own, not "nothing to add".
        if isinstance(before, dict) and isinstance(value, dict) and value and not key.startswith("$"):
            merged[key] = merged_state(before, value)
        else:
            merged[key] = value
    return merged


def _expected_tools(model: ExpectedToolsModel | None) -> Body | None:
    if model is None:
        return None
    [order] = [key for key in ORDERS if getattr(model, key) is not None]
    calls = [call.model_dump(exclude_none=True) for call in getattr(model, order)]
    # A tool alone is its name, as in the coverage layout.
    return {order: [call["tool"] if len(call) == 1 else call for call in calls], "gate": model.gate}


def _condition(model: ConditionModel) -> Body:
    body: Body = {"name": model.name} if model.name else {}
    if model.called is not None:
        body["called"] = model.called.model_dump(exclude_none=True)
    elif model.state is not None:
        body["state"] = model.state
    else:
        body["said"] = model.said
    return body


def _constraint(model: ConstraintModel) -> Body:
    body: Body = {"arg": model.arg}
    if model.tool:
        body["tool"] = model.tool
    for key in COMPARISONS:
        name = "within" if key == "in" else key
        if name in model.model_fields_set:
            body[key] = getattr(model, name)
    return body


def _limits(defaults: LimitsModel | None, own: LimitsModel | None) -> Body:
    given = {
        **(defaults.model_dump(exclude_none=True) if defaults else {}),
        **(own.model_dump(exclude_none=True) if own else {}),
    }
    return Limits.of(given).as_json()
