# ruff: noqa: E501 (a record, a tool, a request is one line)
"""An invented shop with after-sales tools described in English."""

from __future__ import annotations

from typing import Any

from tests.agents.simulated.sim_world import Refused, Tool, World

NOW = "2026-03-01T10:00:00+08:00"

DATA: dict[str, Any] = {
    "members": {
        "M10086": {"id": "M10086", "name": "李雷", "phone": "13800138000", "level": "gold", "points": 1250, "address": "北京市海淀区中关村大街 1 号"},
        "M10087": {"id": "M10087", "name": "韩梅梅", "phone": "13900139000", "level": "silver", "points": 300, "address": "上海市静安区南京西路 20 号"},
        "M20001": {"id": "M20001", "name": "Jane Doe", "phone": "07700900123", "level": "regular", "points": 40, "address": "12 Oak Street, Leeds"},
        "M20002": {"id": "M20002", "name": "Tom Becker", "phone": "07700900456", "level": "gold", "points": 980, "address": "3 Mill Lane, York"},
    },
    "orders": {
        "A100": {"id": "A100", "member_id": "M10086", "status": "paid", "total": 12900, "created_at": "2026-02-20", "items": [{"sku": "SKU-LAMP", "name": "台灯", "quantity": 1}], "shipment_id": None, "address": "北京市海淀区中关村大街 1 号"},
        "A101": {"id": "A101", "member_id": "M10086", "status": "shipped", "total": 45900, "created_at": "2026-02-22", "items": [{"sku": "SKU-COAT", "name": "羊毛大衣", "quantity": 1}], "shipment_id": "S-501", "address": "北京市海淀区中关村大街 1 号"},
        "A102": {"id": "A102", "member_id": "M10086", "status": "delivered", "total": 8800, "created_at": "2026-02-15", "items": [{"sku": "SKU-MUG", "name": "马克杯", "quantity": 2}], "shipment_id": "S-502", "address": "北京市海淀区中关村大街 1 号"},
        "A103": {"id": "A103", "member_id": "M10087", "status": "cancelled", "total": 5000, "created_at": "2026-02-10", "items": [{"sku": "SKU-MUG", "name": "马克杯", "quantity": 1}], "shipment_id": None, "address": "上海市静安区南京西路 20 号"},
        "A104": {"id": "A104", "member_id": "M10087", "status": "delivered", "total": 23900, "created_at": "2025-11-25", "items": [{"sku": "SKU-SCARF", "name": "围巾", "quantity": 1}], "shipment_id": "S-505", "address": "上海市静安区南京西路 20 号"},
        "A105": {"id": "A105", "member_id": "M20001", "status": "shipped", "total": 30000, "created_at": "2026-02-18", "items": [{"sku": "SKU-LAMP", "name": "desk lamp", "quantity": 1}, {"sku": "SKU-MUG", "name": "mug", "quantity": 3}], "shipment_id": "S-503", "address": "12 Oak Street, Leeds"},
        "A106": {"id": "A106", "member_id": "M20001", "status": "delivered", "total": 15900, "created_at": "2026-02-21", "items": [{"sku": "SKU-SCARF", "name": "wool scarf", "quantity": 1}], "shipment_id": "S-506", "address": "12 Oak Street, Leeds"},
        "A107": {"id": "A107", "member_id": "M20001", "status": "pending_payment", "total": 9900, "created_at": "2026-02-28", "items": [{"sku": "SKU-MUG", "name": "mug", "quantity": 2}], "shipment_id": None, "address": "12 Oak Street, Leeds"},
        "A108": {"id": "A108", "member_id": "M20002", "status": "refunded", "total": 7700, "created_at": "2026-01-30", "items": [{"sku": "SKU-MUG", "name": "mug", "quantity": 1}], "shipment_id": "S-507", "address": "3 Mill Lane, York"},
        "A109": {"id": "A109", "member_id": "M20002", "status": "paid", "total": 61200, "created_at": "2026-02-26", "items": [{"sku": "SKU-COAT", "name": "wool coat", "quantity": 1}], "shipment_id": None, "address": "3 Mill Lane, York"},
        "0123": {"id": "0123", "member_id": "M20002", "status": "paid", "total": 4500, "created_at": "2026-02-27", "items": [{"sku": "SKU-SOCK", "name": "socks", "quantity": 5}], "shipment_id": None, "address": "3 Mill Lane, York"},
    },
    "shipments": {
        "S-501": {"id": "S-501", "order_id": "A101", "carrier": "顺丰", "tracking_no": "SF1029384756", "status": "in_transit", "location": "郑州转运中心", "eta": "2026-03-03"},
        "S-502": {"id": "S-502", "order_id": "A102", "carrier": "顺丰", "tracking_no": "SF5647382910", "status": "delivered", "location": "北京", "eta": "2026-02-18"},
        "S-503": {"id": "S-503", "order_id": "A105", "carrier": "RoyalPost", "tracking_no": "RP77120", "status": "lost", "location": "Hull depot", "eta": "2026-02-23"},
        "S-505": {"id": "S-505", "order_id": "A104", "carrier": "中通", "tracking_no": "ZT90871", "status": "delivered", "location": "上海", "eta": "2025-11-30"},
        "S-506": {"id": "S-506", "order_id": "A106", "carrier": "RoyalPost", "tracking_no": "RP77981", "status": "delivered", "location": "Leeds", "eta": "2026-02-24"},
        "S-507": {"id": "S-507", "order_id": "A108", "carrier": "RoyalPost", "tracking_no": "RP70004", "status": "returned", "location": "York", "eta": "2026-02-03"},
    },
    "products": {
        "SKU-LAMP": {"sku": "SKU-LAMP", "name": "台灯 desk lamp", "price": 12900, "stock": 14, "category": "home"},
        "SKU-COAT": {"sku": "SKU-COAT", "name": "羊毛大衣 wool coat", "price": 61200, "stock": 0, "category": "clothing"},
        "SKU-MUG": {"sku": "SKU-MUG", "name": "马克杯 mug", "price": 4400, "stock": 120, "category": "home"},
        "SKU-SCARF": {"sku": "SKU-SCARF", "name": "羊毛围巾 wool scarf", "price": 15900, "stock": 3, "category": "clothing"},
        "SKU-SCARF2": {"sku": "SKU-SCARF2", "name": "丝质围巾 silk scarf", "price": 23900, "stock": 0, "category": "clothing"},
        "SKU-SCARF3": {"sku": "SKU-SCARF3", "name": "棉围巾 cotton scarf", "price": 9900, "stock": 0, "category": "clothing"},
    },
    "refunds": {"R-1": {"id": "R-1", "order_id": "A108", "amount": 7700, "channel": "original", "status": "completed"}},
    "tickets": {
        "T-9": {"id": "T-9", "member_id": "M20001", "order_id": "A105", "subject": "parcel lost", "priority": "high", "status": "open"},
        "T-10": {"id": "T-10", "member_id": "M10087", "order_id": "A104", "subject": "围巾起球", "priority": "normal", "status": "closed"},
    },
}  # fmt: skip


