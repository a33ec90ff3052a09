"""A small suite, its plans, and an endpoint that works through a task's reference: real parts, no model needed."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reach_tui.agents.kind import AgentChoice
from reach_tui.harness.start import RunChoice, create, plan_run
from reach_tui.store.rows import RunRow
from reach_tui.suites.load import LoadedSuite, load_suite
from tests.agents.scripted_endpoint import Answer, ScriptedEndpoint, call, reply

SUITE = """\
suite: small
sandbox: commerce
prompt: Help.
now: 2026-03-01T10:00:00+08:00
x-trail: &trail [/audit/*, /orders/*/updated_at, /order_items/*, /stock/*, /payments/*, /refunds/*]
tasks:
"""
TASK = """\
  - id: C-{n:02d}
    kind: action
    request: "取消订单 A140 ({n})"
    expected_state: {{orders: {{A140: {{status: cancelled}}}}}}
    allow_changes: *trail
"""
CANCEL = {"order_id": "A140", "reason": "changed_mind"}


@pytest.fixture
def suite(tmp_path: Path) -> LoadedSuite:
    path = tmp_path / "small.yaml"
    path.write_text(SUITE + "".join(TASK.format(n=n) for n in range(1, 9)), "utf-8")
    return load_suite(path)


@pytest.fixture
def queue(suite: LoadedSuite, tmp_path: Path) -> Callable[..., RunRow]:
    """Queue a run of the small suite against an endpoint; its row."""

    def go(base_url: str, store: Path | None = None, **choice: Any) -> RunRow:
        given = RunChoice(**{"seed": "s", **choice})
        plan = plan_run(suite, suite.tasks, AgentChoice("chat", "m", base_url), given)
        where = store or tmp_path / "runs.db"
        return create(where, plan, name="small", suite_digest=suite.digest, suite_source=suite.source, choice=given)

    return go


def answer(number: int, body: dict[str, Any]) -> Answer:
    """Looks the order up, then cancels it or (by the trial's seed, for a third of them) only says so."""
    messages = body["messages"]
    turns = sum(message["role"] == "assistant" for message in messages)
    lazy = body["seed"] % 3 == 0
    if turns == 0:
        return reply(None, tool_calls=[call("get_order", json.dumps({"order_id": "A140"}))])
    if turns == 1 and not lazy:
        return reply(None, tool_calls=[call("cancel_order", json.dumps(CANCEL))])
    return reply("订单 A140 已取消。")


class Slow:
    """An endpoint's script that takes its time, and tells when it has answered often enough."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.answered = 0
        self.lock = threading.Lock()

    def __call__(self, number: int, body: dict[str, Any]) -> Answer:
        time.sleep(self.seconds)
        with self.lock:
            self.answered += 1
        return answer(number, body)


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint(answer) as running:
        yield running
