# ruff: noqa: E501 (a record, a tool, a request is one line)
"""A second invented shop, with other names, other shapes of ids and results, and neighbours that are easily confused."""

from __future__ import annotations

from typing import Any

from tests.agents.simulated.sim_world import Refused, Tool, World

DATA: dict[str, Any] = {
    "customers": {
        "C-1001": {"customerId": "C-1001", "name": "王小明", "mobile": "13611112222", "tier": "gold", "creditBalance": 5000, "frozen": False},
        "C-1002": {"customerId": "C-1002", "name": "Alice Brown", "mobile": "07811223344", "tier": "silver", "creditBalance": 0, "frozen": False},
        "C-1003": {"customerId": "C-1003", "name": "赵敏", "mobile": "13722223333", "tier": "platinum", "creditBalance": 12000, "frozen": True},
    },
    "orders": {
        "SO-2026-0001": {"orderNo": "SO-2026-0001", "customerId": "C-1001", "state": "awaiting_shipment", "paidAmount": 25800, "placedAt": "2026-03-08T09:12:00", "deliveryAddress": "杭州市西湖区文三路 5 号", "remark": ""},
        "SO-2026-0002": {"orderNo": "SO-2026-0002", "customerId": "C-1001", "state": "in_transit", "paidAmount": 9900, "placedAt": "2026-03-05T18:40:00", "deliveryAddress": "杭州市西湖区文三路 5 号", "remark": ""},
        "SO-2026-0003": {"orderNo": "SO-2026-0003", "customerId": "C-1001", "state": "signed", "paidAmount": 49900, "placedAt": "2026-02-27T11:00:00", "deliveryAddress": "杭州市西湖区文三路 5 号", "remark": "", "signedAt": "2026-03-02"},
        "SO-2026-0004": {"orderNo": "SO-2026-0004", "customerId": "C-1002", "state": "signed", "paidAmount": 19900, "placedAt": "2026-03-01T08:00:00", "deliveryAddress": "8 Park Row, Bristol", "remark": "", "signedAt": "2026-03-06"},
        "SO-2026-0005": {"orderNo": "SO-2026-0005", "customerId": "C-1002", "state": "awaiting_payment", "paidAmount": 0, "placedAt": "2026-03-09T20:15:00", "deliveryAddress": "8 Park Row, Bristol", "remark": ""},
        "SO-2026-0006": {"orderNo": "SO-2026-0006", "customerId": "C-1003", "state": "partially_shipped", "paidAmount": 88000, "placedAt": "2026-03-03T10:30:00", "deliveryAddress": "成都市锦江区春熙路 9 号", "remark": ""},
        "SO-2026-0007": {"orderNo": "SO-2026-0007", "customerId": "C-1003", "state": "closed", "paidAmount": 3300, "placedAt": "2025-12-20T10:30:00", "deliveryAddress": "成都市锦江区春熙路 9 号", "remark": ""},
        "SO-2026-0008": {"orderNo": "SO-2026-0008", "customerId": "C-1002", "state": "awaiting_shipment", "paidAmount": 7600, "placedAt": "2026-03-07T10:00:00", "deliveryAddress": "8 Park Row, Bristol", "remark": ""},
    },
    "items": {
        "I-1": {"itemId": "I-1", "orderNo": "SO-2026-0003", "sku": "P-KETTLE", "title": "电热水壶", "qty": 1, "unitPrice": 29900},
        "I-2": {"itemId": "I-2", "orderNo": "SO-2026-0003", "sku": "P-CUP", "title": "玻璃杯", "qty": 2, "unitPrice": 10000},
        "I-3": {"itemId": "I-3", "orderNo": "SO-2026-0004", "sku": "P-SHOE", "title": "running shoes", "qty": 1, "unitPrice": 19900},
        "I-4": {"itemId": "I-4", "orderNo": "SO-2026-0001", "sku": "P-BAG", "title": "双肩包", "qty": 1, "unitPrice": 25800},
        "I-5": {"itemId": "I-5", "orderNo": "SO-2026-0006", "sku": "P-TV", "title": "电视机", "qty": 1, "unitPrice": 80000},
        "I-6": {"itemId": "I-6", "orderNo": "SO-2026-0006", "sku": "P-CUP", "title": "玻璃杯", "qty": 1, "unitPrice": 8000},
        "I-7": {"itemId": "I-7", "orderNo": "SO-2026-0002", "sku": "P-CUP", "title": "玻璃杯", "qty": 1, "unitPrice": 9900},
    },
    "stock": {
        "P-KETTLE": {"sku": "P-KETTLE", "title": "电热水壶", "available": 0, "price": 29900, "warehouse": "杭州仓"},
        "P-CUP": {"sku": "P-CUP", "title": "玻璃杯", "available": 57, "price": 10000, "warehouse": "杭州仓"},
        "P-SHOE": {"sku": "P-SHOE", "title": "running shoes", "available": 6, "price": 19900, "warehouse": "Bristol"},
        "P-SHOE-X": {"sku": "P-SHOE-X", "title": "trail running shoes", "available": 2, "price": 26900, "warehouse": "Bristol"},
        "P-BAG": {"sku": "P-BAG", "title": "双肩包", "available": 31, "price": 25800, "warehouse": "成都仓"},
    },
    "parcels": {
        "PK-71": {"parcelId": "PK-71", "orderNo": "SO-2026-0002", "carrier": "圆通", "waybill": "YT7788990011", "state": "in_transit", "events": [{"time": "2026-03-08 22:10", "place": "苏州分拨中心", "text": "已发出"}], "expectedOn": "2026-03-11"},
        "PK-72": {"parcelId": "PK-72", "orderNo": "SO-2026-0003", "carrier": "圆通", "waybill": "YT7788990022", "state": "signed", "events": [{"time": "2026-03-02 14:00", "place": "杭州", "text": "已签收"}], "expectedOn": "2026-03-02"},
        "PK-73": {"parcelId": "PK-73", "orderNo": "SO-2026-0006", "carrier": "京东", "waybill": "JD001", "state": "lost", "events": [{"time": "2026-03-05 01:00", "place": "武汉", "text": "异常"}], "expectedOn": "2026-03-06"},
        "PK-74": {"parcelId": "PK-74", "orderNo": "SO-2026-0004", "carrier": "FastPost", "waybill": "FP5521", "state": "signed", "events": [], "expectedOn": "2026-03-06"},
    },
    "payments": {
        "PY-1": {"paymentId": "PY-1", "orderNo": "SO-2026-0003", "method": "wechat", "amount": 49900, "state": "succeeded"},
        "PY-2": {"paymentId": "PY-2", "orderNo": "SO-2026-0004", "method": "visa", "amount": 19900, "state": "succeeded"},
        "PY-3": {"paymentId": "PY-3", "orderNo": "SO-2026-0004", "method": "visa", "amount": 19900, "state": "succeeded"},
    },
    "refunds": {},
    "exchanges": {},
    "cases": {"CS-5": {"caseId": "CS-5", "customerId": "C-1003", "orderNo": "SO-2026-0006", "topic": "电视没收到", "state": "open", "urgency": "normal"}},
    "log": {"L-1": {"eventId": "L-1", "orderNo": "SO-2026-0007", "actor": "system", "action": "order_closed", "at": "2025-12-27"}},
}  # fmt: skip


