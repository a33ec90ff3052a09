"""CPU time of a trial of 7 model calls and 6 tool calls, stored; the model costs nothing, the world is the shipped one.

Beside it: the same 7 answers and 6 tool calls in a bare loop, with nothing recorded, limited, graded or stored.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from benchmarks.measure import Result, cpu_ms
from reach_tui.agents.loop import ChatLoop, ModelRequest
from reach_tui.core.canonical import digest
from reach_tui.core.condition import Setup
from reach_tui.core.task import Task
from reach_tui.core.trajectory import Exchange
from reach_tui.harness import execute
from reach_tui.harness.execute import Execution
from reach_tui.harness.plan import PlannedTask, RunPlan
from reach_tui.harness.start import create
from reach_tui.sandbox.registry import find_sandbox

TRIALS = 200
CALLS = [
    ("get_order", {"order_id": "A100"}), ("find_member", {"member_id": "M10086"}), ("get_order", {"order_id": "A140"}),
    ("get_order", {"order_id": "A101"}), ("cancel_order", {"order_id": "A140", "reason": "changed_mind"}),
    ("get_order", {"order_id": "A140"}),
]  # fmt: skip
TASK = {
    "id": "bench", "request": "取消订单 A140", "kind": "action", "repeat": TRIALS, "sandbox": "commerce",
    "outcomes": [{"state": {"orders": {"A140": {"status": "cancelled"}}}}],
    "milestones": [{"name": "looked up", "called": {"tool": "get_order"}}],
    "allow_changes": ["/stock/*", "/audit/*", "/payments/*", "/refunds/*", "/orders/A140", "/order_items/*"],
}  # fmt: skip


def _message(turn: int) -> dict[str, Any]:
    if turn > len(CALLS):
        return {"role": "assistant", "content": "订单 A140 已取消。"}
    name, arguments = CALLS[turn - 1]
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant", "content": None,
        "tool_calls": [{"id": f"c{turn}", "type": "function", "function": function}],
    }  # fmt: skip


MESSAGES = [_message(turn) for turn in range(1, len(CALLS) + 2)]


class FreeModel:
    """Answers from a list and costs nothing."""

    async def complete(self, request: ModelRequest, record: Callable[[Exchange], None]) -> Mapping[str, Any]:
        message = MESSAGES[request.turn - 1]
        record(
            Exchange(
                turn=request.turn,
                attempt=1,
                messages=tuple(request.messages),
                tools=tuple(request.tools),
                options={},
                response=message,
                model="free",
                tokens_in=0,
                tokens_out=0,
            )
        )
        return message


@asynccontextmanager
async def _free(setup: Setup, connection: Mapping[str, Any] | None = None) -> AsyncIterator[ChatLoop]:
    yield ChatLoop(FreeModel())


def _harness(folder: Path) -> None:
    family = find_sandbox("commerce")
    setup = Setup(
        "simulated",
        {"id": "free"},
        "Help the customer.",
        tuple(s.view for s in family.specs()),
        sandbox={"name": family.name, "digest": family.digest},
    )
    plan = RunPlan("bench", setup, (PlannedTask(Task.of(TASK), TRIALS),), "seed")
    store = folder / f"{len(list(folder.glob('*.db')))}.db"
    row = create(store, plan, name="bench", suite_digest=digest(TASK), suite_source=None)
    with Execution(store, [row.uid]) as execution:
        execution.run()
        assert execution.runs[0].tally.totals().passed == TRIALS
        execution.finish()


def _bare() -> None:
    family = find_sandbox("commerce")
    for _ in range(TRIALS):
        world = family.open({}, None, "bench")
        messages: list[Mapping[str, Any]] = [{"role": "user", "content": TASK["request"]}]
        for message in MESSAGES:
            messages.append(message)
            for call in message.get("tool_calls", ()):
                outcome = world.call(call["function"]["name"], json.loads(call["function"]["arguments"]))
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": outcome.text})


def run() -> list[Result]:
    """One row."""
    before = execute.open_agent
    execute.open_agent = _free
    try:
        with tempfile.TemporaryDirectory() as folder:
            ours = cpu_ms(lambda: _harness(Path(folder)), 3) / TRIALS
    finally:
        execute.open_agent = before
    return [
        Result("trial of 7 model and 6 tool calls, run, graded, stored", ours, "CPU ms", "the bare loop, nothing kept",
               cpu_ms(_bare, 3) / TRIALS, "6 CPU ms")
    ]  # fmt: skip
