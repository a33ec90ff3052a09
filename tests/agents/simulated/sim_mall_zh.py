# ruff: noqa: E501 (a record, a tool, a request is one line)
"""The third shop once more, its tools under other names and described in Chinese."""

from __future__ import annotations

from tests.agents.simulated.sim_mall import DATA, MALL, TOOLS
from tests.agents.simulated.sim_world import Tool, World

_WORDS = {
    "get_order": ("order_detail", "按订单号查看订单：状态、金额、收货地址、商品明细", {"order_id": "订单号，例如 B700"}),
    "find_orders": ("member_orders", "查询会员的订单列表，新的在前，可按状态筛选", {"member_id": "会员编号，例如 U501", "status": "订单状态", "limit": "最多返回几条"}),
    "cancel_order": ("order_cancel", "取消一笔尚未发货的订单", {"order_id": "订单号"}),
    "cancel_orders": ("orders_cancel", "批量取消多笔尚未发货的订单", {"order_ids": "订单号列表"}),
    "change_address": ("order_address", "修改订单的收货地址", {"order_id": "订单号", "address": "新的完整地址"}),
    "get_member": ("member_detail", "查看会员资料：姓名、等级、余额（分）、账号状态", {"member_id": "会员编号"}),
    "find_member": ("member_search", "按手机号或姓名查找会员", {"phone": "手机号", "name": "姓名"}),
    "unblock_member": ("member_unblock", "解除会员账号的冻结", {"member_id": "会员编号"}),
    "get_stock": ("stock_detail", "查询商品的库存数量和价格（分）", {"sku": "商品编码，例如 HP-01"}),
    "search_products": ("product_search", "按名称搜索商品", {"query": "商品名称关键词"}),
    "adjust_stock": ("stock_adjust", "调整商品的库存数量", {"sku": "商品编码", "delta": "增减数量，负数为减少"}),
    "list_shipments": ("order_shipments", "查看订单的物流单：承运商、快递单号、当前位置、预计到达", {"order_id": "订单号"}),
    "report_lost_shipment": ("shipment_lost", "向承运商报失，发起丢件索赔", {"shipment_id": "物流单号，例如 SHP-31"}),
    "reship_order": ("order_reship", "为丢件的订单重新发货（补发）", {"order_id": "订单号"}),
    "get_payment": ("payment_detail", "查看一笔支付：方式、金额、状态", {"payment_id": "支付单号，例如 PAY-1"}),
    "request_refund": ("refund_apply", "为已签收的订单申请退款", {"order_id": "订单号", "amount": "部分退款金额，单位：分", "channel": "退款去向：original 原路退回，balance 退到余额", "reason": "退款原因"}),
    "create_ticket": ("ticket_create", "新建客服工单", {"member_id": "会员编号", "order_id": "相关订单号", "title": "工单标题", "priority": "优先级：low 低，normal 普通，high 高"}),
    "update_ticket": ("ticket_update", "更新工单的状态、优先级或处理人", {"ticket_id": "工单号，例如 TK-1", "status": "状态：open 处理中，waiting 等待，closed 已关闭", "priority": "优先级", "assignee": "处理人"}),
}  # fmt: skip


def _dressed(tool: Tool) -> Tool:
    name, description, words = _WORDS[tool.name]
    properties = {key: {**schema, "description": words.get(key, "")} for key, schema in tool.properties.items()}
    return Tool(name, description, properties, tool.required, tool.run)


MALL_ZH = World(
    prompt="你是商城的客服助手。现在是 2026-04-04T09:30:00+08:00。金额单位为分（100 分 = 1 元）。用客户的语言回答。",
    data=DATA,
    tools=tuple(_dressed(tool) for tool in TOOLS),
)
NAMES = {new: old for old, (new, _, _) in _WORDS.items()}
__all__ = ["MALL", "MALL_ZH", "NAMES"]
