"""How the model says things, in Chinese and English: labels, glosses, sentences of claim and refusal."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from reach_tui.agents.simulated.features import spaced, states, tokens
from reach_tui.agents.simulated.judge import key_concepts
from reach_tui.agents.simulated.lexicon import ACT, FIELD, ROLE, SPOKEN, STATE, THING
from reach_tui.agents.simulated.parameters import Param

FAMILIES = 3
"""Families of phrases for a claim; the last is kept for the test split."""

_ZH_THINGS = {
    "item": "商品", "member": "会员", "shipment": "物流单", "payment": "支付", "refund_record": "退款",
    "invoice_record": "发票", "event": "记录",
    "message": "消息", "approval": "审批单", "expense": "报销单", "tracking_no": "快递单号", "leave": "请假",
}  # fmt: skip
_EN_THINGS = {
    "refund_record": "refund", "invoice_record": "invoice", "report_doc": "report", "tracking_no": "tracking number",
    "return_record": "return", "exchange_record": "exchange", "event": "record",
}  # fmt: skip
_ASK_ZH = {
    "order": "订单号", "member": "会员号", "item": "商品编号", "shipment": "物流单号", "ticket": "工单号",
    "phone": "手机号", "email": "邮箱", "address": "新的地址",
    "quantity": "数量", "reason": "原因", "date": "日期", "amount": "金额", "employee": "员工姓名或编号",
    "department": "部门", "region": "地区",
    "name": "姓名", "points": "积分数量", "month": "月份", "content": "内容", "subject": "主题",
}  # fmt: skip
_ASK_EN = {
    "order": "order number", "member": "member number", "item": "product code", "shipment": "shipment number",
    "ticket": "ticket number", "phone": "phone number",
    "address": "new address", "quantity": "quantity (how many units)", "amount": "amount", "date": "date",
}  # fmt: skip
_PAST = {
    "cancel": "cancelled", "refund": "refunded", "return": "returned", "send": "sent", "notify": "notified",
    "reship": "reshipped (replacement sent)", "pay": "paid",
    "buy": "bought", "set": "set", "create": "created", "close": "closed", "split": "split", "freeze": "frozen",
    "submit": "submitted", "apply": "requested", "ship": "shipped",
    "note": "noted", "verify": "verified", "complain": "filed as a complaint", "freeze_": "frozen",
}  # fmt: skip
_ZH_ACTS = {
    "notify": "通知", "send": "发送", "reship": "补发", "create": "创建", "change": "修改", "add": "添加",
    "note": "备注", "reserve": "预留", "set": "设置",
}  # fmt: skip
_ZH_PAST = {
    "pay": "已付款", "delivered": "已签收", "ship": "已发货", "cancel": "已取消", "refund": "已退款",
    "close": "已关闭", "return": "已退货", "approve": "已批准", "reject": "已驳回",
}  # fmt: skip
_SILENT = frozenset({
    "new", "old", "other", "apply", "set", "send", "note", "add", "question", "home", "create", "change", "report",
    "submit", "original_",
})  # fmt: skip


def label(name: str, chinese: bool) -> str:
    """A field's name for people: the lexicon's word where the whole name is one, else the name with spaces."""
    words = spaced(name).lower()
    if not chinese or not name.isascii():
        return words
    found = [c for c in _ordered(words) if ROLE[c] in (FIELD, THING)]
    if not found or len(words.split()) > len(found) + 1:
        return words
    spoken = [_ZH_THINGS.get(c, SPOKEN[c][1]) for c in found[:2] if c != "created"]
    name_text = "".join(dict.fromkeys(spoken))
    return (
        name_text
        + (
            ""
            if name_text.endswith(("号", "编号"))
            else "编号"
            if words.split()[-1] == "id" and len(words.split()) > 1
            else ""
        )
        or words
    )


@lru_cache(maxsize=2048)
def _ordered(words: str) -> tuple[str, ...]:
    return tuple(token.keys[0] for token in tokens(words) if token.kind == "concept")


def thing(noun: str, chinese: bool) -> str:
    """A noun for people."""
    if noun not in ROLE:
        return noun
    if chinese:
        return _ZH_THINGS.get(noun, SPOKEN[noun][1])
    return _EN_THINGS.get(noun, SPOKEN[noun][0])


def act_word(act: str, chinese: bool) -> str:
    """An act for people, in its plain form."""
    if chinese:
        return _ZH_ACTS.get(act, SPOKEN[act][1])
    return SPOKEN[act][0]


def past(act: str) -> str:
    """An act's English participle."""
    if act in _PAST:
        return _PAST[act]
    word = SPOKEN[act][0]
    if word.endswith("e"):
        return word + "d"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ied"
    return word + "ed"


