"""Whether a piece of a request asks, orders, forbids or merely tells."""

from __future__ import annotations

import re
from functools import lru_cache

from reach_tui.agents.simulated.features import Token, tokens
from reach_tui.agents.simulated.lexicon import ACT, FIELD, ROLE, THING
from reach_tui.agents.simulated.paraphrase import paraphrased

ACTION, QUERY, FORBID, TELL, CHAT = "action", "query", "forbid", "tell", "chat"

_QUESTION = re.compile(
    r"什么|多少|(?<![这那好前后])几(?=[个件笔张天位款条次点号种岁分单家]|时|乎)|哪|吗|呢[。？?]?$|[？?]|是否|"
    r"有没有|是不是|能不能|可不可以|怎么|如何|怎样|何时|多久|多大|多远|谁|没有?[？?]?$"
    r"|^\W*(?:and |so |ok,? |then )?(?:what|where|when|who|whom|which|how|why|whose|is|are|was|were|do|does|did|"
    r"has|have|had|can|could|will|would|should|am|any)\b"
    r"|\?|\b(?:what|which|how many|how much|where|when) (?:is|are|was|were|does|do|did|has|have|will|would|[a-z]+ "
    r"(?:is|are|does|do|has|have|it|they|the))\b",
    re.IGNORECASE,
)
_POLITE_QUESTION = re.compile(
    r"(?:能不能|能否|可不可以|可以|能|可否|是否可以|是否能)(?:麻烦|请)?(?:你|您|你们)?(?:帮|给我|把|将|替|直接|"
    r"现在|先|再|尽快|安排|麻烦)"
    r"|\b(?:can|could|would|will) (?:you|u|we|someone|somebody)\b|\bwould (?:it be possible|you mind)\b|\bis it "
    r"possible (?:for you )?to\b"
    r"|(?:行吗|好吗|可以吗|行不行|好不好|好么|可以么)[？?。]?$",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"帮|请|麻烦|劳驾|给我|替我|我要|我想|想要|需要|希望|要求|把|将|烦请|务必|直接|尽快|立即|马上|赶紧|赶快|(?:^|"
    r"[，就都再也])\s*给|^\W*(?:然后|最后|再|并|接着|随后|同时|顺便|另外|第[一二三四])|给\s?[A-Za-z0-9]|给他|给她|"
    r"还要|还想|应该|想|就行|就好|就可以|即可"
    r"|\bplease\b|\bpls\b|\b(?:can|could|would|will) you\b|\bi(?:'d| would)? (?:want|need|wish)\b|\bi(?:'d| would) "
    r"(?:like|love|prefer)\b|\bwe (?:want|need|should|must)\b|\b(?:i|we)'d like\b"
    r"|\bhelp me\b|\bget (?:a|my|the|me|some|her|his) |^\W*(?:put|mark|take|make|switch|turn|keep|have)\b|\blet'?s\b|"
    r"\bgo ahead\b|\bkindly\b|\bmake sure\b|\bneeds? to\b|\bcan (?:now |please )?be \w+ed\b|\bcould be \w+ed\b|"
    r"\bneed (?:you|it|this|that|them)\b|\bwants?\b|\bwishes\b|\bwould like\b|\btry(?:ing)? to\b|\bwant (?:you|it|"
    r"this|that|them|to|my|a)\b|\bshould be\b|\bmust be\b"
    r"|\b(?:has|have) to be\b|\bi'?m (?:asking|requesting|looking) (?:for|to)\b|\bjust\b|\btime to\b|\bis it "
    r"possible to\b|\bsimply\b|\bthanks\b",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"帮(?!助)|麻烦|给我|替我|我要|我想|想要|需要|想请|请(?=.*假)|要请|来[一个张份]|\bplease\b|\bi(?:'d| would)? "
    r"(?:want|need)\b|\bi(?:'d| would) like\b|\bget me\b|\bcan i (?:get|have)\b",
    re.IGNORECASE,
)
_KNOW = re.compile(
    r"把.{1,12}?(?:给我|发我|发给我|告诉我|报给我)(?!退|取消|改|换)|想知道|想问|请问|问一下|问下|想了解|告诉我|"
    r"跟我说|说一下|说说|发我|发给我|给我看|给我发一?下|报给我|回复我|"
    r"告知我|让我知道|念给我|告知(?:我|一下|下)?(?=.*(?:多少|什么|哪|号|状态|时间|地址|金额|情况|进度|公司|详情))"
    r"|\btell me\b|\blet me know\b|\bwant to know\b|\blike to know\b|\bwonder(?:ing)?\b|\bcurious\b|\bgive me\b(?! "
    r"(?:a|my|the) (?:full |partial )?(?:refund|discount|replacement|money))"
    r"|\bshow me\b|\bneed to know\b|\bsend me the\b|\bcan you say\b",
    re.IGNORECASE,
)
_READ = re.compile(
    r"查|看(?!来|起来|好|上|不)|找(?!人|你们|零)|搜|列出|列一下|列个|追踪|跟踪|统计|算一下|算算|核实|核对|对比|"
    r"比较|比一比|了解一下|盘点|汇总"
    r"|\b(?:check|find|look|show|list|get(?! (?:a |my |the |some |her |his |their )?(?:full |partial )?(?:refund|"
    r"money|replacement|discount|credit|compensation|exchange))|see|view|search|track|trace|fetch|pull|count|"
    r"compare|calculate|verify|read|display|retrieve|locate|double-check|confirm (?:whether|if|that)|work out|"
    r"figure out|sum)\b",
    re.IGNORECASE,
)
_FORBID = re.compile(
    r"(?:不要|别|不用|无需|先别|请勿|勿|不必|不能|不许|禁止|不需要|不是要|不是想|并不想|没想|没说要|不是来|"
    r"不打算)(?:再|给我|帮我|把|去|对|申请|要|做|办理)?$|(?:\bdo not|\bdon['’]?t|\bnever|\bno need to|\bwithout|"
    r"\bnot to|\bplease not|\bnot (?:asking|looking|here|calling|writing) (?:for|to)|\bdon['’]?t want (?:a|to|my|"
    r"the)|\bno)\s+(?:\w+\s)?$",
    re.IGNORECASE,
)
_PAST_ZH = re.compile(
    r"(?:已经|已|刚刚|刚才|刚|之前|昨天|前天|上周|早就|曾经|曾|我们|你们|一直|总是|没法|无法|才)(?:被|给|把|又|都|"
    r"申请|提交)?$"
)
_FILLER = re.compile(
    r"^(?:\W|\b(?:please|then|also|and|just|now|ok|okay|so|hi|hello|hey|well|kindly|first|next|finally|secondly|"
    r"second|third|thirdly|lastly|after that|afterwards|anyway|additionally|but|or|to|let'?s|go ahead and|try to|"
    r"try|otherwise|else|instead|simply|immediately|could you|can you|would you|if so|if not|in that case|yes|no|"
    r"at once|quickly|dear team|besides|in addition|plus|actually|oh|pls|directly)\b)+",
    re.IGNORECASE,
)
_RAISE = re.compile(
    r"\b(?:raise|lower|bump|increase|decrease|move)\b[^.]{0,16}\b(?:priority|urgency|level|status)\b", re.IGNORECASE
)
_DENIES = re.compile(r"没|未|不|\bnot\b|n['’]t\b|\bnever\b|\bno\b", re.IGNORECASE)
_CHAT = re.compile(
    r"^\W*(?:你好|您好|谢谢|多谢|感谢|辛苦|再见|拜拜|早上好|下午好|晚上好|hi|hello|hey|thanks|thank you|good "
    r"(?:morning|afternoon|evening)|bye|cheers|dear)",
    re.IGNORECASE,
)
_COMPOUND_ACTS = frozenset({
    "refund", "return", "cancel", "exchange", "reship", "ship", "pay", "compensate", "invoice", "approve", "reserve",
    "reject", "buy", "complain", "apply", "create",
})  # fmt: skip
_COMPOUND_FIELDS = frozenset(
    {"status", "policy", "window", "reason", "date", "fee", "deadline", "eta", "event", "time", "number"}
)
WEAK_ACTS = frozenset({
    "pay", "buy", "ship", "sign", "rate", "complain", "note", "give", "report", "invoice", "send", "subscribe",
    "create", "place", "add", "schedule",
})  # fmt: skip
"""Acts so often merely told of that a bare mention orders nothing in Chinese."""


