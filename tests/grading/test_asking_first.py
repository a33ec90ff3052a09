"""Fields that the agent must ask for before any write."""

from __future__ import annotations

import pytest

from reach_tui.grading import grade
from reach_tui.grading.checks.said import asks_for
from tests.grading.trial_builder import REFUND, SPECS, Log, task


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("order_id", "请问您的订单号是多少？"),
        ("order_id", "Could you tell me the order number?"),
        ("order_id", "Which order is it?"),
        ("member_id", "麻烦提供一下会员号"),
        ("member_id", "请提供以下信息：\n- 会员编号\n- 手机号"),
        ("phone", "请提供以下信息：\n- 会员编号\n- 手机号"),
        ("地址", "新的收货地址是什么"),
        ("reason", "请问退货原因是什么？"),
        ("reason", "May I ask why you are returning it?"),
        ("size", "请告诉我需要的尺码"),
        ("尺码", "What size would you like?"),
        ("favourite_colour", "What is your favourite colour?"),
        (["邮箱", "电话"], "请留下电话，好吗？"),
    ],
)
def test_a_question_or_request_that_names_the_field_asks_for_it(field: object, message: str) -> None:
    assert asks_for(field, message)


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("order_id", "您的订单 A100 已签收。"),
        ("order_id", "Your order has been delivered."),
        ("phone", "请问您的订单号是多少？"),
        ("size", "已为您修改地址。还有别的需要吗？"),
        ("address", "Your address is on file. Is there anything else?"),
    ],
)
def test_a_statement_or_a_question_about_something_else_does_not(field: object, message: str) -> None:
    assert not asks_for(field, message)


def test_asking_before_the_write_passes_and_after_it_fails() -> None:
    before = Log().say("请问退货原因是什么？").user("不喜欢").refund().say("ok").end()
    after = Log().refund().say("请问退货原因是什么？").user("不喜欢").say("ok").end()
    never = Log().refund().say("ok").end()
    asking_task = task(state=REFUND, asked=["reason"])
    assert grade(asking_task, before, SPECS).status == "passed"
    assert grade(asking_task, after, SPECS).why == 'asked for "reason" at step 3, after the write of step 2'
    assert grade(asking_task, never, SPECS).why == 'never asked for "reason"'


def test_asking_is_enough_where_nothing_is_to_be_written() -> None:
    asking_task = task("query", asked=["order_id"])
    assert grade(asking_task, Log().say("请问订单号是多少？").end(), SPECS).status == "passed"
    assert grade(asking_task, Log().say("好的").end(), SPECS).status == "failed"


def test_a_write_that_failed_is_none_that_came_too_early() -> None:
    log = (
        Log()
        .call("request_refund", {"order_id": "A1"}, error="no")
        .say("订单号是多少？")
        .user("A100")
        .refund()
        .say("k")
    )
    assert grade(task(state=REFUND, asked=["order_id"]), log.end(), SPECS).status == "passed"
    wrote = Log().write("open_ticket", "/tickets/T1", None, {}).say("订单号是多少？").refund().say("k").end()
    asking_task = task(state=REFUND, asked=["order_id"], allow_changes=["/tickets/*"])
    assert grade(asking_task, wrote, SPECS).status == "failed"
