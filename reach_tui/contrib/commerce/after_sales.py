"""After the sale: refunds, exchanges, goods that come back.

A refund begins in review; people approve it outside these tools. Money moves when the goods are back.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from reach_tui import Keywords, Record, ToolError, World, tool
from reach_tui.contrib.commerce import claims, purposes
from reach_tui.contrib.commerce.common import (
    OrderId,
    Sku,
    active_member,
    add_audit,
    chosen_items,
    days_since,
    items_of,
    move_stock,
    payment_of,
    set_items,
    set_order,
    the_order,
    the_product,
    yuan,
)
from reach_tui.contrib.commerce.tables import RefundChannel, RefundReason

CHANGED_MIND_DAYS = 7
FAULT_DAYS = 30
_FAULTS = ("defective", "damaged", "wrong_item")

ItemIds = Annotated[
    list[str] | None,
    "Item numbers as get_order shows them, for example A125-1. Leave it out for the whole order.",
    Keywords(minItems=1),
]


@tool(
    effect="write",
    entity="orders",
    entity_arg="order_id",
    claims=claims.REQUEST_REFUND,
    purpose=purposes.REQUEST_REFUND,
)
def request_refund(
    w: World,
    order_id: OrderId,
    reason: Annotated[RefundReason, "Why the customer wants the money back."],
    channel: Annotated[
        RefundChannel, "Where the money goes: original is the way it was paid, balance is the shop account."
    ] = "original",
    item_ids: ItemIds = None,
) -> dict[str, Any]:
    """Request a refund when the customer returns delivered goods (changed their mind, defective, damaged, wrong
    article) or when the parcel is lost. The money goes back the way it was paid, or to the shop balance.
    申请退款退货：不想要了、质量问题、破损、发错货或丢件，可原路退回或退到余额。"""
    order = the_order(w, order_id)
    items = _refundable(w, order, chosen_items(w, order_id, item_ids), reason)
    active_member(w, order["member_id"])
    payment = payment_of(w, order_id)
    if channel == "original" and payment is not None and not payment["channel_open"]:
        raise ToolError(
            f"Order {order_id} was paid by a {payment['method']} that is closed: money cannot go back the way it came. "
            "Ask the customer whether the shop balance will do, then call again with channel balance.",
            "channel_closed",
        )
    amount = sum(item["unit_price_minor"] * item["quantity"] for item in items)
    if reason != "changed_mind" and len(items) == len(items_of(w, order_id)):
        amount += order["shipping_fee_minor"]
    refund_id = w.new_id("refunds", "R")
    w.refunds.insert(
        refund_id,
        {
            "order_id": order_id,
            "item_ids": [item.id for item in items],
            "amount_minor": amount,
            "channel": channel,
            "reason": reason,
            "status": "review",
            "created_at": w.now,
        },
    )
    set_items(w, items, "refund_review")
    set_order(w, order_id, status="refund_review")
    add_audit(w, "request_refund", order_id, refund_id)
    return {
        "refund_id": refund_id,
        "order_id": order_id,
        "amount": yuan(amount),
        "channel": channel,
        "status": "review",
    }


def _refundable(w: World, order: Record, items: list[Record], reason: str) -> list[Record]:
    """The items, if each may be refunded for that reason; ToolError says what to do instead."""
    status = order["status"]
    if status in ("pending_payment", "paid"):
        raise ToolError(
            f"Order {order.id} has not been shipped ({status}): cancel_order returns the money at once.", "not_shipped"
        )
    if status in ("cancelled", "refunded"):
        raise ToolError(f"Order {order.id} is {status}: there is nothing left to refund.", "nothing_to_refund")
    if status in ("refund_review", "exchange_review"):
        raise ToolError(
            f"Order {order.id} already has a request under review ({status}); a second one is not possible. Tell the "
            "customer how the first one stands: get_order shows it.",
            "under_review",
        )
    parcels = {one: parcel for parcel in w.shipments.where(order_id=order.id) for one in parcel["item_ids"]}
    for item in items:
        parcel = parcels.get(item.id)
        if reason == "not_received":
            if parcel is None or parcel["status"] not in ("lost", "returning"):
                known = "not shipped" if parcel is None else str(parcel["status"])
                raise ToolError(
                    f"Item {item.id} cannot be refunded as not received: its parcel is {known}. Only a parcel that is "
                    "lost or on its way back can. If it was signed for by somebody else, open a ticket of category "
                    "delivery.",
                    "not_lost",
                )
            continue
        arrived = (parcel["delivered_at"] if parcel is not None else None) or order["delivered_at"]
        if item["status"] != "delivered" or arrived is None:
            raise ToolError(
                f"Item {item.id} is {item['status']}, not delivered yet. Name only items that have arrived, or wait.",
                "not_delivered",
            )
        _in_time(w, item, reason, arrived)
    return items


def _in_time(w: World, item: Record, reason: str, arrived: str) -> None:
    allowed = FAULT_DAYS if reason in _FAULTS else CHANGED_MIND_DAYS
    passed = days_since(w, arrived)
    if passed > allowed:
        raise ToolError(
            f"Item {item.id} arrived on {arrived[:10]}, {int(passed)} days ago; for reason {reason} a return is "
            f"possible within {allowed} days. Tell the customer that it is too late.",
            "window_passed",
        )
    product = w.products.get(item["sku"])
    if reason not in _FAULTS and product is not None and not product["returnable"]:
        raise ToolError(
            f"{item['sku']} cannot be returned unless it is defective, damaged or not what was ordered. Tell the "
            "customer so.",
            "not_returnable",
        )


@tool(
    effect="write",
    entity="orders",
    entity_arg="order_id",
    claims=claims.REQUEST_EXCHANGE,
    purpose=purposes.REQUEST_EXCHANGE,
)
def request_exchange(
    w: World,
    order_id: OrderId,
    item_id: Annotated[str, "The item to give back, as get_order shows it, for example A132-1.", Keywords(minLength=1)],
    new_sku: Sku,
) -> dict[str, Any]:
    """Swap a delivered item for another article of the same price (another size or colour) within 7 days of delivery.
    Holds the new article in stock. With a difference in price it needs a refund and a new order instead.
    换货：七天内换同价的其他尺码或颜色。"""
    order = the_order(w, order_id)
    item = chosen_items(w, order_id, [item_id])[0]
    active_member(w, order["member_id"])
    if item["status"] != "delivered":
        raise ToolError(
            f"Item {item_id} is {item['status']}: only a delivered item can be exchanged.", "not_exchangeable"
        )
    _in_time(w, item, "changed_mind", order["delivered_at"] or w.now)
    product = the_product(w, new_sku)
    if product["price_minor"] != item["unit_price_minor"]:
        raise ToolError(
            f"{new_sku} costs {yuan(product['price_minor'])}, the item cost {yuan(item['unit_price_minor'])}: an "
            "exchange needs the same price. Offer a refund and a new order.",
            "price_differs",
        )
    stock = w.stock[new_sku]
    if stock["available"] < item["quantity"]:
        more = f"more is expected on {stock['restock_on']}" if stock["restock_on"] else "no date for more is known"
        raise ToolError(
            f"{new_sku} is out of stock (needed {item['quantity']}, available {stock['available']}); {more}.",
            "out_of_stock",
        )
    exchange_id = w.new_id("exchanges", "X")
    w.exchanges.insert(
        exchange_id,
        {
            "order_id": order_id,
            "item_id": item_id,
            "new_sku": new_sku,
            "quantity": item["quantity"],
            "status": "review",
            "created_at": w.now,
        },
    )
    move_stock(w, new_sku, available=-item["quantity"], reserved=item["quantity"])
    set_items(w, [item], "exchange_review")
    set_order(w, order_id, status="exchange_review")
    add_audit(w, "request_exchange", order_id, exchange_id)
    return {
        "exchange_id": exchange_id,
        "order_id": order_id,
        "item_id": item_id,
        "new_sku": new_sku,
        "status": "review",
    }


@tool(
    effect="write",
    entity="orders",
    entity_arg="order_id",
    claims=claims.RECEIVE_RETURN,
    purpose=purposes.RECEIVE_RETURN,
)
def receive_return(
    w: World,
    order_id: OrderId,
    condition: Annotated[Literal["good", "damaged"], "good goes back on sale, damaged is written off."] = "good",
) -> dict[str, Any]:
    """Warehouse staff only: book in the goods of an approved refund that have come back. Pays the refund out, and puts
    goods in good condition back into stock. 仓库专用：退货入库，入库后退款到账。"""
    order = the_order(w, order_id)
    refunds = w.refunds.where(order_id=order_id)
    approved = [one for one in refunds if one["status"] == "approved"]
    if not approved:
        known = ", ".join(f"{one.id} is {one['status']}" for one in refunds) or "there is no refund"
        raise ToolError(
            f"Order {order_id} has no approved refund to book a return for ({known}). A refund must be approved first.",
            "not_approved",
        )
    refund = approved[0]
    items = [w.order_items[one] for one in refund["item_ids"]]
    if condition == "good":
        for item in items:
            move_stock(w, item["sku"], available=item["quantity"])
    set_items(w, items, "returned")
    w.refunds.patch(refund.id, status="paid")
    everything = all(item["status"] in ("returned", "cancelled") for item in items_of(w, order_id))
    set_order(w, order_id, status="refunded" if everything else "delivered")
    payment = payment_of(w, order_id)
    if payment is not None:
        w.payments.patch(payment.id, status="refunded" if everything else "partly_refunded")
    if refund["channel"] == "balance":
        member = w.members[order["member_id"]]
        w.members.patch(member.id, balance_minor=member["balance_minor"] + refund["amount_minor"])
    add_audit(w, "receive_return", order_id, f"{refund.id}, {condition}")
    return {
        "order_id": order_id,
        "refund_id": refund.id,
        "refund_status": "paid",
        "amount": yuan(refund["amount_minor"]),
        "restocked": condition == "good",
    }
