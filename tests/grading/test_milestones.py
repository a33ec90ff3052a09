"""Ordered partial goals and the depth a trial came to."""

from __future__ import annotations

from typing import Any

from reach_tui.core.grading import Grading
from reach_tui.core.trajectory import Trajectory
from reach_tui.grading import grade
from tests.grading.trial_builder import REFUND, SPECS, Log, task

MILESTONES: list[dict[str, Any]] = [
    {"name": "order looked up", "called": {"tool": "get_order", "args": {"order_id": "A100"}}},
    {"name": "refund recorded", "state": {"refunds": {"$any": {"order_id": "A100"}}}},
    {"name": "user told", "said": "退款"},
]


def graded(log: Trajectory, milestones: list[dict[str, Any]] = MILESTONES) -> Grading:
    return grade(task(state=REFUND, milestones=milestones), log, SPECS)


def test_milestones_are_reached_at_their_steps() -> None:
    grading = graded(Log().look().refund().say("退款已提交").end())
    assert [(milestone.name, milestone.verdict, milestone.step) for milestone in grading.milestones] == [
        ("order looked up", "reached", 2),
        ("refund recorded", "reached", 3),
        ("user told", "reached", 4),
    ]
    assert (grading.depth, grading.depth_of) == (3, 3)


def test_the_depth_ends_at_the_first_one_missed() -> None:
    grading = graded(Log().look().say("退款已提交").end())
    assert [milestone.verdict for milestone in grading.milestones] == ["reached", "missed", "reached"]
    assert (grading.depth, grading.depth_of) == (1, 3)


def test_a_missed_one_shows_what_there_was_instead() -> None:
    grading = graded(Log().look("A200").say("好").end())
    called, state, _told = grading.milestones
    assert called.actual == {"tool": "get_order", "args": {"order_id": "A200"}}
    assert called.expected == {"called": {"tool": "get_order", "args": {"order_id": "A100"}}}
    assert state.actual == {"/refunds/*": "0 records"}
    never = graded(Log().say("好").end()).milestones[0]
    assert never.actual == "get_order called: never"


def test_a_call_that_failed_reaches_nothing_unless_failing_is_asked_for() -> None:
    log = Log().call("get_order", {"order_id": "A100"}, error="down").say("x").end()
    assert graded(log).milestones[0].verdict == "missed"
    assert "error" in graded(log).milestones[0].actual
    asked = [{"name": "refused", "called": {"tool": "get_order", "ok": False}}]
    assert graded(log, asked).milestones[0].verdict == "reached"


def test_one_that_came_before_its_predecessor_is_reached_and_ends_the_depth() -> None:
    grading = graded(Log().say("退款?").look().refund().say("好").end())
    assert [(milestone.verdict, milestone.step) for milestone in grading.milestones] == [
        ("reached", 3),
        ("reached", 4),
        ("reached", 2),
    ]
    assert grading.depth == 2


def test_a_state_that_still_holds_counts_after_its_predecessor() -> None:
    grading = graded(Log().refund().look().say("退款").end())
    assert [(milestone.verdict, milestone.step) for milestone in grading.milestones] == [
        ("reached", 3),
        ("reached", 3),
        ("reached", 4),
    ]
    assert grading.depth == 3


def test_a_state_that_was_lost_again_was_reached_when_it_held() -> None:
    log = Log().refund().write("cancel_order", "/orders/A100/status", "refund_review", "closed").say("x").end()
    milestones = [{"name": "in review", "state": {"orders": {"A100": {"status": "refund_review"}}}}]
    assert (graded(log, milestones).milestones[0].step, graded(log, milestones).depth) == (2, 1)


def test_a_state_that_holds_from_the_start_is_reached_at_step_0() -> None:
    milestones = [{"name": "delivered", "state": {"orders": {"A100": {"status": "delivered"}}}}]
    assert graded(Log().say("x").end(), milestones).milestones[0].step == 0
