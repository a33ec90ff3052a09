# ruff: noqa: E501 (a record, a tool, a request is one line)
"""A third invented shop: linked tables, short descriptions, confusable neighbours, money in minor units."""

from __future__ import annotations

from typing import Any

from tests.agents.simulated.sim_world import Refused, Tool, World

DATA: dict[str, Any] = {
    "members": {
        "U501": {"member_id": "U501", "name": "孙悦", "phone": "15012340001", "level": "VIP", "balance": 20000, "status": "active"},
        "U502": {"member_id": "U502", "name": "Peter Lang", "phone": "15012340002", "level": "normal", "balance": 0, "status": "active"},
        "U503": {"member_id": "U503", "name": "周杰", "phone": "15012340003", "level": "normal", "balance": 300, "status": "blocked"},
    },
    "orders": {
        "B700": {"order_id": "B700", "member_id": "U501", "status": "paid", "amount": 59900, "placed_on": "2026-04-01", "ship_to": "广州市天河区体育西路 10 号", "payment_id": "PAY-1", "lines": [{"sku": "HP-01", "title": "降噪耳机", "qty": 1}]},
        "B701": {"order_id": "B701", "member_id": "U501", "status": "shipped", "amount": 12800, "placed_on": "2026-03-28", "ship_to": "广州市天河区体育西路 10 号", "payment_id": "PAY-2", "lines": [{"sku": "CB-02", "title": "数据线", "qty": 2}]},
        "B702": {"order_id": "B702", "member_id": "U501", "status": "delivered", "amount": 39900, "placed_on": "2026-03-20", "ship_to": "广州市天河区体育西路 10 号", "payment_id": "PAY-3", "lines": [{"sku": "KB-03", "title": "机械键盘", "qty": 1}], "delivered_on": "2026-03-29"},
        "B703": {"order_id": "B703", "member_id": "U502", "status": "delivered", "amount": 8900, "placed_on": "2026-01-15", "ship_to": "22 Vine Street, Bristol", "payment_id": "PAY-4", "lines": [{"sku": "MS-04", "title": "mouse", "qty": 1}], "delivered_on": "2026-01-20"},
        "B704": {"order_id": "B704", "member_id": "U502", "status": "partly_shipped", "amount": 72000, "placed_on": "2026-03-25", "ship_to": "22 Vine Street, Bristol", "payment_id": "PAY-5", "lines": [{"sku": "HP-01", "title": "noise-cancelling headphones", "qty": 1}, {"sku": "MS-04", "title": "mouse", "qty": 1}]},
        "B705": {"order_id": "B705", "member_id": "U502", "status": "unpaid", "amount": 45000, "placed_on": "2026-04-02", "ship_to": "22 Vine Street, Bristol", "payment_id": None, "lines": [{"sku": "MN-05", "title": "monitor arm", "qty": 1}]},
        "B706": {"order_id": "B706", "member_id": "U503", "status": "cancelled", "amount": 15000, "placed_on": "2026-03-10", "ship_to": "武汉市武昌区中南路 7 号", "payment_id": "PAY-6", "lines": [{"sku": "KB-03", "title": "机械键盘", "qty": 1}]},
        "B707": {"order_id": "B707", "member_id": "U502", "status": "paid", "amount": 9900, "placed_on": "2026-04-03", "ship_to": "22 Vine Street, Bristol", "payment_id": "PAY-7", "lines": [{"sku": "CB-02", "title": "cable", "qty": 1}]},
        "B708": {"order_id": "B708", "member_id": "U501", "status": "refunded", "amount": 22000, "placed_on": "2026-02-11", "ship_to": "广州市天河区体育西路 10 号", "payment_id": "PAY-8", "lines": [{"sku": "MN-05", "title": "显示器支架", "qty": 1}]},
    },
    "stock": {
        "HP-01": {"sku": "HP-01", "title": "降噪耳机 noise-cancelling headphones", "on_hand": 4, "price": 59900},
        "CB-02": {"sku": "CB-02", "title": "数据线 cable", "on_hand": 200, "price": 6400},
        "KB-03": {"sku": "KB-03", "title": "机械键盘 mechanical keyboard", "on_hand": 0, "price": 39900},
        "MS-04": {"sku": "MS-04", "title": "鼠标 mouse", "on_hand": 15, "price": 8900},
        "MN-05": {"sku": "MN-05", "title": "显示器支架 monitor arm", "on_hand": 7, "price": 22000},
    },
    "shipments": {
        "SHP-31": {"shipment_id": "SHP-31", "order_id": "B701", "carrier": "韵达", "tracking_no": "YD900100", "status": "in_transit", "last_seen": "佛山", "eta": "2026-04-06"},
        "SHP-32": {"shipment_id": "SHP-32", "order_id": "B702", "carrier": "韵达", "tracking_no": "YD900200", "status": "delivered", "last_seen": "广州", "eta": "2026-03-29"},
        "SHP-33": {"shipment_id": "SHP-33", "order_id": "B704", "carrier": "ParcelX", "tracking_no": "PX4411", "status": "lost_in_transit", "last_seen": "Lyon hub", "eta": "2026-03-31"},
    },
    "payments": {f"PAY-{n}": {"payment_id": f"PAY-{n}", "method": "alipay" if n % 2 else "card", "status": "captured", "amount": a} for n, a in ((1, 59900), (2, 12800), (3, 39900), (4, 8900), (5, 72000), (6, 15000), (7, 9900), (8, 22000))},
    "refunds": {"RF-1": {"refund_id": "RF-1", "order_id": "B708", "amount": 22000, "channel": "original", "status": "paid_out"}},
    "tickets": {"TK-1": {"ticket_id": "TK-1", "member_id": "U502", "order_id": "B704", "title": "one parcel missing", "priority": "normal", "status": "open", "assignee": None}},
}  # fmt: skip


