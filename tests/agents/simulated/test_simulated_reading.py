from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from reach_tui.agents.simulated import decide
from reach_tui.agents.simulated.clauses import clauses
from reach_tui.agents.simulated.dates import clock_time, iso_date
from reach_tui.agents.simulated.directives import read_prompt
from reach_tui.agents.simulated.mentions import mentions
from reach_tui.agents.simulated.records import read_result
from reach_tui.agents.simulated.values import find_values
from reach_tui.agents.simulated.view import look

PERFECT = {"haste": 0, "check": 0, "care": 1, "repair": 1, "comply": 1, "invent": 0, "noise": 0}


def tool(name: str, description: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def text(description: str = "", **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


def first_call(request: str, *tools: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    reply = decide([{"role": "user", "content": request}], tools, {"seed": 1, "traits": PERFECT})
    (call,) = reply["tool_calls"]
    return call["function"]["name"], json.loads(call["function"]["arguments"])


@pytest.mark.parametrize(
    ("written", "kind", "number"),
    [
        ("退 50 元", "money", 50), ("超过 85 万", "money", 850_000), ("$12.50", "money", 12.5), ("八成", "percent", 80),
        ("两件", "number", 2), ("SO-2026-0007", "id", None), ("订单 0123", "id", None), ("T-9", "id", None),
        ("手机号13800138000", "phone", None), ("3月5日", "date", None), ("下午两点", "time", None),
        ("a@b.example", "email", None),
    ],
)  # fmt: skip
def test_values_are_known_by_their_form(written: str, kind: str, number: float | None) -> None:
    (value,) = find_values(written)
    assert (value.kind, value.number) == (kind, number)


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("明天", "2026-03-02"), ("上个月", "2026-02"), ("3 月 5 日", "2026-03-05"), ("March 5", "2026-03-05"),
        ("5th of April 2027", "2027-04-05"), ("2026年3月", "2026-03"), ("下周三", "2026-03-04"),
        ("25/12/2026", "2026-12-25"),
    ],
)  # fmt: skip
def test_dates_are_brought_to_iso_form_against_the_clock(written: str, iso: str) -> None:
    assert iso_date(written, date(2026, 3, 1)) == iso


def test_relative_dates_need_a_clock() -> None:
    assert iso_date("明天", None) is None
    assert clock_time("下午两点半") == "14:30"


def test_identifiers_keep_the_noun_they_were_called_by() -> None:
    found = mentions("会员 M10086 的订单 A100 和 A101，不是 A102")
    assert [(m.text, m.nouns) for m in found] == [("M10086", ("member",)), ("A100", ("order",)), ("A101", ("order",))]


@pytest.mark.parametrize(
    ("turn", "moods"),
    [
        ("订单 A100 什么状态？", ["query"]),
        ("我昨天取消了订单 A100。", ["tell"]),
        ("不要取消 A100，改地址", ["forbid", "action"]),
        ("Could you cancel A100 and tell me the total?", ["action", "query"]),
        ("The lamp arrived broken. Please refund A100.", ["tell", "action"]),
        ("谢谢", ["chat"]),
    ],
)
def test_clauses_order_ask_forbid_or_tell(turn: str, moods: list[str]) -> None:
    assert [clause.mood for clause in clauses(turn, frozenset({"cancel", "refund", "change"}))] == moods


def test_both_branches_of_a_condition_stand_under_it() -> None:
    then, otherwise = clauses("如果订单 A100 还没发货就取消，否则开个工单", frozenset({"cancel", "create"}))
    ((cond, wanted),), ((same, other),) = then.conds, otherwise.conds
    assert cond == same
    assert (wanted, other) == (True, False)


def test_an_error_of_a_code_and_a_sentence_is_told_by_its_sentence() -> None:
    reading = read_result('{"error": "window_closed", "message": "the return window has closed"}', ("order",))
    assert "the return window has closed" in (reading.error or "")


def test_results_with_a_notice_behind_them_are_still_read() -> None:
    reading = read_result('{"orders": [{"id": "A1"}, {"id": "A2"}]}\n--- notice: slow down ---', ("order",))
    assert [record.key for record in reading.records if record.key] == ["A1", "A2"]


def test_memory_keeps_whole_pairs_and_the_latest_wish() -> None:
    messages: list[dict[str, Any]] = [{"role": "system", "content": "s"}, {"role": "user", "content": "wish"}]
    for number in range(5):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "t", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": "{}"})
    view = look(messages, 5)
    assert view.cut
    assert view.users == ((1, "wish"),)
    assert len(view.calls) == 2
    assert all(call.result is not None for call in view.calls)


UPDATE = tool(
    "update_profile", "Change details of a member's profile.",
    {
        "member_id": text("Member id"), "phone": text("New phone number"), "email": text("New e-mail"),
        "city": text("City"),
    },
    ["member_id"],
)  # fmt: skip


@pytest.mark.parametrize(
    ("request_", "given"),
    [
        ("把会员 M1 的手机号改成 13912345678", {"phone": "13912345678"}),
        ("Change the e-mail of member M1 to a@b.example", {"email": "a@b.example"}),
        ("Update the profile of member M1. City: Leeds.", {"city": "Leeds"}),
    ],
)
def test_optional_values_are_taken_from_their_form_or_label(request_: str, given: dict[str, str]) -> None:
    assert first_call(request_, UPDATE) == ("update_profile", {"member_id": "M1", **given})


RETURN = tool(
    "request_return", "Request the return of an order.",
    {
        "order_id": text("Order id"),
        "reason": text("Why", enum=["changed_mind", "damaged", "defective", "wrong_item", "not_received"]),
    },
    ["order_id", "reason"],
)  # fmt: skip


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ("订单 A100 退货，屏幕失灵", "defective"), ("退货 A100，收到时已经破损", "damaged"),
        ("Please return order A100, it arrived broken", "damaged"), ("退货 A100，发错了", "wrong_item"),
        ("Return order A100, I changed my mind", "changed_mind"), ("订单 A100 退货", "changed_mind"),
    ],
)  # fmt: skip
def test_a_choice_is_made_by_meaning(request_: str, reason: str) -> None:
    assert first_call(request_, RETURN) == ("request_return", {"order_id": "A100", "reason": reason})