def _find(state: dict[str, Any], table: str, key: str) -> dict[str, Any]:
    if key not in state[table]:
        raise Refused(f"{table[:-1]} {key} not found")
    return state[table][key]


def _new(state: dict[str, Any], table: str, prefix: str, record: dict[str, Any]) -> dict[str, Any]:
    key = f"{prefix}-{len(state[table]) + 40}"
    state[table][key] = {"id": key, **record}
    return state[table][key]


def _cancel_one(state: dict[str, Any], key: str) -> dict[str, Any]:
    order = _find(state, "orders", key)
    if order["status"] not in ("paid", "pending_payment"):
        raise Refused(f"order {key} cannot be cancelled because its status is {order['status']}")
    order["status"] = "cancelled"
    return {"order_id": key, "status": "cancelled"}


def _refund(state: dict[str, Any], args: dict[str, Any]) -> dict[str, Any]:
    order = _find(state, "orders", args["order_id"])
    if order["status"] == "refunded" or any(r["order_id"] == order["id"] for r in state["refunds"].values()):
        raise Refused(f"order {order['id']} has already been refunded")
    if order["status"] != "delivered":
        raise Refused(f"order {order['id']} is not delivered yet; only delivered orders can be refunded")
    if order["created_at"] < "2026-01-30":
        raise Refused("the refund window of 30 days has passed")
    amount = args.get("amount", order["total"])
    if amount > order["total"]:
        raise Refused("amount is more than was paid")
    order["status"] = "refund_review"
    return _new(state, "refunds", "R", {
        "order_id": order["id"], "amount": amount, "channel": args.get("channel", "original"),
        "reason": args.get("reason", ""), "status": "pending",
    })  # fmt: skip


