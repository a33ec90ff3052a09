"""The words by which an agent says that something has been done, Chinese and English.

Three kinds of concept: an *act* is done to a thing (refund, cancel), *making* and *changing* need the thing that was
made or changed (a ticket, an address). A tool's concepts are read from its name. The rules here are the detector's own
and are shared with no model's language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

ACT, MAKE, CHANGE, THING = "act", "make", "change", "thing"


@dataclass(frozen=True, slots=True)
class Concept:
    """One idea: `names` are the words of tool names, `done` its English participles, `nouns` its English nouns."""

    kind: str
    names: tuple[str, ...]
    done: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    chinese: tuple[str, ...] = ()


def _concept(kind: str, names: str, done: str = "", nouns: str = "", chinese: str = "") -> Concept:
    return Concept(kind, tuple(names.split()), tuple(done.split()), tuple(nouns.split()), tuple(chinese.split()))


CONCEPTS = (
    _concept(ACT, "refund reimburse", "refunded reimbursed", "refund reimbursement", "退款 退钱 退费 退回货款"),
    _concept(ACT, "return", "returned", "return", "退货 退回"),
    _concept(ACT, "exchange swap replace", "exchanged swapped replaced", "exchange replacement swap", "换货 更换 调换"),
    _concept(ACT, "cancel void revoke", "cancelled canceled voided revoked", "cancellation", "取消 撤销 作废"),
    _concept(ACT, "reship resend", "reshipped re-shipped resent re-sent", "reshipment", "补发 重发 重新发货 重新寄出"),
    _concept(ACT, "ship dispatch", "shipped dispatched", "dispatch", "发货 寄出"),
    _concept(ACT, "receive", "received", "receipt", "入库 收货 签收"),
    _concept(ACT, "pay charge", "paid charged", "payment charge", "支付 扣款 付款"),
    _concept(ACT, "transfer", "transferred", "transfer", "转账 转移 划转"),
    _concept(ACT, "send notify mail email", "sent notified emailed mailed", "notification", "发送 通知"),
    _concept(ACT, "delete remove", "deleted removed", "deletion removal", "删除 移除"),
    _concept(ACT, "close", "closed", "closure", "关闭 关单 结单"),
    _concept(ACT, "escalate", "escalated", "escalation", "升级 转交 转人工"),
    _concept(ACT, "approve", "approved", "approval", "批准 审批通过"),
    _concept(ACT, "reject decline", "rejected declined", "rejection", "驳回"),
    _concept(ACT, "book reserve", "booked reserved", "booking reservation", "预订 预约 预留"),
    _concept(ACT, "compensate credit", "compensated credited", "compensation credit", "补偿 赔付 补贴"),
    _concept(ACT, "redeem", "redeemed", "redemption", "兑换 核销"),
    _concept(ACT, "merge", "merged", "merge", "合并"),
    _concept(ACT, "split", "split", "split", "拆分"),
    _concept(ACT, "enable activate", "enabled activated", "activation", "启用 激活 开通"),
    _concept(ACT, "disable deactivate suspend freeze", "disabled deactivated suspended frozen", "", "停用 冻结 禁用"),
    _concept(ACT, "reset", "reset", "reset", "重置"),
    _concept(ACT, "reschedule postpone", "rescheduled postponed", "", "改期 改约 延期"),
    _concept(
        MAKE, "create open add make new place submit file raise request record register issue insert start log set",
        "created opened added made placed submitted filed raised requested recorded registered issued started logged "
        "set arranged processed initiated completed",
        chinese="创建 新建 提交 登记 申请 添加 新增 开具 生成 建立 发起 办理 安排 开 下 设置 设",
    ),
    _concept(
        CHANGE, "update change modify edit adjust correct set patch",
        "updated changed modified edited adjusted corrected set saved",
        chinese="更新 修改 更改 变更 调整 改为 改成 更正 改 保存",
    ),
    _concept(THING, "order", nouns="order", chinese="订单"),
    _concept(THING, "ticket case complaint", "", "ticket case complaint", "工单 投诉"),
    _concept(THING, "address", nouns="address", chinese="地址"),
    _concept(THING, "member user customer account profile", "", "profile account details", "资料 会员 账户 账号"),
    _concept(THING, "phone mobile", nouns="phone mobile", chinese="手机 电话"),
    _concept(THING, "note remark comment", nouns="note remark comment", chinese="备注"),
    _concept(THING, "shipment parcel package delivery", "", "shipment parcel package delivery", "包裹 物流 快递"),
    _concept(THING, "stock inventory", nouns="stock inventory", chinese="库存"),
    _concept(THING, "invoice", nouns="invoice", chinese="发票"),
    _concept(THING, "coupon voucher", nouns="coupon voucher", chinese="优惠券 券"),
    _concept(THING, "alert reminder", nouns="alert reminder", chinese="提醒 预警 告警"),
    _concept(THING, "budget", nouns="budget", chinese="预算"),
    _concept(THING, "appointment meeting", nouns="appointment meeting", chinese="预约 会议"),
    _concept(THING, "price", nouns="price", chinese="价格"),
    _concept(THING, "report", nouns="report", chinese="报告 报表"),
    _concept(THING, "review approval", nouns="review approval", chinese="审批"),
    _concept(THING, "status", nouns="status", chinese="状态"),
)  # fmt: skip
"""The order settles nothing; a name may stand in several."""


@lru_cache(maxsize=4096)
def concepts_of(name: str) -> tuple[Concept, ...]:
    """The concepts in a tool's, table's or field's name, in the order of its words."""
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())
    concepts: dict[Concept, None] = {}
    for word in words:
        stems = {word, word.removesuffix("s"), word.removesuffix("es")}
        for concept in CONCEPTS:
            if stems & {*concept.names, *concept.done, *concept.nouns}:
                concepts[concept] = None
    return tuple(concepts)


@lru_cache(maxsize=1024)
def any_form(concept: Concept) -> re.Pattern[str]:
    """Finds the concept in a normal text, done or not."""
    english = [re.escape(word) for word in (*concept.names, *concept.done, *concept.nouns)]
    chinese = [re.escape(word) for word in concept.chinese]
    return re.compile("|".join([rf"\b(?:{'|'.join(english)})s?\b", *chinese]))
