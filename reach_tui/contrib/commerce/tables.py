"""The shop's records. Money is in fen and its fields end in `_minor`; moments are ISO 8601 with an offset."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from reach_tui import Keywords

Fen = Annotated[int, Keywords(minimum=0)]
OrderStatus = Literal[
    "pending_payment",
    "paid",
    "packed",
    "partly_shipped",
    "shipped",
    "delivered",
    "cancelled",
    "refund_review",
    "refunded",
    "exchange_review",
]
ItemStatus = Literal["ordered", "shipped", "delivered", "cancelled", "refund_review", "returned", "exchange_review"]
RefundReason = Literal["changed_mind", "defective", "damaged", "wrong_item", "not_received"]
RefundChannel = Literal["original", "balance"]
TicketCategory = Literal["complaint", "delivery", "quality", "account", "invoice", "other"]


class Address(TypedDict):
    recipient: str
    phone: str
    city: str
    line: str
    postcode: NotRequired[str]


class Member(TypedDict):
    name: str
    phone: str
    email: str | None
    level: Literal["standard", "silver", "gold", "platinum"]
    status: Literal["active", "frozen"]
    language: Literal["zh", "en"]
    points: Annotated[int, Keywords(minimum=0)]
    balance_minor: Fen
    address: Address | None


class Product(TypedDict):
    name: str
    name_en: str
    category: str
    price_minor: Fen
    returnable: bool


class Stock(TypedDict):
    """`available` can be sold; `reserved` is held for orders that have not left the warehouse."""

    available: Annotated[int, Keywords(minimum=0)]
    reserved: Annotated[int, Keywords(minimum=0)]
    restock_on: str | None


class Order(TypedDict):
    member_id: str
    status: OrderStatus
    created_at: str
    updated_at: str
    paid_at: str | None
    shipped_at: str | None
    delivered_at: str | None
    total_minor: Fen
    shipping_fee_minor: Fen
    address: Address | None
    note: str | None


class OrderItem(TypedDict):
    order_id: str
    sku: str
    quantity: Annotated[int, Keywords(minimum=1)]
    unit_price_minor: Fen
    status: ItemStatus


class Scan(TypedDict):
    at: str
    place: str
    text: str


class Shipment(TypedDict):
    """One parcel; its id is the tracking number. `replaces` names the lost parcel that it makes good."""

    order_id: str
    carrier: str
    carrier_online: bool
    status: Literal[
        "label_created",
        "in_transit",
        "delayed",
        "customs_hold",
        "out_for_delivery",
        "ready_for_pickup",
        "delivered",
        "returning",
        "lost",
    ]
    shipped_at: str | None
    delivered_at: str | None
    expected_on: str | None
    item_ids: list[str]
    events: list[Scan]
    replaces: NotRequired[str]


class Payment(TypedDict):
    """`channel_open` is false where money can no longer go back the way it came."""

    order_id: str
    method: Literal["wechat", "alipay", "card", "balance"]
    amount_minor: Fen
    status: Literal["pending", "captured", "voided", "partly_refunded", "refunded"]
    paid_at: str | None
    channel_open: bool


class Refund(TypedDict):
    order_id: str
    item_ids: list[str]
    amount_minor: Fen
    channel: RefundChannel
    reason: RefundReason
    status: Literal["review", "approved", "rejected", "paid"]
    created_at: str


class Exchange(TypedDict):
    order_id: str
    item_id: str
    new_sku: str
    quantity: Annotated[int, Keywords(minimum=1)]
    status: Literal["review", "approved", "rejected", "sent"]
    created_at: str


class Ticket(TypedDict):
    member_id: str | None
    order_id: str | None
    category: TicketCategory
    priority: Literal["normal", "urgent"]
    status: Literal["open", "closed"]
    subject: str
    details: str
    created_at: str


class AuditEvent(TypedDict):
    """One for every write; `subject` is the id of the order, member or parcel it was about."""

    at: str
    action: str
    subject: str
    note: str


TABLES: dict[str, Any] = {
    "members": Member,
    "products": Product,
    "stock": Stock,
    "orders": Order,
    "order_items": OrderItem,
    "shipments": Shipment,
    "payments": Payment,
    "refunds": Refund,
    "exchanges": Exchange,
    "tickets": Ticket,
    "audit": AuditEvent,
}
