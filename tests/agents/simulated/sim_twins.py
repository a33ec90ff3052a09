# ruff: noqa: E501 (a record, a tool, a request is one line)
"""The same wish in Chinese and in English: (Chinese, English, changes, words the answer must hold)."""

from __future__ import annotations

import re
from typing import Any

TWINS: tuple[tuple[str, str, dict[str, Any], tuple[Any, ...]], ...] = (
    ("订单 A100 是什么状态？", "What is the status of order A100?", {}, ("paid",)),
    ("订单 A101 的包裹在哪里？", "Where is the parcel of order A101?", {}, ("郑州",)),
    ("会员 M10086 有多少积分？", "How many points does member M10086 have?", {}, ("1250",)),
    ("手机号 13900139000 是哪位会员？", "Which member has the phone number 13900139000?", {}, ("韩梅梅",)),
    ("SKU-MUG 还有多少库存？", "How many SKU-MUG are in stock?", {}, ("120",)),
    ("A108 的退款怎么样了？", "How is the refund of A108 going?", {}, ("completed",)),
    ("会员 M20001 有哪些订单？", "Which orders does member M20001 have?", {}, ("A105", "A106", "A107")),
    ("列出会员 M10087 的工单", "List the tickets of member M10087", {}, ("T-10",)),
    ("取消订单 A100", "Cancel order A100", {"/orders/A100/status": "cancelled"}, ()),
    ("请退款订单 A106", "Please refund order A106", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106"}}, ()),
    ("A106 退 50 元", "Refund 50 yuan of A106", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106", "amount": 5000}}, ()),
    ("A106 退款到余额", "Refund A106 to the balance", {"/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106", "channel": "balance"}}, ()),
    ("把 A109 的地址改成 5 Castle Road, York", "Change the address of A109 to 5 Castle Road, York", {"/orders/A109/address": "5 Castle Road, York"}, ()),
    ("给会员 M10087 加 200 积分", "Add 200 points to member M10087", {"/members/M10087/points": 500}, ()),
    ("预留 2 件 SKU-LAMP", "Reserve 2 units of SKU-LAMP", {"/products/SKU-LAMP/stock": 12}, ()),
    ("给会员 M20002 开一个高优先级工单：coat too long", "Open a high priority ticket for member M20002: coat too long", {"/tickets/*": {"member_id": "M20002", "priority": "high", "subject": re.compile("coat too long")}}, ()),
    ("关闭工单 T-9", "Close ticket T-9", {"/tickets/T-9/status": "closed"}, ()),
    ("A105 的包裹丢了，请补发", "The parcel of A105 is lost, please send a replacement", {"/shipments/*": {"order_id": "A105"}, "/orders/A105/shipment_id": re.compile(".")}, ()),
    ("取消 A100 和 A109", "Cancel A100 and A109", {"/orders/A100/status": "cancelled", "/orders/A109/status": "cancelled"}, ()),
    ("如果 A100 还没发货就取消", "Cancel A100 if it has not shipped yet", {"/orders/A100/status": "cancelled"}, ()),
    ("如果 A101 还没发货就取消，否则告诉我它在哪里", "If A101 has not shipped cancel it, otherwise tell me where it is", {}, ("郑州",)),
    ("取消 A107，再退款 A106", "Cancel A107 and then refund A106", {"/orders/A107/status": "cancelled", "/orders/A106/status": "refund_review", "/refunds/*": {"order_id": "A106"}}, ()),
    ("手机号 07700900123 的会员，取消她待付款的订单", "Cancel the unpaid order of the member with phone 07700900123", {"/orders/A107/status": "cancelled"}, ()),
    ("取消订单 A101", "Cancel order A101", {}, ("shipped",)),
    ("退款订单 A104", "Refund order A104", {}, ("30 days",)),
    ("给会员 M10086 加 5000 积分", "Add 5000 points to member M10086", {}, ("supervisor",)),
)  # fmt: skip