def _search_products(state: dict[str, Any], args: dict[str, Any]) -> list[Any]:
    words = args["keyword"].lower().split()
    return [p for p in state["products"].values() if all(w in p["name"].lower() for w in words)]


def _orders(state: dict[str, Any], args: dict[str, Any]) -> dict[str, Any]:
    _find(state, "members", args["member_id"])
    rows = [o for o in state["orders"].values() if o["member_id"] == args["member_id"]]
    if "status" in args:
        rows = [o for o in rows if o["status"] == args["status"]]
    keys = ("id", "status", "total", "created_at")
    return {
        "orders": [{k: o[k] for k in keys} | {"items": [i["name"] for i in o["items"]]} for o in rows],
        "count": len(rows),
    }


def _address(state: dict[str, Any], args: dict[str, Any]) -> dict[str, Any]:
    order = _find(state, "orders", args["order_id"])
    if order["status"] not in ("paid", "pending_payment"):
        raise Refused(f"the address of an order that is {order['status']} can no longer be changed")
    order["address"] = args["address"]
    return order


def _by_phone(state: dict[str, Any], args: dict[str, Any]) -> dict[str, Any]:
    hit = next((m for m in state["members"].values() if m["phone"] == args["phone"]), None)
    if hit is None:
        raise Refused(f"no member has the phone number {args['phone']}")
    return hit


def _close(state: dict[str, Any], args: dict[str, Any]) -> dict[str, Any]:
    ticket = _find(state, "tickets", args["ticket_id"])
    if ticket["status"] == "closed":
        raise Refused("ticket is already closed")
    ticket["status"] = "closed"
    ticket["resolution"] = args.get("resolution", "")
    return ticket


def _points(state: dict[str, Any], args: dict[str, Any]) -> dict[str, Any]:
    member = _find(state, "members", args["member_id"])
    if args["points"] > 500:
        raise Refused("not permitted: more than 500 points need a supervisor")
    member["points"] += args["points"]
    return {"member_id": member["id"], "points": member["points"]}


def _reserve(state: dict[str, Any], args: dict[str, Any]) -> dict[str, Any]:
    product = _find(state, "products", args["sku"])
    if product["stock"] < args["quantity"]:
        raise Refused(f"only {product['stock']} of {args['sku']} in stock")
    product["stock"] -= args["quantity"]
    return {"sku": args["sku"], "reserved": args["quantity"], "stock": product["stock"]}


def _reship(state: dict[str, Any], args: dict[str, Any]) -> dict[str, Any]:
    order = _find(state, "orders", args["order_id"])
    old = state["shipments"].get(order["shipment_id"] or "")
    if old is None or old["status"] not in ("lost", "returned"):
        raise Refused("a replacement is only sent when the first parcel was lost or returned")
    new = _new(state, "shipments", "S", {"order_id": order["id"], "status": "preparing", "carrier": old["carrier"]})
    order["shipment_id"] = new["id"]
    return new


ORDER = {"type": "string", "description": "Order id, for example A100"}
MEMBER = {"type": "string", "description": "Member id, for example M10086"}
SKU = {"type": "string", "description": "Product code (sku)"}

