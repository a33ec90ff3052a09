"""Where a turn is cut: sentences, and fragments at commas and connectors; never inside a value or a content span."""

from __future__ import annotations

import re

from reach_tui.agents.simulated.features import concepts, tokens
from reach_tui.agents.simulated.lexicon import ACT, ENGLISH, ROLE, stem
from reach_tui.agents.simulated.said import Said
from reach_tui.agents.simulated.values import find_values

_STRONG = re.compile(r"[。！？!?；;\n]+|\.+(?=\s|$)")
_CONNECT = re.compile(
    r"(?P<comma>[，,]\s*(?:and\s+|然后|并且|而且|and then\s+|then\s+)?)"
    r"|(?P<zh>(?<!\s)(?:然后|并且|(?<![合])并(?![不非列未])|接着|随后|顺便|另外|同时|此外|最后|以及再|"
    r"(?<=[\u4e00-\u9fff0-9A-Za-z])再(?![见次说度])(?=[\u4e00-\u9fff]{1,8})|还要|还想))"
    r"|(?P<en>\s+(?:and then|and also|then also|as well as|and after that|and|then|plus|&)\s+)"
    r"|(?P<colon>[：:])|(?P<dash>\s[-—–]+\s)",
    re.IGNORECASE,
)
_CASE_OPEN = re.compile(
    r"事|问题|如下|以下|需求|things?|questions?|requests?|tasks?|following|favou?rs?", re.IGNORECASE
)
_AFTER_NOUN_VERB = re.compile(
    r"\s*(?:the|my|a|an|it|them|me|all|any|order|this|that|his|her|their|him|to|member|ticket|customer|its|both|"
    r"every|each|one|two|also|\w*\d)\b",
    re.IGNORECASE,
)
_NOUNISH = frozenset({
    "order", "refund", "return", "ticket", "charge", "report", "note", "address", "email", "message", "phone",
    "list", "track", "exchange", "book", "file", "hold", "place", "text", "mail", "ship", "keep", "open", "close",
    "credit", "make", "change", "request", "set", "log", "count", "review", "transfer", "invoice", "complaint",
    "quote", "search", "detail", "details", "info", "information", "estimate", "show", "drop", "new", "payment",
    "replacement", "approval", "cancellation", "paid", "adjustment", "resolution", "give", "process", "register",
    "post", "schedule",
})  # fmt: skip
_READ_VERBS = frozenset({
    "check", "find", "look", "show", "tell", "list", "get", "see", "search", "track", "let", "give", "count",
    "compare", "verify", "confirm", "calculate", "inform", "what", "where", "when", "how", "who", "which", "whether",
    "is", "are", "does", "do", "has",
})  # fmt: skip


def cut_sentences(turn: str, closed: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places of the sentences of a turn; `closed` are spans not to be cut. A question mark stays with its question."""
    out, at = [], 0
    for match in _STRONG.finditer(turn):
        if any(a < match.end() and match.start() < b for a, b in closed):
            continue
        keep = match.end() if match.group()[0] in "？?" else match.start()
        out.append((at, keep))
        at = match.end()
    out.append((at, len(turn)))
    return [(a, b) for a, b in out if turn[a:b].strip()]


def fragments(turn: str, start: int, end: int, closed: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places of the fragments of one sentence: cut at commas and at connectors that a verb follows."""
    out, at = [], start
    for match in _CONNECT.finditer(turn, start, end):
        if match.start() < at or any(a < match.end() and match.start() < b for a, b in closed):
            continue
        kind = match.lastgroup
        left, right = turn[at : match.start()], turn[match.end() : end]
        if kind == "en" and not (_verb_follows(right) and left.strip()):
            continue
        if kind == "zh" and not (left.strip() and (tokens(left[-40:]))):
            continue
        if kind == "colon" and not (_CASE_OPEN.search(left) or _asks_only(left)):
            continue
        cut_end = match.start()
        begin = match.start() if kind == "zh" else match.end()
        out.append((at, cut_end))
        at = begin
    out.append((at, end))
    return out


def _asks_only(left: str) -> bool:
    """请帮忙查询：... opens a question, no content."""
    roles = {ROLE[c] for c in concepts(left)}
    return bool(roles) and roles <= {"read"} and not find_values(left)


def _verb_follows(right: str) -> bool:
    match = re.match(
        r"\s*(?:please |also |then |just |now |so |kindly |to |if (?:so|not),? |immediately "
        r")*([A-Za-z]+)(?:\s+([A-Za-z]+))?",
        right,
        re.IGNORECASE,
    )
    if not match:
        return bool(re.match(r"\s*[\u4e00-\u9fff]", right))
    word = match.group(1).lower()
    if word in (
        "if",
        "otherwise",
        "i",
        "could",
        "can",
        "would",
        "please",
        "what",
        "where",
        "when",
        "how",
        "who",
        "which",
        "whether",
    ):
        return True
    rest = right[match.end(1) :]
    if word in _READ_VERBS and word not in _NOUNISH:
        return True
    concepts = ENGLISH.get((stem(word),), ()) or ENGLISH.get((stem(word), stem((match.group(2) or "").lower())), ())
    if not any(ROLE[c] in (ACT, "read") for c in concepts) or word.endswith(("ed", "ing")):
        return False
    return word not in _NOUNISH or bool(_AFTER_NOUN_VERB.match(rest))


def head_of(turn: str, start: int, end: int, said: tuple[Said, ...]) -> tuple[str, tuple[Said, ...]]:
    """The text of a span with its content taken out, and that content."""
    inside = tuple(s for s in said if start <= s.start < end or (s.start < start < s.end))
    at, text = start, ""
    for one in inside:
        if one.start > at:
            text += turn[at : one.start]
        at = max(at, min(end, one.end))
    return (text + turn[at:end]).strip(" \t，,、"), inside
