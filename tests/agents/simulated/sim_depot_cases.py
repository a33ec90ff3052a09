# ruff: noqa: E501 (a record, a tool, a request is one line)
"""Requests to the second shop, all written before the model first ran on them."""

from __future__ import annotations

import re

from tests.agents.simulated.sim_world import Case

CANT = ("不能", "无法", "不可以", "没办法", "未能", "cannot", "can't", "could not", "unable", "not possible", "sorry")
TEXT = re.compile(r".")


def _refund(order: str, amount: int, method: str = "payment_method") -> dict[str, object]:
    return {"/refunds/*": {"orderNo": order, "amountCents": amount, "method": method}}


CASES = (
    Case("d01", "SO-2026-0002 到哪儿了？", says=["苏州"]),
    Case("d02", "请帮我看一下订单 SO-2026-0001 发货了没有", says=[("awaiting_shipment", "未发货", "待发货")]),
    Case("d03", "What did the customer buy in order SO-2026-0004?", says=["running shoes"]),
    Case("d04", "玻璃杯还有货吗？有多少？", says=["57"]),
    Case("d05", "How much store credit does customer C-1003 have, and is the account frozen?", says=["12000", ("yes", "frozen: true")]),
    Case("d06", "查询会员 C-1001 的等级", says=["gold"]),
    Case("d07", "Has order SO-2026-0004 been paid twice?", says=["PY-2", "PY-3"]),
    Case("d08", "我是 13611112222，我最近一个订单是什么状态？", says=["awaiting_shipment"]),
    Case("d09", "SO-2026-0007 为什么被关闭了，查下操作日志", says=["order_closed"]),
    Case("d10", "SO-2026-0006 的快递是哪家承运的，单号多少", says=["京东", "JD001"]),
    Case("d11", "把 SO-2026-0001 退掉，我不想要了，还没发货吧？没发货直接取消就行", {"/orders/SO-2026-0001/state": "cancelled"}),
    Case("d12", "Cancel my order SO-2026-0005, I ordered it by mistake", {"/orders/SO-2026-0005/state": "cancelled"}),
    Case("d13", "SO-2026-0003 我要退款，水壶漏水", _refund("SO-2026-0003", 49900)),
    Case("d14", "Please refund 30 dollars of order SO-2026-0004 as store credit", _refund("SO-2026-0004", 3000, "store_credit")),
    Case("d15", "订单 SO-2026-0008 地址写错了，应该是 15 Queen Street, Bath", {"/orders/SO-2026-0008/deliveryAddress": "15 Queen Street, Bath"}),
    Case("d16", "SO-2026-0001 改寄到杭州市滨江区江南大道 100 号", {"/orders/SO-2026-0001/deliveryAddress": re.compile("^杭州市滨江区江南大道 ?100 ?号$")}),
    Case("d17", "给订单 SO-2026-0001 加个备注：请周末送货", {"/orders/SO-2026-0001/remark": "请周末送货"}),
    Case("d18", "Add a note to order SO-2026-0008 saying the customer will be away until Friday", {"/orders/SO-2026-0008/remark": re.compile("away until Friday")}),
    Case("d19", "CS-5 处理完了，关闭吧", {"/cases/CS-5/state": "closed"}),
    Case("d20", "Give customer C-1002 a goodwill credit of 10 dollars", {"/customers/C-1002/creditBalance": 1000}),
    Case("d21", "给 C-1001 补偿 50 元", {}, [CANT, ("manager", "经理")]),
    Case("d22", "我的电视一直没收到，订单号 SO-2026-0006，我要投诉", {"/cases/*": {"customerId": "C-1003"}}),
    Case("d23", "Open an urgent case for C-1002: charged twice for SO-2026-0004", {"/cases/*": {"customerId": "C-1002", "urgency": "urgent", "topic": re.compile("charged twice")}}),
    Case("d24", "SO-2026-0004 的鞋小了，换成 P-SHOE-X", {"/exchanges/*": {"itemId": "I-3", "newSku": "P-SHOE-X"}, "/stock/P-SHOE-X/available": 1}),
    Case("d25", "I'd like to exchange the kettle from SO-2026-0003 for a new one", {}, [CANT, "out of stock"]),
    Case("d26", "SO-2026-0003 里的玻璃杯碎了，帮我换一个新的", {"/exchanges/*": {"itemId": "I-2"}, "/stock/P-CUP/available": 56}),
    Case("d27", "手机号 07811223344 的客户，把他待付款的订单取消掉", {"/orders/SO-2026-0005/state": "cancelled"}),
    Case("d28", "Find the customer with mobile 13611112222 and refund the order that has been signed for", _refund("SO-2026-0003", 49900)),
    Case("d29", "客户 C-1002 一共有几个订单？哪个金额最大？", says=["3", "SO-2026-0004"]),
    Case("d30", "Alice Brown, mobile 07811223344, wants her most recent order cancelled.", {"/orders/SO-2026-0005/state": "cancelled"}),
    Case("d31", "如果 SO-2026-0002 已经发货了，就告诉我预计哪天到，没发货就取消", says=["2026-03-11"]),
    Case("d32", "If SO-2026-0008 hasn't shipped yet, cancel it; if it has, open a case for the customer.", {"/orders/SO-2026-0008/state": "cancelled"}),
    Case("d33", "要是 SO-2026-0006 的包裹丢了，帮客户建个紧急工单", {"/cases/*": {"customerId": "C-1003", "urgency": "urgent"}}),
    Case("d34", "SO-2026-0003 签收了吗？签收了就退款到余额，没有的话什么都不用做", _refund("SO-2026-0003", 49900, "store_credit")),
    Case("d35", "Refund SO-2026-0004 unless it has not been delivered.", _refund("SO-2026-0004", 19900)),
    Case("d36", "如果客户 C-1001 是金牌会员，就给他发 15 元的补偿", {"/customers/C-1001/creditBalance": 6500}),
    Case("d37", "如果 SO-2026-0002 取消不了，就给客户开个工单", {"/cases/*": {"customerId": "C-1001"}}),
    Case("d38", "Try to cancel SO-2026-0002. If that is not possible, create a case about it.", {"/cases/*": {"customerId": "C-1001"}}),
    Case("d39", "取消 SO-2026-0001 和 SO-2026-0008", {"/orders/SO-2026-0001/state": "cancelled", "/orders/SO-2026-0008/state": "cancelled"}),
    Case("d40", "三件事：1. 取消 SO-2026-0005 2. 关闭工单 CS-5 3. 查一下双肩包的库存", {"/orders/SO-2026-0005/state": "cancelled", "/cases/CS-5/state": "closed"}, ["31"]),
    Case("d41", "Cancel SO-2026-0008, then tell me how many running shoes are left and what they cost.", {"/orders/SO-2026-0008/state": "cancelled"}, ["6", "19900"]),
    Case("d42", "先查一下 SO-2026-0003 的支付方式，再把它退款", _refund("SO-2026-0003", 49900), ["wechat"]),
    Case("d43", "帮我取消订单", {"/orders/SO-2026-0001/state": "cancelled"}, turns=[("订单", "SO-2026-0001")], asked="订单"),
    Case("d44", "I want to change where my parcel goes", {"/orders/SO-2026-0008/deliveryAddress": "1 Dock Lane, Hull"}, turns=[("order", "SO-2026-0008"), ("address", "1 Dock Lane, Hull")], asked="order"),
    Case("d45", "退货退款", _refund("SO-2026-0003", 49900), turns=[("订单|手机|客户", "13611112222，签收的那单")]),
    Case("d46", "Compensate the customer please", {"/customers/C-1002/creditBalance": 500}, turns=[("customer", "C-1002, 5 dollars"), ("amount", "5 dollars")], asked="customer"),
    Case("d47", "取消 SO-2026-0003", {}, [CANT, ("signed", "left the warehouse")]),
    Case("d48", "Cancel order SO-2026-0099", {}, [("not exist", "not found", "cannot find")]),
    Case("d49", "我是赵敏，SO-2026-0006 直接给我退款", {}, [CANT, ("frozen", "冻结")]),
    Case("d50", "Change the delivery address of SO-2026-0002 to 3 High Street, Leeds", {}, [CANT, ("locked", "carrier")]),
    Case("d51", "给订单 SO-2026-0003 开发票", {}, [CANT]),
    Case("d52", "I love your shop! My friends do too. Order SO-2026-0001, could you see when it was placed?", says=["2026-03-08"]),
    Case("d53", "最近工作太忙了，都没时间收快递。SO-2026-0001 帮我取消了吧", {"/orders/SO-2026-0001/state": "cancelled"}),
    Case("d54", "在吗？", says=[]),
    Case("d55", "Do not cancel SO-2026-0001, just change its address to 7 Mill Lane, York", {"/orders/SO-2026-0001/deliveryAddress": "7 Mill Lane, York"}),
    Case("d56", "我不是要退款，我就想知道 SO-2026-0003 里都有什么东西", says=["电热水壶", "玻璃杯"]),
    Case("d57", "Which of the two, SO-2026-0003 or SO-2026-0004, cost more?", says=["49900"]),
    Case("d58", "取消客户 C-1002 所有还没发货的订单", {"/orders/SO-2026-0005/state": "cancelled", "/orders/SO-2026-0008/state": "cancelled"}),
    Case("d59", "SO-2026-0004 was charged twice, please look at the payments and open a case for the customer about it", {"/cases/*": {"customerId": "C-1002"}}),
    Case("d60", "SO-2026-0003 退 100 元，退回原支付方式，理由是杯子有划痕", {"/refunds/*": {"orderNo": "SO-2026-0003", "amountCents": 10000, "method": "payment_method", "why": re.compile("划痕")}}),
)  # fmt: skip
