# ruff: noqa: E501 (a record, a tool, a request is one line)
"""More requests to two of the invented shops; worked on like the batches before."""

from __future__ import annotations

import re

from tests.agents.simulated.sim_world import Case

CANT = ("不能", "无法", "不可以", "没办法", "未能", "cannot", "can't", "could not", "unable", "not possible", "sorry")
TEXT = re.compile(r".")


def _refunded(order: str, amount: int, **more: object) -> dict[str, object]:
    return {f"/orders/{order}/status": "refund_review", "/refunds/*": {"order_id": order, "amount": amount, **more}}


MALL_CASES = (
    Case("m01", "请问订单B702的状态是什么？", says=["delivered"]),
    Case("m02", "B704 到现在还没收全，帮我查查物流", says=["lost"]),
    Case("m03", "How much did order B701 cost?", says=["12800"]),
    Case("m04", "会员 U503 是什么等级？", says=["normal"]),
    Case("m05", "Is HP-01 available? I need three of them.", says=["4"]),
    Case("m06", "查询 15012340001 名下所有订单", says=["B700", "B701", "B702", "B708"]),
    Case("m07", "What's the tracking number of B702's parcel?", says=["YD900200"]),
    Case("m08", "显示器支架现在卖多少钱", says=["22000"]),
    Case("m09", "PAY-5 这笔支付是什么状态", says=["captured"]),
    Case("m10", "When did we ship... sorry, when is B701 expected to arrive?", says=["2026-04-06"]),
    Case("m11", "麻烦取消一下B707，买重复了", {"/orders/B707/status": "cancelled"}),
    Case("m12", "Void order B705 please", {"/orders/B705/status": "cancelled"}),
    Case("m13", "B702 键盘有质量问题，申请退款，原路退回", _refunded("B702", 39900, channel="original")),
    Case("m14", "I'd like a partial refund of 120 yuan for B702, the box was torn.", _refunded("B702", 12000)),
    Case("m15", "请帮忙把订单 B700 的地址换成深圳市南山区科技园路 12 号", {"/orders/B700/ship_to": re.compile("科技园路 ?12 ?号")}),
    Case("m16", "Order B707 should be delivered to 40 Station Road, Luton", {"/orders/B707/ship_to": "40 Station Road, Luton"}),
    Case("m17", "包裹 SHP-33 丢了，麻烦报失处理", {"/shipments/SHP-33/status": "claim_opened"}),
    Case("m18", "为会员 U501 创建工单，标题：发票抬头错误，优先级高", {"/tickets/*": {"member_id": "U501", "priority": "high", "title": re.compile("发票抬头错误")}}),
    Case("m19", "Please unblock member U503.", {"/members/U503/status": "active"}),
    Case("m20", "工单 TK-1 已经处理好，关闭它", {"/tickets/TK-1/status": "closed"}),
    Case("m21", "帮手机号为 15012340002 的会员取消待付款订单", {"/orders/B705/status": "cancelled"}),
    Case("m22", "The customer with phone 15012340001 wants a refund for the keyboard.", _refunded("B702", 39900)),
    Case("m23", "查一下孙悦的会员信息，再把她已付款的订单取消", {"/orders/B700/status": "cancelled"}, ["U501"]),
    Case("m24", "Reship B704 and open a ticket for the customer: second delivery attempt", {"/shipments/*": {"order_id": "B704"}, "/tickets/*": {"member_id": "U502", "title": re.compile("second delivery attempt")}}),
    Case("m25", "B701 如果已经发货，把快递单号给我；如果没有发货，就取消", {}, ["YD900100"]),
    Case("m26", "Cancel B707 if it hasn't shipped.", {"/orders/B707/status": "cancelled"}),
    Case("m27", "If order B701 hasn't been delivered yet, tell me where the parcel is.", says=["佛山"]),
    Case("m28", "如果会员 U503 的账号被冻结了，就帮他解冻", {"/members/U503/status": "active"}),
    Case("m29", "要是 B702 的金额大于 300 元就退款到余额，否则原路退", _refunded("B702", 39900, channel="balance")),
    Case("m30", "先看看 B707 有没有发货，没发货就改地址到 9 Quay Street, Truro", {"/orders/B707/ship_to": "9 Quay Street, Truro"}),
    Case("m31", "取消 B700 和 B707", {"/orders/B700/status": "cancelled", "/orders/B707/status": "cancelled"}),
    Case("m32", "Cancel B705 and refund B702 to the balance.", {"/orders/B705/status": "cancelled", **_refunded("B702", 39900, channel="balance")}),
    Case("m33", "我想改收货地址", {"/orders/B700/ship_to": re.compile("环市东路")}, turns=[("订单", "B700"), ("地址", "广州市越秀区环市东路 8 号")], asked="订单"),
    Case("m34", "Please cancel an order for me.", {"/orders/B705/status": "cancelled"}, turns=[("order", "B705")], asked="order"),
    Case("m35", "开个工单", {"/tickets/*": {"member_id": "U501"}}, turns=[("会员", "会员 U501，反映包装破损")], asked="会员"),
    Case("m36", "B701 给我取消了吧", {}, [CANT, ("shipped", "已发货")]),
    Case("m37", "Please refund B705", {}, [CANT, ("unpaid", "delivered")]),
    Case("m38", "退款 B703，鼠标坏了", {}, [CANT, "30-day"]),
    Case("m39", "Change the address of B702 to 1 New Road, Hull", {}, [CANT, ("delivered", "fixed")]),
    Case("m40", "取消订单 B700", {}, [CANT], only=["get_order", "find_orders", "get_stock"]),
)  # fmt: skip

RETAIL_CASES = (
    Case("n01", "会员 M10087 的手机号是多少？", says=["13900139000"]),
    Case("n02", "Has order A106 been delivered yet?", says=["delivered"]),
    Case("n03", "A105 的快递是哪家公司送的", says=["RoyalPost"]),
    Case("n04", "工单 T-9 的优先级是什么？会员 M20001", says=["high"]),
    Case("n05", "Please give 80 points to M10087 for the delay.", {"/members/M10087/points": 380}),
    Case("n06", "A102 退 20 元，退余额", {"/orders/A102/status": "refund_review", "/refunds/*": {"order_id": "A102", "amount": 2000, "channel": "balance"}}),
    Case("n07", "帮我留三个台灯 SKU-LAMP", {"/products/SKU-LAMP/stock": 11}),
    Case("n08", "Set the delivery address of A100 to 21 Baker Street, London.", {"/orders/A100/address": "21 Baker Street, London"}),
    Case("n09", "M10086 还没付款或者还没发货的订单有哪些？", says=["A100"]),
    Case("n10", "手机号 07700900123 的会员，给她开个工单：杯子少了一个", {"/tickets/*": {"member_id": "M20001", "subject": re.compile("杯子少了一个")}}),
    Case("n11", "If A105's parcel is lost, send a replacement; if not, just give me the tracking number.", {"/shipments/*": {"order_id": "A105"}, "/orders/A105/shipment_id": TEXT}),
    Case("n12", "A104 还能退款吗？不能退的话给会员开个工单", {"/tickets/*": {"member_id": "M10087"}}),
    Case("n13", "Refund A106, the colour is wrong, and close ticket T-9.", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106"}, "/tickets/T-9/status": "closed"}, loose=["/tickets/T-9/resolution"]),
    Case("n14", "丝质围巾和羊毛围巾哪个便宜？", says=["15900"]),
    Case("n15", "补寄 A102", {}, [CANT]),
)  # fmt: skip
