"""Faults and stubs: what befalls a call, what the agent is told, and that a faulty tool never leaves half a change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.agents.kind import AgentChoice
from reach_tui.core.errors import UsageError
from reach_tui.core.faults import FAULT_KINDS
from reach_tui.core.task import Limits
from reach_tui.core.trajectory import CHANGED, FAILED, FAULT, Step
from reach_tui.harness.clock import FixedClock
from reach_tui.harness.execute import Execution
from reach_tui.harness.session import TrialSession
from reach_tui.harness.start import RunChoice, create, plan_run
from reach_tui.harness.user import ScriptedUser
from reach_tui.present.run_text import run_summary
from reach_tui.sandbox.faults import Interposed
from reach_tui.sandbox.registry import find_sandbox
from reach_tui.store.replay import load_trial
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import run_by_uid
from reach_tui.store.store import Store
from reach_tui.store.trials import trials_of
from reach_tui.suites.load import load_suite
from tests.harness.test_session import Kept

READ, CANCEL = ("get_order", {"order_id": "A140"}), ("cancel_order", {"order_id": "A140", "reason": "changed_mind"})


async def steps_under(
    made: list[tuple[str, dict[str, Any]]], *, stubs: dict[str, Any] | None = None, seed: str = "s", **fault: Any
) -> list[Step]:
    """The call steps of an agent that makes these calls under one fault named `down`."""
    family = find_sandbox("commerce")
    specs = {spec.name: spec for spec in family.specs()}
    session = TrialSession(
        trial_uid="t",
        request="…",
        prompt="",
        tools=[spec.view for spec in specs.values()],
        seed=seed,
        port=family.open({}, None, "k"),
        specs=specs,
        limits=Limits(tool_seconds=5),
        user=ScriptedUser(()),
        sink=Kept(),
        clock=FixedClock(0),
        interposed=Interposed({"down": fault} if fault else {}, stubs or {}, "T-1", seed),
    )
    for n, (tool, arguments) in enumerate(made):
        await session.call(tool, arguments, f"c{n}")
    return [step for step in session.steps if step.kind == "call"]


@pytest.mark.parametrize(
    ("kind", "more", "ok", "told"),
    [
        ("status", {"status": 429}, False, "status 429 (Too Many Requests)"),
        ("status", {"status": 599}, False, "status 599."),
        ("timeout", {}, False, "no answer within 5 seconds"),
        ("delay", {"seconds": 9.0}, False, "no answer within 5 seconds"),
        ("delay", {"seconds": 0.01}, True, '"status": "cancelled"'),
        ("empty", {}, True, "[]"),
        ("malformed", {}, True, '{"order_id": "A140"'),
    ],
)
async def test_each_kind_tells_the_agent_its_own_and_the_tool_runs_whole_or_not_at_all(
    kind: str, more: dict[str, Any], ok: bool, told: str
) -> None:
    (step,) = await steps_under([CANCEL], tool="cancel_order", kind=kind, **more)
    assert told in step.text
    assert step.ok is ok
    assert step.flags & FAULT
    assert step.body["fault"] == {"name": "down", "kind": kind}
    (sound,) = await steps_under([CANCEL])
    runs = kind == "malformed" or (kind == "delay" and ok)
    assert [change.pointer for change in step.changes] == ([c.pointer for c in sound.changes] if runs else [])
    assert bool(step.flags & CHANGED) is runs
    assert bool(step.flags & FAILED) is not ok


@pytest.mark.parametrize("kind", FAULT_KINDS)
async def test_a_fault_of_another_tool_call_or_task_befalls_nothing(kind: str) -> None:
    seconds: dict[str, Any] = {"seconds": 0.01} if kind == "delay" else {}
    for elsewhere in (
        {"tool": "check_stock"},
        {"tool": "get_order", "calls": [3]},
        {"tool": "get_order", "tasks": ["X-*"]},
    ):
        steps = await steps_under([READ, READ], kind=kind, **seconds, **elsewhere)
        assert [(step.ok, step.flags & FAULT) for step in steps] == [(True, 0), (True, 0)]


async def test_ordinals_count_the_calls_of_the_tool_alone() -> None:
    steps = await steps_under([READ, CANCEL, READ], tool="get_order", kind="timeout", calls=[2])
    assert [step.ok for step in steps] == [True, True, False]


@given(st.lists(st.sampled_from(["A100", "A140", "A125"]), max_size=12), st.integers(0, 50))
def test_a_further_call_elsewhere_shifts_no_fault_of_another_call(orders: list[str], seed: int) -> None:
    def befallen(calls: list[str]) -> list[bool]:
        between = Interposed({"down": {"tool": "get_order", "kind": "empty", "chance": 0.5}}, {}, "T", str(seed))
        return [between.strike("get_order", {"order_id": order}) is not None for order in calls]

    alone = befallen([order for order in orders if order == "A140"])
    among = [hit for order, hit in zip(orders, befallen(orders), strict=True) if order == "A140"]
    assert alone == among


async def test_a_chance_is_kept_over_many_seeds() -> None:
    between = [Interposed({"d": {"tool": "t", "kind": "empty", "chance": 0.3}}, {}, "T", str(n)) for n in range(600)]
    hits = sum(one.strike("t", {}) is not None for one in between)
    assert 140 <= hits <= 220  # 180 expected, four standard deviations each way


async def test_a_stub_answers_by_arguments_in_its_authors_words_and_never_touches_the_world() -> None:
    reply = '{"status": "cancelled", "order_id": "A140"}'
    stubs = {"cancel_order": [{"args": {"order_id": "A140"}, "reply": reply}]}
    hit, missed = await steps_under([CANCEL, ("cancel_order", {"order_id": "A100"})], stubs=stubs)
    assert (hit.ok, hit.text, hit.changes, hit.body["stub"]) == (True, reply, (), True)
    assert (missed.ok, missed.changes, missed.flags & FAULT) == (False, (), FAULT)
    assert missed.body["fault"] == {"name": "no stub for cancel_order"}
    assert "no answer for these arguments" in missed.text
    (error,) = await steps_under([READ], stubs={"get_order": [{"error": "closed on Sundays"}]})
    assert (error.ok, "closed on Sundays" in error.text, "fault" in error.body) == (False, True, False)


async def test_half_of_a_short_answer_is_no_answer_either() -> None:
    (step,) = await steps_under([READ], stubs={"get_order": [{"reply": "1234"}]}, tool="get_order", kind="malformed")
    with pytest.raises(ValueError, match="Unterminated"):
        json.loads(step.text)


SUITE = """suite: faulty
sandbox: commerce
agent: {{kind: {agent}}}
faults:
  down: {{tool: cancel_order, kind: status, calls: [1]}}
  never: {{tool: check_stock, kind: timeout}}
