"""What the agent must have said: texts, numbers by value, alternatives, patterns, values of the state."""

from __future__ import annotations

import math
from typing import Any

import pytest

from reach_tui.grading import grade
from reach_tui.grading.wording import normal, number_of, numbers_in
from tests.grading.trial_builder import SPECS, Log, task


def passes(entry: Any, *messages: str, kind: str = "must_include") -> bool:
    log = Log().look()
    for message in messages:
        log.say(message)
    grading = grade(task("query", None, **{kind: [entry]}), log.end(), SPECS)
    return grading.status == "passed"


@pytest.mark.parametrize(
    ("entry", "message", "held"),
    [
        ("退款", "退款已经提交", True),
        ("退款", "退 款", True),
        ("refund", "Your REFUND is under way", True),
        ("refund", "It was refunded", True),
        ("订单 A100", "您的订单A100已签收", True),
        ("订单A100", "您的订单 A100 已签收", True),
        ("A100", "订单 A1001", False),
        ("A100", "订单 BA100", False),
        ("A100", "订单A100。", True),
        ("７天", "7天内", True),
        ("7天", "17天", False),
        ("a  b", "A\nB", True),
        (" ", "x", True),
    ],
)
def test_a_text_is_found_whatever_its_width_case_and_spacing_but_not_inside_a_name(
    entry: str, message: str, held: bool
) -> None:
    assert passes(entry, message) is held


@pytest.mark.parametrize(
    ("entry", "message", "held"),
    [
        (129.00, "共 129 元", True),
        ("129.00", "共 129 元", True),
        ("129", "共 129.00 元", True),
        ("¥129", "共129元", True),
        ("129 元", "RMB 129.0", True),
        (129, "共 1,129 元", False),
        (1299, "共 1,299 元", True),
        (129, "订单 A129", False),
        (129, "129.5", False),
        (100, "TK-100", False),
        ("80%", "完成率八成", True),
        ("80%", "完成率 0.8", True),
        ("80 %", "完成率是80％", True),
        ("80%", "百分之八十", True),
        ("80%", "80 件", False),
        ("八成", "80%", True),
        (0.8, "五分之四", True),
        ("三分之二", "2/3", False),
        (12000, "1.2万", True),
        (12000, "一万二千", True),
        (129, "一百二十九元", True),
        (3, "三件商品", True),
        (1, "我们一起看看", False),
        (2026, "2026-03-01", False),
        (-5, "零下 -5 度", True),
        (5, "3-5 天", True),
    ],
)
def test_a_number_is_found_by_its_value(entry: Any, message: str, held: bool) -> None:
    assert passes(entry, message) is held


@pytest.mark.parametrize(
    ("entry", "message", "held"),
    [
        (["原路", "original"], "Back to the original card", True),
        (["原路", "original"], "Back to the balance", False),
        ({"$in": ["七天", 7]}, "7 天内", True),
        ({"$regex": "(七|7)\\s*天"}, "7 天内", True),
        ({"$regex": "^7"}, "请在 7 天内", False),
        ({"state": "/orders/A100/total"}, "总额 129.00 元", True),
        ({"state": "/orders/A100/total"}, "总额 128 元", False),
        ({"state": "/orders/A999/total"}, "总额 128 元", False),
        ({"text": "退款"}, "退款", True),
        ({"unknown": 1}, "退款", False),
    ],
)
def test_alternatives_patterns_and_values_of_the_state(entry: Any, message: str, held: bool) -> None:
    assert passes(entry, message) is held
    assert passes(entry, message, kind="told") is held


def test_any_message_of_the_agent_counts_and_the_step_is_named() -> None:
    log = Log().say("总额 129").user("谢谢").say("不客气").end()
    grading = grade(task("query", must_include=["129"]), log, SPECS)
    assert [(check.verdict, check.step) for check in grading.checks if check.kind == "text"] == [("pass", 2)]


def test_what_the_user_or_a_tool_said_does_not_count() -> None:
    log = Log(request="总额是 129 吗").call("get_order", {}, {"total": 129}).say("是的").end()
    assert grade(task("query", must_include=["129"]), log, SPECS).status == "failed"


def test_what_was_not_told_is_named() -> None:
    log = Log().look().say("好的").end()
    assert grade(task("query", told=["运费由您承担"]), log, SPECS).why == 'the user was never told "运费由您承担"'
    either = grade(task("query", must_include=[["a1", "b1"]]), log, SPECS)
    assert either.why == 'no message of the agent holds "a1" or "b1"'


def test_a_pattern_that_cannot_be_decided_makes_a_grader_error() -> None:
    log = Log().look().say("a" * 60 + "b").end()
    grading = grade(task("query", must_include=[{"$regex": "^(a|a|aa)+$"}]), log, SPECS)
    assert grading.status == "grader_error"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("129.00", 129), ("1,299", 1299), ("-3", -3), ("80%", 0.8), ("八成", 0.8), ("五成半", 0.55),
        ("百分之八十五点五", 0.855), ("三分之二", 2 / 3), ("十五", 15), ("两千零五", 2005), ("一千二百万", 12_000_000),
        ("二〇二六", 2026), ("零点五", 0.5), ("3 亿", 3e8), ("129 cny", 129),
        ("A100", None), ("7天", None), ("", None), ("万", None), ("2026-03-01", None), ("1.2.3", None),
    ],
)  # fmt: skip
def test_a_text_that_is_a_number_has_a_value(text: str, value: float | None) -> None:
    number = number_of(normal(text))
    assert number == pytest.approx(value) if value is not None else number is None


def test_numbers_are_found_among_words_and_names() -> None:
    text = normal("订单 A100 共3件，合计 1,299.50 元，比 2026-02-01 下单的 TK-0031 便宜 15%（八折以内），10:30 前付")
    assert numbers_in(text) == [3.0, 1299.5, pytest.approx(0.15), 8.0]


def test_no_text_breaks_the_reading_of_numbers_and_each_is_finite() -> None:
    for text in ("分之", "百分之", "万亿", "点", "一" * 50, "9" * 400, "十" * 30, "-", "%", "１，２３４"):
        assert all(math.isfinite(number) for number in numbers_in(normal(text)))
        alone = number_of(normal(text))
        assert alone is None or math.isfinite(alone)
