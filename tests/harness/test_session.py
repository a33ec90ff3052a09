"""A session records everything, limits, answers and guards; no mistake of an agent ends it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from reach_tui.core.protocols import StopTrial
from reach_tui.core.task import Limits, ScriptedTurn
from reach_tui.core.trajectory import CHANGED, FAILED, Exchange, Step
from reach_tui.harness.clock import FixedClock
from reach_tui.harness.guard import LoopGuard
from reach_tui.harness.session import TrialSession
from reach_tui.harness.user import ScriptedUser
from reach_tui.sandbox.registry import find_sandbox
from tests.harness.scripted import Line, ScriptedModel


class Kept:
    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.exchanges: list[Exchange] = []

    def step(self, trial_uid: str, step: Step) -> None:
        self.steps.append(step)

    def exchange(self, trial_uid: str, exchange: Exchange) -> None:
        self.exchanges.append(exchange)


def session(turns: Sequence[ScriptedTurn] = (), **limits: Any) -> tuple[TrialSession, Kept]:
    family = find_sandbox("commerce")
    specs = {spec.name: spec for spec in family.specs()}
    kept = Kept()
    made = TrialSession(
        trial_uid="t",
        request="订单 A100",
        prompt="",
        tools=[spec.view for spec in specs.values()],
        seed="s",
        port=family.open({}, None, "k"),
        specs=specs,
        limits=Limits(**limits),
        user=ScriptedUser(turns),
        sink=kept,
        clock=FixedClock(0),
    )
    return made, kept


async def run(
    script: Sequence[Line], turns: Sequence[ScriptedTurn] = (), **limits: Any
) -> tuple[TrialSession, Kept, str]:
    from reach_tui.agents.loop import ChatLoop

    made, kept = session(turns, **limits)
    try:
        await ChatLoop(ScriptedModel(script)).run(made)
    except StopTrial as stop:
        return made, kept, stop.reason
    return made, kept, "answered"


async def test_every_word_and_call_is_a_step_in_order() -> None:
    made, kept, _ = await run([("get_order", {"order_id": "A100"}), "done"])
    assert [(s.n, s.turn, s.kind, s.tool) for s in kept.steps] == [
        (1, 0, "user", None),
        (2, 1, "call", "get_order"),
        (3, 2, "agent", None),
    ]
    assert kept.steps == made.steps
    assert len(kept.exchanges) == 2


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("get_ordr", "{}", "there is no tool 'get_ordr'"),
        ("get_order", '{"order_id": "A100", "x": }', "not valid JSON"),
        ("get_order", "[1]", "must be a JSON object"),
        ("get_order", "{}", "order_id"),
    ],
)
async def test_a_models_mistake_is_told_scored_and_executes_nothing(name: str, arguments: str, words: str) -> None:
    _, kept, reason = await run([(name, arguments), "done"])
    step = kept.steps[1]
    assert reason == "answered"
    assert step.ok is False
    assert step.flags & FAILED
    assert step.changes == ()
    assert words in step.body["error"]
    assert step.body["raw"] == arguments


async def test_an_unknown_tool_is_answered_with_the_list_of_names() -> None:
    _, kept, _ = await run([("nope", "{}"), "done"])
    assert "get_order" in kept.steps[1].body["error"]


async def test_the_scripted_user_answers_what_is_asked_and_then_the_conversation_is_over() -> None:
    turns = [ScriptedTurn("会员号 M10086", when_asked="会员"), ScriptedTurn("谢谢")]
    _, kept, reason = await run(["请问您的会员号？", "好的", "bye"], turns)
    assert [s.text for s in kept.steps if s.kind == "user"] == ["订单 A100", "会员号 M10086", "谢谢"]
    assert reason == "answered"


async def test_more_actions_than_allowed_end_the_trial() -> None:
    _, kept, reason = await run([("get_order", {"order_id": "A100"}), ("get_order", {"order_id": "nope"})], steps=2)
    assert reason == "step_limit"
    assert len(kept.steps) == 3


async def test_more_tokens_than_allowed_end_the_trial() -> None:
    _, _, reason = await run([("get_order", {"order_id": "A100"}), "done"], tokens=15)
    assert reason == "token_limit"


async def test_equal_calls_get_a_notice_then_an_end() -> None:
    made, kept, reason = await run([("get_order", {"order_id": "A100"})])
    kinds = [s.kind for s in kept.steps]
    assert kinds == ["user", "call", "call", "call", "call", "notice", "call"]
    assert reason == "loop"
    assert json.loads(made.steps[4].body["result"])  # the recorded result stays the tool's own


async def test_the_notice_stands_at_the_end_of_the_turns_last_result() -> None:
    from reach_tui.agents.loop import ChatLoop
    from reach_tui.core.notice import split_notice

    model = ScriptedModel([[("get_order", {"order_id": "A100"})] * 4, "done"])
    made, _ = session()
    await ChatLoop(model).run(made)
    own, notice = split_notice(model.seen[-1][-1]["content"])
    assert notice is not None
    assert json.loads(own)


def test_a_state_change_between_equal_calls_is_no_loop() -> None:
    guard = LoopGuard(1)
    assert guard.after_call("f", {}, "r", changed=False) is None
    assert guard.after_call("g", {}, "r", changed=True) is None
    assert guard.after_call("f", {}, "r", changed=False) is None
    assert guard.after_call("f", {}, "r", changed=False) == "notice"
    assert guard.after_call("f", {}, "other", changed=False) is None
    assert guard.after_call("f", {}, "r", changed=False) == "stop"


async def test_a_write_is_a_step_that_changed_with_its_fields_and_a_new_digest() -> None:
    made, _ = session()
    before = made.state_digest
    made.next_turn()
    order = "A140"
    args = {"order_id": order, "reason": "changed_mind"}
    await made.call("cancel_order", args, "c")
    step = made.steps[-1]
    assert step.ok, step.body
    assert step.flags & CHANGED
    assert any(change.pointer == f"/orders/{order}/status" for change in step.changes)
    assert made.state_digest != before
