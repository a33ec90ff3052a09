# ruff: noqa: E501 (a record, a tool, a request is one line)
"""Requests to the invented shop. Those marked held were written before the model first ran; all were worked on since."""

from __future__ import annotations

import re

from tests.agents.simulated.sim_world import Case

_WORDS = re.compile(r".")
REFUND_A102 = {"/orders/A102/status": "refund_review", "/refunds/*": {"order_id": "A102", "amount": 8800}}
REFUND_A106 = {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106", "amount": 15900}}
CANT = ("不能", "无法", "不可以", "没办法", "未能", "cannot", "can't", "could not", "unable", "not possible")

CASES = (
    # single look-ups
    Case("r01", "订单 A100 现在什么状态？", says=["paid"]),
    Case("r02", "Where is the parcel of order A101 right now?", says=["郑州"]),
    Case("r03", "会员 M10086 还有多少积分？", says=["1250"]),
    Case("r04", "帮我查一下手机号 13900139000 是哪位会员", says=["韩梅梅"]),
    Case("r05", "Is SKU-SCARF still in stock?", says=["3"]),
    Case("r06", "订单 0123 买了什么？", says=["socks"], held=True),
    Case("r07", "How is the refund of order A108 going?", says=["completed"], held=True),
    Case("r08", "A101 的快递单号发我一下", says=["SF1029384756"], held=True),
    Case("r09", "What level is member M20002?", says=["gold"], held=True),
    Case("r10", "麻烦看下会员 M10087 提过哪些工单", says=["T-10"], held=True),
    # single writes
    Case("r11", "取消订单 A100", {"/orders/A100/status": "cancelled"}, ["A100"]),
    Case("r12", "Please refund order A106, the scarf is not what I expected.", REFUND_A106),
    Case("r13", "我要退掉刚收到的这个商品，订单 A102", REFUND_A102),
    Case("r14", "把订单 A100 的收货地址改成 北京市朝阳区建国路 88 号", {"/orders/A100/address": re.compile("^北京市朝阳区建国路 ?88 ?号$")}),
    Case("r15", "Change the address of order A109 to 5 Castle Road, York", {"/orders/A109/address": "5 Castle Road, York"}),
    Case("r16", "给会员 M10087 加 200 积分", {"/members/M10087/points": 500}),
    Case("r17", "Reserve 2 units of SKU-LAMP for me please", {"/products/SKU-LAMP/stock": 12}, held=True),
    Case("r18", "工单 T-9 已经解决了，帮我关掉", {"/tickets/T-9/status": "closed"}, loose=["/tickets/T-9/resolution"], held=True),
    Case("r19", "订单 A106 退 50 元就行，杯口有点瑕疵", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106", "amount": 5000}}, held=True),
    Case("r20", "A102 的钱退到余额里", {"/orders/A102/status": "refund_review", "/refunds/*": {"order_id": "A102", "channel": "balance"}}, held=True),
    Case("r21", "Open a high priority ticket for member M20002: the coat was billed twice", {"/tickets/*": {"member_id": "M20002", "priority": "high", "subject": re.compile("billed twice")}}, held=True),
    # chains
    Case("r22", "手机号 13800138000 的会员，帮他把最近一笔已签收的订单退款", REFUND_A102),
    Case("r23", "Find the member with phone 07700900123 and cancel her unpaid order", {"/orders/A107/status": "cancelled"}),
    Case("r24", "我手机号是 13900139000，我有几个订单？", says=["2"]),
    Case("r25", "The parcel for order A105 never arrived, please send it again.", {"/shipments/*": {"order_id": "A105", "status": "preparing"}, "/orders/A105/shipment_id": _WORDS}, held=True),
    Case("r26", "用手机号 07700900456 查一下会员等级和积分", says=["gold", "980"], held=True),
    Case("r27", "Which orders does the customer with phone 13800138000 have, and which one is the most expensive?", says=["A101", "A102", "A100", "45900"], held=True),
    Case("r28", "有哪几款围巾？最便宜的有货的那款帮我留 1 件", {"/products/SKU-SCARF/stock": 2}, held=True),
    Case("r29", "查一下马克杯还剩多少库存", says=["120"]),
    Case("r30", "Please open a ticket for the person who placed order A106: the scarf lost its colour after one wash", {"/tickets/*": {"member_id": "M20001"}}, held=True),
    # conditions
    Case("r31", "如果订单 A100 还没发货就取消，否则开个工单", {"/orders/A100/status": "cancelled"}),
    Case("r32", "如果订单 A101 还没发货就取消，否则给我开个工单催一下", {"/tickets/*": {"member_id": "M10086"}}),
    Case("r33", "If order A101 has shipped, tell me where it is, otherwise cancel it.", says=["郑州"]),
    Case("r34", "If order A109 has already shipped open a ticket, otherwise cancel it.", {"/orders/A109/status": "cancelled"}, held=True),
    Case("r35", "Cancel order A107 if it has not been paid yet.", {"/orders/A107/status": "cancelled"}, held=True),
    Case("r36", "看看 SKU-COAT 有没有货，有的话帮我留一件，没有就算了", {}, [("0", "没有", "缺货", "无货")], held=True),
    Case("r37", "A102 如果金额超过 200 元就开工单，不到的话直接退款", REFUND_A102, held=True),
    Case("r38", "Check whether the shipment of A105 is lost. If so, send a replacement.", {"/shipments/*": {"order_id": "A105"}, "/orders/A105/shipment_id": _WORDS}, held=True),
    # several goals
    Case("r39", "取消 A100，另外把 A102 退款", {"/orders/A100/status": "cancelled", **REFUND_A102}),
    Case("r40", "Cancel orders A109 and 0123", {"/orders/A109/status": "cancelled", "/orders/0123/status": "cancelled"}),
    Case("r41", "帮我三件事：查 A101 到哪了；把 A100 取消；给 M10086 加 50 积分", {"/orders/A100/status": "cancelled", "/members/M10086/points": 1300}, ["郑州"], held=True),
    Case("r42", "Refund A106 to my store credit and then tell me how many points member M20001 has.", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106", "channel": "balance"}}, ["40"], held=True),
    # missing information
    Case("r43", "我要退款", REFUND_A102, turns=[("订单|order", "A102")], asked="订单"),
    Case("r44", "Please change my delivery address.", {"/orders/A109/address": "9 Hill Road, York"}, turns=[("order", "It's order A109"), ("address", "9 Hill Road, York")], asked="address", held=True),
    Case("r45", "帮我看看我的订单有哪些", says=["A103", "A104"], turns=[("会员|手机", "会员号 M10087")], asked="会员|手机", held=True),
    Case("r46", "I'd like to reserve a desk lamp", {"/products/SKU-LAMP/stock": 11}, turns=[("how many|quantity|units", "3 please")], held=True),
    # refusals
    Case("r47", "取消订单 A101", {}, [CANT, "shipped"]),
    Case("r48", "I want my money back for order A104.", {}, [CANT, "30 days"]),
    Case("r49", "A108 给我退款", {}, [CANT, "refunded"], held=True),
    Case("r50", "给会员 M10086 加 5000 积分", {}, [CANT, "supervisor"], held=True),
    Case("r51", "Cancel order A100", {}, [CANT], only=["get_order", "list_orders", "track_shipment"], held=True),
    Case("r52", "查一下订单 Z999 的状态", {}, [("not found", "没有找到", "未找到", "不存在", "查不到")]),
    # noise and small talk
    Case("r53", "今天天气真好。对了，订单 A100 帮我取消吧，谢谢！", {"/orders/A100/status": "cancelled"}),
    Case("r54", "My sister recommended your shop, she loves the mugs. Anyway, could you cancel order A109? Thanks a lot!", {"/orders/A109/status": "cancelled"}, held=True),
    Case("r55", "你好", says=[("你好", "您好")]),
    Case("r56", "Hello, thanks for your help yesterday!", held=True),
    Case("r57", "那件羊毛大衣我不想要了，订单号 A109，直接取消掉就行", {"/orders/A109/status": "cancelled"}, held=True),
    Case("r58", "订单 A101 一直没收到，到底走到哪了？", says=["郑州"], held=True),
    Case("r59", "Member M20001 has two questions: what is the status of A106, and when will A105 arrive?", says=["delivered", "2026-02-23"], held=True),
    Case("r60", "把会员 M20002 所有还没发货的订单都取消", {"/orders/A109/status": "cancelled", "/orders/0123/status": "cancelled"}, held=True),
)  # fmt: skip
