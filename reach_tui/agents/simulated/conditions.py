"""Conditions as people word them: if, otherwise, unless, 如果, 的话, 否则, and the short ones (if so, 没有的话)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reach_tui.agents.simulated.features import concepts, tokens
from reach_tui.agents.simulated.lexicon import ACT, ENGLISH, ROLE, stem
from reach_tui.agents.simulated.mood import act_keys
from reach_tui.agents.simulated.values import find_values

FACT, POSSIBLE, FAILED = "fact", "possible", "failed"


@dataclass(frozen=True, slots=True)
class Cond:
    """A condition. fact: to be read off records. possible: holds if the act it names can be done (found by trying).
    failed: holds if the act before it was refused. `acts` are those it speaks of; `about` is the question before it."""

    kind: str
    text: str
    acts: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class Split:
    """A fragment taken apart: `cond` None where it holds no condition of its own (otherwise ...)."""

    cond: str | None
    then: str
    otherwise: bool = False
    denied: bool = False
    unless: bool = False
    failure: bool = False
    so: bool = False


_ZH_IF = re.compile(r"如果|若是|若(?![干])|要是|假如|假设|假使|倘若|万一|只要|只有|当(?=.{2,12}(?:时|的时候))")
_ZH_THEN = re.compile(
    r"(?:的话|时|的时候)?\s*(?:就(?!是|行|好|可以|够)|则|那就|那么|便(?!宜)|才(?!能|可以))|的话(?=.)|(?=(?:请|帮我|"
    r"麻烦|给我|替我|直接)(?:.*))"
)
_ZH_ELSE = re.compile(r"^\s*(?:那|但|而)?(?:否则|不然|要不然|要不|反之|除此之外)(?:的话)?[，,]?(?:就|则)?")
_ZH_LOOSE = re.compile(
    r"^(?P<cond>.{1,26}?)(?:的话)\s*[，,]?(?:就|则|那就|那么)?(?P<then>.*)$|^(?P<cond2>.{1,22}?)(?:就(?!是|行|好|"
    r"可以|够)|则|那就)(?P<then2>.+)$"
)
_EN_IF = re.compile(
    r"\b(?:only if|if and only if|if|unless|in case|provided that|provided|as long as|assuming(?: that)?|should)\b",
    re.IGNORECASE,
)
_EN_ELSE = re.compile(
    r"^\W*(?:and |but |or )?(?:otherwise|or else|else|if not|if it (?:is|does|has|can)(?: not|n't)|failing "
    r"that)\b[,]?\s*(?:then |just |please )?(?!\w* yet)",
    re.IGNORECASE,
)
_EN_SO = re.compile(
    r"^\W*(?:and )?(?:if so|if yes|in that case|if it (?:is|does|has)|if they (?:are|do|have)|if there (?:is|"
    r"are))\b[,]?\s*(?:then |just )?(?=$|please|\w)",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"\b(?:check|see|know|tell me|verify|confirm|find out|ask|sure|wonder|wondering|look|curious|whether or|as)\s*$",
    re.IGNORECASE,
)
_DENIED = re.compile(r"没|不|否|无|\bnot\b|n['’]t\b|\bno\b|\bnone\b", re.IGNORECASE)
_FAILURE = re.compile(
    r"(?:不能|不行|不了|不成|失败|不可以|没法|无法|办不到|不让|被拒|拒绝|行不通|没成功)"
    r"|(?:not possible|impossible|can['’]?t|cannot|can not|could not|couldn['’]t|unable|fails?|failed|doesn['’]t "
    r"work|does not work|refused|rejected|not allowed|no longer possible|isn['’]t possible|won['’]t work|too late)",
    re.IGNORECASE,
)
_CAN = re.compile(
    r"还?能|可以|来得及|允许|\bcan\b|\bpossible\b|\bstill (?:be )?(?:able|possible)|\beligible\b|\ballowed\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?<=[a-z0-9])[ ,]+(?:then |please )*(?P<verb>[a-z]+)(?=\s+(?:a|an|the|it|my|me|them|this|that|order|his|her|"
    r"him|their|all|one|two|[A-Z]?\w*\d|up|to|member)\b)",
    re.IGNORECASE,
)
_POLITE_ZH = re.compile(r"我要|我想|帮我|麻烦|请|想要|给我|一下")


def split_condition(text: str) -> Split | None:
    """Condition and consequence of a fragment; None if it is under none of its own."""
    if text.isascii() or not re.search("[\u4e00-\u9fff]", text):
        return _english(text)
    return _chinese(text) or _english(text)


def _chinese(text: str) -> Split | None:
    if match := _ZH_ELSE.search(text):
        return Split(None, text[match.end() :].strip(" ，,"), otherwise=True)
    if match := _ZH_IF.search(text):
        pre, rest = text[: match.start()], text[match.end() :]
        then = _ZH_THEN.search(rest, 1) if len(rest) > 1 else None
        if then and (then.group() or act_keys(rest[then.end() :])):
            cond, after = rest[: then.start()], rest[then.end() :]
        else:
            cond, after = rest, ""
        if act_keys(pre) and not after:
            return Split(cond.strip(), pre, denied=bool(_DENIED.search(cond)), failure=_fails(cond))
        return Split(
            (pre + " " + cond).strip(" ，,"),
            after.strip(" ，,"),
            denied=bool(_DENIED.search(cond)),
            failure=_fails(cond),
        )
    if match := _ZH_LOOSE.search(text):
        cond = match.group("cond") or match.group("cond2") or ""
        then_text = match.group("then") if match.group("cond") else match.group("then2")
        if _POLITE_ZH.search(cond) or not (
            _DENIED.search(cond) or re.search("了|有|能|还|是|已|过|够|[><]|于|行|到|成", cond)
        ):
            return None
        return Split(
            cond.strip(" ，,"), (then_text or "").strip(" ，,"), denied=bool(_DENIED.search(cond)), failure=_fails(cond)
        )
    return None


def _english(text: str) -> Split | None:
    if (match := _EN_ELSE.search(text)) and not _continues(text, match):
        return Split(None, text[match.end() :].strip(" ,"), otherwise=True)
    if (match := _EN_SO.search(text)) and not _continues(text, match):
        return Split("", text[match.end() :].strip(" ,"), so=bool(re.search(r"so|yes|case", match.group())))
    match = _EN_IF.search(text)
    if (
        not match
        or _ASKING.search(text[: match.start()])
        or (match.group().lower() == "should" and text[: match.start()].strip())
    ):
        return None
    pre, rest = text[: match.start()].strip(" ,"), text[match.end() :]
    unless = match.group().lower() == "unless"
    lead = re.fullmatch(r"(?:and|but|or|so|then|also|now|please|ok|okay|well)*", pre, re.IGNORECASE)
    if pre and not lead:
        return Split(rest.strip(" ,"), pre, denied=bool(_DENIED.search(rest)), unless=unless, failure=_fails(rest))
    then = re.search(r"(?:,\s*)?\bthen\b\s*", rest)
    if then:
        cond, after = rest[: then.start()], rest[then.end() :]
    else:
        cond, after = _bare_consequence(rest)
    return Split(
        cond.strip(" ,"), after.strip(" ,"), denied=bool(_DENIED.search(cond)), unless=unless, failure=_fails(cond)
    )


def _continues(text: str, match: re.Match[str]) -> bool:
    """if it has *been shipped* is a condition of its own, not a short one."""
    rest = text[match.end() :].lstrip(" ,")
    if not rest or not re.search(r"\bit\b|\bthere\b|\bthey\b|\bif not\b", match.group(), re.IGNORECASE):
        return bool(re.match(r"(?:yet|already)\b", rest))
    first = re.match(r"[A-Za-z]+", rest)
    word = first.group().lower() if first else ""
    known = ENGLISH.get((stem(word),), ())
    return not (
        any(ROLE[c] in (ACT, "read") for c in known)
        and not word.endswith(("ed", "en", "ing"))
        and word not in ("paid", "lost", "open")
    ) and word not in ("please", "tell", "let")


def _bare_consequence(rest: str) -> tuple[str, str]:
    """`order A1 has shipped open a ticket`: cut before the first verb in its plain form after the predicate."""
    for match in _BARE.finditer(rest):
        word = match.group("verb").lower()
        known = ENGLISH.get((stem(word),), ())
        before = rest[: match.start()].rstrip()
        if (
            any(ROLE[c] in (ACT, "read") for c in known)
            and not word.endswith(("ed", "ing", "s"))
            and not re.search(
                r"\b(?:to|can|cannot|could|be|been|not|will|would|i|you|we|they|the|a|an|of|for|in|on|is|was|are|"
                r"has|have|had|this|that|my|any|still)$|n['’]t$",
                before,
                re.IGNORECASE,
            )
            and len(before) > 5
        ):
            return before, rest[match.start("verb") :]
    return rest, ""


def _fails(cond: str) -> bool:
    return bool(_FAILURE.search(cond)) and not any(v.kind in ("money", "number", "percent") for v in find_values(cond))


def is_denied(text: str) -> bool:
    """Whether a condition is worded with a no (还没发货, has not shipped)."""
    return bool(
        re.search(
            r"没(?!关系)|未|不(?!超过|少于|低于|高于|同)|尚未|无(?!线)|\bnot\b|n['’]t\b|\bno\b|\bnever\b|\bunless\b",
            re.sub(r"有没有|是不是|能不能", "", text),
            re.IGNORECASE,
        )
    )


def is_hollow(cond: str) -> bool:
    """Whether a condition says nothing by itself (有的话, if so): no concept, no value."""
    if any(token.kind == "value" for token in tokens(cond)):
        return False
    return (
        not [c for c in concepts(cond) if ROLE[c] != "read"] and len(re.sub(r"[^A-Za-z\u4e00-\u9fff]", "", cond)) <= 14
    )


def read_cond(text: str, failure: bool, about: str) -> Cond:
    """The condition that `text` words; `about` is the question or order before it."""
    acts = tuple(
        dict.fromkeys(
            key for token in tokens(text) if token.kind == "concept" for key in token.keys if ROLE[key] == ACT
        )
    )
    if failure:
        return Cond(FAILED, text, acts, about)
    if acts and _CAN.search(text) and not any(v.kind in ("money", "number", "percent") for v in find_values(text)):
        return Cond(POSSIBLE, text, acts, about)
    return Cond(FACT, text, acts, about)