def acts(text: str) -> list[Token]:
    """Tokens by which `text` may order something: acts that are not told as past, denied, or part of a noun."""
    found = tokens(text)
    polite = bool(_POLITE.search(text))
    out = []
    for i, token in enumerate(found):
        if token.kind == "concept" and any(ROLE[key] == ACT for key in token.keys):
            following = found[i + 1] if i + 1 < len(found) else None
            if not _told(text, token, following, polite):
                out.append(token)
    return out


def act_keys(text: str) -> tuple[str, ...]:
    """The act concepts of `acts`, in order, each once, and those said in words that stand apart."""
    named = [key for token in acts(text) for key in token.keys if ROLE[key] == ACT]
    if _RAISE.search(text):
        named = ["change", *(key for key in named if key not in ("create", "add", "remove", "transfer"))]
    return tuple(dict.fromkeys([*named, *_apart(text)]))


def _apart(text: str) -> tuple[str, ...]:
    """Acts ordered without their own word (give me my money back); none where the text tells or denies."""
    if _DENIES.search(text) or not (_POLITE.search(text) or _imperative(_FILLER.sub("", text).strip())):
        return ()
    return tuple(key for key in paraphrased(text) if ROLE[key] == ACT)


def _told(text: str, token: Token, following: Token | None, polite: bool) -> bool:
    before, word, after = (
        text[max(0, token.start - 12) : token.start],
        text[token.start : token.end].lower(),
        text[token.end :],
    )
    if token.negated or _FORBID.search(before):
        return True
    near = following is not None and not after[: following.start - token.end].strip(" '’s")
    if (
        near
        and following is not None
        and _COMPOUND_ACTS.intersection(token.keys)
        and _COMPOUND_FIELDS.intersection(following.keys)
    ):
        return True
    if word.isascii():
        return _told_english(word, before.lower(), following, near, polite, token)
    if re.match(r"(?:了|过|掉)?的(?!话|吧|$|，|。)", after) or re.match(
        r"(?:记录|单号|进度|状态|政策|不了|到账|成功|失败|渠道|期限)", after
    ):
        return True
    if re.match(r"过(?!来|去)", after) or (re.match(r"了", after) and not polite and not re.match(r"了吧", after)):
        return True
    return bool(_PAST_ZH.search(before)) and not re.search(r"帮|请|麻烦", text[: token.start])