def _get(s: dict[str, Any], table: str, key: str) -> Any:
    if key not in s[table]:
        raise Refused(f"no {table[:-1]} with id {key}")
    return s[table][key]


def _new(s: dict[str, Any], table: str, prefix: str, id_name: str, record: dict[str, Any]) -> dict[str, Any]:
    key = f"{prefix}-{len(s[table]) + 60}"
    s[table][key] = {id_name: key, **record}
    return s[table][key]


def _cancel(s: dict[str, Any], key: str) -> dict[str, Any]:
    o = _get(s, "orders", key)
    if o["status"] not in ("paid", "unpaid"):
        raise Refused(f"cannot cancel: order {key} is {o['status']}")
    o["status"] = "cancelled"
    return {"order_id": key, "status": "cancelled"}


def _refund(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    o = _get(s, "orders", a["order_id"])
    if o["status"] != "delivered":
        raise Refused(f"order {o['order_id']} is {o['status']}: a refund needs a delivered order")
    if o["delivered_on"] < "2026-03-04":
        raise Refused("past the 30-day return window")
    o["status"] = "refund_review"
    return _new(
        s,
        "refunds",
        "RF",
        "refund_id",
        {
            "order_id": o["order_id"],
            "amount": a.get("amount", o["amount"]),
            "channel": a.get("channel", "original"),
            "reason": a.get("reason"),
            "status": "review",
        },
    )


def _ship_to(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    o = _get(s, "orders", a["order_id"])
    if o["status"] not in ("paid", "unpaid"):
        raise Refused(f"order {o['order_id']} is {o['status']}; the address is fixed")
    o["ship_to"] = a["address"]
    return o


def _ticket(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    _get(s, "members", a["member_id"])
    return _new(s, "tickets", "TK", "ticket_id", {"priority": "normal", **a, "status": "open"})


def _upd_ticket(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    t = _get(s, "tickets", a["ticket_id"])
    t.update({k: v for k, v in a.items() if k != "ticket_id"})
    return t


def _lost(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    p = _get(s, "shipments", a["shipment_id"])
    if p["status"] == "delivered":
        raise Refused("the carrier reports this shipment as delivered")
    p["status"] = "claim_opened"
    return p


def _reship(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    o = _get(s, "orders", a["order_id"])
    if not any(
        p["order_id"] == o["order_id"] and p["status"] in ("lost_in_transit", "claim_opened")
        for p in s["shipments"].values()
    ):
        raise Refused("no lost shipment on this order")
    return _new(s, "shipments", "SHP", "shipment_id", {"order_id": o["order_id"], "status": "preparing"})


def _adjust(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    raise Refused("not allowed: stock may only be corrected by the warehouse team")


def _unblock(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    m = _get(s, "members", a["member_id"])
    m["status"] = "active"
    return m


OID = {"type": "string", "description": "Id of the order, e.g. B700."}
MID = {"type": "string", "description": "Id of the member, e.g. U501."}

TOOLS = (
    Tool("get_order", "Get one order with status, amount, address and lines.", {"order_id": OID}, ["order_id"], lambda s, a: _get(s, "orders", a["order_id"])),
    Tool("find_orders", "Find orders of a member, newest first; filter by status if given.", {"member_id": MID, "status": {"type": "string", "enum": ["unpaid", "paid", "partly_shipped", "shipped", "delivered", "refund_review", "refunded", "cancelled"]}, "limit": {"type": "integer", "description": "At most so many."}}, ["member_id"],
         lambda s, a: sorted((o for o in s["orders"].values() if o["member_id"] == a["member_id"] and o["status"] == a.get("status", o["status"])), key=lambda o: o["placed_on"], reverse=True)[: a.get("limit", 99)]),
    Tool("cancel_order", "Cancel an order that has not shipped.", {"order_id": OID}, ["order_id"], lambda s, a: _cancel(s, a["order_id"])),
    Tool("cancel_orders", "Cancel a batch of orders that have not shipped.", {"order_ids": {"type": "array", "items": {"type": "string"}, "description": "Ids of the orders."}}, ["order_ids"], lambda s, a: [_cancel(s, k) for k in a["order_ids"]]),
    Tool("change_address", "Change the shipping address of an order.", {"order_id": OID, "address": {"type": "string", "description": "Full new address."}}, ["order_id", "address"], _ship_to),
    Tool("get_member", "Get a member's profile: name, level, balance in minor units, status.", {"member_id": MID}, ["member_id"], lambda s, a: _get(s, "members", a["member_id"])),
    Tool("find_member", "Find members by phone number or name.", {"phone": {"type": "string", "description": "Phone number."}, "name": {"type": "string", "description": "Full name."}}, [], lambda s, a: [m for m in s["members"].values() if m["phone"] == a.get("phone", m["phone"]) and m["name"] == a.get("name", m["name"])]),
    Tool("unblock_member", "Lift the block on a member's account.", {"member_id": MID}, ["member_id"], _unblock),
    Tool("get_stock", "Units on hand and price (minor units) of a product.", {"sku": {"type": "string", "description": "Stock keeping unit, e.g. HP-01."}}, ["sku"], lambda s, a: _get(s, "stock", a["sku"])),
    Tool("search_products", "Search products by name.", {"query": {"type": "string", "description": "Part of the name."}}, ["query"], lambda s, a: [{k: p[k] for k in ("sku", "title", "price")} for p in s["stock"].values() if a["query"].lower() in p["title"].lower()]),
    Tool("adjust_stock", "Correct the number of units on hand.", {"sku": {"type": "string"}, "delta": {"type": "integer", "description": "Units to add (negative to remove)."}}, ["sku", "delta"], _adjust),
    Tool("list_shipments", "List the shipments of an order.", {"order_id": OID}, ["order_id"], lambda s, a: [p for p in s["shipments"].values() if p["order_id"] == a["order_id"]]),
    Tool("report_lost_shipment", "Open a claim with the carrier for a shipment that got lost.", {"shipment_id": {"type": "string", "description": "Id of the shipment, e.g. SHP-31."}}, ["shipment_id"], _lost),
    Tool("reship_order", "Send the lost goods of an order again.", {"order_id": OID}, ["order_id"], _reship),
    Tool("get_payment", "Get a payment: method, amount, status.", {"payment_id": {"type": "string", "description": "Id of the payment, e.g. PAY-1."}}, ["payment_id"], lambda s, a: _get(s, "payments", a["payment_id"])),
    Tool("request_refund", "Request a refund of a delivered order.", {"order_id": OID, "amount": {"type": "integer", "description": "Part of the amount, in minor units (cents)."}, "channel": {"type": "string", "enum": ["original", "balance"], "description": "Where the money goes."}, "reason": {"type": "string"}}, ["order_id"], _refund),
    Tool("create_ticket", "Create a support ticket.", {"member_id": MID, "order_id": OID, "title": {"type": "string", "description": "Short title."}, "priority": {"type": "string", "enum": ["low", "normal", "high"]}}, ["member_id", "title"], _ticket),
    Tool("update_ticket", "Change status, priority or assignee of a ticket.", {"ticket_id": {"type": "string", "description": "Id of the ticket, e.g. TK-1."}, "status": {"type": "string", "enum": ["open", "waiting", "closed"]}, "priority": {"type": "string", "enum": ["low", "normal", "high"]}, "assignee": {"type": "string"}}, ["ticket_id"], _upd_ticket),
)  # fmt: skip

MALL = World(
    prompt=(
        "You are the service assistant of an online mall. Now: 2026-04-04T09:30:00+08:00. Amounts are in minor units (100 = 1 yuan). "
        "Answer in the language of the customer. If something cannot be done, say why."
    ),
    data=DATA,
    tools=TOOLS,
)
