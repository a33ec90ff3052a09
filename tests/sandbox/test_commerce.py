"""The shop's systems are linked, refuse what they must in words, and stay consistent whatever is called."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reach_tui.contrib.commerce import SANDBOX
from reach_tui.contrib.commerce.tables import TABLES
from reach_tui.core.changes import WORLD, StateDigest, fold
from reach_tui.sandbox.world import OpenWorld

Shop = Callable[..., OpenWorld]


def inconsistencies(state: dict[str, Any]) -> list[str]:
    """Broken links and sums of a shop's state."""
    problems = [
        problem
        for table in TABLES
        for key, record in state[table].items()
        for problem in SANDBOX.record_problems(table, key, record)
    ]
    links = {
        "orders": {"member_id": "members"},
        "order_items": {"order_id": "orders", "sku": "products"},
        "shipments": {"order_id": "orders"},
        "payments": {"order_id": "orders"},
        "refunds": {"order_id": "orders"},
        "exchanges": {"order_id": "orders", "item_id": "order_items", "new_sku": "products"},
        "tickets": {"order_id": "orders", "member_id": "members"},
    }
    for table, fields in links.items():
        for key, record in state[table].items():
            for name, target in fields.items():
                if record[name] is not None and record[name] not in state[target]:
                    problems.append(f"{table}/{key}: {name} {record[name]} does not exist")
    for table in ("shipments", "refunds"):
        for key, record in state[table].items():
            problems += [
                f"{table}/{key}: no item {item_id}"
                for item_id in record["item_ids"]
                if item_id not in state["order_items"]
            ]
    held: dict[str, int] = dict.fromkeys(state["stock"], 0)
    for item in state["order_items"].values():
        held[item["sku"]] += item["quantity"] if item["status"] == "ordered" else 0
    for exchange in state["exchanges"].values():
        held[exchange["new_sku"]] += exchange["quantity"] if exchange["status"] == "review" else 0
    problems += [
        f"stock/{sku}: reserved is {stock_row['reserved']}, held {held[sku]}"
        for sku, stock_row in state["stock"].items()
        if stock_row["reserved"] != held[sku]
    ]
    for key, order in state["orders"].items():
        items = [item for item in state["order_items"].values() if item["order_id"] == key]
        total = sum(item["unit_price_minor"] * item["quantity"] for item in items) + order["shipping_fee_minor"]
        if not items or total != order["total_minor"]:
            problems.append(f"orders/{key}: total {order['total_minor']}, items {total}")
    return problems


def test_the_seed_data_is_whole_and_consistent(shop: Shop) -> None:
    state = shop().state
    assert set(state) == {*TABLES, WORLD}
    assert inconsistencies(state) == []
    assert set(state["products"]) == set(state["stock"])


def test_the_seed_data_holds_the_awkward_cases(shop: Shop) -> None:
    state = shop().state
    statuses = {order["status"] for order in state["orders"].values()}
    assert {"cancelled", "refunded", "refund_review", "partly_shipped", "delivered", "paid", "packed"} <= statuses
    assert {"lost", "delayed", "customs_hold", "returning"} <= {
        shipment["status"] for shipment in state["shipments"].values()
    }
    assert any(stock_row["available"] == 0 for stock_row in state["stock"].values())
    assert any(order["address"] is None for order in state["orders"].values())
    assert any(member["address"] is None for member in state["members"].values())
    assert any(member["status"] == "frozen" for member in state["members"].values())
    assert any(not payment["channel_open"] for payment in state["payments"].values())
    assert any(not shipment["carrier_online"] for shipment in state["shipments"].values())
    names = [member["name"] for member in state["members"].values()]
    assert len(set(names)) < len(names)
    assert any(name.isascii() for name in names)
    assert any(not name.isascii() for name in names)
    assert {"A100", "SO-2026-0007", "0123"} <= set(state["orders"])
    assert len(state["orders"]) >= 40
    assert len(state["members"]) >= 25
    assert len(state["products"]) >= 30


def test_an_order_takes_stock_and_a_cancellation_gives_it_back(shop: Shop) -> None:
    world = shop()
    before = copy.deepcopy(world.state["stock"]["PUR-A2"])
    placed = world.call("place_order", {"member_id": "M10001", "items": [{"sku": "PUR-A2", "quantity": 2}]})
    assert world.state["stock"]["PUR-A2"]["available"] == before["available"] - 2
    assert world.state["stock"]["PUR-A2"]["reserved"] == before["reserved"] + 2
    order_id = placed.value["order_id"]
    assert world.state["orders"][order_id]["total_minor"] == 2 * 129900
    assert world.call("cancel_order", {"order_id": order_id}).ok
    assert world.state["stock"]["PUR-A2"] == before
    assert inconsistencies(world.state) == []


