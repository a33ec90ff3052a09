"""Worlds of a family: fresh for each trial, the same for the same trial, and named by a digest."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from typing import Any

import pytest

from reach_tui.contrib.commerce import SANDBOX
from reach_tui.core.changes import WORLD, StateDigest
from reach_tui.core.errors import UsageError
from reach_tui.core.protocols import SandboxFamily, ToolPort
from reach_tui.sandbox.registry import find_sandbox
from reach_tui.sandbox.world import OpenWorld
from tests.sandbox.toy import TOY

Shop = Callable[..., OpenWorld]

WRITES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("request_refund", {"order_id": "A100", "reason": "changed_mind"}),
    ("cancel_order", {"order_id": "A140"}),
    ("update_order_address", {"order_id": "A150", "line": "1 New Road"}),
    ("place_order", {"member_id": "M10001", "items": [{"sku": "FAN-S1", "quantity": 2}]}),
    ("update_member", {"member_id": "M10002", "city": "宁波"}),
    ("receive_return", {"order_id": "A130"}),
    ("reship_lost_parcel", {"tracking_no": "YF7720011604"}),
    ("open_ticket", {"category": "other", "subject": "s", "order_id": "A101"}),
    ("request_exchange", {"order_id": "A132", "item_id": "A132-1", "new_sku": "SHOE-R-43"}),
)


def test_a_family_and_its_worlds_are_what_the_harness_expects() -> None:
    family: SandboxFamily = SANDBOX
    port: ToolPort = family.open({}, None, "t")
    assert port.state[WORLD] == {"now": SANDBOX.now, "seq": {}}


def test_every_trial_starts_from_the_same_state_whatever_the_last_one_did(shop: Shop) -> None:
    overlay = {"orders": {"A100": {"note": "handle with care"}}}
    first = shop(overlay)
    start = copy.deepcopy(first.state)
    digest = StateDigest(start).digest
    for name, arguments in WRITES:
        assert first.call(name, arguments).ok, name
    assert first.state != start
    second = shop(overlay)
    assert second.state == start
    assert StateDigest(second.state).digest == digest


def test_worlds_that_live_side_by_side_do_not_see_each_other(shop: Shop) -> None:
    left, right = shop(key="l"), shop(key="r")
    before = copy.deepcopy(right.state)
    for name, arguments in WRITES:
        assert left.call(name, arguments).ok
        assert right.state == before
    for name, arguments in WRITES:
        assert right.call(name, arguments).ok


def test_worlds_in_many_threads_end_alike(shop: Shop) -> None:
    ends: list[bytes] = []

    def work() -> None:
        for _ in range(5):
            world = shop({"orders": {"A100": {"note": "n"}}})
            for name, arguments in WRITES:
                world.call(name, arguments)
            ends.append(StateDigest(world.state).digest)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ends) == 40
    assert len(set(ends)) == 1


def test_what_a_call_gave_back_cannot_reach_into_any_world(shop: Shop) -> None:
    world = shop()
    before = copy.deepcopy(world.state)
    value = world.call("get_order", {"order_id": "A101"}).value
    value["address"]["city"] = "nowhere"
    value["items"].clear()
    assert world.state == before


def test_an_overlay_is_the_authors_own_and_is_not_shared(shop: Shop) -> None:
    overlay: dict[str, Any] = {"orders": {"A140": {"address": {"city": "Wuxi"}}}}
    kept = copy.deepcopy(overlay)
    world = shop(overlay)
    world.call("update_order_address", {"order_id": "A140", "city": "Hefei"})
    assert overlay == kept
    overlay["orders"]["A140"]["address"]["city"] = "spoilt"
    assert world.state["orders"]["A140"]["address"]["city"] == "Hefei"
    assert shop(kept).state["orders"]["A140"]["address"]["city"] == "Wuxi"


def test_new_ids_are_a_function_of_the_trial(shop: Shop) -> None:
    def ids(key: str) -> list[str]:
        world = shop(key=key)
        call = {"category": "other", "subject": "s", "member_id": "M10001"}
        return [world.call("open_ticket", call).value["ticket_id"] for _ in range(3)]

    assert ids("one") == ids("one")
    assert ids("one") != ids("two")
    assert len(set(ids("one"))) == 3


def test_a_read_in_between_does_not_shift_the_ids(shop: Shop) -> None:
    plain, busy = shop(), shop()
    busy.call("track_shipment", {"order_id": "A101"})
    busy.call("request_refund", {"order_id": "A123", "reason": "changed_mind"})  # refused, and its id with it
    call = ("request_refund", {"order_id": "A100", "reason": "changed_mind"})
    assert plain.call(*call).value == busy.call(*call).value


def test_an_id_never_meets_one_that_is_there() -> None:
    taken = TOY.open({}, None, "k").call("many_writes", {"plan": ["new"]}).value["made"][0]
    record = {"name": "in the way", "size": 1, "place": None}
    world = TOY.open({"boxes": {taken: record}}, None, "k")
    made = world.call("many_writes", {"plan": ["new"]}).value["made"][0]
    assert made != taken
    assert world.state["boxes"][taken] == record


def test_counters_and_clock_are_part_of_the_state(shop: Shop) -> None:
    world = shop(now="2026-04-05T08:00:00+02:00")
    outcome = world.call("open_ticket", {"category": "other", "subject": "s", "order_id": "A101"})
    assert world.state[WORLD] == {"now": "2026-04-05T08:00:00+02:00", "seq": {"tickets": 1, "audit": 1}}
    assert "/_world/seq/tickets" in [change.pointer for change in outcome.changes]
    ticket = world.state["tickets"][outcome.value["ticket_id"]]
    assert ticket["created_at"] == "2026-04-05T08:00:00+02:00"


@pytest.mark.parametrize("now", ["2026-03-01", "yesterday", "2026-03-01T10:00:00", "2026-02-30T10:00:00+08:00"])
def test_a_clock_without_a_meaning_is_refused(shop: Shop, now: str) -> None:
    with pytest.raises(UsageError, match="such as 2026-03-01T10:00:00"):
        shop(now=now)


def test_an_initial_state_with_mistakes_is_refused_with_all_of_them() -> None:
    overlay = {
        "order": {"A100": {}},
        "orders": {"A100": {"staus": "delivered"}, "A101": {"status": "gone"}, "A999": {"status": "paid"}},
        "members": {"M77": {"$absent": True}},
        "_world": {"now": "x"},
    }
    with pytest.raises(UsageError) as caught:
        SANDBOX.open(overlay, None, "t")
    for word in (
        "no table 'order': did you mean orders?",
        "orders/A100: staus is not a field: did you mean status",
        "orders/A101: status must be one of pending_payment",
        "orders/A999: member_id is missing",
        "members/M77: there is no such record",
        "no table '_world' (the clock is set by `now`)",
    ):
        assert word in str(caught.value)
    assert SANDBOX.check({"orders": {"A100": {"status": "paid"}}}) == ()


def test_an_initial_state_merges_replaces_and_removes(shop: Shop) -> None:
    world = shop(
        {
            "orders": {"A100": {"address": {"line": "new"}}, "A101": {"address": None}},
            "tickets": {"TK-0031": {"$absent": True}},
        }
    )
    seed = shop().state
    assert world.state["orders"]["A100"]["address"] == {**seed["orders"]["A100"]["address"], "line": "new"}
    assert world.state["orders"]["A101"]["address"] is None
    assert "TK-0031" not in world.state["tickets"]


def test_a_sandbox_is_found_by_name_and_an_unknown_one_names_the_known() -> None:
    assert find_sandbox("commerce") is SANDBOX
    with pytest.raises(UsageError, match="did you mean commerce"):
        find_sandbox("comerce")
