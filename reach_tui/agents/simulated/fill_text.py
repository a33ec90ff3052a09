"""Names, addresses, search words and free text for a parameter, out of the user's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from reach_tui.agents.simulated import said as labels
from reach_tui.agents.simulated import values as forms
from reach_tui.agents.simulated.chunks import Chunk, chunks
from reach_tui.agents.simulated.features import concepts, spaced, tokens
from reach_tui.agents.simulated.goals import Goal
from reach_tui.agents.simulated.lexicon import ROLE, STATE, THING
from reach_tui.agents.simulated.parameters import Param
from reach_tui.agents.simulated.values import find_values

_LABEL_OF = {
    "reason": (labels.REASON, labels.ANY), "cause": (labels.REASON, labels.ANY), "note": (labels.COMMENT,
    labels.CONTENT, labels.ANY), "comment": (labels.COMMENT, labels.ANY),
    "remark": (labels.COMMENT, labels.ANY), "memo": (labels.COMMENT, labels.ANY), "content": (labels.CONTENT,
    labels.ANY, labels.COMMENT), "message": (labels.CONTENT, labels.ANY, labels.COMMENT),
    "text": (labels.CONTENT, labels.ANY, labels.COMMENT), "body": (labels.CONTENT, labels.ANY),
    "subject": (labels.SUBJECT, labels.ANY), "title": (labels.SUBJECT, labels.ANY),
    "topic": (labels.SUBJECT, labels.ANY), "description": (labels.CONTENT, labels.ANY), "summary": (labels.SUBJECT,
    labels.ANY),
}  # fmt: skip
_ANY_LABEL = (labels.ANY, labels.CONTENT, labels.REASON, labels.COMMENT, labels.SUBJECT)
_ABOUT = re.compile(
    r"(?:\b(?:about|regarding|concerning|because|saying|for)\b|关于|说明|反映|反馈)\s*(.{3,})", re.IGNORECASE
)
_POLITE = re.compile(
    r"^(?:请|麻烦|帮我|帮忙|给我|替我|我要|我想|你好|您好|hi|hello|hey|please|could you|can you|would you|i want "
    r"to|i'd like to|i would like to|i need to|，|,|\s|另外|然后|就|再)+",
    re.IGNORECASE,
)
_ADDRESS_ZH = re.compile(
    r"[\u4e00-\u9fff]{2,}(?:省|市|区|县|镇|乡|路|街|大道|巷|弄|村|小区|大厦|广场|园)[\u4e00-\u9fffA-Za-z0-9 "
    r"\-#号栋楼室单元层座]*"
)
_ADDRESS_EN = re.compile(r"\b\d{1,5}[A-Za-z]?\s+(?:[A-Z][\w'’.-]*\s*)+(?:,\s*(?:[A-Z0-9][\w'’.-]*\s*)+)*")
_ANSWER_LEAD = re.compile(
    r"^(?:嗯|好的?|那|就|新的?|我的?|收货|送货|the|my|new|it(?:'s| is)|it should be|should be|please|use|to|"
    r"ok(?:ay)?|sure|yes|是的?|对|请|改成|改为|寄到|送到|delivery|shipping|address|地址|is|改|换成|=|：|:|，|,|。|"
    r"\s)+",
    re.IGNORECASE,
)
_ADDRESS_FORM = re.compile(
    r"[\u4e00-\u9fff](?:省|市|区|县|镇|乡|路|街|巷|栋|楼|村|大道|大厦|小区|胡同|广场)|\d+\s?号(?!码)|\b\d{1,"
    r"5}[A-Za-z]?\s+[A-Z][a-z]"
    r"|\b(?:street|st|road|rd|lane|avenue|ave|drive|way|court|place|square)\b",
    re.IGNORECASE,
)
_NAME_EN = re.compile(r"[A-Z][a-z]+(?:[ -][A-Z][a-z]+)*")
_SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜"
    "崔钟谭陆汪范石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔汤温康施牛樊葛邢安齐"
)
_PERSON = frozenset({"name", "employee", "member", "applicant", "supplier", "visitor", "manager"})
_NOT_PERSON = frozenset({
    "region", "department", "item", "room", "warehouse", "project", "category", "meeting", "device", "course",
    "vehicle",
})  # fmt: skip
_JOIN = re.compile(r"^\s*(?:和|与|跟|、|以及|,|，|and|&|or|还是)\s*$", re.IGNORECASE)
_SINGLE_SUFFIX = {"department": "部"}


def text_for(param: Param, goal: Goal, needed: bool) -> str | None:
    """Free text: content with the parameter's label, other content, what was told, and only then the request itself."""
    first = next((label for word, label in _LABEL_OF.items() if word in spaced(param.name).lower().split()), _ANY_LABEL)
    by_label = {one.label: one.text for one in reversed(goal.said) if one.label != labels.NEW}
    for label in first:
        if by_label.get(label):
            return by_label[label]
    quoted = next((v.text for v in find_values(goal.text) if v.kind == forms.QUOTED), None)
    if quoted:
        return quoted
    reasonlike = labels.REASON in first or needed
    if reasonlike or labels.SUBJECT in first:
        for label in _ANY_LABEL:
            if by_label.get(label) and (needed or label in (labels.REASON, labels.ANY)):
                return by_label[label]
        told = _told(goal.near, needed)
        if told:
            return told
    if not needed:
        return None
    about = _ABOUT.search(goal.head)
    if about and concepts(about.group(1)):
        return about.group(1).strip(" ，,。.")
    context = " ".join(cond.text for cond, _ in goal.conds)
    plain = _POLITE.sub("", goal.head).strip(" ，,。.：:")
    return (context or plain or goal.text or "").strip() or None