def test_cancelling_a_paid_order_returns_the_money_the_way_it_came(shop: Shop) -> None:
    world = shop()
    before = world.state["members"]["M20002"]["balance_minor"]
    assert world.call("cancel_order", {"order_id": "A141"}).value["refunded"] == "198.00 CNY"
    assert world.state["payments"]["PAY-A141"]["status"] == "refunded"
    assert world.state["members"]["M20002"]["balance_minor"] == before + 19800
    world.call("cancel_order", {"order_id": "A142"})
    assert world.state["payments"]["PAY-A142"]["status"] == "voided"


def test_a_refund_waits_in_review_and_pays_out_when_the_goods_are_back(shop: Shop) -> None:
    world = shop()
    asked = world.call("request_refund", {"order_id": "A100", "reason": "changed_mind", "channel": "balance"})
    assert world.state["orders"]["A100"]["status"] == "refund_review"
    assert world.state["refunds"][asked.value["refund_id"]]["amount_minor"] == 29900
    assert world.call("receive_return", {"order_id": "A100"}).code == "not_approved"
    refund = {
        "order_id": "A100", "item_ids": ["A100-1"], "amount_minor": 29900, "channel": "balance",
        "reason": "changed_mind", "status": "approved", "created_at": "2026-02-28T10:00:00+08:00",
    }  # fmt: skip
    waiting = {"status": "refund_review"}
    approved = shop({"refunds": {"R1": refund}, "orders": {"A100": waiting}, "order_items": {"A100-1": waiting}})
    stock = approved.state["stock"]["EAR-LITE"]["available"]
    balance = approved.state["members"]["M10086"]["balance_minor"]
    assert approved.call("receive_return", {"order_id": "A100"}).ok
    assert approved.state["stock"]["EAR-LITE"]["available"] == stock + 1
    assert approved.state["members"]["M10086"]["balance_minor"] == balance + 29900
    assert approved.state["orders"]["A100"]["status"] == "refunded"
    assert approved.state["payments"]["PAY-A100"]["status"] == "refunded"


def test_damaged_goods_are_not_sold_again(shop: Shop) -> None:
    world = shop()
    before = world.state["stock"]["COAT-L"]["available"]
    assert world.call("receive_return", {"order_id": "A130", "condition": "damaged"}).value["restocked"] is False
    assert world.state["stock"]["COAT-L"]["available"] == before


def test_the_shops_own_faults_refund_the_shipping_fee_too(shop: Shop) -> None:
    assert shop().call("request_refund", {"order_id": "A134", "reason": "defective"}).value["amount"] == "268.00 CNY"
    assert shop().call("request_refund", {"order_id": "A134", "reason": "changed_mind"}).value["amount"] == "258.00 CNY"


def test_a_part_of_an_order_can_be_refunded_alone(shop: Shop) -> None:
    world = shop()
    asked = world.call("request_refund", {"order_id": "A125", "reason": "changed_mind", "item_ids": ["A125-2"]})
    assert asked.value["amount"] == "499.00 CNY"
    assert world.state["order_items"]["A125-1"]["status"] == "delivered"
    assert world.state["order_items"]["A125-2"]["status"] == "refund_review"


def test_what_has_arrived_of_a_partly_shipped_order_can_be_refunded_and_the_rest_not(shop: Shop) -> None:
    call = {"order_id": "SO-2026-0007", "reason": "defective"}
    assert shop().call("request_refund", call).code == "not_delivered"
    assert shop().call("request_refund", {**call, "item_ids": ["SO-2026-0007-1"]}).ok


def test_a_lost_parcel_is_sent_again_once_and_takes_stock(shop: Shop) -> None:
    world = shop()
    before = world.state["stock"]["LAMP-D3"]["available"]
    sent = world.call("reship_lost_parcel", {"tracking_no": "JL0099120035"})
    parcel = world.state["shipments"][sent.value["tracking_no"]]
    assert (parcel["replaces"], parcel["item_ids"]) == ("JL0099120035", ["A105-1"])
    assert world.state["stock"]["LAMP-D3"]["available"] == before - 1
    assert world.call("reship_lost_parcel", {"tracking_no": "JL0099120035"}).code == "already_reshipped"