def _find(s: dict[str, Any], table: str, key: str, noun: str) -> Any:
    if key not in s[table]:
        raise Refused(f"{noun} {key} does not exist")
    return s[table][key]


def _new(s: dict[str, Any], table: str, prefix: str, id_name: str, record: dict[str, Any]) -> dict[str, Any]:
    key = f"{prefix}-{len(s[table]) + 90}"
    s[table][key] = {id_name: key, **record}
    return s[table][key]


def _cancel(s: dict[str, Any], key: str) -> dict[str, Any]:
    order = _find(s, "orders", key, "order")
    if order["state"] in ("in_transit", "signed", "partially_shipped"):
        raise Refused(
            f"order {key} has already left the warehouse (state: {order['state']}); cancelling is not possible"
        )
    if order["state"] in ("cancelled", "closed"):
        raise Refused(f"order {key} is already {order['state']}")
    order["state"] = "cancelled"
    return {"orderNo": key, "state": "cancelled"}


def _refund(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    order = _find(s, "orders", a["orderNo"], "order")
    customer = s["customers"][order["customerId"]]
    if customer["frozen"]:
        raise Refused("the account of this customer is frozen; no refund can be made")
    if order["state"] != "signed":
        raise Refused(f"only signed orders can be refunded, this one is {order['state']}")
    amount = a.get("amountCents", order["paidAmount"])
    if amount > order["paidAmount"]:
        raise Refused(f"amountCents is more than the {order['paidAmount']} paid")
    return _new(
        s,
        "refunds",
        "RF",
        "refundId",
        {
            "orderNo": order["orderNo"],
            "amountCents": amount,
            "method": a["method"],
            "why": a.get("why", ""),
            "state": "processing",
        },
    )


def _exchange(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    item = _find(s, "items", a["itemId"], "item")
    stock = _find(s, "stock", a["newSku"], "sku") if a.get("newSku") else s["stock"][item["sku"]]
    if stock["available"] < 1:
        raise Refused(f"{stock['sku']} is out of stock")
    stock["available"] -= 1
    return _new(
        s, "exchanges", "EX", "exchangeId", {"itemId": item["itemId"], "newSku": stock["sku"], "state": "requested"}
    )


def _case(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    _find(s, "customers", a["customerId"], "customer")
    return _new(s, "cases", "CS", "caseId", {"urgency": "normal", "state": "open", **a})


def _close(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    case = _find(s, "cases", a["caseId"], "case")
    case["state"] = "closed"
    return case


def _set(s: dict[str, Any], table: str, key: str, noun: str, **changes: Any) -> dict[str, Any]:
    record = _find(s, table, key, noun)
    record.update(changes)
    return record


def _mobile(s: dict[str, Any], mobile: str) -> dict[str, Any]:
    found = [c for c in s["customers"].values() if c["mobile"] == mobile]
    return {"customers": found, "total": len(found)}


def _addr(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    order = _find(s, "orders", a["orderNo"], "order")
    if order["state"] not in ("awaiting_shipment", "awaiting_payment"):
        raise Refused("address locked: parcel already handed to the carrier")
    order["deliveryAddress"] = a["newAddress"]
    return {"orderNo": order["orderNo"], "deliveryAddress": order["deliveryAddress"]}


def _credit(s: dict[str, Any], a: dict[str, Any]) -> dict[str, Any]:
    customer = _find(s, "customers", a["customerId"], "customer")
    if a["amountCents"] > 2000:
        raise Refused("permission denied: goodwill above 2000 cents must be approved by a manager")
    customer["creditBalance"] += a["amountCents"]
    return {"customerId": customer["customerId"], "creditBalance": customer["creditBalance"]}


NO = {"type": "string", "description": "order number"}
CUST = {"type": "string", "description": "customer id"}

TOOLS = (
    Tool("getOrder", "Fetch an order with its state, amount paid and address.", {"orderNo": NO}, ["orderNo"], lambda s, a: {"order": _find(s, "orders", a["orderNo"], "order")}),
    Tool("listOrderItems", "The items (lines) of an order with sku, title, quantity and price.", {"orderNo": NO}, ["orderNo"], lambda s, a: {"items": [i for i in s["items"].values() if i["orderNo"] == a["orderNo"]]}),
    Tool("searchOrders", "Search the orders of a customer, newest first.", {"customerId": CUST, "state": {"type": "string", "enum": ["awaiting_payment", "awaiting_shipment", "partially_shipped", "in_transit", "signed", "cancelled", "closed"]}}, ["customerId"],
         lambda s, a: {"orders": sorted((o for o in s["orders"].values() if o["customerId"] == a["customerId"] and a.get("state", o["state"]) == o["state"]), key=lambda o: o["placedAt"], reverse=True)}),
    Tool("cancelOrder", "Cancel an order before it leaves the warehouse.", {"orderNo": NO}, ["orderNo"], lambda s, a: _cancel(s, a["orderNo"])),
    Tool("bulkCancelOrders", "Cancel many orders in one call.", {"orderNos": {"type": "array", "items": {"type": "string"}, "description": "order numbers"}}, ["orderNos"], lambda s, a: {"cancelled": [_cancel(s, k) for k in a["orderNos"]]}),
    Tool("changeDeliveryAddress", "Change where an order is to be delivered.", {"orderNo": NO, "newAddress": {"type": "string", "description": "full postal address"}}, ["orderNo", "newAddress"], _addr),
    Tool("addOrderRemark", "Put an internal note on an order.", {"orderNo": NO, "remark": {"type": "string", "description": "text of the note"}}, ["orderNo", "remark"], lambda s, a: _set(s, "orders", a["orderNo"], "order", remark=a["remark"])),
    Tool("findCustomer", "Find customers by mobile number.", {"mobile": {"type": "string", "description": "mobile phone number"}}, ["mobile"], lambda s, a: _mobile(s, a["mobile"])),
    Tool("getCustomer", "Customer profile: name, tier, store credit, whether the account is frozen.", {"customerId": CUST}, ["customerId"], lambda s, a: _find(s, "customers", a["customerId"], "customer")),
    Tool("checkAvailability", "How many units of a sku are available, in which warehouse, and the price.", {"sku": {"type": "string", "description": "sku"}}, ["sku"], lambda s, a: _find(s, "stock", a["sku"], "sku")),
    Tool("searchCatalogue", "Search the catalogue by words of the title.", {"query": {"type": "string"}}, ["query"], lambda s, a: {"results": [p for p in s["stock"].values() if a["query"].lower() in p["title"].lower()]}),
    Tool("listParcels", "List the parcels of an order with carrier and waybill.", {"orderNo": NO}, ["orderNo"], lambda s, a: {"parcels": [{k: v for k, v in p.items() if k != "events"} for p in s["parcels"].values() if p["orderNo"] == a["orderNo"]]}),
    Tool("traceParcel", "Trace a parcel: the latest scan events, place and expected day.", {"parcelId": {"type": "string", "description": "parcel id"}}, ["parcelId"], lambda s, a: _find(s, "parcels", a["parcelId"], "parcel")),
    Tool("listPayments", "Payments received for an order.", {"orderNo": NO}, ["orderNo"], lambda s, a: {"payments": [p for p in s["payments"].values() if p["orderNo"] == a["orderNo"]]}),
    Tool("issueRefund", "Refund money for a signed order.", {"orderNo": NO, "amountCents": {"type": "integer", "description": "partial refund in cents; leave out for all"}, "method": {"type": "string", "enum": ["payment_method", "store_credit"], "description": "where the money goes; payment_method unless the customer prefers store_credit", "default": "payment_method"}, "why": {"type": "string", "description": "customer's reason"}}, ["orderNo", "method"], _refund),
    Tool("requestExchange", "Exchange an item of an order for another one of the same or a different sku.", {"itemId": {"type": "string", "description": "id of the order line"}, "newSku": {"type": "string", "description": "sku wanted instead, if different"}}, ["itemId"], _exchange),
    Tool("createCase", "Create a support case for a customer.", {"customerId": CUST, "orderNo": NO, "topic": {"type": "string", "description": "one line saying what it is about"}, "urgency": {"type": "string", "enum": ["low", "normal", "urgent"]}}, ["customerId", "topic"], _case),
    Tool("closeCase", "Close a support case.", {"caseId": {"type": "string", "description": "case id"}}, ["caseId"], _close),
    Tool("grantCredit", "Grant goodwill store credit to a customer, in cents.", {"customerId": CUST, "amountCents": {"type": "integer", "description": "amount in cents"}}, ["customerId", "amountCents"], _credit),
    Tool("listEvents", "Audit log of an order: who did what and when.", {"orderNo": NO}, ["orderNo"], lambda s, a: {"events": [e for e in s["log"].values() if e["orderNo"] == a["orderNo"]]}),
)  # fmt: skip

DEPOT = World(
    prompt=(
        "You work in customer care. Current time: 2026-03-10T09:00:00+08:00. Prefer facts from the systems over what people say. "
        "Always look up the order before you change it. Never promise anything the tools have not confirmed."
    ),
    data=DATA,
    tools=TOOLS,
    error_style="json",
)
