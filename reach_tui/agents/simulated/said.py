"""Spans of a request that are content, not instruction: reasons, messages, new values, what follows a colon."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reach_tui.agents.simulated.features import concepts
from reach_tui.agents.simulated.lexicon import ACT, ROLE
from reach_tui.agents.simulated.values import QUOTED, find_values

REASON, COMMENT, CONTENT, SUBJECT, NEW, ANY = "reason", "comment", "content", "subject", "new", "any"


@dataclass(frozen=True, slots=True)
class Said:
    """Content of a request: `label` is one of the names above, `start` and `end` its place, `marker` its lead."""

    label: str
    text: str
    start: int
    end: int
    marker: int


_LABELLED = re.compile(
    r"(?P<reason>(?:理由|原因)(?:是|为|写|填|：|:|就说|就写|呢)*[\s]*|因为|由于|\bbecause\b(?: of)?|\b(?:the "
    r")?reason(?: is| being| for this is|:)"
    r"|\bas (?=(?:it|the|they|my) (?:is|was|are|were|arrived|does|did)\b)|\bsince (?=(?:it|the|they|my) ))"
    r"|(?P<comment>(?:备注|附言|说明|意见|批注|留言)(?:是|为|写|填|上|一下|：|:|一句)*[\s]*|\b(?:note|comment|"
    r"remark)(?: that| saying|:)"
    r"|\bwith (?:the |a )?(?:note|comment|remark)(?: that| saying|:)?)"
    r"|(?P<content>(?:内容)(?:是|为|写|：|:)*[\s]*|\b(?:saying|that says|telling (?:him|her|them)(?: that)?|that "
    r"reads|with the (?:text|message)(?: that| saying|:)?)"
    r"|(?:告诉|通知|提醒|转告)(?:他们?|她们?|对方|大家|一下)(?:，|,|：|:)?(?=.{4})"
    r"|\b(?:message|text|write|note)(?: to)? [^:,.]{0,30}? that\b|\b(?:tell|inform|notify|remind|let) (?!me\b|"
    r"us\b)[^:,.]{1,24}?(?: know)? that\b)"
    r"|(?P<subject>(?<=[，,])\s*(?:咨询|反映|反馈|说是)(?=[^？?]{3,}(?:$|[。！]))|(?:主题|标题|题目)(?:是|为|写|叫|"
    r"：|:)*[\s]*|\b(?:subject|title|titled|topic)(?: is|:)?\s|\bwith the (?:subject|title)\b)"
    r"|(?P<new>(?:改(?:收货|收件|送货|派送)?地址(?:到|为|成)|修改成|修改为|更改为|变更为|变更成|更新为|更新成|改成|"
    r"改为|改到|换成|换到|(?:寄到|送到|寄往)(?!了?哪|什么|何)|换(?:一[双件个台条款张]|个|"
    r"为)(?=\s*[A-Z]+[-_]?[A-Z0-9])|调整为|"
    r"调整到|设为|设成|设置为|设置成|应该是|应为|(?:新|正确)(?:的)?(?:收货|收件|送货|派送)?(?:地址|电话|手机号|"
    r"邮箱)(?:是|为|应该是)?(?:：|:)?|(?:收货|收件|送货)?地址(?:是|为|：|:)(?!什么|哪|多少)|\b(?:new|correct|right|"
    r"proper) (?:delivery |shipping |postal )?(?:address|phone number|phone|email)(?: is| should be|:))\s*)"
    r"|(?P<any>[：:](?!\d\d)|说(?=[“\"「])|写着?(?=[“\"「]))",
    re.IGNORECASE,
)
_NEW_EN = re.compile(
    r"\b(?:change|update|set|correct|amend|modify|edit|switch|rename|redirect|move|deliver|send|ship|make|should "
    r"be|should read|is now)\b"
    r"[^.;!?\n]*?\b(?:to|is now|should be|should read|as|at)(?::)?\s+(?=[\"“'‘]|\d|[A-Z][a-z]|[\u4e00-\u9fff])",
    re.IGNORECASE,
)
_FOR_EN = re.compile(
    r"\b(?i:exchange|swap|replace|change)\w*\b[^.;!?\n]{0,50}?\b(?:for|"
    r"with)\s+(?=[A-Z]+[-_]?[A-Z0-9]+(?:[-_][A-Z0-9]+)*\b)"
)
_GO_TO = re.compile(
    r"\b(?:should|must|needs? to|has to|have to|please|can you|could you|to)?\s*(?:go(?:es)?|be (?:sent|delivered|"
    r"shipped)|(?:deliver|send|ship|redirect|forward|post|mail)(?:ed|ped)?(?:\s+[\w'’-]{1,20}){0,4}|delivered|"
    r"shipped)\s+to:?\s+(?=\d{1,5}[A-Za-z]?\s+[A-Z])"
)
_STRONG = re.compile(r"[。！？!?；;\n]|\.(?=\s|$)")
_NEXT = re.compile(
    r"[，,]\s*(?:我的|我是|是)?(?:订单|会员|工单|客户|手机|员工|单号|order|member|ticket|customer)[^，,。]{0,"
    r"6}[A-Za-z]{0,4}-?\d|[，,]\s*(?:然后|另外|再(?!见)|并(?!不)|顺便|同时|接着|最后|还要|还有|此外|谢谢|麻烦|请|"
    r"帮我|如果|否则|不然|then\b|and (?:then|also|please)\b|also\b|plus\b|otherwise\b|if\b|please\b|thanks?\b|but\b"
    r"|and (?:cancel|refund|open|send|tell|check|add|close|notify|create|update|change)\b)|\s+(?:and then|and also|"
    r"then also)\b|\s+and (?:please |also )?(?:add|put|cancel|refund|open|send|tell|check|close|notify|create|"
    r"update|change|let|make|give|reserve)\b|\s+instead\b|(?:就行|就好|就可以)了?$",
    re.IGNORECASE,
)
_COMMA = re.compile(r"[，,]")
_CASE_OPEN = re.compile(
    r"事|问题|如下|以下|需求|things?|questions?|requests?|tasks?|following|favou?rs?", re.IGNORECASE
)
_TRIM = " \t，,：:。.；;、-—"


@lru_cache(maxsize=4096)
def find_said(text: str) -> tuple[Said, ...]:
    """Content spans of `text`, in order, none overlapping."""
    out: list[Said] = []
    at = 0
    values = find_values(text)
    for match in sorted((*_LABELLED.finditer(text), *_new_values(text)), key=lambda m: (m.start(), -m.end())):
        if match.start() < at or any(
            v.start < match.end() <= v.end and v.kind == QUOTED and v.start < match.start() for v in values
        ):
            continue
        label = str(match.lastgroup) if match.lastgroup else NEW
        if label == ANY and not _opens_content(text, match.start(), match.end()):
            continue
        start, end = match.end(), _end(text, match.end(), label)
        raw = text[start:end]
        content = raw.strip(_TRIM)
        if len(content) < 2 and label != NEW:
            continue
        if label in (REASON, COMMENT, SUBJECT, CONTENT) and not _long_enough(content):
            continue
        quoted = next((v for v in find_values(raw) if v.kind == QUOTED and v.start <= 3), None)
        begins = start + (len(raw) - len(raw.lstrip(_TRIM)))
        out.append(Said(label, quoted.text if quoted else content, begins, end, match.start()))
        at = end
    return tuple(out)


def _new_values(text: str) -> list[re.Match[str]]:
    swapped = [*_FOR_EN.finditer(text), *_GO_TO.finditer(text)]
    return swapped + [
        match
        for match in _NEW_EN.finditer(text)
        if {"address", "name", "email", "phone"} & set(concepts(match.group()))
    ]


def _long_enough(content: str) -> bool:
    return len(content) >= 2 and not re.match(r"(?:是什么|为什么|呢|吗|\?|？)", content)


def _opens_content(text: str, start: int, end: int) -> bool:
    """A colon opens content unless it labels a value (订单号：A100) or a list of wishes (三件事：...)."""
    if text[start] not in "：:":
        return True
    rest = text[end:].lstrip()
    if not rest or rest.startswith("//"):
        return False
    before = max(text.rfind(sign, 0, start) for sign in "。！？!?；;\n") + 1
    left = text[before:start]
    if _CASE_OPEN.search(left) and not {"subject", "content", "ticket", "message"} & set(concepts(left)):
        return False
    first = next(iter(find_values(rest)), None)
    if first and first.start == 0 and first.kind not in (QUOTED, "date"):
        return False
    found = set(concepts(left))
    return (
        any(ROLE[c] == ACT for c in found)
        or bool(found & {"subject", "content", "ticket", "message", "comment", "reason", "approval"})
        or (not found and len(left) > 12)
    )


def _end(text: str, start: int, label: str) -> int:
    values = [v for v in find_values(text) if v.end > start]
    if values and values[0].kind == QUOTED and values[0].start - start <= 2:
        return values[0].end
    ends = [len(text)]
    for pattern in (_STRONG, _NEXT, *((_COMMA,) if label == REASON else ())):
        for match in pattern.finditer(text, start + 1):
            if not any(v.start < match.start() < v.end for v in values):
                ends.append(match.start())
                break
    return min(ends)
