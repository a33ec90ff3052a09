# ruff: noqa: E501 (a record, a tool, a request is one line)
"""A batch run once when all before was settled (43 of 50 came out right then), and worked on once since."""

from __future__ import annotations

import re

from tests.agents.simulated.sim_world import Case

CANT = ("不能", "无法", "不可以", "没办法", "未能", "cannot", "can't", "could not", "unable", "not possible", "sorry")
TEXT = re.compile(r".")


def _refunded(order: str, amount: int, **more: object) -> dict[str, object]:
    return {f"/orders/{order}/status": "refund_review", "/refunds/*": {"order_id": order, "amount": amount, **more}}


MALL_CASES = (
    Case("p01", "帮我看一下 B700 这个订单的收货地址和金额", says=["体育西路", "59900"]),
    Case("p02", "Has order B705 been paid?", says=["unpaid"]),
    Case("p03", "B701 寄到哪里了", says=["佛山"]),
    Case("p04", "What products are in order B702?", says=["KB-03"]),
    Case("p05", "15012340002 是哪位会员的手机号", says=["Peter Lang"]),
    Case("p06", "CB-02 的库存和单价分别是多少", says=["200", "6400"]),
    Case("p07", "Show me all delivered orders of U502.", says=["B703"]),
    Case("p08", "会员 U501 一共下过几单？", says=["4"]),
    Case("p09", "B704 走的哪家快递，状态如何", says=["ParcelX", "lost"]),
    Case("p10", "您好，订单 B707 不需要了，麻烦取消，谢谢", {"/orders/B707/status": "cancelled"}),
    Case("p11", "Kindly cancel order B700 as the customer ordered the wrong model.", {"/orders/B700/status": "cancelled"}),
    Case("p12", "我想给 B702 办理退款，商品与描述不符", _refunded("B702", 39900)),
    Case("p13", "Refund 99 yuan of B702 to the member's balance.", _refunded("B702", 9900, channel="balance")),
    Case("p14", "订单 B705 的送货地址需要改成：上海市浦东新区张江路 66 号", {"/orders/B705/ship_to": re.compile("张江路 ?66 ?号")}),
    Case("p15", "U501 投诉快递太慢，订单 B701，请建工单，优先级高", {"/tickets/*": {"member_id": "U501", "priority": "high"}}),
    Case("p16", "Raise the priority of ticket TK-1 to high.", {"/tickets/TK-1/priority": "high"}),
    Case("p17", "麻烦把会员 U503 解封", {"/members/U503/status": "active"}),
    Case("p18", "Tell the carrier that SHP-33 is lost.", {"/shipments/SHP-33/status": "claim_opened"}),
    Case("p19", "给 B704 补发丢失的商品", {"/shipments/*": {"order_id": "B704"}}),
    Case("p20", "电话 15012340001 的客户想退掉已经签收的订单", _refunded("B702", 39900)),
    Case("p21", "Find the member named 周杰 and unblock the account.", {"/members/U503/status": "active"}),
    Case("p22", "把 U502 金额最小的未发货订单取消", {"/orders/B707/status": "cancelled"}),
    Case("p23", "如果 B707 还没有发货，请把地址改为 12 Mill Street, Oxford；如果已经发货，就建一个工单", {"/orders/B707/ship_to": "12 Mill Street, Oxford"}),
    Case("p24", "If the mouse is in stock, cancel B707; otherwise leave it.", {"/orders/B707/status": "cancelled"}),
    Case("p25", "B701 签收了没有？签收了就退款，没签收就告诉我预计到达时间", {}, ["2026-04-06"]),
    Case("p26", "Cancel B701; if that fails, open a ticket for the member.", {"/tickets/*": {"member_id": "U501"}}),
    Case("p27", "帮我取消 B705，再把 TK-1 关闭，另外看看 HP-01 还有多少库存", {"/orders/B705/status": "cancelled", "/tickets/TK-1/status": "closed"}, ["4"]),
    Case("p28", "Refund B702 and unblock U503", {**_refunded("B702", 39900), "/members/U503/status": "active"}),
    Case("p29", "我要取消一个订单", {"/orders/B707/status": "cancelled"}, turns=[("订单|会员", "B707")], asked="订单"),
    Case("p30", "Can you change my address?", {"/orders/B707/ship_to": "3 Park Lane, Derby"}, turns=[("order", "order B707"), ("address", "3 Park Lane, Derby")], asked="order"),
    Case("p31", "B704 我要取消", {}, [CANT, ("partly_shipped", "部分")]),
    Case("p32", "Give me a refund for B706", {}, [CANT, "cancelled"]),
    Case("p33", "帮我修改 B701 的地址到 杭州市上城区解放路 1 号", {}, [CANT, "fixed"]),
    Case("p34", "Merge order B700 and B707", {}, [CANT]),
    Case("p35", "上周末去爬山累坏了。顺便问下，B703 是哪天下的单？", says=["2026-01-15"]),
)  # fmt: skip

RETAIL_CASES = (
    Case("q01", "A107 现在是什么情况？", says=["pending_payment"]),
    Case("q02", "Which carrier has the parcel for A104?", says=["中通"]),
    Case("q03", "韩梅梅的会员等级，手机号 13900139000", says=["silver"]),
    Case("q04", "请为订单 A106 办理退款，退至余额，原因是颜色不符", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106", "channel": "balance", "reason": re.compile("颜色不符")}}),
    Case("q05", "Take 0123 and A109 off, the customer wants both cancelled.", {"/orders/0123/status": "cancelled", "/orders/A109/status": "cancelled"}),
    Case("q06", "M20002 的所有订单里，哪些还没发货", says=["A109", "0123"]),
    Case("q07", "如果 SKU-SCARF 的库存少于 5，就告诉我；多于 5 就帮我留 2 条", {}, ["3"]),
    Case("q08", "Add 25 points to the account of the member with phone 07700900456.", {"/members/M20002/points": 1005}),
    Case("q09", "A105 包裹丢失，请补发，并给会员加 50 积分作为补偿", {"/shipments/*": {"order_id": "A105"}, "/orders/A105/shipment_id": TEXT, "/members/M20001/points": 90}),
    Case("q10", "A103 的退款什么时候到账", {}, [("no refund", "没有", "cancelled")]),
)  # fmt: skip

DEPOT_CASES = (
    Case("s01", "SO-2026-0005 付款了吗", says=[("awaiting_payment", "未付款")]),
    Case("s02", "Put 12 dollars of goodwill credit on C-1002's account", {"/customers/C-1002/creditBalance": 1200}),
    Case("s03", "SO-2026-0001 我不想要了，帮我撤单", {"/orders/SO-2026-0001/state": "cancelled"}),
    Case("s04", "Customer 13611112222 wants the order that has not left yet to go to 5 Lime Grove, Ely.", {"/orders/SO-2026-0001/deliveryAddress": "5 Lime Grove, Ely"}),
    Case("s05", "SO-2026-0004 里的鞋子换一双 P-SHOE-X，并备注：客户自付运费", {"/exchanges/*": {"itemId": "I-3", "newSku": "P-SHOE-X"}, "/stock/P-SHOE-X/available": 1, "/orders/SO-2026-0004/remark": re.compile("自付运费")}),
)  # fmt: skip