def _told_english(word: str, before: str, following: Token | None, near: bool, polite: bool, token: Token) -> bool:
    if re.search(
        r"\b(?:already|was|were|has been|have been|had|has|have|when|while|after|before|since|i|we|they|he|she|you|"
        r"once)\s+(?:\w+ly\s)?$",
        before,
    ) and (word.endswith(("ed", "ing", "en", "t")) or word in ("paid", "bought", "sent")):
        return True
    if word.endswith("ed"):
        thing = (
            following is not None
            and near
            and following.kind == "concept"
            and any(ROLE[k] in (THING, FIELD) for k in following.keys)
        )
        return thing or not polite
    if word.endswith("ing") and not re.search(r"\bmind\s+$", before):
        return not polite
    return bool(re.search(r"\b(?:you|they|he|she|who|it)\s+$", before)) and not re.search(
        r"(?:can|could|would|will|want|like|need) (?:you|it)\s+$", before
    )


def asks_politely(text: str) -> bool:
    """Whether a question is in truth a request (could you ..., 能不能帮我 ...)."""
    return bool(_POLITE_QUESTION.search(text))


@lru_cache(maxsize=4096)
def mood(text: str, offered: frozenset[str] = frozenset()) -> str:
    """One of ACTION, QUERY, FORBID, TELL, CHAT. `offered` are the acts that the visible tools can do."""
    stripped = _FILLER.sub("", text).strip()
    if not stripped:
        return CHAT
    found = acts(text)
    if not found and _forbids(text):
        return FORBID
    question, know = bool(_QUESTION.search(stripped)) or bool(_QUESTION.search(text)), bool(_KNOW.search(text))
    read = _READ.search(text)
    if (
        found
        and _POLITE_QUESTION.search(text)
        and not know
        and not (read and read.start() < found[0].start and text.isascii())
    ):
        return ACTION
    if know or (read and (not found or read.start() <= found[0].start) and not _fronted(text, read.start())):
        return QUERY
    if question and not (found and _imperative(stripped)):
        return QUERY
    if not found:
        if _CHAT.search(text):
            return CHAT
        if stripped.startswith(("把", "将")) and any(token.kind == "value" for token in tokens(text)):
            return ACTION
        return ACTION if _wishes(text) or (_apart(text) and not read) else TELL
    keys = [key for token in found for key in token.keys if ROLE[key] == ACT]
    if _POLITE.search(text) or _imperative(stripped):
        return ACTION
    if not text.isascii() and any(key in offered and key not in WEAK_ACTS for key in keys):
        return ACTION
    return TELL


def _wishes(text: str) -> bool:
    """A thing wanted without a verb: I need an invoice, 帮我请假."""
    things = any(ROLE[key] == THING for token in tokens(text) if token.kind == "concept" for key in token.keys)
    return things and bool(_WISH.search(text))


def _fronted(text: str, at: int) -> bool:
    return bool(re.search(r"\b(?:after|before|when|while|once|i|we|they|to) $", text[:at].lower()))


def _forbids(text: str) -> bool:
    for token in tokens(text):
        if (
            token.kind == "concept"
            and any(ROLE[key] == ACT for key in token.keys)
            and _FORBID.search(text[max(0, token.start - 16) : token.start])
        ):
            return True
    return False


def forbidden_acts(text: str) -> tuple[str, ...]:
    """The acts that a text forbids."""
    return tuple(
        dict.fromkeys(
            key
            for token in tokens(text)
            if token.kind == "concept" and _FORBID.search(text[max(0, token.start - 16) : token.start])
            for key in token.keys
            if ROLE[key] == ACT
        )
    )


def _imperative(stripped: str) -> bool:
    found = tokens(stripped)
    if not found:
        return False
    first = found[0]
    if first.kind == "concept" and first.start <= 1 and any(ROLE[key] == ACT for key in first.keys):
        word = stripped[first.start : first.end].lower()
        if not word.isascii():
            return True
        return not word.endswith(("ed", "ing")) and not re.match(
            r"\s*(?:is|was|are|were|has|status|number|id)\b", stripped[first.end :]
        )
    return stripped.startswith(("把", "将"))