def test_one_identifier_never_fills_two_parameters() -> None:
    exchange = tool(
        "exchange_item", "Exchange an item of an order.",
        {"item_id": text("Item id"), "new_sku": text("Product code of the new one")}, ["item_id", "new_sku"],
    )  # fmt: skip
    name, args = first_call("Exchange item A133-1 for KB-99-RED", exchange)
    assert (name, args) == ("exchange_item", {"item_id": "A133-1", "new_sku": "KB-99-RED"})
    reply = decide([{"role": "user", "content": "Exchange item A133-1"}], [exchange], {"seed": 1, "traits": PERFECT})
    assert "new_sku" in reply["content"]


def test_a_search_or_change_of_nothing_is_never_called() -> None:
    find = tool("find_member", "Find a member by phone or name.", {"phone": text("Phone"), "name": text("Name")}, [])
    reply = decide([{"role": "user", "content": "查一下会员"}], [find], {"seed": 1, "traits": PERFECT})
    assert not reply.get("tool_calls")
    assert "phone" in reply["content"]


def test_who_signed_is_a_question_of_tracking() -> None:
    listing = tool("list_shipments", "List shipments of an order.", {"order_id": text("Order id")}, ["order_id"])
    track = tool("track_order", "Track the parcel of an order.", {"order_id": text("Order id")}, ["order_id"])
    assert first_call("Who signed for the parcel of order A100?", listing, track)[0] == "track_order"
    assert first_call("订单 A100 是谁签收的？", listing, track)[0] == "track_order"


def test_only_sentences_that_order_something_are_directives() -> None:
    assert read_prompt("You are an assistant. The shop sells lamps. Amounts are in cents.") == read_prompt("")
    assert read_prompt("Verify each change by reading the record back.").check
    assert read_prompt("不要声称已完成，除非真正调用了工具。").honest
    assert read_prompt("Never refund orders.").forbidden
    assert not read_prompt("Never refund an order that has been shipped.").forbidden
    assert read_prompt("修改之前必须先查看订单。").first
