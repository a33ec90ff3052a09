"""Parcels: where they are, what is in them, and sending a lost one again."""

from __future__ import annotations

from typing import Annotated, Any

from reach_tui import Keywords, Record, ToolError, World, tool
from reach_tui.contrib.commerce import claims, purposes
from reach_tui.contrib.commerce.common import (
    OrderId,
    active_member,
    add_audit,
    move_stock,
    set_order,
    the_order,
)


@tool(effect="read", entity="orders", entity_arg="order_id", purpose=purposes.TRACK_SHIPMENT)
def track_shipment(w: World, order_id: OrderId) -> dict[str, Any]:
    """Track the parcels of an order: where each one is now, every place it has passed, when it is expected to arrive,
    who signed for it or where it can be picked up, and whether it is late, held up or lost.
    查询包裹物流：现在到哪里了、什么时候送到、谁签收、在哪里取件、是否延误或丢失。"""
    the_order(w, order_id)
    parcels = w.shipments.where(order_id=order_id)
    offline = [parcel for parcel in parcels if not parcel["carrier_online"]]
    if offline:
        names = ", ".join(f"{parcel['carrier']} ({parcel.id})" for parcel in offline)
        raise ToolError(
            f"The tracking service of {names} does not answer today, and asking again will not help. list_shipments "
            "still shows the tracking number; tell the customer that the position is not known at the moment.",
            "carrier_unavailable",
        )
    return {
        "order_id": order_id,
        "parcels": [
            {
                "tracking_no": parcel.id,
                "carrier": parcel["carrier"],
                "status": parcel["status"],
                "latest": parcel["events"][-1] if parcel["events"] else None,
                "expected_on": parcel["expected_on"],
                "delivered_at": parcel["delivered_at"],
                "scans": parcel["events"],
            }
            for parcel in parcels
        ],
        **({} if parcels else {"note": "Nothing of this order has been handed to a carrier yet."}),
    }


@tool(effect="read", entity="orders", entity_arg="order_id", purpose=purposes.LIST_SHIPMENTS)
def list_shipments(w: World, order_id: OrderId) -> dict[str, Any]:
    """List the parcels an order was split into: tracking number, carrier, which items are in each, and which items
    have not been packed into any. Holds no positions and no dates. 列出订单拆成的包裹：运单号、承运商、包裹内商品。"""
    the_order(w, order_id)
    parcels = w.shipments.where(order_id=order_id)
    packed = {item for parcel in parcels for item in parcel["item_ids"]}
    return {
        "order_id": order_id,
        "parcels": [
            {"tracking_no": parcel.id, "carrier": parcel["carrier"], "items": _contents(w, parcel)}
            for parcel in parcels
        ],
        "not_shipped": [item.id for item in w.order_items.where(order_id=order_id) if item.id not in packed],
    }


@tool(
    effect="write",
    entity="shipments",
    entity_arg="tracking_no",
    claims=claims.RESHIP_LOST_PARCEL,
    purpose=purposes.RESHIP_LOST_PARCEL,
)
def reship_lost_parcel(
    w: World,
    tracking_no: Annotated[str, "Tracking number of the lost parcel, for example JL0099120035.", Keywords(minLength=1)],
) -> dict[str, Any]:
    """Send the contents of a parcel once more, free of charge, when its carrier has confirmed that it is lost. Needs
    the goods in stock. 对承运商确认丢失的包裹免费补发。"""
    parcel = w.shipments.get(tracking_no)
    if parcel is None:
        raise ToolError(
            f"There is no parcel {tracking_no[:40]!r}. list_shipments gives the tracking numbers of an order.",
            "parcel_not_found",
        )
    if parcel["status"] != "lost":
        raise ToolError(
            f"Parcel {tracking_no} is {parcel['status']}, not lost: it cannot be sent again. For a late parcel open a "
            "ticket of category delivery.",
            "not_lost",
        )
    if w.shipments.where(replaces=tracking_no):
        raise ToolError(f"Parcel {tracking_no} has been sent again already.", "already_reshipped")
    order = the_order(w, parcel["order_id"])
    active_member(w, order["member_id"])
    if order["status"] not in ("shipped", "partly_shipped"):
        raise ToolError(f"Order {order.id} is {order['status']}: its parcel cannot be sent again.", "order_closed")
    items = [w.order_items[one] for one in parcel["item_ids"]]
    short = [
        f"{item['sku']}: needed {item['quantity']}, available {w.stock[item['sku']]['available']}"
        for item in items
        if w.stock[item["sku"]]["available"] < item["quantity"]
    ]
    if short:
        raise ToolError(
            f"Not enough in stock to send it again ({'; '.join(short)}). Offer a refund: request_refund with reason "
            "not_received.",
            "out_of_stock",
        )
    for item in items:
        move_stock(w, item["sku"], available=-item["quantity"])
    new = w.new_id("shipments", "RS")
    w.shipments.insert(
        new,
        {
            "order_id": order.id,
            "carrier": parcel["carrier"],
            "carrier_online": True,
            "status": "label_created",
            "shipped_at": w.now,
            "delivered_at": None,
            "expected_on": None,
            "item_ids": parcel["item_ids"],
            "events": [],
            "replaces": tracking_no,
        },
    )
    set_order(w, order.id)
    add_audit(w, "reship_lost_parcel", order.id, f"{tracking_no} -> {new}")
    return {"order_id": order.id, "tracking_no": new, "status": "label_created", "replaces": tracking_no}


def _contents(w: World, parcel: Record) -> list[str]:
    lines = []
    for one in parcel["item_ids"]:
        item = w.order_items.get(one)
        lines.append(f"{one}: {item['sku']} x {item['quantity']}" if item else one)
    return lines