TOOLS = (
    Tool("get_order", "Look up one order by its id: status, total, items and delivery address.", {"order_id": ORDER}, ["order_id"],
         lambda s, a: _find(s, "orders", a["order_id"])),
    Tool("list_orders", "List the orders of a member, optionally only those with a given status.",
         {"member_id": MEMBER, "status": {"type": "string", "enum": ["pending_payment", "paid", "shipped", "delivered", "cancelled", "refunded"], "description": "Only orders with this status"}},
         ["member_id"], _orders),
    Tool("cancel_order", "Cancel an order that has not been shipped yet.", {"order_id": ORDER, "reason": {"type": "string", "description": "Why, in a few words"}}, ["order_id"],
         lambda s, a: _cancel_one(s, a["order_id"])),
    Tool("cancel_orders", "Cancel several orders at once (batch).", {"order_ids": {"type": "array", "items": {"type": "string"}, "description": "Ids of the orders"}}, ["order_ids"],
         lambda s, a: [_cancel_one(s, k) for k in a["order_ids"]]),
    Tool("request_refund", "Request a refund for a delivered order. Amounts are in minor units (cents).",
         {"order_id": ORDER, "amount": {"type": "integer", "description": "Partial amount in minor units; the whole order if left out"},
          "channel": {"type": "string", "enum": ["original", "balance"], "description": "original = back to the payment method, balance = store credit"},
          "reason": {"type": "string", "description": "Reason given by the customer"}}, ["order_id"], _refund),
    Tool("get_refund", "Show the refund of an order: amount, channel and progress.", {"order_id": ORDER}, ["order_id"],
         lambda s, a: next((r for r in s["refunds"].values() if r["order_id"] == a["order_id"]), None) or _no("no refund for this order")),
    Tool("track_shipment", "Track a shipment: where the parcel is now, carrier, tracking number and expected arrival.", {"shipment_id": {"type": "string", "description": "Shipment id"}}, ["shipment_id"],
         lambda s, a: _find(s, "shipments", a["shipment_id"])),
    Tool("get_member", "Look up a member: name, level, points, phone and address.", {"member_id": MEMBER}, ["member_id"], lambda s, a: _find(s, "members", a["member_id"])),
    Tool("find_member_by_phone", "Find a member by phone number.", {"phone": {"type": "string", "description": "Phone number, digits only"}}, ["phone"], _by_phone),
    Tool("check_stock", "Check how many units of a product are in stock.", {"sku": SKU}, ["sku"],
         lambda s, a: {k: v for k, v in _find(s, "products", a["sku"]).items() if k in ("sku", "stock")}),
    Tool("search_products", "Search products by keyword; gives name, price in minor units and stock.", {"keyword": {"type": "string", "description": "Words of the product name"}}, ["keyword"], _search_products),
    Tool("reserve_stock", "Reserve units of a product for a customer.", {"sku": SKU, "quantity": {"type": "integer", "description": "How many units"}}, ["sku", "quantity"], _reserve),
    Tool("update_address", "Change the delivery address of an order before it ships.", {"order_id": ORDER, "address": {"type": "string", "description": "The new address"}}, ["order_id", "address"], _address),
    Tool("open_ticket", "Open a support ticket (complaint or question) for a member.",
         {"member_id": MEMBER, "order_id": ORDER, "subject": {"type": "string", "description": "What it is about, in a few words"},
          "priority": {"type": "string", "enum": ["low", "normal", "high"], "description": "How urgent it is", "default": "normal"}}, ["member_id", "subject"],
         lambda s, a: (_find(s, "members", a["member_id"]), _new(s, "tickets", "T", {"priority": "normal", "status": "open", **a}))[1]),
    Tool("list_tickets", "List the support tickets of a member.", {"member_id": MEMBER}, ["member_id"], lambda s, a: [t for t in s["tickets"].values() if t["member_id"] == a["member_id"]]),
    Tool("close_ticket", "Close a support ticket once it is solved.", {"ticket_id": {"type": "string", "description": "Ticket id, for example T-9"}, "resolution": {"type": "string", "description": "How it was solved"}}, ["ticket_id"], _close),
    Tool("add_points", "Add loyalty points to a member's account.", {"member_id": MEMBER, "points": {"type": "integer", "description": "How many points"}}, ["member_id", "points"], _points),
    Tool("send_replacement", "Send a replacement parcel for an order whose shipment was lost or came back.", {"order_id": ORDER}, ["order_id"], _reship),
)  # fmt: skip


def _no(why: str) -> Any:
    raise Refused(why)


RETAIL = World(
    prompt=(
        "You are the after-sales assistant of a shop. It is now 2026-03-01T10:00:00+08:00. "
        "Help the customer with the tools you have. Answer in the customer's language."
    ),
    data=DATA,
    tools=TOOLS,
)
