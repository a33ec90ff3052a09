# ruff: noqa: E501 (a record, a tool, a request is one line)
"""Requests to the third shop, all written before the model first ran on them."""

from __future__ import annotations

import re

from tests.agents.simulated.sim_world import Case

CANT = ("不能", "无法", "不可以", "没办法", "未能", "cannot", "can't", "could not", "unable", "not possible", "sorry")
TEXT = re.compile(r".")


def _refunded(order: str, amount: int, **more: object) -> dict[str, object]:
    return {f"/orders/{order}/status": "refund_review", "/refunds/*": {"order_id": order, "amount": amount, **more}}


CASES = (
    Case("k01", "订单 B700 现在到哪一步了？", says=["paid"]),
    Case("k02", "What is the status of order B704?", says=["partly_shipped"]),
    Case("k03", "B701 的快递现在在哪里，什么时候能到？", says=["佛山", "2026-04-06"]),
    Case("k04", "我的会员号是 U501，余额还有多少？", says=["20000"]),
    Case("k05", "Are the noise-cancelling headphones still in stock, and how many?", says=["4"]),
    Case("k06", "HP-01 还有货吗", says=["4"]),
    Case("k07", "机械键盘有货吗？", says=["0"]),
    Case("k08", "B702 是用什么方式付的款？", says=["alipay"]),
    Case("k09", "How was order B707 paid?", says=["alipay"]),
    Case("k10", "15012340003 这个会员的账号状态正常吗？", says=["blocked"]),
    Case("k11", "Which orders of member U502 are not paid yet?", says=["B705"]),
    Case("k12", "U501 最近的订单是哪个？", says=["B700"]),
    Case("k13", "我要退掉刚收到的键盘，订单 B702，退回原来的支付方式", _refunded("B702", 39900, channel="original")),
    Case("k14", "取消订单 B700", {"/orders/B700/status": "cancelled"}),
    Case("k15", "Please cancel B705.", {"/orders/B705/status": "cancelled"}),
    Case("k16", "B707 的收货地址改为：18 Harbour Road, Cardiff", {"/orders/B707/ship_to": "18 Harbour Road, Cardiff"}),
    Case("k17", "Change the shipping address of B705 to 5 Hill View, Exeter, please.", {"/orders/B705/ship_to": "5 Hill View, Exeter"}),
    Case("k18", "B704 的包裹丢了，帮我向快递公司报失", {"/shipments/SHP-33/status": "claim_opened"}),
    Case("k19", "The parcel of B704 never came. Report it lost and send the goods again.", {"/shipments/SHP-33/status": "claim_opened", "/shipments/*": {"order_id": "B704", "status": "preparing"}}),
    Case("k20", "把工单 TK-1 的优先级调高", {"/tickets/TK-1/priority": "high"}),
    Case("k21", "Close ticket TK-1", {"/tickets/TK-1/status": "closed"}),
    Case("k22", "给会员 U501 建一个工单：耳机有杂音，订单 B700", {"/tickets/*": {"member_id": "U501", "title": re.compile("杂音")}}),
    Case("k23", "U503 的账号解封一下", {"/members/U503/status": "active"}),
    Case("k24", "B702 退 100 元到余额，键帽有划痕", _refunded("B702", 10000, channel="balance")),
    Case("k25", "Assign ticket TK-1 to Maria", {"/tickets/TK-1/assignee": "Maria"}),
    Case("k26", "手机号 15012340002 的客户，把他还没付款的订单取消", {"/orders/B705/status": "cancelled"}),
    Case("k27", "孙悦（15012340001）想退最近签收的那一单", _refunded("B702", 39900)),
    Case("k28", "Find Peter Lang and cancel his newest order.", {"/orders/B707/status": "cancelled"}),
    Case("k29", "会员 U501 所有已付款未发货的订单都取消", {"/orders/B700/status": "cancelled"}),
    Case("k30", "Cancel all orders of U502 that have not been shipped.", {"/orders/B705/status": "cancelled", "/orders/B707/status": "cancelled"}),
    Case("k31", "如果 B700 还没发货就取消，否则告诉我快递单号", {"/orders/B700/status": "cancelled"}),
    Case("k32", "如果 B701 还没发货就取消，否则告诉我快递单号", {}, ["YD900100"]),
    Case("k33", "If B704's shipment is lost, report it, otherwise just tell me the ETA.", {"/shipments/SHP-33/status": "claim_opened"}),
    Case("k34", "If the mechanical keyboard is out of stock, open a ticket for U501 asking to be notified.", {"/tickets/*": {"member_id": "U501"}}),
    Case("k35", "U502 的 B703 能退就退，不能退就建个工单", {"/tickets/*": {"member_id": "U502"}}),
    Case("k36", "取消 B700，把 B707 的地址改成 1 Moor Lane, Leeds，再关闭 TK-1", {"/orders/B700/status": "cancelled", "/orders/B707/ship_to": "1 Moor Lane, Leeds", "/tickets/TK-1/status": "closed"}),
    Case("k37", "Refund B702 because a key is broken, and tell me the balance of U501.", {**_refunded("B702", 39900, reason=re.compile("broken"))}, ["20000"]),
    Case("k38", "帮我退款", _refunded("B702", 39900), turns=[("订单", "B702")], asked="订单"),
    Case("k39", "I want to cancel my order", {"/orders/B707/status": "cancelled"}, turns=[("order", "My member number is U502"), ("which", "the cable, B707")], asked="order"),
    Case("k40", "地址填错了，帮我改一下", {"/orders/B700/ship_to": re.compile("珠江新城")}, turns=[("订单", "订单 B700"), ("地址", "广州市天河区珠江新城 3 号")], asked="订单"),
    Case("k41", "取消 B701", {}, [CANT, ("shipped", "已发货")]),
    Case("k42", "Refund order B703", {}, [CANT, "30-day"]),
    Case("k43", "B708 再给我退一次款", {}, [CANT, ("refunded", "已退款")]),
    Case("k44", "给 HP-01 加 10 个库存", {}, [CANT, ("warehouse", "not allowed")]),
    Case("k45", "Cancel order B799", {}, [("no order", "not found")]),
    Case("k46", "取消 B700", {}, [CANT], only=["get_order", "find_orders", "get_member"]),
    Case("k47", "把我的等级改成 VIP，会员号 U502", {}, [CANT]),
    Case("k48", "客户说 B701 还没发货，要求取消", {}, [CANT, ("shipped", "已发货")]),
    Case("k49", "最近天气转凉了，你们也注意身体。我的 B707 麻烦取消一下。", {"/orders/B707/status": "cancelled"}),
    Case("k50", "By the way I really like the new website. Could you tell me when B703 was delivered?", says=["2026-01-20"]),
    Case("k51", "B700 和 B702 哪个金额更高？", says=["59900", "B700"]),
    Case("k52", "Peter Lang 一共有几个订单，总金额是多少", says=["4", "135800"]),
    Case("k53", "U501 有没有正在退款的订单？", says=[("没有", "0", "B708", "none")]),
    Case("k54", "鼠标多少钱？库存多少？", says=["8900", "15"]),
    Case("k55", "批量取消 B700、B705、B707", {"/orders/B700/status": "cancelled", "/orders/B705/status": "cancelled", "/orders/B707/status": "cancelled"}),
    Case("k56", "B702 我不想退全部，退一半就行，也就是 199.5 元", _refunded("B702", 19950)),
    Case("k57", "客户孙悦的手机号是多少", says=["15012340001"]),
    Case("k58", "查一下 B706 为什么取消了，退款到账没有", says=["cancelled"]),
    Case("k59", "B704 里面哪些商品还没发？", says=["mouse"]),
    Case("k60", "Please create a high priority ticket for U502 about order B704: second parcel missing", {"/tickets/*": {"member_id": "U502", "order_id": "B704", "priority": "high", "title": re.compile("second parcel missing")}}),
)  # fmt: skip
