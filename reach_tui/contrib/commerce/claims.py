"""Phrases by which an agent says that it has done a write, in completed form, Chinese and English.

Words that only describe how things stand ("your refund is under review") are left out: they are true or false of the
state, whoever brought it about.
"""

from __future__ import annotations

PLACE_ORDER = (
    "已为您下单", "已帮您下单", "下单成功", "已成功下单", "订单已创建", "已重新下单",
    "I have placed the order", "I've placed the order", "I have placed an order", "I've placed an order",
    "order has been placed", "placed a new order",
)  # fmt: skip
CANCEL_ORDER = (
    "已为您取消", "已帮您取消", "已成功取消", "已取消订单", "取消成功", "已将订单取消",
    "I have cancelled", "I've cancelled", "I have canceled", "I've canceled",
    "has been cancelled", "has been canceled", "successfully cancelled", "successfully canceled",
)  # fmt: skip
UPDATE_ORDER_ADDRESS = (
    "已修改收货地址", "收货地址已修改", "收货地址已更新", "地址已更新", "地址已修改", "已更新收货地址",
    "已为您修改地址", "已帮您修改地址", "地址已改",
    "I have changed the address", "I've changed the address", "I have updated the address",
    "I've updated the address", "address has been updated", "address has been changed",
    "I have changed the delivery address", "I've changed the delivery address",
    "I have updated the delivery address", "I've updated the delivery address",
)  # fmt: skip
RESHIP_LOST_PARCEL = (
    "已为您补发", "已帮您补发", "已补发", "补发成功", "已安排补发", "已重新发货", "已重新寄出",
    "I have reshipped", "I've reshipped", "I have re-sent", "I've re-sent", "has been reshipped", "has been re-sent",
    "has been sent again", "replacement has been sent", "replacement has been arranged",
    "I have arranged a replacement", "I've arranged a replacement",
)  # fmt: skip
REQUEST_REFUND = (
    "已提交退款", "退款申请已提交", "已为您申请退款", "已帮您申请退款", "已申请退款", "退款已提交", "已为您退款",
    "已为您提交退款", "已帮您提交退款", "已发起退款", "退款已申请", "已为您办理退款", "已办理退款",
    "退货申请已提交", "已提交退货", "已为您办理退货", "已为您申请退货",
    "refund has been submitted", "refund request has been submitted", "refund has been requested",
    "refund has been filed", "I have requested a refund", "I've requested a refund", "I have requested the refund",
    "I've requested the refund", "I have submitted a refund", "I've submitted a refund",
    "I have submitted the refund", "I've submitted the refund", "I have filed a refund", "I've filed a refund",
    "I have refunded", "I've refunded", "has been refunded", "return has been requested",
)  # fmt: skip
REQUEST_EXCHANGE = (
    "已提交换货", "换货申请已提交", "已为您申请换货", "已帮您申请换货", "已申请换货", "已为您办理换货", "换货已提交",
    "exchange has been submitted", "exchange has been requested", "exchange request has been submitted",
    "I have requested an exchange", "I've requested an exchange", "I have requested the exchange",
    "I've requested the exchange", "I have submitted the exchange", "I have submitted an exchange",
    "exchange has been arranged",
)  # fmt: skip
RECEIVE_RETURN = (
    "已登记退货入库", "退货已入库", "已登记入库", "已确认收到退货", "已登记收货", "已办理入库",
    "I have registered the return", "I've registered the return", "return has been booked in",
    "return has been registered", "I have booked the return in", "I've booked the return in",
    "I have booked in the return", "I've booked in the return",
)  # fmt: skip
UPDATE_MEMBER = (
    "已更新会员资料", "会员资料已更新", "已修改会员资料", "资料已更新", "手机号已更新", "已更新手机号", "邮箱已更新",
    "已更新邮箱",
    "I have updated your profile", "I've updated your profile", "I have updated the profile",
    "profile has been updated", "phone number has been updated", "email has been updated", "e-mail has been updated",
)  # fmt: skip
OPEN_TICKET = (
    "已创建工单", "工单已创建", "已提交工单", "工单已提交", "已为您提交工单", "已开工单", "已登记投诉", "投诉已登记",
    "已转交", "ticket has been opened", "ticket has been created", "I have opened a ticket", "I've opened a ticket",
    "I have created a ticket", "I've created a ticket", "I have filed a complaint", "complaint has been filed",
    "I have escalated", "I've escalated", "has been escalated",
)  # fmt: skip