def _told(near: str, needed: bool) -> str | None:
    """What the user told beside the request, if it says something of a state (broken, late, does not fit)."""
    if not near:
        return None
    kinds = {ROLE[c] for c in concepts(near)}
    loose = any(t.kind in ("word", "piece") for t in tokens(near))
    if STATE in kinds or (needed and loose and len(near) > 6):
        return near.strip(" ，,。.")
    return None


def address_for(goal: Goal, texts: Sequence[str], answered: Sequence[str]) -> str | None:
    """A postal address: what follows 改成 or `to`, else what has the form of one, else an answer taken whole."""
    for one in goal.said:
        if one.label == labels.NEW and addressy(one.text):
            return one.text
    for text in texts:
        for pattern in (_ADDRESS_ZH, _ADDRESS_EN):
            match = pattern.search(text)
            if match and addressy(match.group()):
                return re.sub(r"^(?:地址|收货地址|新地址|改成|改为|寄到|送到|是|到|给我|把)+", "", match.group()).strip(
                    " ，,。."
                )
    for text in answered:
        rest = _ANSWER_LEAD.sub("", text).strip(" ，,。.!！")
        if len(rest) >= 4 and addressy(rest):
            return rest
    return None


def addressy(text: str) -> bool:
    """Whether a text has the form of a postal address."""
    return len(text) >= 4 and bool(_ADDRESS_FORM.search(text))


def names_for(param: Param, texts: Sequence[str], known: frozenset[str], sure: bool = False) -> tuple[str, ...]:
    """Names of persons, regions, departments, things: quoted, known from records, or loose words in the right place.

    `sure`: a Chinese person's name must begin with a common surname, as where the parameter may as well be left out.
    """
    wanted = set(param.concepts)
    person = bool(wanted & _PERSON) and not wanted & _NOT_PERSON
    for text in texts:
        quoted = [v.text for v in find_values(text) if v.kind == forms.QUOTED]
        if quoted:
            return (quoted[0],)
        example = next((e for e in param.examples if e.lower() in text.lower()), None)
        if example:
            return (example,)
        found = [c for c in chunks(text) if not _is_plain_word(c)]
        picked = _persons(text, found, sure) if person else _things(text, found, wanted, param)
        if picked:
            return picked
        stands = [name for name in sorted(known, key=text.find) if name in text]
        if stands:
            return (stands[0],)
    return ()


