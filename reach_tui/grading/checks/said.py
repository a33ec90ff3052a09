"""What the agent must have said, told and asked: required text, facts, fields asked for, a refusal with its reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from reach_tui.core.grading import CheckKind, CheckResult
from reach_tui.core.task import AcceptableState
from reach_tui.grading.checks import check
from reach_tui.grading.evidence import Evidence
from reach_tui.grading.state.expressions import PatternTrouble
from reach_tui.grading.wording import entry_decides, entry_in_words, normal, where_said


def word_checks(outcome: AcceptableState, evidence: Evidence) -> Iterator[CheckResult]:
    """A check for each entry of `must_include` and `told`, in any message of the agent."""
    yield from _entries("text", outcome.must_include, evidence)
    yield from _entries("told", outcome.told, evidence)


def _entries(kind: CheckKind, entries: Sequence[Any], evidence: Evidence) -> Iterator[CheckResult]:
    verb = "told" if kind == "told" else "said"
    for entry in entries:
        words, decides = entry_in_words(entry), entry_decides(entry)
        try:
            step = where_said(entry, evidence.messages, evidence.value_at)
        except PatternTrouble as trouble:
            yield check(kind, None, str(trouble), decides=decides, expected=entry)
            continue
        if step is None:
            why = f"the user was never told {words}" if kind == "told" else f"no message of the agent holds {words}"
            yield check(kind, False, why, decides=decides, expected=entry)
        else:
            yield check(kind, True, f"{verb}: {words}", decides=decides, expected=entry, step=step.n)


_ASKING = re.compile(
    r"[?？]|请(?:问|您|你|提供|告知|告诉|补充|确认|说明|发|给|选择)|麻烦|告诉我|需要(?:您|你|知道|确认)|能否|可否|哪|什么|多少|几(?=[个件号天])"
    r"|\b(?:what|which|who|where|when|how|could you|can you|would you|may i|please|let me know|tell me"
    r"|provide|need (?:your|the|to know)|confirm)\b"
)
_SENTENCE_END = re.compile(r"(?<=[。！!?？])|(?<=[a-z0-9)]\.)\s")
_NAMING = re.compile(r"\b(?:id|ids|no|number|code|nr|name)$")

FIELD_WORDS = (
    ("order", "订单", "订单号", "单号", "order number"),
    ("member", "会员", "会员号", "会员编号", "membership", "member number"),
    ("customer", "客户", "顾客", "account"),
    ("phone", "mobile", "电话", "手机", "手机号", "联系方式"),
    ("email", "e-mail", "mail", "邮箱", "邮件"),
    ("address", "地址", "收货地址", "寄到哪"),
    ("postcode", "zip", "邮编", "postal"),
    ("recipient", "收件人", "收货人"),
    ("reason", "why", "原因", "为什么", "理由"),
    ("amount", "sum", "金额", "多少钱", "how much"),
    ("quantity", "数量", "几件", "几个", "多少件", "how many"),
    ("date", "day", "日期", "哪天", "几号", "什么时候", "when"),
    ("time", "时间", "几点"),
    ("size", "尺码", "尺寸", "大小"),
    ("color", "colour", "颜色"),
    ("sku", "article", "货号", "型号", "款式"),
    ("item", "product", "商品", "哪件", "哪个商品", "which one"),
    ("channel", "method", "渠道", "退款方式", "方式"),
    ("region", "区域", "地区", "大区"),
    ("department", "部门"),
    ("ticket", "工单", "工单号"),
    ("shipment", "tracking", "parcel", "包裹", "运单", "快递单号", "物流单号"),
    ("budget", "预算"),
)
"""Words for one and the same field, as tools, suites and people name it."""


def asked_checks(fields: Sequence[Any], evidence: Evidence) -> Iterator[CheckResult]:
    """A check for each field: a message that asks for it, before the first successful write."""
    first_write = evidence.writes[0].n if evidence.writes else None
    for field in fields:
        words = entry_in_words(field)
        step = next((m.step.n for m in evidence.messages if asks_for(field, m.step.text)), None)
        if step is None:
            yield check("asked", False, f"never asked for {words}", expected=field)
        elif first_write is not None and first_write < step:
            why = f"asked for {words} at step {step}, after the write of step {first_write}"
            yield check("asked", False, why, expected=field, step=first_write)
        else:
            yield check("asked", True, f"asked for {words}", expected=field, step=step)


def asks_for(field: Any, message: str) -> bool:
    """Whether a message asks for a field (or one of several names of it): a question or request that names it."""
    if isinstance(field, (list, tuple)):
        return any(asks_for(name, message) for name in field)
    names = _names(str(field))
    # A list after a colon belongs to the request that introduces it: line ends do not end a sentence here.
    for sentence in _SENTENCE_END.split(normal(message)):
        if _ASKING.search(sentence) and any(_stands(word, sentence) for word in names):
            return True
    return False


def _names(field: str) -> list[str]:
    name = normal(field.replace("_", " "))
    stem = _NAMING.sub("", name).strip() or name
    heads = {name, stem, *stem.split()[-1:]}
    return list(dict.fromkeys([name, stem, *(word for words in FIELD_WORDS if heads & set(words) for word in words)]))


def _stands(word: str, sentence: str) -> bool:
    if word.isascii():
        return re.search(rf"(?<![a-z]){re.escape(word)}s?(?![a-z])", sentence) is not None
    return word in sentence


_REFUSING = re.compile(
    r"无法|不能|不可|不支持|不符合|不允许|不予|不满足|不在|不属于|不存在|没有|未能|没能|抱歉|对不起|遗憾|拒绝|超过|超出|过期|已过"
    r"|只能|仅限|必须|权限|暂不|冻结|找不到"
    r"|\b(?:not|no|cannot|unable|sorry|unfortunately|afraid|declined?|refuse|denied|outside|expired|exceeds?|ineligible"
    r"|longer|against|policy|only|must|require[sd]?|permission|authori[sz]ed|impossible|frozen)\b|n['’]t\b"
)


def refusal_check(outcome: AcceptableState, evidence: Evidence) -> CheckResult:
    """Whether the user was told: by the declared texts (their own checks), else by a message that says no."""
    if not evidence.messages:
        return check("refusal", False, "the user was told nothing")
    if outcome.must_include or outcome.told:
        words = "the user got an answer; the required texts say whether it tells why"
        return check("refusal", True, words, step=evidence.messages[-1].step.n)
    for message in evidence.messages:
        if _REFUSING.search(message.normal):
            return check("refusal", True, "the user was told that it cannot be done", step=message.step.n)
    return check(
        "refusal", False, "no message tells the user that it cannot be done", step=evidence.messages[-1].step.n
    )
