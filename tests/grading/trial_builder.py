"""Small trials by hand: a shop with orders, refunds and tickets, a few tools, and a log written step by step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Change
from reach_tui.core.task import Task
from reach_tui.core.tools import ToolSpec, ToolView
from reach_tui.core.trajectory import CHANGED, EndReason, Step, StepKind, Trajectory


def spec(
    name: str,
    effect: str,
    entity: str | None = None,
    entity_arg: str | None = None,
    claims: tuple[str, ...] = (),
    polling: bool = False,
    parameters: Mapping[str, Any] | None = None,
) -> ToolSpec:
    schema = parameters or {"type": "object", "properties": {}}
    return ToolSpec(ToolView(name, "", schema), effect, entity, entity_arg, polling, claims)


ORDER_ARGS = {
    "type": "object",
    "required": ["order_id"],
    "additionalProperties": False,
    "properties": {"order_id": {"type": "string"}, "channel": {"type": "string", "enum": ["original", "balance"]}},
}
SPECS = {
    tool_spec.name: tool_spec
    for tool_spec in (
        spec("get_order", "read", "orders", "order_id"),
        spec("list_refunds", "read", "refunds"),
        spec("wait_for_order", "read", "orders", "order_id", polling=True),
        spec(
            "request_refund",
            "write",
            "orders",
            "order_id",
            ("已提交退款", "refund has been submitted"),
            parameters=ORDER_ARGS,
        ),
        spec("cancel_order", "write", "orders", "order_id"),
        spec("update_order_address", "write", "orders", "order_id"),
        spec("open_ticket", "write", "tickets"),
    )
}

INITIAL: dict[str, Any] = {
    "orders": {
        "A100": {"status": "delivered", "total": 129, "address": {"city": "上海", "zip": "200000"}, "updated_at": "t0"},
        "A200": {"status": "paid", "total": 80, "address": {"city": "北京", "zip": "100000"}, "updated_at": "t0"},
    },
    "refunds": {"R1": {"order_id": "A900", "channel": "original", "status": "paid"}},
    "stock": {"CUP-1": {"available": 5}},
    "tickets": {},
    "_world": {"now": "2026-03-01T10:00:00+08:00"},
}

REFUND = {
    "orders": {"A100": {"status": "refund_review"}},
    "refunds": {"$any": {"order_id": "A100", "channel": "original"}},
}


def task(kind: str = "action", state: Mapping[str, Any] | None = None, **more: Any) -> Task:
    """A task with one outcome made of `state`, `must_include`, `told`, `asked`, unless `outcomes` are given."""
    body: dict[str, Any] = {"id": "T-1", "request": "请帮我退掉订单 A100", "kind": kind}
    outcome = {"state": dict(state or {})}
    outcome |= {key: more.pop(key) for key in ("must_include", "told", "asked") if key in more}
    body["outcomes"] = more.pop("outcomes", [outcome] if any(outcome.values()) else [])
    return Task.of({**body, **more})


class Log:
    """Writes a trajectory; every method adds a step and gives back the log."""

    def __init__(self, initial: Mapping[str, Any] | None = INITIAL, request: str = "请帮我退掉订单 A100") -> None:
        self._initial = initial
        self._steps: list[Step] = []
        self._turn = 0
        self.user(request)

    def _add(self, kind: StepKind, body: Mapping[str, Any], **more: Any) -> Log:
        self._steps.append(Step(len(self._steps) + 1, self._turn, kind, body, **more))
        return self

    def user(self, text: str) -> Log:
        return self._add("user", {"text": text})

    def say(self, text: str) -> Log:
        self._turn += 1
        return self._add("agent", {"text": text})

    def remark(self, text: str) -> Log:
        """Words beside the calls of the same turn, which follow with `same_turn=True`."""
        return self.say(text)

    def notice(self, text: str) -> Log:
        return self._add("notice", {"text": text})

    def broke(self, text: str) -> Log:
        return self._add("error", {"text": text})

    def call(
        self,
        tool: str,
        args: Any = None,
        result: Any = "{}",
        *changes: Change,
        error: str | None = None,
        flags: int = 0,
        same_turn: bool = False,
        requestor: str | None = None,
        ok: bool | None = True,
    ) -> Log:
        if not same_turn:
            self._turn += 1
        body: dict[str, Any] = {"args": {} if args is None else args}
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
        body["error" if error is not None else "result"] = text if error is None else error
        if requestor:
            body["requestor"] = requestor
        known = False if error is not None else ok
        flags |= CHANGED if changes else 0
        return self._add("call", body, tool=tool, ok=known, flags=flags, changes=tuple(changes))

    def look(self, order: str = "A100") -> Log:
        return self.call("get_order", {"order_id": order}, {"order_id": order, "status": "delivered"})

    def refund(self, order: str = "A100", channel: str = "original", refund_id: str = "R2") -> Log:
        old = INITIAL["orders"][order]["status"]
        return self.call(
            "request_refund",
            {"order_id": order, "channel": channel},
            {"refund_id": refund_id, "status": "review"},
            Change(f"/orders/{order}/status", old, "refund_review"),
            Change(f"/refunds/{refund_id}", ABSENT, {"order_id": order, "channel": channel, "status": "review"}),
            Change("/_world/seq", ABSENT, 1),
        )

    def cancel(self, order: str = "A100") -> Log:
        old = INITIAL["orders"][order]["status"]
        return self.call(
            "cancel_order",
            {"order_id": order},
            {"order_id": order, "status": "cancelled"},
            Change(f"/orders/{order}/status", old, "cancelled"),
        )

    def write(self, tool: str, pointer: str, old: Any, new: Any, **args: Any) -> Log:
        return self.call(tool, args, "{}", Change(pointer, old, new))

    def end(self, reason: EndReason = "answered", text: str = "") -> Trajectory:
        return Trajectory(self._initial, tuple(self._steps), reason, text)
