# ruff: noqa: E501 (a record, a tool, a request is one line)
"""A further batch of requests to the invented shops, in other voices: (world, case)."""

from __future__ import annotations

import re

from tests.agents.simulated.sim_world import Case

CANT = ("不能", "无法", "不可以", "没办法", "未能", "cannot", "can't", "could not", "unable", "not possible", "sorry")
TEXT = re.compile(r".")

RETAIL_CASES = (
    Case("g01", "麻烦帮忙查询：订单号 A105，目前物流到什么位置了，谢谢", says=["Hull"]),
    Case("g02", "我想了解一下 M10086 这位会员名下都有哪些订单", says=["A100", "A101", "A102"]),
    Case("g03", "A106 这单的总金额是多少钱呀", says=["15900"]),
    Case("g04", "Could you look up which address order A109 is going to?", says=["3 Mill Lane"]),
    Case("g05", "Do you have the silk scarf in stock at the moment?", says=[("0", "out of stock")]),
    Case("g06", "T-9 这个工单什么情况了，会员是 M20001", says=["open"]),
    Case("g07", "When was order A101 placed, and by whom?", says=["2026-02-22", "M10086"]),
    Case("g08", "你好，订单A100我拍错了，帮忙撤销一下", {"/orders/A100/status": "cancelled"}),
    Case("g09", "A102 杯子收到的时候就碎了，申请全额退款", {"/orders/A102/status": "refund_review", "/refunds/*": {"order_id": "A102", "amount": 8800}}),
    Case("g10", "I received the wrong item in A106 and I would like a refund to my original payment method.", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106", "channel": "original"}}),
    Case("g11", "请将 0123 的派送地址更新为：York, 22 Station Road", {"/orders/0123/address": re.compile("22 Station Road")}),
    Case("g12", "为会员 M10086 登记一个投诉，内容是快递员态度恶劣", {"/tickets/*": {"member_id": "M10086", "subject": re.compile("态度")}}),
    Case("g13", "The customer M20002 deserves 100 bonus points for the trouble, please add them.", {"/members/M20002/points": 1080}),
    Case("g14", "帮我预留 5 个马克杯", {"/products/SKU-MUG/stock": 115}),
    Case("g15", "Order A105 got lost on the way. Send the customer a replacement.", {"/shipments/*": {"order_id": "A105"}, "/orders/A105/shipment_id": TEXT}),
    Case("g16", "13800138000 这个号码的会员最近一笔订单发货了吗？", says=[("shipped", "已发货")]),
    Case("g17", "Tom Becker (phone 07700900456) wants to cancel his cheapest order.", {"/orders/0123/status": "cancelled"}),
    Case("g18", "我的手机号是 13900139000，帮我把没处理完的工单列一下", says=[("没有", "T-10", "0")]),
    Case("g19", "订单 A101 还在路上的话，就告诉我快递单号；已经签收的话就帮我退款", says=["SF1029384756"]),
    Case("g20", "If the wool scarf is in stock, reserve one for M20001; if not, just let me know.", {"/products/SKU-SCARF/stock": 2}),
    Case("g21", "先确认一下 A100 有没有发货，没有的话帮我把地址改成上海市徐汇区漕溪路 3 号", {"/orders/A100/address": re.compile("漕溪路 ?3 ?号")}),
    Case("g22", "Refund A106 if it was delivered; otherwise do nothing.", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106"}}),
    Case("g23", "会员 M10087 积分要是不到 500，就给她补 200 分", {"/members/M10087/points": 500}),
    Case("g24", "能退就退，退不了就给我开个工单：订单 A104，围巾起球", {"/tickets/*": {"member_id": "M10087"}}),
    Case("g25", "取消 A109；另外，给 M20002 加 30 积分；最后告诉我 A108 的退款状态", {"/orders/A109/status": "cancelled", "/members/M20002/points": 1010}, ["completed"]),
    Case("g26", "Please cancel A107 and close ticket T-9, thanks.", {"/orders/A107/status": "cancelled", "/tickets/T-9/status": "closed"}, loose=["/tickets/T-9/resolution"]),
    Case("g27", "改下地址", {"/orders/A100/address": re.compile("朝阳路")}, turns=[("订单", "A100"), ("地址", "北京市朝阳区朝阳路 1 号")], asked="订单"),
    Case("g28", "refund please", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106"}}, turns=[("order", "order A106")], asked="order"),
    Case("g29", "Open a ticket, something is wrong with my parcel", {"/tickets/*": {"member_id": "M20001"}}, turns=[("member|order", "I'm member M20001")], asked="member"),
    Case("g30", "订单 A103 我要退款", {}, [CANT]),
    Case("g31", "帮我把 A101 的收货地址改到 天津市和平区南京路 8 号", {}, [CANT, ("shipped", "已发货")]),
    Case("g32", "Close ticket T-10", {}, ["already closed"]),
    Case("g33", "帮我给 A100 换一个颜色", {}, [CANT]),
    Case("g34", "我老婆生日快到了，本来想送她一件羊毛大衣。看了下好像没货了？SKU-COAT 现在还有库存吗", says=["0"]),
    Case("g35", "We moved house last week and everything is chaos. Anyway: what's the status of order A105?", says=["shipped"]),
    Case("g36", "A102 我只想退一个马克杯，退 44 元，退到余额", {"/orders/A102/status": "refund_review", "/refunds/*": {"order_id": "A102", "amount": 4400, "channel": "balance"}}),
    Case("g37", "把会员 M10086 已付款但还没发货的订单取消掉", {"/orders/A100/status": "cancelled"}),
    Case("g38", "How many orders of member M20001 have been delivered?", says=["1", "A106"]),
    Case("g39", "不要取消 A100，我只是想知道它什么时候下的单", says=["2026-02-20"]),
    Case("g40", "会员 13800138000 的快递 A101 一直没动静，帮他开一个高优先级工单催一下物流", {"/tickets/*": {"member_id": "M10086", "priority": "high"}}),
)  # fmt: skip

DEPOT_CASES = (
    Case("h01", "帮我查下 SO-2026-0006 是不是丢件了", says=[("lost", "丢失")]),
    Case("h02", "What's the waybill of the parcel for SO-2026-0004?", says=["FP5521"]),
    Case("h03", "客户 13722223333 叫什么名字，账户有没有被冻结", says=["赵敏"]),
    Case("h04", "SO-2026-0004 一共扣了我几次钱？", says=["2"]),
    Case("h05", "Which running shoes do you have, and which is the cheapest?", says=["P-SHOE", "19900"]),
    Case("h06", "SO-2026-0001 不要了，给我取消，然后把双肩包的库存告诉我", {"/orders/SO-2026-0001/state": "cancelled"}, ["31"]),
    Case("h07", "The shoes in SO-2026-0004 are too small. Please exchange them for P-SHOE-X.", {"/exchanges/*": {"itemId": "I-3", "newSku": "P-SHOE-X"}, "/stock/P-SHOE-X/available": 1}),
    Case("h08", "SO-2026-0004 多扣了一笔，退我 199 元，原路退回", {"/refunds/*": {"orderNo": "SO-2026-0004", "amountCents": 19900, "method": "payment_method"}}),
    Case("h09", "给 SO-2026-0005 备注一下：客户希望下周一再付款", {"/orders/SO-2026-0005/remark": re.compile("下周一再付款")}),
    Case("h10", "为客户 C-1002 建一个工单，主题：重复扣款，紧急处理", {"/cases/*": {"customerId": "C-1002", "urgency": "urgent", "topic": re.compile("重复扣款")}}),
    Case("h11", "Give Alice Brown (07811223344) 15 dollars in store credit as an apology", {"/customers/C-1002/creditBalance": 1500}),
    Case("h12", "如果 SO-2026-0008 还没发货，把地址改为 2 Lake Road, Bath；已发货的话告诉我运单号", {"/orders/SO-2026-0008/deliveryAddress": "2 Lake Road, Bath"}),
    Case("h13", "If the kettle is sold out, refund order SO-2026-0003, otherwise exchange the kettle.", {"/refunds/*": {"orderNo": "SO-2026-0003", "amountCents": 49900}}),
    Case("h14", "Refund SO-2026-0003 and open a low urgency case for the customer about a leaking kettle", {"/refunds/*": {"orderNo": "SO-2026-0003"}, "/cases/*": {"customerId": "C-1001", "urgency": "low"}}),
    Case("h15", "取消我的订单，我的手机号 07811223344", {"/orders/SO-2026-0008/state": "cancelled"}, turns=[("哪", "SO-2026-0008")]),
    Case("h16", "SO-2026-0002 能取消吗？", {}, [("in_transit", "运输")]),
    Case("h17", "SO-2026-0007 我要退货退款", {}, [CANT, "closed"]),
    Case("h18", "Please cancel SO-2026-0006, it is taking forever.", {}, [CANT, ("partially_shipped", "left the warehouse")]),
    Case("h19", "把 C-1001 的会员等级升到白金", {}, [CANT]),
    Case("h20", "C-1003 的工单 CS-5 先别关，帮我看看 SO-2026-0006 的包裹最后在哪里出现的", says=["武汉"]),
)  # fmt: skip