def test_an_address_is_changed_on_the_order_or_in_the_profile_never_on_both(shop: Shop) -> None:
    world = shop()
    world.call("update_order_address", {"order_id": "A150", "city": "宁波"})
    assert world.state["orders"]["A150"]["address"]["city"] == "宁波"
    assert world.state["members"]["M10002"]["address"]["city"] == "杭州"
    world.call("update_member", {"member_id": "M10002", "city": "绍兴"})
    assert world.state["orders"]["A150"]["address"]["city"] == "宁波"


REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    ("get_order", {"order_id": "a100"}, "order_not_found"),
    ("cancel_order", {"order_id": "A143"}, "not_cancellable"),
    ("cancel_order", {"order_id": "A101"}, "not_cancellable"),
    ("cancel_order", {"order_id": "A129"}, "already_cancelled"),
    ("cancel_order", {"order_id": "A153"}, "account_frozen"),
    ("request_refund", {"order_id": "A140", "reason": "changed_mind"}, "not_shipped"),
    ("request_refund", {"order_id": "A127", "reason": "changed_mind"}, "under_review"),
    ("request_refund", {"order_id": "A128", "reason": "changed_mind"}, "nothing_to_refund"),
    ("request_refund", {"order_id": "A122", "reason": "changed_mind"}, "window_passed"),
    ("request_refund", {"order_id": "A123", "reason": "defective"}, "window_passed"),
    ("request_refund", {"order_id": "A124", "reason": "changed_mind"}, "not_returnable"),
    ("request_refund", {"order_id": "A126", "reason": "changed_mind"}, "channel_closed"),
    ("request_refund", {"order_id": "A101", "reason": "not_received"}, "not_lost"),
    ("request_refund", {"order_id": "A101", "reason": "changed_mind"}, "not_delivered"),
    ("request_refund", {"order_id": "A100", "reason": "changed_mind", "item_ids": ["A101-1"]}, "item_not_found"),
    ("request_exchange", {"order_id": "A132", "item_id": "A132-1", "new_sku": "SHOE-R-42"}, "out_of_stock"),
    ("request_exchange", {"order_id": "A132", "item_id": "A132-1", "new_sku": "TEE-M-WHT"}, "price_differs"),
    ("request_exchange", {"order_id": "A132", "item_id": "A132-1", "new_sku": "SHOE-R-44"}, "sku_not_found"),
    ("request_exchange", {"order_id": "A101", "item_id": "A101-1", "new_sku": "CUP-500-WHT"}, "not_exchangeable"),
    ("receive_return", {"order_id": "A127"}, "not_approved"),
    ("update_order_address", {"order_id": "A101", "city": "x"}, "address_locked"),
    ("update_order_address", {"order_id": "SO-2026-0020", "city": "x"}, "address_incomplete"),
    ("update_order_address", {"order_id": "A150"}, "nothing_to_change"),
    ("place_order", {"member_id": "M10033", "items": [{"sku": "FAN-S1", "quantity": 1}]}, "address_missing"),
    ("place_order", {"member_id": "M10034", "items": [{"sku": "FAN-S1", "quantity": 1}]}, "account_frozen"),
    ("place_order", {"member_id": "M10001", "items": [{"sku": "PUR-A2", "quantity": 3}]}, "out_of_stock"),
    ("reship_lost_parcel", {"tracking_no": "SD1010203041"}, "not_lost"),
    ("reship_lost_parcel", {"tracking_no": "A105"}, "parcel_not_found"),
    ("track_shipment", {"order_id": "0456"}, "carrier_unavailable"),
    ("update_member", {"member_id": "M99999", "email": "a@example.com"}, "member_not_found"),
    ("find_member", {}, "nothing_to_search"),
    ("open_ticket", {"category": "other", "subject": "s"}, "subject_missing"),
    (
        "open_ticket",
        {"category": "other", "subject": "s", "order_id": "A100", "member_id": "M10001"},
        "member_mismatch",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "code"), REFUSALS)
def test_what_the_rules_forbid_is_refused_in_words_and_changes_nothing(
    shop: Shop, name: str, arguments: dict[str, Any], code: str
) -> None:
    world = shop()
    before = copy.deepcopy(world.state)
    outcome = world.call(name, arguments)
    assert outcome.code == code, outcome.text
    assert not outcome.fault
    assert len(outcome.error or "") > 30
    assert world.state == before


