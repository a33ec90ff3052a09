# ruff: noqa: E501 (a record, a tool, a request is one line)
"""A last batch of requests to the invented shops, written when the batches before were settled."""

from __future__ import annotations

import re

from tests.agents.simulated.sim_world import Case

CANT = ("不能", "无法", "不可以", "没办法", "未能", "cannot", "can't", "could not", "unable", "not possible", "sorry")
TEXT = re.compile(r".")

RETAIL_CASES = (
    Case("i01", "亲，我那个订单 A101 啥时候能到啊？", says=["2026-03-03"]),
    Case("i02", "请查询订单A106的当前状态及收货地址。", says=["delivered", "12 Oak Street"]),
    Case("i03", "Can you check if order A109 has been shipped?", says=["paid"]),
    Case("i04", "Show me the details of member M20002", says=["Tom Becker", "980"]),
    Case("i05", "帮忙看看 13800138000 的积分余额", says=["1250"]),
    Case("i06", "SKU-SCARF2 卖完了吗", says=[("0", "没有")]),
    Case("i07", "What is the tracking number for A106 and which carrier delivered it?", says=["RP77981", "RoyalPost"]),
    Case("i08", "M20001 有没有还没关闭的工单？", says=["T-9"]),
    Case("i09", "A108 退了多少钱，退到哪里去了？", says=["7700", "original"]),
    Case("i10", "Tell me the price of the wool coat", says=["61200"]),
    Case("i11", "不好意思，我下错单了，A100 这单不要了，帮我取消掉好吗", {"/orders/A100/status": "cancelled"}),
    Case("i12", "订单号是 A106，围巾有破洞，请给我办理退款，退到账户余额。", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106", "channel": "balance"}}),
    Case("i13", "Hi, I need to update the shipping address for order 0123. The new address is 77 River Road, Oxford.", {"/orders/0123/address": "77 River Road, Oxford"}),
    Case("i14", "A109 的收件地址有误，正确地址：3 Mill Lane, Flat 2, York", {"/orders/A109/address": re.compile("3 Mill Lane, Flat 2, York")}),
    Case("i15", "麻烦给 M20001 这个会员账户补发 60 积分作为补偿", {"/members/M20001/points": 100}),
    Case("i16", "I'd like you to set aside four mugs (SKU-MUG) for me.", {"/products/SKU-MUG/stock": 116}),
    Case("i17", "The parcel of order A105 is lost. Can you ship a replacement?", {"/shipments/*": {"order_id": "A105"}, "/orders/A105/shipment_id": TEXT}),
    Case("i18", "Ticket T-9 can be closed now, the customer received the parcel after all.", {"/tickets/T-9/status": "closed"}, loose=["/tickets/T-9/resolution"]),
    Case("i19", "帮会员 M10087 提交一个低优先级的工单，咨询围巾怎么清洗", {"/tickets/*": {"member_id": "M10087", "priority": "low", "subject": re.compile("清洗")}}),
    Case("i20", "I want half of my money back for A106: 79.50 please", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106", "amount": 7950}}),
    Case("i21", "我是李雷，手机 13800138000，最便宜的那个订单帮我退了", {"/orders/A102/status": "refund_review", "/refunds/*": {"order_id": "A102"}}),
    Case("i22", "Cancel all unshipped orders of the member with phone 07700900456", {"/orders/A109/status": "cancelled", "/orders/0123/status": "cancelled"}),
    Case("i23", "会员 M20001 待付款的那笔订单不要了", {"/orders/A107/status": "cancelled"}),
    Case("i24", "Please open a ticket for whoever bought order A101, the coat still hasn't arrived.", {"/tickets/*": {"member_id": "M10086"}}),
    Case("i25", "棉围巾没货的话，就帮我留一条羊毛围巾", {"/products/SKU-SCARF/stock": 2}),
    Case("i26", "要是 A106 已经签收，就退款；没签收就先不动", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106"}}),
    Case("i27", "In case order A101 is still not shipped, cancel it. Otherwise just tell me the carrier.", says=["顺丰"]),
    Case("i28", "If member M20002 has gold level, add 20 points to the account.", {"/members/M20002/points": 1000}),
    Case("i29", "订单 A102 金额要是没超过 100 元，直接退款即可", {"/orders/A102/status": "refund_review", "/refunds/*": {"order_id": "A102"}}),
    Case("i30", "Try cancelling A105; if it can't be cancelled, open a ticket for the member.", {"/tickets/*": {"member_id": "M20001"}}),
    Case("i31", "先取消 A109，再查一下 M20002 现在多少积分，最后给他加 10 分", {"/orders/A109/status": "cancelled", "/members/M20002/points": 990}, ["98"]),
    Case("i32", "Where is A101, has A102 arrived, and what happened to A105's parcel?", says=["郑州", "delivered", "lost"]),
    Case("i33", "Could you cancel A107 as well as A109 please", {"/orders/A107/status": "cancelled", "/orders/A109/status": "cancelled"}),
    Case("i34", "帮我查个快递", says=["郑州"], turns=[("订单|物流|单号", "订单 A101")], asked="订单|物流"),
    Case("i35", "Add some points to my account", {"/members/M20001/points": 90}, turns=[("member", "M20001, 50 points please"), ("points", "50")], asked="member"),
    Case("i36", "取消订单", {"/orders/A100/status": "cancelled"}, turns=[("订单", "我不记得订单号了，手机号 13800138000"), ("哪", "台灯那单")], asked="订单"),
    Case("i37", "A101 我不想要了，退款吧", {}, [CANT, ("not delivered", "未", "尚未", "delivered")]),
    Case("i38", "Please give member M20001 900 points", {}, [CANT, "supervisor"]),
    Case("i39", "Reserve 10 units of SKU-SCARF", {}, [CANT, "3"]),
    Case("i40", "delete my account M20001", {}, [CANT]),
    Case("i41", "Send a replacement for A102", {}, [CANT]),
    Case("i42", "查一下手机号 13500000000 的会员", {}, [("没有", "无法", "no member", "not found")]),
    Case("i43", "昨天跟朋友吃饭聊到你们家的台灯，都说好用。我这边订单 A100 想改个地址，改成：北京市西城区金融街 9 号", {"/orders/A100/address": re.compile("金融街 ?9 ?号")}),
    Case("i44", "Long story short: I moved. A109 should go to 4 Abbey Street, Durham instead.", {"/orders/A109/address": "4 Abbey Street, Durham"}),
    Case("i45", "thanks!", says=[]),
    Case("i46", "A100 和 A102 哪个贵？", says=["A100", "12900"]),
    Case("i47", "M10086 花了多少钱在我们店？", says=["67600"]),
    Case("i48", "会员 M10086 最早的一笔订单是哪笔？", says=["A102"]),
    Case("i49", "请确认 T-10 的状态，如果还没关就关掉", {}, [("closed", "已关闭")]),
    Case("i50", "我的包裹丢了", says=[], turns=[]),
)  # fmt: skip

DEPOT_CASES = (
    Case("j01", "SO-2026-0003 买的是什么，各多少钱？", says=["29900", "10000"]),
    Case("j02", "Is C-1003's account frozen?", says=[("yes", "frozen")]),
    Case("j03", "SO-2026-0008 的收货地址是哪里", says=["8 Park Row"]),
    Case("j04", "客户 C-1001 已签收的订单帮我退款，退到余额", {"/refunds/*": {"orderNo": "SO-2026-0003", "method": "store_credit"}}),
    Case("j05", "Refund only the cups from SO-2026-0003, that is 200 yuan, to the original payment method", {"/refunds/*": {"orderNo": "SO-2026-0003", "amountCents": 20000, "method": "payment_method"}}),
    Case("j06", "SO-2026-0001 的备注改成“放门口快递柜”", {"/orders/SO-2026-0001/remark": "放门口快递柜"}),
    Case("j07", "Please put a remark on SO-2026-0005: call before delivery", {"/orders/SO-2026-0005/remark": "call before delivery"}),
    Case("j08", "客户说电视没收到，SO-2026-0006，帮他建个工单，要紧急", {"/cases/*": {"customerId": "C-1003", "urgency": "urgent"}}),
    Case("j09", "C-1002 的可用余额是多少？如果是 0 就给她加 10 元", {"/customers/C-1002/creditBalance": 1000}),
    Case("j10", "If P-SHOE-X is available, exchange the shoes of SO-2026-0004 for it, otherwise refund the order.", {"/exchanges/*": {"itemId": "I-3", "newSku": "P-SHOE-X"}, "/stock/P-SHOE-X/available": 1}),
    Case("j11", "批量取消 SO-2026-0001、SO-2026-0005、SO-2026-0008", {"/orders/SO-2026-0001/state": "cancelled", "/orders/SO-2026-0005/state": "cancelled", "/orders/SO-2026-0008/state": "cancelled"}),
    Case("j12", "Change SO-2026-0001 to go to 9 Fern Close, Derby and add a note: leave with neighbour", {"/orders/SO-2026-0001/deliveryAddress": "9 Fern Close, Derby", "/orders/SO-2026-0001/remark": re.compile("leave with neighbour")}),
    Case("j13", "我想退 SO-2026-0002", {}, [CANT, ("in_transit", "运输")]),
    Case("j14", "13722223333 的客户要求退款 SO-2026-0006", {}, [CANT, ("frozen", "冻结")]),
    Case("j15", "有没有便宜点的跑鞋，running shoes，最便宜多少钱", says=["19900"]),
)  # fmt: skip
