"""State as seen in results: records with an id of their own, from the step of sight on."""

from __future__ import annotations

from typing import Any

import pytest

from reach_tui.core.absent import ABSENT
from reach_tui.core.changes import Change
from reach_tui.core.trajectory import CHANGED, Step
from reach_tui.formats import observed
from reach_tui.formats.observed import entities, observe, sight, start_of


@pytest.mark.parametrize(
    ("tool", "args", "result", "expected"),
    [
        ("get_order", {"order_id": "A1"}, '{"order_id": "A1", "user_id": "U1"}', [("orders", "A1")]),
        ("book", {"user_id": "U1"}, '{"reservation_id": "R", "user_id": "U1"}', [("reservations", "R")]),
        ("get_product", {"product_id": "7"}, '{"name": "cup", "product_id": "7", "shop_id": "S"}', [("products", "7")]),
        ("exchange_order_items", {}, '{"status": "x", "user_id": "U", "order_id": "W"}', [("orders", "W")]),
        ("get_user_details", {"user_id": "U1"}, '{"name": {"first": "A"}, "cards": {}}', [("users", "U1")]),
        ("get_user_quota", {"user_id": "U1"}, '{"used": 3, "left": 4}', []),
        (
            "list_orders",
            {},
            '[{"order_id": "A1", "n": 1}, {"order_id": "A2", "n": 2}]',
            [("orders", "A1"), ("orders", "A2")],
        ),
        ("search", {}, '{"data": [{"id": 5, "name": "x"}]}', []),
        ("get_tickets", {}, '{"data": [{"id": 5, "name": "x"}]}', [("tickets", "5")]),
        ("anything", {}, '{"tickets": [{"id": 5, "name": "x"}]}', [("tickets", "5")]),
        ("get_category", {}, '{"categoryId": "c", "box": 1}', [("categories", "c")]),
        ("查询订单", {}, '{"订单编号": "A1", "会员号": "M1"}', [("订单", "A1")]),
        ("get_order", {}, '{"order_id": "A1", "items": [{"item_id": "I1"}, {"item_id": "I2"}]}', [("orders", "A1")]),
        ("calculate", {}, "42", []),
        ("get_order", {}, "not {json", []),
        ("get_order", {}, '{"order_id": {"deep": 1}, "x": 2}', []),
        ("get_order", {}, '{"order_id": ""}', []),
        ("get_order", {}, None, []),
        ("get_order", {}, "[" * 5000, []),
    ],
)
def test_a_records_table_and_id_are_found(
    tool: str, args: dict[str, Any], result: str | None, expected: list[tuple[str, str]]
) -> None:
    assert [(table, key) for table, key, _ in entities(tool, args, result)] == expected


def test_a_later_sight_updates_the_fields_it_shows_and_leaves_the_rest() -> None:
    state: dict[str, dict[str, Any]] = {}
    assert sight(state, "orders", "A1", {"a": 1, "b": {"x": 1, "y": 2}}) == [
        Change("/orders/A1/a", ABSENT, 1),
        Change("/orders/A1/b", ABSENT, {"x": 1, "y": 2}),
    ]
    assert sight(state, "orders", "A1", {"b": {"x": 5}, "c": None}) == [
        Change("/orders/A1/b/x", 1, 5),
        Change("/orders/A1/b/y", 2, ABSENT),
        Change("/orders/A1/c", ABSENT, None),
    ]
    assert state == {"orders": {"A1": {"a": 1, "b": {"x": 5}, "c": None}}}
    assert sight(state, "orders", "A1", {"a": 1}) == []


def call(n: int, result: str, ok: bool = True) -> Step:
    return Step(n, 1, "call", {"args": {}, "result": result}, tool="get_order", ok=ok)


def test_only_a_sight_that_corrects_one_is_flagged_as_a_change() -> None:
    steps = observe(
        [
            call(1, '{"order_id": "A", "s": 1}'),
            call(2, '{"order_id": "A", "s": 1}'),
            call(3, '{"order_id": "A", "s": 2}'),
        ]
    )
    assert [bool(step.flags & CHANGED) for step in steps] == [False, False, True]
    assert [len(step.changes) for step in steps] == [2, 0, 1]


def test_a_first_sight_makes_no_record_but_shows_one_that_was_there() -> None:
    steps = observe([call(1, '{"order_id": "A", "s": 1}'), call(2, '{"order_id": "B", "s": 2}')])
    assert start_of(steps) == {"orders": {"A": {}, "B": {}}}
    assert start_of(observe([call(1, "done")])) is None


def test_what_a_failed_call_says_is_no_sight() -> None:
    (step,) = observe([call(1, '{"order_id": "A", "s": 1}', ok=False)])
    assert step.changes == ()


def test_sights_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observed, "MOST_CHANGES", 6)
    monkeypatch.setattr(observed, "MOST_RECORDS", 2)
    many = "[" + ",".join(f'{{"order_id": "A{n}", "s": 1}}' for n in range(9)) + "]"
    steps = observe([call(1, many), call(2, many.replace("A", "B")), call(3, many.replace("A", "C"))])
    assert [len(step.changes) for step in steps] == [4, 2, 0]
