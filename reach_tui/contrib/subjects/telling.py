"""The last word: which facts an answer holds, and plain sentences for what was done and what was not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

from reach_tui.contrib.subjects.features import is_cjk
from reach_tui.contrib.subjects.heard import Called, leaves
from reach_tui.contrib.subjects.slips import made_up, shape

State = Literal["asked", "known", "done", "believed", "refused", "elsewhere", "failed", "left", "unfit"]
"""*believed* is done in the subject's eyes alone; *refused* an error that the reference foresees; *elsewhere* the
result of another call than the reference's; *left* was not tried, since something before it went wrong; *unfit* is a
step for which it sees no tool."""


@dataclass(frozen=True, slots=True)
class StepEnd:
    """What became of a step. `call` is the last call for it, where there was one; `args` are those of the reference."""

    state: State
    args: Mapping[str, Any]
    call: Called | None = None

    @property
    def settled(self) -> bool:
        """Whether the subject is content with it."""
        return self.state in ("asked", "known", "done", "believed", "refused")


_ENGLISH = {
    "done": ("That has been done{it}.", "I have taken care of it{it}.", "It is all done{it}."),
    "values": ("This is what I can see{it}: {values}.", "I looked it up{it}, and it says: {values}."),
    "refused": ("That was not possible{it}.", "It could not be done{it}."),
    "failed": ("I'm sorry, I could not get this done{it}.", "I'm sorry, that did not work{it}."),
    "elsewhere": ("I'm sorry, I could not find what you wanted to know{it}.",
                  "I'm sorry, I cannot see the rest of what you asked{it}."),
    "left": ("I have left everything else as it is.", "So I have not gone any further with it."),
    "unfit": ("I'm sorry, I have no way to do this{it}.", "I'm sorry, I have no way to help you with this{it}."),
    "calm": ("I have looked into it and everything is in order, so there is nothing you need to do.",
             "Please don't worry, everything is going as it should.",
             "It all looks fine on our side, and you will hear from us if that changes."),
    "again": ("I'm sorry, I have lost the thread. Could you tell me once more what you need?",
              "Sorry, could you repeat what this was about and the numbers you gave me?"),
    "bye": ("You're welcome. Is there anything else I can do for you?",),
    "nothing": ("I'm sorry, I do not know what to do about this.",),
}  # fmt: skip
_CHINESE = {
    "done": ("{it}已经为您办好了。", "{it}已经处理好了。"),
    "values": ("{it}目前查到的是：{values}。", "帮您看了一下，{it}查到的是：{values}。"),
    "refused": ("{it}这件事办不了。", "{it}没有办法这样处理。"),
    "failed": ("抱歉，{it}没有办成。", "抱歉，{it}这次没能处理成功。"),
    "elsewhere": ("抱歉，您想知道的内容我没有查到。", "抱歉，您问的其他内容我这边看不到。"),
    "left": ("其余的我先没有动。", "后面的操作我先没有做。"),
    "unfit": ("抱歉，{it}这件事我这边没有办法处理。", "抱歉，{it}我这边没有途径办这件事。"),
    "calm": ("我看过了，一切正常，您不用担心。", "都在正常处理中，您放心，不需要再做什么。",
             "这边显示没有问题，有变化会再通知您。"),
    "again": ("不好意思，前面的内容我没有记住，能再说一遍您要办的事吗？", "抱歉，麻烦您再说一次需要我做什么。"),
    "bye": ("不客气，还有什么可以帮您的吗？",),
    "nothing": ("抱歉，这件事我不知道该怎么办。",),
}  # fmt: skip
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_IMPOSSIBLE = (
    "can't", "cannot", "can not", "can no longer", "unable", "nothing left", "already", "not possible",
    "没法", "不能", "无法", "不了", "无需", "不支持", "之前就", "已经有", "不可以",
)  # fmt: skip
FEW, MANY = 3, 16
"""Values told of a result: where the answer is missing, and where a suite has none and they must stand for it."""


def tells_of_refusal(answer: str) -> bool:
    """Whether an answer says that something cannot be done: whoever never tried it has no reason to say so."""
    return any(word in answer.casefold() for word in _IMPOSSIBLE)


class Speech:
    """Plain sentences in the language of a request. Wordings are drawn by `chance`; `heard` is all the user said."""

    def __init__(self, request: str, heard: str, chance: Callable[..., float]) -> None:
        self._chinese = sum(map(is_cjk, request)) * 4 > sum(sign.isascii() and sign.isalpha() for sign in request)
        self._heard = heard
        self._chance = chance

    def say(self, what: str, args: Mapping[str, Any] | None = None, values: Sequence[str] = ()) -> str:
        """A sentence of that kind about what the user would know the step's record by."""
        known = [str(value) for value in leaves(args or {}) if shape(str(value)) and str(value) in self._heard]
        wordings = (_CHINESE if self._chinese else _ENGLISH)[what]
        text = wordings[int(self._chance("wording", what, *known[:1]) * len(wordings))]
        it = "" if not known else f"{known[0]} " if self._chinese else f" for {known[0]}"
        return text.format(it=it, values=("、" if self._chinese else ", ").join(values))

    def sentences(self, ends: Sequence[StepEnd], most: int) -> str:
        """What was done and what was not, step by step; at most so many values of each result."""
        told: list[str] = []
        for end in ends:
            values = self._values(end.call, most) if end.call is not None else []
            if values and (end.state == "elsewhere" or (most > FEW and end.state == "known")):
                told.append(self.say("values", end.args, values))
            if end.state not in ("asked", "known"):
                told.append(self.say("done" if end.state == "believed" else end.state, end.args))
            if end.call is not None and end.state in ("refused", "failed"):
                told.append(self._reason(end.call.message))
        space = "" if self._chinese else " "
        return space.join(sentence for sentence in dict.fromkeys(told) if sentence) or self.say("nothing")

    def _reason(self, message: str) -> str:
        """The first sentence of an error, if it is in the user's language and speaks to people."""
        first, dot, _ = message.partition(". ")
        plain = not any(sign in first for sign in "_{}[]<>=") and len(first) < 200
        return first + dot.strip() if plain and any(map(is_cjk, first)) == self._chinese else ""

    def _values(self, call: Called, most: int) -> list[str]:
        """What a person would want to hear of a result: not what was given, bare numbers and codes only among many."""
        given = set(map(str, leaves(call.args)))
        told = [self._value(str(leaf), bare=most > FEW) for leaf in leaves(call.result) if str(leaf) not in given]
        return [value for value in dict.fromkeys(told) if value][:most]

    def _value(self, text: str, *, bare: bool) -> str:
        if " / " in text:
            parts = text.split(" / ")
            text = next((part for part in parts if any(map(is_cjk, part)) == self._chinese), parts[0])
        if len(text) >= 10 and text[4] == text[7] == "-" and (text[:4] + text[5:7] + text[8:10]).isdigit():
            month, day = int(text[5:7]), int(text[8:10])
            return f"{month} 月 {day} 日" if self._chinese else f"{day} {_MONTHS[(month - 1) % 12]}"
        words = any(map(is_cjk, text)) or any(len(word) > 2 and word.islower() for word in text.split())
        if shape(text) and not words:
            return text if bare else ""
        return text.replace("_", " ") if any(map(is_cjk, text)) == self._chinese or shape(text) else ""


