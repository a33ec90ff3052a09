"""A message in clauses, and whether a clause says that something has been done.

A clause is the unit within which a name, a refusal or a promise holds; what is promised, refused, asked or merely
reported is not said to be done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from reach_tui.grading.claims.lexicon import ACT, CHANGE, CONCEPTS, MAKE, THING, Concept, any_form, concepts_of
from reach_tui.grading.identifiers import ids_in
from reach_tui.grading.wording import normal

_SENTENCE = re.compile(r"[^。！？!?；;\n]+?(?:[。！？!?；;\n]+|\.(?=\s|$)|$)", re.S)
_CLAUSE = re.compile(r"[，,](?!\d)|\s-\s|—|\s\b(?:but|however|although|though)\b|但是?|不过|可是|然而", re.IGNORECASE)
_ENDING_QUESTION = re.compile(r"[?？]\s*$")


@dataclass(frozen=True, slots=True)
class Clause:
    """`text` as written, `normal` made comparable, `names` the ids it is about: its own, else those that its sentence
    has named before it (a clause that comes later may speak of something else).
    """

    text: str
    normal: str
    names: tuple[str, ...]


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of a message, in order; those of questions are left out."""
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        if _ENDING_QUESTION.search(sentence):
            continue
        before: tuple[str, ...] = ()
        for piece in _CLAUSE.split(sentence):
            words = piece.strip(" \t\r\n。！!；;.*_#>`-")
            if words:
                before = ids_in(words) or before
                yield Clause(words, normal(words), before)


# Before the words of doing: what makes a clause a promise, a wish or a condition.
_NOT_YET = re.compile(
    r"将(?!订单|您|地址|收货|其|该|此)|会(?=在|为|给|尽|有|被|于|安排|及时|自动|收到)|即将|稍后|马上|正在|准备|打算|可以|能够"
    r"|如需|如果|如您|若|是否|要不要|需要|请|建议|一旦|之后|后续|等待|待|想|希望|尝试|如何|怎么|什么时候|何时|才能"
    r"|\b(?:will|going to|would|shall|can|could|may|might|should|must|about to|let me|want|like|need|needs|to be|being"
    r"|if|once|when|after|before|until|unless|please|in order to|try|trying|whether|how|expected|soon)\b|'ll\b"
)
# Anywhere in the clause: what makes it a refusal or a failure.
_NOT = re.compile(
    r"无法|不能|不可|未能|没能|没有|没法|尚未|还未|还没|暂未|从未|并未|未(?!来)|不会|不支持|不符合|不允许|不予|不再|不需要"
    r"|不满足|失败|拒绝|不成功|没(?=成|办|提|退|取)"
    r"|\b(?:not|never|cannot|unable|failed|fails|fail|no|without|declined to|refused|denied|ineligible|neither|nor"
    r"|impossible|yet to|rather than|instead of)\b|n't\b"
)
_QUESTION = re.compile(
    r"[?？]\s*$|吗\s*$"
    r"|^\s*(?:would|shall|do|does|did|is|are|can|could|should|have|has|may)\s+(?:you|i|we|it|that|the)\b"
)
_DONE = re.compile(
    r"已|了|成功|完毕|完成|办好|妥当"
    r"|\b(?:have|has|had|been|was|were|is|are|successfully|just|already|i|we|\w+ed)\b|'ve\b"
)
_SPEAKER = re.compile(r"我|[为帮给替][您你]|\b(?:i|we)\b")
_REPORT = re.compile(
    r"查|看到|显示|记录|系统|状态|\b(?:according|shows?|see|found|find|records?|looks?|status|checked|system|learned)\b"
)
_FILLERS = re.compile(r"[为帮给替][您你]|您的|你的|我们?|现在|刚刚?|也|都|了|的|地|\s")
# What one has already *seen* is no act: 已收到您的退款申请.
_HAVE_ZH = r"已经?+(?:[为帮给替][您你])?+(?!收到|了解|查|看|核|确认|知|理解|明白|注意|获|找|检|阅)"
_HAVE_EN = r"(?:(?<!you )\b(?:have|has|had|been|was|were|is|are|i|we|successfully|just|already)|(?<!you)'ve)"

# Words up to a verb's own object: a note added *to the order* is no order added.
_OBJECT = r"(?:\W+(?!(?:to|for|in|on|with|from|about|that|of|by)\b)\w+){0,5}?\W+"


def said_as_done(clause: str) -> bool:
    """Whether a normal clause can state something as done: words of completion, no refusal, no question."""
    return _DONE.search(clause) is not None and not is_denied(clause)


def is_denied(clause: str) -> bool:
    """Whether a normal clause refuses, tells of a failure or asks."""
    return _NOT.search(clause) is not None or _QUESTION.search(clause) is not None


def is_promise(before: str) -> bool:
    """Whether the words before a phrase make it a promise, a wish or a condition."""
    return _NOT_YET.search(before) is not None


def by_speaker(clause: str) -> bool:
    """Whether the agent speaks of its own doing ("I have", 已为您), not of how it found things to stand."""
    return _SPEAKER.search(clause) is not None and _REPORT.search(clause) is None


