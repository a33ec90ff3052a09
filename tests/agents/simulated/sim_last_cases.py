# ruff: noqa: E501 (a record, a tool, a request is one line)
"""A second batch of requests to the third shop, written when everything before was settled."""

from __future__ import annotations

import re

from tests.agents.simulated.sim_world import Case

CANT = ("不能", "无法", "不可以", "没办法", "未能", "cannot", "can't", "could not", "unable", "not possible", "sorry")
TEXT = re.compile(r".")


def _refunded(order: str, amount: int, **more: object) -> dict[str, object]:
    return {f"/orders/{order}/status": "refund_review", "/refunds/*": {"order_id": order, "amount": amount, **more}}


CASES = (
    Case("l01", "B701 发出了吗？", says=[("shipped", "已发货")]),
    Case("l02", "麻烦告知订单 B704 的承运公司与运单号", says=["ParcelX", "PX4411"]),
    Case("l03", "I'd like to know the current level and balance of member U501.", says=["VIP", "20000"]),
    Case("l04", "Hi there! Could you please tell me what's in order B704?", says=["mouse", "headphones"]),
    Case("l05", "数据线库存够不够 150 个？", says=["200"]),
    Case("l06", "B703 是什么时候签收的", says=["2026-01-20"]),
    Case("l07", "Who placed order B706?", says=["U503"]),
    Case("l08", "U502 名下金额最大的订单是哪一个", says=["B704", "72000"]),
    Case("l09", "B708 的退款退了多少、什么状态", says=["22000", ("paid_out", "refunded")]),
    Case("l10", "订单 B700 的付款记录帮我看一下", says=["PAY-1", "captured"]),
    Case("l11", "请撤销订单 B700，客户下错了", {"/orders/B700/status": "cancelled"}),
    Case("l12", "Customer changed his mind about B707 - cancel it.", {"/orders/B707/status": "cancelled"}),
    Case("l13", "B702 要求退货退款，理由：按键失灵", _refunded("B702", 39900, reason=re.compile("按键失灵"))),
    Case("l14", "I'm not happy with the keyboard from B702. Send my money back to my account balance.", _refunded("B702", 39900, channel="balance")),
    Case("l15", "B705 这单请送到 Bath, 7 Spring Gardens", {"/orders/B705/ship_to": re.compile("7 Spring Gardens")}),
    Case("l16", "收货地址需要变更，订单号 B700，新地址广州市越秀区北京路 2 号", {"/orders/B700/ship_to": re.compile("北京路 ?2 ?号")}),
    Case("l17", "TK-1 已解决，请关闭该工单", {"/tickets/TK-1/status": "closed"}),
    Case("l18", "Set the priority of TK-1 to high and assign it to Olga", {"/tickets/TK-1/priority": "high", "/tickets/TK-1/assignee": "Olga"}),
    Case("l19", "SHP-33 报丢", {"/shipments/SHP-33/status": "claim_opened"}),
    Case("l20", "Please reship B704", {"/shipments/*": {"order_id": "B704"}}),
    Case("l21", "帮 U502 开个低优先级工单，标题“询问发票抬头”", {"/tickets/*": {"member_id": "U502", "priority": "low", "title": "询问发票抬头"}}),
    Case("l22", "会员周杰的账号被冻结了，帮他解冻", {"/members/U503/status": "active"}),
    Case("l23", "退款 B702，只退 50 块，原路返回", _refunded("B702", 5000, channel="original")),
    Case("l24", "15012340001 这位客户未发货的订单地址全部改成 广州市海珠区新港路 5 号", {"/orders/B700/ship_to": re.compile("新港路 ?5 ?号")}),
    Case("l25", "Look up the member with phone 15012340002 and tell me which of his orders was delivered.", says=["B703"]),
    Case("l26", "Peter Lang 最贵的那个还没发货的订单，取消", {"/orders/B705/status": "cancelled"}),
    Case("l27", "Open a high priority ticket for the buyer of B704, the headphones never arrived", {"/tickets/*": {"member_id": "U502", "priority": "high"}}),
    Case("l28", "如果 B702 已签收就帮我退款到余额，如果还没签收就不用管", _refunded("B702", 39900, channel="balance")),
    Case("l29", "B707 要是还没发货，就把地址改成 6 Kings Road, Reading", {"/orders/B707/ship_to": "6 Kings Road, Reading"}),
    Case("l30", "Check B704. If any parcel is lost, reship the order.", {"/shipments/*": {"order_id": "B704"}}),
    Case("l31", "如果 U501 的余额超过 150 元，就给他建个工单，标题是大额余额提醒；否则不用处理", {"/tickets/*": {"member_id": "U501", "title": re.compile("大额余额提醒")}}),
    Case("l32", "Cancel B701 if you still can, otherwise let me know the tracking number.", {}, ["YD900100"]),
    Case("l33", "要是机械键盘没货了，就取消 B700；有货的话别动", {"/orders/B700/status": "cancelled"}),
    Case("l34", "If B703 can't be refunded any more, open a ticket for the customer instead.", {"/tickets/*": {"member_id": "U502"}}),
    Case("l35", "两件事，第一取消 B707，第二把 TK-1 关掉", {"/orders/B707/status": "cancelled", "/tickets/TK-1/status": "closed"}),
    Case("l36", "Tell me where B701 is, cancel B705, and unblock U503.", {"/orders/B705/status": "cancelled", "/members/U503/status": "active"}, ["佛山"]),
    Case("l37", "先帮我查 B702 的金额，然后申请退款，最后建一个工单跟进，会员 U501", {**_refunded("B702", 39900), "/tickets/*": {"member_id": "U501"}}, ["39900"]),
    Case("l38", "退货", _refunded("B702", 39900), turns=[("订单|会员|手机", "B702")], asked="订单"),
    Case("l39", "Where's my stuff?", says=["佛山"], turns=[("order|shipment|member", "B701")], asked="order|shipment"),
    Case("l40", "解除账号限制", {"/members/U503/status": "active"}, turns=[("会员|手机", "手机号 15012340003")], asked="会员|手机"),
    Case("l41", "改地址：B701 改到 佛山市南海区桂城街道 1 号", {}, [CANT, ("shipped", "fixed")]),
    Case("l42", "I insist on a refund for B704 now!", {}, [CANT, ("partly_shipped", "delivered")]),
    Case("l43", "取消 B706", {}, [CANT, ("cancelled", "已取消")]),
    Case("l44", "报失 SHP-32", {}, [CANT, "delivered"]),
    Case("l45", "给我发一张 B702 的发票", {}, [CANT]),
    Case("l46", "请补发 B702", {}, [CANT, "lost"]),
    Case("l47", "帮我把 U502 的余额加 100 元", {}, [CANT]),
    Case("l48", "系统里 B700 明明已经付款，为什么还不发货？帮我查查现在什么状态", says=["paid"]),
    Case("l49", "谢谢，问题解决了", says=[]),
    Case("l50", "I was told B705 is already paid. If that's true cancel it, if it isn't leave it alone.", {}, [("unpaid", "not paid")]),
)  # fmt: skip
