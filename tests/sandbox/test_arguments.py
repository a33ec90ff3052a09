"""Wrong arguments are all named at once, in words that say what to do."""

from __future__ import annotations

from typing import Any

import pytest

from reach_tui.sandbox.arguments import near
from tests.sandbox.toy import TOY


def refused(arguments: Any, tool: str = "order") -> str:
    outcome = TOY.open({}, None, "k").call(tool, arguments)
    assert not outcome.ok
    assert outcome.code in ("invalid_arguments", "unknown_tool")
    return outcome.error or ""


LINE = {"sku": "A", "quantity": 1}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, ["lines is missing: a list"]),
        ({"lines": [LINE], "channel": "cash"}, ['channel must be one of original, balance, found "cash" (text)']),
        ({"lines": [{"sku": "A", "quantity": "2"}]}, ['lines[0].quantity must be a whole number, found "2" (text)']),
        ({"lines": [{"sku": "A", "quantity": True}]}, ["lines[0].quantity must be a whole number, found true"]),
        ({"lines": [{"sku": "A", "quantity": 1.5}]}, ["a whole number, found 1.5 (a number)"]),
        ({"lines": [{"sku": "A", "quantity": 0}]}, ["lines[0].quantity must be at least 1, found 0"]),
        ({"lines": []}, ["lines must have at least 1 item"]),
        ({"lines": [{"sku": "A", "qty": 2}]}, ["qty is not a parameter in lines[0]: did you mean quantity"]),
        ({"lines": [LINE], "code": "12"}, ['code must look like 200040, found "12" (text)']),
        ({"lines": [LINE], "rush": "yes"}, ['rush must be true or false, found "yes" (text)']),
        ({"lines": [LINE], "zzz": 1}, ["zzz is not a parameter: it takes lines, channel, code, ratio, rush"]),
        (["A"], ["must be one JSON object, found a list of 1"]),
        (None, ["must be one JSON object, found null"]),
    ],
)
def test_each_problem_says_what_was_found_and_what_is_wanted(arguments: Any, words: list[str]) -> None:
    message = refused(arguments)
    for word in words:
        assert word in message


def test_all_problems_are_told_in_one_go() -> None:
    message = refused({"lines": [{"sku": 1}], "chanel": "balance", "rush": 0})
    assert "4 problems" in message
    for word in ("lines[0].sku must be text", "lines[0].quantity is missing", "did you mean channel", "rush must be"):
        assert word in message


def test_a_name_from_another_system_is_recognised() -> None:
    known = ["order_id", "reason", "channel"]
    for given in ("orderNo", "order_no", "orderId", "OrderNumber", "order"):
        assert near(given, known) == "order_id"
    assert near("chanel", known) == "channel"
    assert near("colour", known) is None
    assert near("订单", ["用户", "订单号"]) == "订单号"
    assert near("订单", ["用户", "地址"]) is None, "names without Latin letters are compared by their own"


def test_a_renamed_argument_is_one_problem_not_two() -> None:
    message = refused({"boxNo": "B1", "name": "x"}, "rename")
    assert "1 problem with" in message
    assert "boxNo is not a parameter: did you mean box_id" in message
    assert "missing" not in message


def test_whole_numbers_written_as_fractions_arrive_as_whole_numbers() -> None:
    outcome = TOY.open({}, None, "k").call("order", {"lines": [{"sku": "A", "quantity": 2.0}]})
    assert outcome.value == {"kinds": ["int"], "channel": "original", "rush": False}


def test_an_unknown_tool_is_answered_with_the_known_ones() -> None:
    message = refused({}, "makeOrder")
    assert "rename, breaks_midway, many_writes, tampers, order" in message
    assert "Did you mean rename?" in refused({}, "re_name")


def test_hostile_arguments_never_raise() -> None:
    world = TOY.open({}, None, "k")
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    for value in (deep, "\ud800", 10**400, {"a" * 10_000: 1}, float("inf")):
        assert not world.call("rename", {"box_id": value, "name": value}).ok or isinstance(value, str)