def _pieces(text: str) -> list[str]:
    """A text cut so that joining gives it back: numbers, Latin words, single signs."""
    pieces: list[str] = []
    at = 0
    while at < len(text):
        end = at
        while text[end : end + 1].isascii() and text[end : end + 1].isalnum():
            end += 1
            if text[end : end + 1] == "." and text[end - 1].isdigit() and text[end + 1 : end + 2].isdigit():
                end += 1
        end = max(end, at + 1)
        pieces.append(text[at:end])
        at = end
    return pieces


def _bare(piece: str) -> str:
    """A number without padding, a word without capitals."""
    return (piece.removesuffix(".00").lstrip("0") or "0") if piece[0].isdigit() else piece.casefold()


@lru_cache(maxsize=4096)
def facts_of(text: str) -> frozenset[str]:
    """What of a text can come from a record: numbers (without padding), longer Latin words, pairs of characters."""
    latin = {_bare(piece) for piece in _pieces(text) if piece.isascii() and (len(piece) > 3 or shape(piece))}
    return frozenset(latin | {left + right for left, right in pairwise(text) if is_cjk(left) and is_cjk(right)})


def facts_in(value: Any) -> set[str]:
    """The facts in the texts and numbers of a JSON value."""
    texts = (str(leaf) for leaf in leaves(value))
    # A moment is a day and a time, and people tell them apart.
    return {fact for t in texts for fact in facts_of(f"{t[:10]} {t[11:]}" if t[10:11] == "T" else t)}


def with_other_numbers(text: str, facts: set[str], *key: object) -> str:
    """The text with made-up numbers in place of those facts."""
    return "".join(made_up(piece, *key) if _bare(piece) in facts else piece for piece in _pieces(text))


def before(text: str, facts: set[str]) -> str:
    """The text before the first clause that speaks of any of those facts; of that clause's sentence no more than what
    names a record, for the rest would hang in the air."""
    kept = ""
    for sentence in _split(text, ("。", "！", "？", ". ", "! ", "? ")):
        clauses = _split(sentence, ("，", "；", ", ", "; "))
        bad = next((at for at, clause in enumerate(clauses) if facts_of(clause) & facts), None)
        if bad is not None:
            short = "".join(clauses[:bad]).rstrip("，；,; ")
            end = "。" if any(map(is_cjk, short)) else "."
            return f"{kept}{short}{end}" if any(map(shape, facts_of(short))) else kept.strip()
        kept += sentence
    return kept


def _split(text: str, marks: Sequence[str]) -> list[str]:
    for mark in marks:
        text = text.replace(mark, mark + "\n")
    return [part for part in text.split("\n") if part]