def phrase_at(phrases: tuple[str, ...], clause: str) -> int | None:
    """Where one of a tool's own phrases begins in a normal clause; fillers between its words are passed over."""
    if not phrases:
        return None
    match = _phrases(phrases).search(clause)
    return None if match is None else match.start()


def done_at(tool: str, clause: str) -> int | None:
    """Where a clause begins to say that a tool's work is done, by the words of the tool's name; None if it does not.

    A tool of acts needs all of them; one that makes or changes needs such a verb and the thing, the last in its name.
    """
    needed = _needed(tool)
    if not needed or not all(mention.search(clause) for mention, _ in needed):
        return None
    places = [match.start() for _, done in needed if (match := done.search(clause)) is not None]
    return min(places) if len(places) == len(needed) else None


@lru_cache(maxsize=1024)
def _phrases(phrases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_phrase, phrases)))


def _phrase(phrase: str) -> str:
    if phrase.isascii():
        words = [re.escape(word) for word in phrase.casefold().split()]
        # "I have requested a refund" also stands in "I have now requested a full refund".
        return r"\b" + r"(?:\W+\w+){0,2}?\W+".join(words) + r"\b"
    letters = _FILLERS.sub("", phrase.casefold())
    return letters[:1] + "".join(f"{_gap(letter)}{re.escape(letter)}" for letter in letters[1:])


def _gap(letter: str) -> str:
    """What may stand before a letter of a phrase. Possessive: fillers overlap, and giving them back takes for ever."""
    more = [word for word in ("经", "成功") if word[0] != letter]
    return rf"(?:{'|'.join([*more, _FILLERS.pattern])})*+"


@lru_cache(maxsize=1024)
def _needed(tool: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """(mention, done) of every concept that a clause must state as done."""
    concepts = concepts_of(tool)
    acts = [concept for concept in concepts if concept.kind == ACT]
    things = [concept for concept in concepts if concept.kind == THING]
    verbs = [concept for concept in concepts if concept.kind in (MAKE, CHANGE)]
    if acts:
        generic = [concept for concept in CONCEPTS if concept.kind == MAKE]
        return tuple((any_form(act), _act_done(act, generic)) for act in acts)
    if things and verbs:
        return ((any_form(things[-1]), _thing_done(things[-1], verbs)),)
    return ()


def _any_of(words: list[str] | tuple[str, ...]) -> str:
    return "|".join(map(re.escape, words)) or "(?!)"


def _with_noun(concept: Concept, verbs: list[Concept], between: str) -> list[str]:
    """English: "I have submitted a refund", "your refund request has been submitted", "Refund requested"."""
    participles = _any_of([word for verb in verbs for word in verb.done])
    nouns = _any_of([*concept.nouns, *concept.names])
    return [
        rf"{_HAVE_EN}\W+(?:\w+\W+){{0,3}}?(?:{participles})\b{between}\b(?:{nouns})s?\b",
        rf"\b(?:{nouns})s?\b.{{0,40}}?{_HAVE_EN}\W+(?:\w+\W+){{0,2}}?(?:{participles})\b",
        rf"(?:^|: )(?:your |the |a |an )?(?:{nouns})(?: request)? (?:now |successfully )?(?:{participles})\b",
    ]


def _act_done(concept: Concept, generic: list[Concept]) -> re.Pattern[str]:
    word = _any_of(concept.chinese)
    forms = [
        *_with_noun(concept, generic, ".{0,40}?"),
        rf"{_HAVE_EN}\W+(?:\w+\W+){{0,2}}?(?:{_any_of(concept.done)})\b",
        rf"\b(?:{_any_of(concept.nouns)})\b\W+(?:\w+\W+){{0,2}}?(?:is|are)\W+(?:now\W+)?(?:done|completed?)\b",
        rf"{_HAVE_ZH}.{{0,12}}?(?:{word})",
        rf"(?:{word}).{{0,12}}?(?:{_HAVE_ZH}|成功|完成|完毕|办好)",
        rf"(?:{word})好?了",
    ]
    return re.compile("|".join(f"(?:{form})" for form in forms))


def _thing_done(concept: Concept, verbs: list[Concept]) -> re.Pattern[str]:
    word = _any_of(concept.chinese)
    making = _any_of([word for verb in verbs for word in verb.chinese])
    forms = [
        *_with_noun(concept, verbs, _OBJECT),
        rf"{_HAVE_ZH}.{{0,8}}?(?:{making})[^到在给至]{{0,12}}?(?:{word})",
        rf"{_HAVE_ZH}(?!.{{0,3}}[在给对于]).{{0,12}}?(?:{word}).{{0,12}}?(?:{making})",
        rf"(?:{word}).{{0,12}}?{_HAVE_ZH}.{{0,6}}?(?:{making})",
        rf"(?:{word}).{{0,6}}?(?:{making})(?:成功|完成|好了|了)",
        rf"(?:{making})了.{{0,12}}?(?:{word})",
    ]
    return re.compile("|".join(f"(?:{form})" for form in forms))
