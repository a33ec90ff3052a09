"""Tickets: what people have to look into."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from reach_tui import Keywords, ToolError, World, tool
from reach_tui.contrib.commerce import claims, purposes
from reach_tui.contrib.commerce.common import add_audit, the_member, the_order
from reach_tui.contrib.commerce.tables import TicketCategory


@tool(effect="write", entity="tickets", claims=claims.OPEN_TICKET, purpose=purposes.OPEN_TICKET)
def open_ticket(
    w: World,
    category: Annotated[TicketCategory, "What it is about."],
    subject: Annotated[str, "One line.", Keywords(minLength=1, maxLength=200)],
    details: Annotated[str, "What happened and what the customer wants.", Keywords(maxLength=4000)] = "",
    order_id: Annotated[str | None, "Order number, if it is about one.", Keywords(minLength=1)] = None,
    member_id: Annotated[str | None, "Member number, if known and no order is given.", Keywords(minLength=1)] = None,
    priority: Annotated[Literal["normal", "urgent"], "urgent only if the customer is at risk or has waited twice."] = (
        "normal"
    ),
) -> dict[str, Any]:
    """Leave a matter to people: a complaint, an invoice, anything that no other tool can do. A ticket by itself
    refunds, cancels and changes nothing. 开工单转人工：投诉、发票以及其他工具办不了的事。"""
    if order_id is None and member_id is None:
        raise ToolError("Say whom it is about: give order_id or member_id.", "subject_missing")
    if order_id is not None:
        owner = the_order(w, order_id)["member_id"]
        if member_id is not None and member_id != owner:
            raise ToolError(f"Order {order_id} belongs to member {owner}, not {member_id}.", "member_mismatch")
        member_id = owner
    elif member_id is not None:
        the_member(w, member_id)
    ticket_id = w.new_id("tickets", "TK")
    w.tickets.insert(
        ticket_id,
        {
            "member_id": member_id,
            "order_id": order_id,
            "category": category,
            "priority": priority,
            "status": "open",
            "subject": subject,
            "details": details,
            "created_at": w.now,
        },
    )
    add_audit(w, "open_ticket", order_id or member_id or "", ticket_id)
    return {"ticket_id": ticket_id, "status": "open", "category": category, "priority": priority}
