"""Words by which people pick from a list: cheapest, 最近一笔, at most 200, 还没发货的, all of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reach_tui.agents.simulated import values as forms
from reach_tui.agents.simulated.features import concepts, tokens
from reach_tui.agents.simulated.lexicon import ACT, FIELD, ROLE, STATE, THING
from reach_tui.agents.simulated.mood import act_keys
from reach_tui.agents.simulated.values import find_values

LOW, HIGH = "low", "high"


@dataclass(frozen=True, slots=True)
class Bound:
    """A numeric condition: `op` one of < <= > >= =, `number` in the unit written, `kind` of the value, `about` concepts
    that say which field it speaks of."""

    op: str
    number: float
    kind: str
    unit: str
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cues:
    """How a text picks. `best` is (concept of the field, LOW or HIGH); `states` (concept, denied); `stock` True for in
    stock, False for out of stock; `every` for all of them; `take` how many of the best."""

    best: tuple[str, str] | None
    states: tuple[tuple[str, bool], ...]
    bounds: tuple[Bound, ...]
    stock: bool | None
    every: bool
    plural: bool
    take: int

    @property
    def picks(self) -> bool:
        """Whether there is anything to pick by."""
        return bool(self.best or self.states or self.bounds or self.stock is not None)


_BEST = (
    ("price", LOW,
        r"最便宜|最低价|价格最低|最实惠|便宜的那|越便宜越好|\bcheapest\b|\bleast expensive\b|\blowest[- ]priced?\b|"
        r"\bcheaper\b|更便宜|便宜点的|较便宜|比较便宜|哪[个笔件款单种](?:订单|商品)?(?:更|比较)?便宜"),
    ("price", HIGH,
        r"最贵|价格最高|\bmost expensive\b|\bpriciest\b|\bdearest\b|\bmore expensive\b|\bcosts? (?:the )?(?:more|"
        r"most)\b|\bworth more\b|更贵|较贵|比较贵|哪[个笔件款单种](?:订单|商品)?(?:更|比较)?贵|\bmost valuable\b"),
    ("date", LOW, r"最早|最旧|最老|第一笔|第一个订单|首单|越早越好|最先|\bearliest\b|\boldest\b|\bvery first\b|\bfirst "
        r"(?:order|one|ticket|request|purchase)\b|\bsoonest\b|最快"),
    ("date", HIGH, r"最近|最新|最后一|最晚|上一[笔个单]|刚(?:刚)?(?=[下买提开收创申])|\blatest\b|\bnewest\b|\bmost "
        r"recent(?:ly)?\b|\blast (?:order|one|ticket|purchase|payment|request|refund|shipment)\b|\brecent(?:ly)?\b|"
        r"\bjust (?:placed|received|bought|ordered|opened|got)\b"),
    ("", LOW, r"最少|最小|最低|越小越好|越少越好|\bsmallest\b|\blowest\b|\bfewest\b|\bleast\b|更低|更少|更小|\blower\b|"
        r"\bsmaller\b|\bfewer\b"),
    ("", HIGH,
        r"最多|最大|最高|越大越好|越多越好|\blargest\b|\bbiggest\b|\bhighest\b|\bmost\b(?! of\b)|\bgreatest\b|更高|"
        r"更多|更大|\bhigher\b|\blarger\b|\bbigger\b|\btop\b"),
)  # fmt: skip
_BEST_PATTERNS = tuple((concept, way, re.compile(pattern, re.IGNORECASE)) for concept, way, pattern in _BEST)
_MOST_BOUND = re.compile(r"(?:最多|最少|至少|\bat (?:most|least))\s*\d")
_BEFORE = (
    ("<=", r"不超过|至多|最多|不高于|不多于|不大于|\bat most\b|\bno more than\b|\bup to\b|\bwithin\b|\bnot? (?:more|"
        r"over|above)(?: than)?\b|\bmaximum(?: of)?\b"),
    (">=", r"至少|最少|不低于|不少于|不小于|起码|达到|够|满|\bat least\b|\bno less than\b|\bminimum(?: of)?\b|\bnot? "
        r"(?:less|under|below)(?: than)?\b"),
    ("<", r"低于|小于|少于|不到|不足|不够|没到|没超过|未超过|\bunder\b|\bbelow\b|\bless than\b|\bcheaper than\b|"
        r"\bfewer than\b|\bdoes not exceed\b|<"),
    (">", r"超过|大于|高于|多于|超出|\bover\b|\babove\b|\bmore than\b|\bexceed(?:s|ed|ing)?\b|\bgreater than\b|"
        r"\bhigher than\b|\blonger than\b|\bolder than\b|>"),
)  # fmt: skip
_AFTER = (
    ("<=", r"(?:或)?以下|以内|之内|内|\bor less\b|\bor fewer\b|\bor under\b|\bmax\b|\bat most\b|\bor below\b"),
    (">=", r"(?:或)?以上|起|\bor more\b|\bor above\b|\bor over\b|\bplus\b|\bminimum\b|\bat least\b"),
)  # fmt: skip
_BEFORE_PATTERNS = tuple(
    (op, re.compile(rf"(?:{pattern})(?:了|过|的)?(?:[\s约大]|a|the|of|price)*$", re.IGNORECASE))
    for op, pattern in _BEFORE
)
_AFTER_PATTERNS = tuple(
    (op, re.compile(rf"^\s*(?:人|个|件|units?|people|days?|pieces|元)?\s*(?:{pattern})", re.IGNORECASE))
    for op, pattern in _AFTER
)
_EVERY = re.compile(
    r"所有|全部|全都|都(?!有什么)|每一?[个笔张件条]|统统|一起|\ball\b(?! right)|\bevery\b|\beach\b|\bboth\b|\bthem\b",
    re.IGNORECASE,
)
_PLURAL = re.compile(
    r"哪些|哪几|几[个笔张件条单款]|多少[个笔张件条单款]|有什么|都有|列出|列一下|清单|\bwhich (?:\w+ )?\w+s\b|\bhow "
    r"many\b|\blist\b|\bwhat \w+s\b|\bany\b|\bhistory\b|记录",
    re.IGNORECASE,
)
_IN_STOCK = re.compile(r"有(?:没有)?货|有(?:没有)?库存|有现货|还有货|现货|\bin stock\b|\bavailable\b", re.IGNORECASE)
_OUT_OF_STOCK = re.compile(
    r"缺货|无货|(?<!有)没(?:有)?(?:货|库存|现货)|断货|售罄|\bout of stock\b|\bsold out\b|\bunavailable\b|\bnot "
    r"(?:in stock|available)\b|n['’]t (?:in stock|available)",
    re.IGNORECASE,
)
_TAKE = re.compile(
    r"(?:最近|最新|最早|最后|前|\blast|\blatest|\btop|\bfirst|\brecent)\s*(?:的)?\s*(\d{1,3}|"
    r"[一两二三四五六七八九十])\s*(?:笔|个|张|件|条|单|款|\s\w)"
)
_STATUS = re.compile(r"(?:状态|status)(?:为|是|=|：|:| is| of)?", re.IGNORECASE)


@lru_cache(maxsize=4096)
def cues(text: str) -> Cues:
    """How `text` picks from a list."""
    stock = False if _OUT_OF_STOCK.search(text) else True if _IN_STOCK.search(text) else None
    take = _TAKE.search(text)
    count = forms.number_in(take.group(1)) if take else None
    return Cues(
        best=_best(text),
        states=_states(text),
        bounds=bounds(text),
        stock=stock,
        every=bool(_EVERY.search(text)),
        plural=bool(_PLURAL.search(text)) or bool(count and count > 1),
        take=int(count) if count else 1,
    )


def _best(text: str) -> tuple[str, str] | None:
    for concept, way, pattern in _BEST_PATTERNS:
        match = pattern.search(text)
        if not match or _MOST_BOUND.match(text, match.start()):
            continue
        if concept:
            return concept, way
        fields = [
            c for c in concepts(text) if ROLE[c] == FIELD and c not in ("number", "quantity", "date", "time", "status")
        ]
        things = [c for c in concepts(text) if c in ("stock", "sales")]
        return (fields or things or ["amount"])[0], way
    return None


def _states(text: str) -> tuple[tuple[str, bool], ...]:
    """States that describe the record wanted; the acts ordered by the text itself are none."""
    ordered = set(act_keys(text))
    out = []
    for token in tokens(text):
        if token.kind == "concept" and not ordered & set(token.keys):
            for key in token.keys:
                told = ROLE[key] == STATE or (ROLE[key] == ACT and key not in ordered)
                if (
                    told
                    and key not in _NO_STATE
                    and not (any(ROLE[k] in (THING, FIELD) for k in token.keys) and key not in ("pay",))
                ):
                    out.append((key, token.negated))
    return tuple(dict.fromkeys(out))


_NO_STATE = frozenset({
    "new", "old", "original", "credit", "allowed", "other", "question", "home", "gift", "apply", "create", "change",
    "set", "send", "verify", "note", "notify", "report", "submit", "buy", "whole", "add", "check", "expedite",
    "normal", "double", "schedule", "issue", "reserve", "assign", "sign", "unwanted", "mismatch", "defective",
})  # fmt: skip


@lru_cache(maxsize=4096)
def bounds(text: str) -> tuple[Bound, ...]:
    """Numeric conditions of `text`, in order."""
    out = []
    for value in find_values(text):
        if value.number is None:
            continue
        before, after = text[max(0, value.start - 24) : value.start], text[value.end : value.end + 16]
        op = next((op for op, pattern in _BEFORE_PATTERNS if pattern.search(before)), None)
        op = op or next((op for op, pattern in _AFTER_PATTERNS if pattern.search(after)), None)
        if op is None:
            continue
        number = value.number
        scaled = re.match(r"\s*(?:的)?(?:days?|天)", after)
        unit = value.unit or ("天" if scaled else "")
        out.append(Bound(op, number, value.kind, unit, _about(text, value.start, value.end)))
    return tuple(out)


def _about(text: str, start: int, end: int) -> tuple[str, ...]:
    """Concepts near a number, nearest first, those before it and those right after."""
    found = [t for t in tokens(text) if t.kind == "concept"]
    after = [k for t in found if 0 <= t.start - end <= 3 for k in t.keys if ROLE[k] in (FIELD, THING)]
    before = [
        k
        for t in reversed(found)
        if t.end <= start and start - t.end <= 30
        for k in t.keys
        if ROLE[k] in (FIELD, THING)
    ]
    return tuple(dict.fromkeys([*after, *before]))


def holds(op: str, left: float, right: float) -> bool:
    """Whether `left op right`."""
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}.get(op, left == right)
