"""Values that users mention, each with the noun it was called by: 会员 M10086, order A100, 手机号 138..."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reach_tui.agents.simulated import values as forms
from reach_tui.agents.simulated.features import Token, tokens
from reach_tui.agents.simulated.lexicon import ACT, ROLE, THING
from reach_tui.agents.simulated.values import find_values


@dataclass(frozen=True, slots=True)
class Mention:
    """An identifier in a text and the nouns next to it (none if it stands alone); `loose` where the noun only follows
    it (A105 包裹), which may name it or something of it."""

    text: str
    nouns: tuple[str, ...]
    start: int
    end: int
    loose: bool = False


_GAP_BEFORE = re.compile(
    r"^\s*(?:号|编号|number|no\.?|id|code|#|＃|：|:|是|为|is|=|\(|（|called|with id|的编号)*\s*[#＃]?$", re.IGNORECASE
)
_GAP_AFTER = re.compile(r"^\s*(?:号|这个|这张|这笔|那个|那张|那笔|这一)?\s*$")
_JOIN = re.compile(r"^\s*(?:,|，|、|and|&|和|与|跟|以及|or|或|及|还有|/|, and)\s*$", re.IGNORECASE)
_DENIED = re.compile(r"(?:不是|\bnot)\s*(?:order|订单|会员|member)?\s*$", re.IGNORECASE)
_ID_FIELDS = frozenset({"tracking_no", "phone", "email"})
_GENERAL = frozenset({"number", "created", "date", "status", "name", "quantity"})


@lru_cache(maxsize=4096)
def mentions(text: str) -> tuple[Mention, ...]:
    """Identifiers in `text`, in order. `orders A1 and A2` names both orders; `not A1` names none."""
    found = tokens(text)
    out: list[Mention] = []
    for value in find_values(text):
        if value.kind not in (forms.ID, forms.NUMBER, forms.PHONE) or (
            value.kind == forms.NUMBER and (value.unit or not value.text.isdigit())
        ):
            continue
        if _DENIED.search(text[max(0, value.start - 12) : value.start]):
            continue
        nouns, loose = _label(text, found, value.start, value.end)
        previous = out[-1] if out else None
        if not nouns and previous and _JOIN.match(text[previous.end : value.start]):
            nouns, loose = previous.nouns, previous.loose
        if value.kind == forms.NUMBER and not (nouns and any(ROLE[n] == THING for n in nouns)):
            continue
        if value.kind == forms.PHONE and not (
            nouns and any(ROLE[n] == THING and n not in ("member", "employee", "supplier") for n in nouns)
        ):
            continue
        out.append(Mention(value.text, nouns, value.start, value.end, loose))
    return tuple(out)


def _label(text: str, found: tuple[Token, ...], start: int, end: int) -> tuple[tuple[str, ...], bool]:
    """The nouns next to a value, and whether they only follow it."""
    for token in reversed([t for t in found if t.end <= start and t.kind == "concept"][-2:]):
        nouns = tuple(k for k in token.keys if ROLE[k] == THING or k in _ID_FIELDS)
        if any(ROLE[k] == ACT for k in token.keys):
            return (), False
        if not _GAP_BEFORE.match(text[token.end : start]):
            break
        if nouns:
            return nouns, False
        start = token.start
    after = next((t for t in found if t.start >= end and t.kind != "value"), None)
    if after is None or after.kind != "concept" or text[after.start : after.end].isascii():
        return (), False
    if not _GAP_AFTER.match(text[end : after.start]) or any(ROLE[k] == ACT for k in after.keys):
        return (), False
    return tuple(k for k in after.keys if ROLE[k] == THING), True


def same_noun(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether two sets of nouns can name the same thing."""
    return bool({_CLASS.get(n, n) for n in one} & {_CLASS.get(n, n) for n in two})


_CLASS = {
    "refund_record": "refund", "invoice_record": "invoice", "tracking_no": "tracking_no", "reservation": "booking",
    "stock": "item",
    "return_record": "return", "reserve": "booking", "expense": "approval",
}  # fmt: skip