tasks:
  - id: C-1
    request: 取消订单 A140
    repeat: 2
    expected_state: {{orders: {{A140: {{status: cancelled}}}}}}
    allow_changes: ["/*"]
    reference: [{{cancel_order: {{order_id: A140, reason: changed_mind}}}}]
"""


def run_of(folder: Path, text: str) -> RunRow:
    (folder / "suite.yaml").write_text(text, encoding="utf-8")
    suite = load_suite(folder / "suite.yaml")
    plan = plan_run(suite, suite.tasks, AgentChoice(), RunChoice())
    row = create(folder / "runs.db", plan, name="n", suite_digest=suite.digest, suite_source="", choice=RunChoice())
    with Execution(folder / "runs.db", [row.uid]) as execution:
        execution.run()
        execution.finish()
    with Store(folder / "runs.db") as store:
        ended = run_by_uid(store, row.uid)
    assert ended is not None
    return ended


def test_a_run_says_of_every_fault_how_often_it_befell_or_that_it_never_did(tmp_path: Path) -> None:
    row = run_of(tmp_path, SUITE.format(agent="reference"))
    assert row.totals.summary["faults"] == {"down": {"trials": 2, "calls": 2}, "never": {"trials": 0, "calls": 0}}
    told = run_summary(row)
    assert "fault down: 2 calls in 2 trials" in told
    assert "fault never: no call" in told


def test_a_trial_that_a_fault_broke_belongs_to_the_tool_and_keeps_its_name(tmp_path: Path) -> None:
    row = run_of(tmp_path, SUITE.format(agent="reference"))
    with Store(tmp_path / "runs.db") as store:
        trial = load_trial(store, trials_of(store, row.id)[0].id)
    assert trial.row.end.faults == {"down": 1}
    assert trial.grading is not None
    assert (trial.grading.mode, trial.grading.owner) == ("other:tool_fault", "tool")


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("{tool: cancel_ordr, kind: timeout}", "unknown tool, cancel_ordr"),
        ("{tool: cancel_order, kind: timeout, tasks: [X-*]}", "concerns no task: none is called"),
        ("{tool: cancel_order, kind: empty}", "down and never could befall the same call"),
    ],
)
def test_a_fault_that_could_never_befall_is_refused_before_the_run(tmp_path: Path, fault: str, told: str) -> None:
    text = SUITE.format(agent="nothing").replace("{tool: check_stock, kind: timeout}", fault)
    with pytest.raises(UsageError, match=told):
        run_of(tmp_path, text)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("{tool: t, kind: delay}", "a delay needs `seconds`"),
        ("{tool: t, kind: empty, status: 500}", "`status` belongs to the kind status"),
        ("{tool: t, kind: empty, chance: 0}", "above 0 and is at most 1"),
        ("{tool: t, kind: empty, chance: 1" + "0" * 400 + "}", "above 0 and is at most 1"),
        ("{tool: t, kind: status, status: 200}", "from 400 to 599"),
        ("{tool: t, kind: emtpy}", "did you mean empty"),
        ("{tool: t, kind: empty, calls: []}", "calls"),
    ],
)
def test_a_fault_that_makes_no_sense_is_refused_where_it_stands(tmp_path: Path, fault: str, told: str) -> None:
    text = SUITE.format(agent="nothing").replace("{tool: check_stock, kind: timeout}", fault)
    with pytest.raises(UsageError) as refused:
        run_of(tmp_path, text)
    assert told in str(refused.value)
    assert "suite.yaml:6" in str(refused.value)


def test_a_fault_of_tasks_that_were_not_chosen_does_not_stand_in_the_way(tmp_path: Path) -> None:
    text = SUITE.format(agent="nothing").replace(
        "{tool: check_stock, kind: timeout}", "{tool: check_stock, kind: timeout, tasks: [D-1]}"
    )
    text += "  - {id: D-1, request: x, kind: query, must_include: [x]}\n"
    (tmp_path / "suite.yaml").write_text(text, encoding="utf-8")
    suite = load_suite(tmp_path / "suite.yaml")
    assert plan_run(suite, suite.tasks[:1], AgentChoice(), RunChoice()).planned == 2


HELD_UP = """suite: slow
sandbox: commerce
agent: {{kind: reference}}
defaults: {{repeat: 1, limits: {{task_seconds: 0.3}}}}
faults:
  slow: {{tool: cancel_order, kind: {fault}}}