def test_reads_change_nothing_and_only_the_tracker_knows_where_a_parcel_is(shop: Shop) -> None:
    world = shop()
    before = copy.deepcopy(world.state)
    place = "长沙集散中心"
    told = {
        name: world.call(name, {"order_id": "A101"}).text
        for name in ("get_order", "get_order_status", "list_shipments", "track_shipment")
    }
    assert [name for name, text in told.items() if place in text] == ["track_shipment"]
    assert [name for name, text in told.items() if "2026-03-03" in text] == ["track_shipment"]
    assert world.state == before


def test_two_members_of_one_name_are_both_found_with_the_advice_to_ask(shop: Shop) -> None:
    both = shop().call("find_member", {"name": "王伟"}).value
    assert [member["member_id"] for member in both["members"]] == ["M10031", "M10032"]
    assert "ask for the phone number" in both["note"]
    narrowed = shop().call("find_member", {"name": "王伟", "phone": "9032"}).value
    assert [member["member_id"] for member in narrowed["members"]] == ["M10032"]


def test_several_stocks_can_be_asked_for_in_one_call(shop: Shop) -> None:
    world = shop()
    skus = ["EAR-PRO-2", "FAN-S1"]
    singles = [world.call("check_stock", {"sku": sku}).value for sku in skus]
    assert world.call("check_stock_batch", {"skus": skus}).value == {"stock": singles}


def calls() -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """Calls that mostly fit the seed data, of every tool that writes and some that read."""
    state = SANDBOX.open({}, None, "draw").state
    orders = st.sampled_from([*state["orders"], "nope"])
    members, skus = st.sampled_from(sorted(state["members"])), st.sampled_from(sorted(state["products"]))
    items, parcels = st.sampled_from(sorted(state["order_items"])), st.sampled_from(sorted(state["shipments"]))
    text = st.text(min_size=1, max_size=8)
    lines = st.lists(st.fixed_dictionaries({"sku": skus, "quantity": st.integers(0, 4)}), max_size=3)
    reasons = st.sampled_from(["changed_mind", "defective", "damaged", "wrong_item", "not_received", "mood"])
    shapes: dict[str, st.SearchStrategy[dict[str, Any]]] = {
        "get_order": st.fixed_dictionaries({"order_id": orders}),
        "track_shipment": st.fixed_dictionaries({"order_id": orders}),
        "search_orders": st.fixed_dictionaries({"member_id": members}),
        "cancel_order": st.fixed_dictionaries({"order_id": orders}),
        "place_order": st.fixed_dictionaries({"member_id": members, "items": lines}),
        "update_order_address": st.fixed_dictionaries({"order_id": orders}, optional={"city": text, "line": text}),
        "update_member": st.fixed_dictionaries({"member_id": members}, optional={"city": text, "line": text}),
        "request_refund": st.fixed_dictionaries(
            {"order_id": orders, "reason": reasons},
            optional={"channel": st.sampled_from(["original", "balance"]), "item_ids": st.lists(items, max_size=2)},
        ),
        "request_exchange": items.flatmap(
            lambda item: st.fixed_dictionaries(
                {"order_id": st.just(item.rsplit("-", 1)[0]), "item_id": st.just(item), "new_sku": skus}
            )
        ),
        "receive_return": st.fixed_dictionaries({"order_id": orders}),
        "reship_lost_parcel": st.fixed_dictionaries({"tracking_no": parcels}),
        "open_ticket": st.fixed_dictionaries(
            {"category": st.sampled_from(["delivery", "other"]), "subject": text, "order_id": orders}
        ),
    }
    return st.sampled_from(sorted(shapes)).flatmap(lambda name: shapes[name].map(lambda arguments: (name, arguments)))


@settings(max_examples=120)
@given(st.lists(calls(), min_size=1, max_size=25))
def test_whatever_is_called_the_changes_fold_to_the_state_and_the_shop_stays_consistent(
    sequence: list[tuple[str, dict[str, Any]]],
) -> None:
    world = SANDBOX.open({}, None, "p")
    initial = copy.deepcopy(world.state)
    running = StateDigest(initial)
    changes: list[Any] = []
    for name, arguments in sequence:
        outcome = world.call(name, arguments)
        assert not outcome.fault, outcome.detail
        assert outcome.ok or not outcome.changes
        changes += outcome.changes
        running.update(world.state, outcome.changes)
    assert fold(initial, changes) == world.state
    assert running.digest == StateDigest(world.state).digest
    assert inconsistencies(world.state) == []
    assert SANDBOX.open({}, None, "p").state == initial