@lru_cache(maxsize=4096)
def gloss(text: str, chinese: bool) -> str:
    """The states a value or an error speaks of, in the user's language; empty where there is none to add."""
    if chinese != text.isascii() or len(text) > 300:
        return ""
    out = []
    for concept, denied in states(spaced(text)):
        if concept in _SILENT or ROLE[concept] not in (STATE, ACT):
            continue
        if chinese:
            word = _ZH_PAST.get(concept) or (
                ("已" if ROLE[concept] == ACT and re.search(rf"{re.escape(past(concept))}", text) else "")
                + SPOKEN[concept][1]
            )
            out.append(("未" + word.removeprefix("已")) if denied else word)
        else:
            word = past(concept) if ROLE[concept] == ACT else SPOKEN[concept][0]
            out.append(("not " if denied else "") + word)
    return "、".join(dict.fromkeys(out)) if chinese else ", ".join(dict.fromkeys(out))


def value_text(key: str, value: Any, chinese: bool, minor: bool) -> str:
    """A value as it is, with money in major units and a gloss beside it."""
    if value is None:
        return "无" if chinese else "none"
    if isinstance(value, bool):
        return ("是" if value else "否") if chinese else ("yes" if value else "no")
    if isinstance(value, list):
        return "、".join(str(one) for one in value) if chinese else ", ".join(str(one) for one in value)
    if (
        isinstance(value, int)
        and minor
        and key_concepts(key)
        & {"amount", "price", "fee", "balance", "total", "sales", "budget", "discount", "payment", "used", "refund"}
        and not key_concepts(key) & {"number", "quantity", "percent", "points", "days"}
    ):
        return f"{value} ({value / 100:.2f})"
    text = str(value)
    extra = gloss(text, chinese) if isinstance(value, str) and len(text) <= 40 and not re.search(r"\d", text) else ""
    return (f"{text}（{extra}）" if chinese else f"{text} ({extra})") if extra and extra != text else text


def ask_label(param: Param, chinese: bool) -> str:
    """What to call a parameter when asking for it, its own name behind it."""
    noun = next((n for n in (*param.noun, *param.concepts) if n in (_ASK_ZH if chinese else _ASK_EN)), None)
    if noun:
        name = _ASK_ZH[noun] if chinese else _ASK_EN[noun]
    else:
        name = label(param.name, chinese)
    told = param.description.strip().rstrip("。.")
    detail = f"，{told}" if chinese and told else f": {told}" if told else ""
    return f"{name}（{param.name}{detail}）" if chinese else f"the {name} ({param.name}{detail})"


def claim(act: str | None, what: str, chinese: bool, family: int) -> str:
    """That an act was done on something, in one of three families of phrases."""
    if chinese:
        word = act_word(act, True) if act else "办理"
        extra = "，退款申请已提交" if act == "refund" else ""
        if family == 0:
            return f"{what}已{word}{extra}。"
        if family == 1:
            return f"我已经为您{word}：{what}（已{word}）{extra}。"
        return f"{word}完成，{what}已处理好{extra}。"
    word = past(act) if act else "done"
    extra = "; the refund request was submitted" if act == "refund" else ""
    if family == 0:
        return f"{what[:1].upper()}{what[1:]} has been {word}{extra}."
    if family == 1:
        return f"I have {word} {what}{extra}."
    return f"Done: {what} is now {word}{extra}."


def refusal(act: str | None, what: str, why: str, chinese: bool) -> str:
    """That something cannot be done, and why."""
    extra = gloss(why, chinese)
    if chinese:
        word = act_word(act, True) if act else "办理"
        return f"抱歉，无法{word}{what}：{why}" + (f"（{extra}）" if extra else "") + "。没有做任何更改。"
    return (
        f"Sorry, I cannot {act_word(act, False) if act else 'do this for'} {what}: {why}"
        + (f" ({extra})" if extra else "")
        + ". Nothing was changed."
    )
