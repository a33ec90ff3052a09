"""Orders: looking them up, placing, cancelling, correcting their address."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from reach_tui import Keywords, ToolError, World, tool
from reach_tui.contrib.commerce import claims, purposes
from reach_tui.contrib.commerce.common import (
    STATUS_TEXT,
    MemberId,
    OrderId,
    Postcode,
    Sku,
    active_member,
    add_audit,
    item_line,
    items_of,
    move_stock,
    payment_of,
    set_order,
    the_member,
    the_order,
    the_product,
    yuan,
)
from reach_tui.contrib.commerce.tables import OrderStatus


class OrderLine(TypedDict):
    sku: Sku
    quantity: Annotated[int, "How many pieces, at least 1.", Keywords(minimum=1, maximum=99)]


@tool(effect="read", entity="orders", entity_arg="order_id", purpose=purposes.GET_ORDER)
def get_order(w: World, order_id: OrderId) -> dict[str, Any]:
    """Everything on file about one order: items with their item numbers, amounts, how it was paid, delivery address,
    refunds and exchanges. It knows nothing of where parcels are.
    查看订单详情：商品、金额、支付方式、收货地址、退款和换货记录。"""
    order = the_order(w, order_id)
    payment = payment_of(w, order_id)
    return {
        "order_id": order_id,
        "member_id": order["member_id"],
        "status": order["status"],
        "status_text": STATUS_TEXT[order["status"]],
        "created_at": order["created_at"],
        "delivered_at": order["delivered_at"],
        "items": [item_line(w, item) for item in items_of(w, order_id)],
        "shipping_fee": yuan(order["shipping_fee_minor"]),
        "total": yuan(order["total_minor"]),
        "payment": {"method": payment["method"], "status": payment["status"]} if payment else None,
        "address": order["address"],
        "refunds": [
            {
                "refund_id": one.id,
                "amount": yuan(one["amount_minor"]),
                "channel": one["channel"],
                "status": one["status"],
            }
            for one in w.refunds.where(order_id=order_id)
        ],
        "exchanges": [
            {"exchange_id": one.id, "item_id": one["item_id"], "new_sku": one["new_sku"], "status": one["status"]}
            for one in w.exchanges.where(order_id=order_id)
        ],
        "note": order["note"],
    }


@tool(effect="read", entity="orders", entity_arg="order_id", purpose=purposes.GET_ORDER_STATUS)
def get_order_status(w: World, order_id: OrderId) -> dict[str, Any]:
    """The state of an order in the shop's own books (paid, packed, shipped, delivered, cancelled, ...) and when it last
    changed. It holds no places and no dates of arrival; for those use track_shipment.
    查询订单本身的状态：已付款、已打包、已发货、已取消等，以及更新时间。"""
    order = the_order(w, order_id)
    return {
        "order_id": order_id,
        "status": order["status"],
        "status_text": STATUS_TEXT[order["status"]],
        "updated_at": order["updated_at"],
    }


@tool(effect="read", entity="members", entity_arg="member_id", purpose=purposes.SEARCH_ORDERS)
def search_orders(
    w: World,
    member_id: MemberId,
    status: Annotated[OrderStatus | None, "Only orders with this status."] = None,
) -> dict[str, Any]:
    """List a member's orders, newest first, each with its number, date, status, articles and total. Use it when the
    customer does not know the order number. 按会员号列出订单。"""
    the_member(w, member_id)
    orders = w.orders.where(lambda order: status is None or order["status"] == status, member_id=member_id)
    orders.sort(key=lambda order: str(order["created_at"]), reverse=True)
    return {
        "member_id": member_id,
        "orders": [
            {
                "order_id": order.id,
                "created_at": order["created_at"],
                "status": order["status"],
                "items": [item_line(w, item)["name"] for item in items_of(w, order.id)],
                "total": yuan(order["total_minor"]),
            }
            for order in orders
        ],
    }


@tool(effect="write", entity="members", entity_arg="member_id", claims=claims.PLACE_ORDER, purpose=purposes.PLACE_ORDER)
def place_order(
    w: World,
    member_id: MemberId,
    items: Annotated[list[OrderLine], "What to order.", Keywords(minItems=1)],
) -> dict[str, Any]:
    """Place a new order for a member, to be paid later and sent to the address in their profile. Takes the goods out
    of stock at once. 为会员下新订单。"""
    member = active_member(w, member_id)
    if member["address"] is None:
        raise ToolError(
            f"Member {member_id} has no address on file. Ask the customer for it and save it with update_member first.",
            "address_missing",
        )
    wanted: dict[str, int] = {}
    for line in items:
        wanted[line["sku"]] = wanted.get(line["sku"], 0) + line["quantity"]
    short = []
    for sku, quantity in wanted.items():
        the_product(w, sku)
        available = w.stock[sku]["available"]
        if available < quantity:
            short.append(f"{sku}: wanted {quantity}, available {available}")
    if short:
        raise ToolError(
            f"Not enough in stock, nothing was ordered ({'; '.join(short)}). Offer the customer less or another "
            "article; check_stock tells when more will come.",
            "out_of_stock",
        )
    total = sum(w.products[sku]["price_minor"] * quantity for sku, quantity in wanted.items())
    order_id = w.new_id("orders", "N")
    w.orders.insert(
        order_id,
        {
            "member_id": member_id,
            "status": "pending_payment",
            "created_at": w.now,
            "updated_at": w.now,
            "paid_at": None,
            "shipped_at": None,
            "delivered_at": None,
            "total_minor": total,
            "shipping_fee_minor": 0,
            "address": member["address"],
            "note": None,
        },
    )
    for number, (sku, quantity) in enumerate(wanted.items(), 1):
        w.order_items.insert(
            f"{order_id}-{number}",
            {
                "order_id": order_id,
                "sku": sku,
                "quantity": quantity,
                "unit_price_minor": w.products[sku]["price_minor"],
                "status": "ordered",
            },
        )
        move_stock(w, sku, available=-quantity, reserved=quantity)
    add_audit(w, "place_order", order_id, ", ".join(f"{sku} x {quantity}" for sku, quantity in wanted.items()))
    return {"order_id": order_id, "status": "pending_payment", "total": yuan(total)}


@tool(effect="write", entity="orders", entity_arg="order_id", claims=claims.CANCEL_ORDER, purpose=purposes.CANCEL_ORDER)
def cancel_order(
    w: World,
    order_id: OrderId,
    reason: Annotated[
        Literal["changed_mind", "wrong_address", "found_cheaper", "duplicate", "too_slow", "other"],
        "Why the customer cancels.",
    ] = "other",
) -> dict[str, Any]:
    """Cancel an order that has not been packed yet. Its goods go back into stock and money already paid goes back the
    way it came, at once. For goods that have left the warehouse this is not possible. 取消尚未打包的订单并原路退款。"""
    order = the_order(w, order_id)
    status = order["status"]
    if status == "cancelled":
        raise ToolError(f"Order {order_id} is cancelled already; there is nothing to do.", "already_cancelled")
    if status not in ("pending_payment", "paid"):
        after = status in ("delivered", "shipped", "partly_shipped")
        hint = (
            "Once it has arrived the customer can return it: request_refund."
            if after
            else "If it is packed, the customer can refuse the parcel or return it after delivery."
        )
        raise ToolError(f"Order {order_id} is {status} and can no longer be cancelled. {hint}", "not_cancellable")
    active_member(w, order["member_id"])
    for item in items_of(w, order_id):
        if item["status"] == "ordered":
            move_stock(w, item["sku"], available=item["quantity"], reserved=-item["quantity"])
            w.order_items.patch(item.id, status="cancelled")
    set_order(w, order_id, status="cancelled")
    returned = _give_back(w, order_id, order["member_id"])
    add_audit(w, "cancel_order", order_id, reason)
    return {"order_id": order_id, "status": "cancelled", "refunded": yuan(returned)}


def _give_back(w: World, order_id: str, member_id: str) -> int:
    """Undo an order's payment; the fen that went back."""
    payment = payment_of(w, order_id)
    if payment is None:
        return 0
    if payment["status"] != "captured":
        w.payments.patch(payment.id, status="voided")
        return 0
    amount: int = payment["amount_minor"]
    w.payments.patch(payment.id, status="refunded")
    if payment["method"] == "balance":
        w.members.patch(member_id, balance_minor=w.members[member_id]["balance_minor"] + amount)
    return amount