def looks_like_person(text: str) -> bool:
    """Whether a loose name has the form of an English person's (Jane Doe)."""
    return bool(_NAME_EN.fullmatch(text)) and " " in text


def _is_plain_word(chunk: Chunk) -> bool:
    return chunk.text.isascii() and len(chunk.text) < 3


def _persons(text: str, found: Sequence[Chunk], sure: bool) -> tuple[str, ...]:
    english = [c.text for c in found if _NAME_EN.fullmatch(c.text) and (c.start > 0 or " " in c.text)]
    if english:
        return (english[0],)
    chinese = [c for c in found if not c.text.isascii() and 2 <= len(c.text) <= 4]
    if sure:
        chinese = [c for c in chinese if c.text[0] in _SURNAMES]
    return (chinese[0].text,) if chinese else ()


def _things(text: str, found: Sequence[Chunk], wanted: set[str], param: Param) -> tuple[str, ...]:
    touching = [c for c in found if wanted & set(c.right)] or [c for c in found if wanted & set(c.left)]
    pool = touching or list(found)
    if not pool:
        return ()
    first = pool[0]
    out = [_with_suffix(text, first, wanted, param)]
    for before, after in pairwise(found):
        if before.text in (out[-1], first.text) or out[-1].startswith(before.text):
            between = text[before.end : after.start]
            if _JOIN.match(between) or _JOIN.match(between[1:]):
                out.append(_with_suffix(text, after, wanted, param))
    return tuple(dict.fromkeys(out))


def _with_suffix(text: str, chunk: Chunk, wanted: set[str], param: Param) -> str:
    """市场 + 部: a one-sign suffix that belongs to the name."""
    for concept, suffix in _SINGLE_SUFFIX.items():
        if concept in wanted and text[chunk.end : chunk.end + 1] == suffix:
            return chunk.text + suffix
    if param.examples and any(e[-1:] == text[chunk.end : chunk.end + 1] for e in param.examples):
        return chunk.text + text[chunk.end : chunk.end + 1]
    return chunk.text


def search_words(texts: Sequence[str], nouns: Sequence[str]) -> tuple[str, ...]:
    """Words to search by, best first: quoted, the loose words beside a noun, their singular, their last word."""
    out: list[str] = []
    for text in texts:
        quoted = [v.text for v in find_values(text) if v.kind == forms.QUOTED]
        if quoted:
            return _variants(quoted[0])
        found = [c for c in chunks(text) if not _is_plain_word(c)]
        found.sort(key=lambda c: (not set(c.right) & set(nouns), not set(c.left) & set(nouns), c.start))
        out.extend(word for chunk in found for word in _variants(chunk.text))
        if found:
            continue
        known = [
            text[t.start : t.end]
            for t in tokens(text)
            if t.kind == "concept"
            and any(
                ROLE[k] == THING and k not in nouns and k not in ("number", "quantity", "date", "price", "amount")
                for k in t.keys
            )
        ]
        out.extend(known)
    return tuple(dict.fromkeys(out))


def compared_words(text: str) -> tuple[str, ...]:
    """The names of a comparison (the silk or the wool scarf); none where there are fewer than two."""
    found = [chunk for chunk in chunks(text) if not _is_plain_word(chunk)]
    joined = [b.text for a, b in pairwise(found) if _JOIN.match(text[a.end : b.start])]
    return (found[0].text, *joined) if joined else ()


def _variants(words: str) -> tuple[str, ...]:
    out = [words]
    if words.isascii():
        for form in (words, words.split()[-1]):
            low = form.lower()
            out.append(low)
            if low.endswith("ves"):
                out.append(low[:-3] + "f")
            if low.endswith("ies"):
                out.append(low[:-3] + "y")
            if low.endswith("es"):
                out.append(low[:-2])
            if low.endswith("s") and not low.endswith("ss"):
                out.append(low[:-1])
    elif len(words) > 2:
        out.extend((words[-2:], words[:2]))
    return tuple(dict.fromkeys(out))
