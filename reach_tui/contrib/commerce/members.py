"""Members and their profiles."""

from __future__ import annotations

from typing import Annotated, Any

from reach_tui import Keywords, ToolError, World, tool
from reach_tui.contrib.commerce import claims, purposes
from reach_tui.contrib.commerce.common import MemberId, Postcode, active_member, add_audit, yuan


@tool(effect="read", entity="members", entity_arg="member_id", purpose=purposes.FIND_MEMBER)
def find_member(
    w: World,
    name: Annotated[str | None, "Full name as the customer gives it.", Keywords(minLength=1)] = None,
    phone: Annotated[str | None, "Phone number, or its last four digits.", Keywords(minLength=4)] = None,
    member_id: Annotated[str | None, "Member number, for example M10086.", Keywords(minLength=1)] = None,
) -> dict[str, Any]:
    """Look members up by name, phone or member number; several of them narrow the search. Gives member number, level,
    points, balance and address. Two people may have the same name. 按姓名、手机号或会员号查会员。"""
    if name is None and phone is None and member_id is None:
        raise ToolError("Give at least one of name, phone, member_id.", "nothing_to_search")
    found = w.members.where(
        lambda one: (
            (name is None or one["name"].lower() == name.strip().lower())
            and (phone is None or one["phone"].endswith(phone.replace(" ", "")))
            and (member_id is None or one.id == member_id)
        )
    )
    note = {0: "No member fits; check the spelling or ask for the phone number."}.get(
        len(found), "More than one member fits: ask for the phone number before you act for one of them."
    )
    return {
        "members": [
            {
                "member_id": one.id,
                "name": one["name"],
                "phone": f"{one['phone'][:3]}****{one['phone'][-4:]}",
                "level": one["level"],
                "status": one["status"],
                "points": one["points"],
                "balance": yuan(one["balance_minor"]),
                "address": one["address"],
            }
            for one in found
        ],
        **({} if len(found) == 1 else {"note": note}),
    }


@tool(
    effect="write",
    entity="members",
    entity_arg="member_id",
    claims=claims.UPDATE_MEMBER,
    purpose=purposes.UPDATE_MEMBER,
)
def update_member(
    w: World,
    member_id: MemberId,
    phone: Annotated[str | None, "New phone number, digits only.", Keywords(pattern="^[0-9]{5,15}$")] = None,
    email: Annotated[str | None, "New e-mail address.", Keywords(pattern="^[^@ ]+@[^@ ]+$")] = None,
    city: Annotated[str | None, "City.", Keywords(minLength=1)] = None,
    line: Annotated[str | None, "Street, house and room.", Keywords(minLength=1)] = None,
    postcode: Postcode = None,
) -> dict[str, Any]:
    """Change what is on file about a member: phone number, e-mail, home address. Orders that have been placed already
    keep their own address; for those use update_order_address.
    修改会员资料：手机号、邮箱、地址，不影响已下的订单。"""
    member = active_member(w, member_id)
    place = {
        name: value for name, value in (("city", city), ("line", line), ("postcode", postcode)) if value is not None
    }
    fields: dict[str, Any] = {name: value for name, value in (("phone", phone), ("email", email)) if value is not None}
    if not fields and not place:
        raise ToolError(
            "Nothing to change: give at least one of phone, email, city, line, postcode.", "nothing_to_change"
        )
    if place:
        if member["address"] is None:
            missing = [name for name in ("city", "line") if name not in place]
            if missing:
                raise ToolError(
                    f"Member {member_id} has no address yet; give the whole of it. Missing: {', '.join(missing)}.",
                    "address_incomplete",
                )
            place = {"recipient": member["name"], "phone": phone or member["phone"], **place}
        fields["address"] = place
    w.members.patch(member_id, **fields)
    add_audit(w, "update_member", member_id, ", ".join([*(name for name in fields if name != "address"), *place]))
    changed = w.members[member_id]
    return {
        "member_id": member_id,
        "phone": changed["phone"],
        "email": changed["email"],
        "address": changed["address"],
    }