@tool(
    effect="write",
    entity="orders",
    entity_arg="order_id",
    claims=claims.UPDATE_ORDER_ADDRESS,
    purpose=purposes.UPDATE_ORDER_ADDRESS,
)
def update_order_address(
    w: World,
    order_id: OrderId,
    recipient: Annotated[str | None, "Who receives it.", Keywords(minLength=1)] = None,
    phone: Annotated[str | None, "The recipient's phone number.", Keywords(minLength=5)] = None,
    city: Annotated[str | None, "City.", Keywords(minLength=1)] = None,
    line: Annotated[str | None, "Street, house and room.", Keywords(minLength=1)] = None,
    postcode: Postcode = None,
) -> dict[str, Any]:
    """Change the delivery address of one order that has not been shipped yet: recipient, phone, city, street, postcode.
    Only this order changes; the customer's profile is changed with update_member.
    修改某个未发货订单的收货地址：收件人、电话、城市、街道、邮编。"""
    order = the_order(w, order_id)
    given = {"recipient": recipient, "phone": phone, "city": city, "line": line, "postcode": postcode}
    fields = {name: value for name, value in given.items() if value is not None}
    if not fields:
        raise ToolError(
            "Nothing to change: give at least one of recipient, phone, city, line, postcode.", "nothing_to_change"
        )
    if order["status"] not in ("pending_payment", "paid", "packed"):
        raise ToolError(
            f"Order {order_id} is {order['status']}: its address can no longer be changed. While a parcel is on its "
            "way a ticket of category delivery can ask the carrier to redirect it.",
            "address_locked",
        )
    active_member(w, order["member_id"])
    if order["address"] is None:
        missing = [name for name in ("recipient", "phone", "city", "line") if name not in fields]
        if missing:
            raise ToolError(
                f"Order {order_id} has no address yet; give the whole of it. Missing: {', '.join(missing)}.",
                "address_incomplete",
            )
    set_order(w, order_id, address=fields)
    add_audit(w, "update_order_address", order_id, ", ".join(fields))
    return {"order_id": order_id, "address": w.orders[order_id]["address"]}
