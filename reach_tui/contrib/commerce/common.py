"""What the shop's tools share: finding a record or saying how to find it, money and days in words, the audit trail."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any

from reach_tui import Keywords, Record, ToolError, World

OrderId = Annotated[
    str, "Order number, exactly as written, for example A100, SO-2026-0007 or 0123.", Keywords(minLength=1)
]
MemberId = Annotated[str, "Member number, for example M10086.", Keywords(minLength=1)]
Postcode = Annotated[str | None, "Postcode, six digits.", Keywords(pattern="^[0-9]{6}$", examples=["200040"])]
Sku = Annotated[str, "Article number (SKU), for example CUP-500-BLK.", Keywords(minLength=1)]

STATUS_TEXT = {
    "pending_payment": "waiting for payment / 待付款",
    "paid": "paid, not packed yet / 已付款待打包",
    "packed": "packed, waiting to leave the warehouse / 已打包待出库",
    "partly_shipped": "partly shipped / 部分发货",
    "shipped": "shipped / 已发货",
    "delivered": "delivered / 已签收",
    "cancelled": "cancelled / 已取消",
    "refund_review": "refund under review / 退款审核中",
    "refunded": "refunded / 已退款",
    "exchange_review": "exchange under review / 换货审核中",
}


def the_order(w: World, order_id: str) -> Record:
    """The order, or a ToolError that says how to find the right number."""
    order: Record | None = w.orders.get(order_id)
    if order is None:
        raise ToolError(
            f"There is no order {order_id[:40]!r}. Check the number with the customer (letters are case-sensitive, "
            "leading zeros count), or look it up with search_orders by member number.",
            "order_not_found",
        )
    return order


def the_member(w: World, member_id: str) -> Record:
    """The member, or a ToolError that says how to find the right number."""
    member: Record | None = w.members.get(member_id)
    if member is None:
        raise ToolError(
            f"There is no member {member_id[:40]!r}. Look the number up with find_member by name or phone.",
            "member_not_found",
        )
    return member


def active_member(w: World, member_id: str) -> Record:
    """The member if their account may be acted for."""
    member = the_member(w, member_id)
    if member["status"] == "frozen":
        raise ToolError(
            f"The account of member {member_id} is frozen by risk control; orders and profile cannot be changed. Tell "
            "the customer, and open a ticket of category account if they object.",
            "account_frozen",
        )
    return member


def the_product(w: World, sku: str) -> Record:
    """The product, or a ToolError that says how to find the right SKU."""
    product: Record | None = w.products.get(sku)
    if product is None:
        raise ToolError(
            f"There is no article {sku[:40]!r}. Find its SKU with search_products by a word of its name.",
            "sku_not_found",
        )
    return product


def items_of(w: World, order_id: str) -> list[Record]:
    """The items of an order, in order."""
    return w.order_items.where(order_id=order_id)


def chosen_items(w: World, order_id: str, item_ids: list[str] | None) -> list[Record]:
    """The named items of an order, or all; ToolError lists the order's items where one is not among them."""
    items = items_of(w, order_id)
    if item_ids is None:
        return items
    known = {item.id: item for item in items}
    unknown = [one for one in item_ids if one not in known]
    if unknown:
        raise ToolError(
            f"{', '.join(unknown)} is not an item of order {order_id}; its items are {', '.join(known)}.",
            "item_not_found",
        )
    return [known[one] for one in dict.fromkeys(item_ids)]


def payment_of(w: World, order_id: str) -> Record | None:
    """The payment of an order, if there is one."""
    found = w.payments.where(order_id=order_id)
    return found[0] if found else None


def move_stock(w: World, sku: str, *, available: int = 0, reserved: int = 0) -> None:
    """Add to (or take from) what can be sold and what is held."""
    stock = w.stock[sku]
    w.stock.patch(sku, available=stock["available"] + available, reserved=max(0, stock["reserved"] + reserved))


def set_order(w: World, order_id: str, **fields: Any) -> None:
    """Patch an order and note the moment."""
    w.orders.patch(order_id, updated_at=w.now, **fields)


def set_items(w: World, items: Iterable[Record], status: str) -> None:
    """Give items a status."""
    for item in items:
        w.order_items.patch(item.id, status=status)


def add_audit(w: World, action: str, subject: str, note: str = "") -> None:
    """The trail that every write leaves."""
    w.audit.insert(w.new_id("audit", "AU"), {"at": w.now, "action": action, "subject": subject, "note": note})


def yuan(minor: int) -> str:
    """Fen as yuan with two decimals: 29900 is `299.00 CNY`."""
    return f"{minor // 100}.{minor % 100:02d} CNY"


def days_since(w: World, moment: str) -> float:
    """Days from `moment` to the world's clock, fractions included."""
    passed = datetime.fromisoformat(w.now) - datetime.fromisoformat(moment)
    return passed.total_seconds() / 86400


def day(moment: str | None) -> str | None:
    """The date of a moment."""
    return moment[:10] if moment else None


def item_line(w: World, item: Record) -> dict[str, Any]:
    """An item as tools tell it."""
    product = w.products.get(item["sku"])
    return {
        "item_id": item.id,
        "sku": item["sku"],
        "name": f"{product['name']} / {product['name_en']}" if product else item["sku"],
        "quantity": item["quantity"],
        "unit_price": yuan(item["unit_price_minor"]),
        "status": item["status"],
    }