tasks:
  - id: C-1
    request: 取消订单 A140
    kind: action
    must_include: [好]
    expected_state: {{orders: {{A140: {{status: {expected}}}}}}}
    allow_changes: ["/*"]
    answer: 好
    reference: [{{cancel_order: {{order_id: A140, reason: changed_mind}}}}]
"""


def test_a_call_that_is_held_up_until_the_trial_ends_is_a_step_and_the_tools_fault(tmp_path: Path) -> None:
    row = run_of(tmp_path, HELD_UP.format(fault="delay, seconds: 9", expected="cancelled"))
    assert row.totals.summary["faults"] == {"slow": {"trials": 1, "calls": 1}}
    with Store(tmp_path / "runs.db") as store:
        trial = load_trial(store, trials_of(store, row.id)[0].id)
    assert [step.kind for step in trial.trajectory.steps] == ["user", "call"]
    assert trial.grading is not None
    assert (trial.row.end.end_reason, trial.grading.owner) == ("time_limit", "tool")


def test_an_empty_answer_has_carried_nothing_out(tmp_path: Path) -> None:
    row = run_of(tmp_path, HELD_UP.format(fault="empty", expected="paid"))
    with Store(tmp_path / "runs.db") as store:
        trial = load_trial(store, trials_of(store, row.id)[0].id)
    assert trial.grading is not None
    assert trial.grading.status == "failed"
    assert [check.why for check in trial.grading.checks if check.kind == "write"] == [
        "no write was carried out; cancel_order was tried and failed"
    ]


def test_a_name_that_looks_like_a_key_is_refused_like_a_key(tmp_path: Path) -> None:
    text = SUITE.format(agent="nothing").replace("  never:", "  sk-abcdefghijklmnopqrstuvwxyz0123456789:")
    with pytest.raises(UsageError, match="secrets are never stored"):
        run_of(tmp_path, text)


@pytest.mark.parametrize("written", ["window:4", "{window: 4}", "'window:4'"])
def test_a_window_may_be_written_as_yaml_makes_it(tmp_path: Path, written: str) -> None:
    (tmp_path / "suite.yaml").write_text(SUITE.format(agent="nothing") + f"context: {written}\n", encoding="utf-8")
    assert load_suite(tmp_path / "suite.yaml").context == {"strategy": "window", "messages": 4}
