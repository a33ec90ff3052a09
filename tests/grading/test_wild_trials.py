"""No trajectory, however odd, breaks the grader or gets two different gradings."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Change
from reach_tui.core.grading import MODE_FAMILIES, TRIAL_STATUSES
from reach_tui.core.task import Task
from reach_tui.core.trajectory import END_REASONS, STEP_KINDS, Step, Trajectory
from reach_tui.grading import VIEWS, StateTable, grade
from tests.grading.trial_builder import INITIAL, REFUND, SPECS, Log, task

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
SAYINGS = (
    "退款申请已提交",
    "无法退款",
    "Your refund has been submitted.",
    "A100",
    "请问订单号？",
    "",
    "。，",
    "已" * 300,
)
WORDS = st.sampled_from([*SAYINGS, "\x00\ud800"]) | st.text(max_size=40)
NAMES = st.sampled_from([*SPECS, "unknown", "", "t07"])
TOOLS = NAMES | st.none()
BODIES = st.fixed_dictionaries(
    {},
    optional={
        "text": WORDS | JSON,
        "args": JSON | st.fixed_dictionaries({"order_id": WORDS}),
        "raw": JSON,
        "result": WORDS | JSON,
        "error": WORDS | JSON,
        "requestor": st.sampled_from(["user", "assistant", None]),
    },
)
PLACES = (
    "/orders/A100/status", "/orders/A100", "/orders/A9/x/y", "/refunds/R2", "/refunds", "/new", "/_world/now", "", "x",
    "/", "//", "/orders/A100/address/city/deep", "/orders/~0~1/a",
)  # fmt: skip
CHANGES = st.lists(st.builds(Change, st.sampled_from(PLACES), JSON, JSON | st.just(ABSENT)), max_size=3).map(tuple)


@st.composite
def trajectories(draw: st.DrawFn) -> Trajectory:
    count = draw(st.integers(0, 7))
    steps = tuple(
        Step(
            n,
            draw(st.integers(0, 4)),
            draw(st.sampled_from(STEP_KINDS)),
            draw(BODIES),
            draw(TOOLS),
            None,
            draw(st.sampled_from([True, False, None])),
            draw(st.integers(0, 31)),
            changes=draw(CHANGES),
        )
        for n in range(1, count + 1)
    )
    initial = draw(st.sampled_from([None, {}, INITIAL, {"orders": 5, "refunds": []}, {"status": "x"}]))
    return Trajectory(initial, steps, draw(st.sampled_from([*END_REASONS, "something else"])), draw(WORDS))


EXPRESSIONS = st.sampled_from(
    [
        {},
        REFUND,
        {"status": "y"},
        {"orders": {"$all": {"status": {"$ne": "x"}}}},
        {"orders": {"$exists": True}},
        {"refunds": {"$any": [{"order_id": "A100"}, {"order_id": "A200"}]}},
        {"orders": {"A100": {"$absent": True}}},
        {"orders": {"A100": {"$pairs": {"a": ["1"], "b": ["2"]}}}},
        {"refunds": {}},
        {"$any": {"A100": {"status": "x"}}},
        {"orders": {"A100": {"total": {"$delta": {"$gt": 1}}, "list": {"$any": {"a": 1}}}}},
        {"a": {"$regex": "("}},
    ]
)
CALLED = st.fixed_dictionaries({"tool": NAMES}, optional={"args": JSON, "ok": st.booleans()})
CONDITIONS = st.lists(
    st.one_of(
        st.fixed_dictionaries({"called": CALLED}),
        st.fixed_dictionaries({"state": EXPRESSIONS}),
        st.fixed_dictionaries({"said": WORDS}),
    ),
    max_size=2,
)
SAID = st.lists(WORDS, max_size=2)
OUTCOMES = st.lists(
    st.fixed_dictionaries(
        {"state": EXPRESSIONS},
        optional={"must_include": st.lists(WORDS | JSON, max_size=2), "told": SAID, "asked": SAID},
    ),
    max_size=2,
)
CONSTRAINT = st.fixed_dictionaries({"arg": st.sampled_from(["order_id", "/order_id"])}, optional={"equals": JSON})
CALLS = st.fixed_dictionaries({"tool": NAMES, "args": st.just({"order_id": "A100"})})
BODY = st.fixed_dictionaries(
    {"id": st.just("T-1"), "request": WORDS, "kind": st.sampled_from(["query", "action", "refuse"])},
    optional={
        "outcomes": OUTCOMES,
        "allow_changes": st.lists(st.sampled_from(["/tickets/*", "/orders/*/updated_at", "orders", ""]), max_size=2),
        "milestones": CONDITIONS,
        "forbidden": CONDITIONS,
        "constraints": st.lists(CONSTRAINT, max_size=2),
        "expected_tools": st.fixed_dictionaries(
            {"in_order": st.lists(NAMES, max_size=2)}, optional={"gate": st.booleans()}
        ),
        "reference": st.lists(CALLS, max_size=2),
        "confirm": st.booleans(),
        "judge": st.sampled_from(["state", "text"]),
    },
)


@settings(max_examples=150)
@given(BODY, trajectories())
def test_every_trial_gets_one_grading_and_no_exception(body: dict[str, Any], trajectory: Trajectory) -> None:
    wild_task = Task.of(body)
    before = copy.deepcopy(trajectory)
    grading = grade(wild_task, trajectory, SPECS)
    assert grading.status in TRIAL_STATUSES
    assert grading.mode is None or grading.mode.split(":")[0] in MODE_FAMILIES
    assert repr(grade(wild_task, trajectory, SPECS)) == repr(grading)
    assert repr(before) == repr(trajectory)
    assert (grading.parting is not None) <= (grading.status in ("failed", "partial"))
    assert grading.depth <= grading.depth_of == len(wild_task.milestones)
    numbers = {0, *(step.n for step in trajectory.steps)}
    assert {grading.step, grading.parting} - {None} <= numbers
    assert {claim.step for claim in grading.claims} <= numbers
    assert {check.step for check in grading.checks} - {None} <= numbers


def with_real_pointers(step: Step) -> Step:
    return replace(step, changes=tuple(change for change in step.changes if change.pointer.startswith("/")))


@settings(max_examples=100)
@given(BODY, trajectories())
def test_every_trial_has_a_state_table_at_every_step(body: dict[str, Any], trajectory: Trajectory) -> None:
    clean = replace(trajectory, steps=tuple(map(with_real_pointers, trajectory.steps)))
    wild_task = Task.of(body)
    table = StateTable(wild_task, clean.history(), grade(wild_task, clean, SPECS).claims)
    for step in range(len(clean.steps) + 2):
        for view in VIEWS:
            for row in table.rows(step, view):
                assert row.since_step <= step
        assert table.counts(step).differing == len(table.rows(step))


LONG = 40_000
HOSTILE = {
    "one word": "a" * LONG,
    "one number": "9" * LONG,
    "joined digits": "1-" * LONG,
    "joined ids": "A1-" * LONG,
    "Chinese digits": "一" * LONG,
    "fillers inside a phrase": "已提" + "我们" * LONG + "交退款",
    "overlapping fillers": "已" + "刚" * LONG + "提交",
    "no punctuation": "已退款" * LONG,
    "only punctuation": "。，?" * LONG,
    "half a sentence of completion": "i " + "have " * LONG + "refund",
    "dots": "have " + "." * LONG + " refund",
    "objects without verbs": "refund has " * LONG,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_message_is_read_in_the_end(name: str) -> None:
    wordy_task = task(state=REFUND, must_include=["129", "退款", "TK-1"], told=["7天"], asked=["order_id"])
    text = HOSTILE[name]
    log = Log().say(text).call("open_ticket", {"id": text}, text).say("完").end()
    assert grade(wordy_task, log, SPECS).status == "failed"


def test_an_empty_trajectory_is_graded() -> None:
    nothing = Trajectory({}, (), "unknown")
    assert grade(task(state=REFUND), nothing, {}).status == "failed"
    assert grade(task("refuse"), nothing, {}).status == "failed"
    assert grade(Task.of({"id": "x", "request": "y"}), nothing, {}).status == "unscored"


def test_a_task_that_passes_when_nothing_is_done_is_at_most_a_query() -> None:
    nothing = Log().end()
    for kind in ("action", "refuse"):
        for more in ({"state": REFUND}, {"must_include": ["x"]}, {"told": ["x"]}, {}):
            assert grade(task(kind, **more), nothing, SPECS).status != "passed"
