"""What a text is about: concepts of the lexicon, other words, and pieces of Chinese that the lexicon does not know."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reach_tui.agents.simulated.lexicon import (
    CHINESE,
    CONTENT,
    ENGLISH,
    LONGEST_FORM,
    LONGEST_PHRASE,
    NEUTRAL,
    ROLE,
    STATE,
    STOP,
    stem,
)  # fmt: skip
from reach_tui.agents.simulated.paraphrase import paraphrased
from reach_tui.agents.simulated.values import Value, find_values

CONCEPT_WEIGHT, WORD_WEIGHT, PIECE_WEIGHT = 1.0, 0.5, 0.15

_RUN = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?|[\u3400-\u9fff]+")
_GAP = re.compile(r"[\s\-_/]*$")
_NOT_ZH = re.compile(
    r"(?:(?<!有)没有?|未|尚未|还没有?|(?<![是能要会可])不|(?<!是)不是|非|并未|无法|没能|待|别|从未)(?:被|能|再|有|"
    r"完全|正式)?$"
)
_NOT_EN = re.compile(
    r"(?:\bnot|n['’]t|\bnever|\bno|\bnon|\bwithout|\bhasnt|\bisnt|\bawaiting|\bpending|\byet to be|\byet to)"
    r"(?:[\s_-]+(?:yet|been|be|already|have|has|fully|a|an|the|any))*[\s_-]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text. `kind` is "concept", "word", "piece" (Chinese outside the lexicon), "stop" or "value".

    `keys` are concepts or the stem; `negated` says that a no stands right before it.
    """

    start: int
    end: int
    kind: str
    keys: tuple[str, ...]
    negated: bool = False


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[Token, ...]:
    """`text` in order of appearance; identifiers, numbers and quotations are one "value" token each."""
    out: list[Token] = []
    at = 0
    for value in find_values(text):
        out.extend(_plain(text, at, value.start))
        out.append(Token(value.start, value.end, "value", ()))
        at = value.end
    out.extend(_plain(text, at, len(text)))
    return tuple(out)


def _plain(text: str, start: int, end: int) -> list[Token]:
    out: list[Token] = []
    words: list[tuple[int, int, str]] = []
    for match in _RUN.finditer(text, start, end):
        run = match.group()
        if run[0].isascii():
            if words and not _GAP.match(text[words[-1][1] : match.start()]):
                out.extend(_english(text, words))
                words = []
            word = run.lower().replace("’", "'")
            if word.endswith("'s"):
                word = word[:-2]
            words.append((match.start(), match.end(), word))
            continue
        out.extend(_english(text, words))
        words = []
        out.extend(_chinese(text, match.start(), match.end()))
    out.extend(_english(text, words))
    return out


def _english(text: str, words: list[tuple[int, int, str]]) -> list[Token]:
    out: list[Token] = []
    stems: list[str] = []
    for _, _, word in words:
        stems.extend(stem(part) for part in word.split("'")) if "'" in word else stems.append(stem(word))
    if len(stems) != len(words):
        words = [(s, e, part) for s, e, word in words for part in word.split("'")]
    i = 0
    while i < len(words):
        for size in range(min(LONGEST_PHRASE, len(words) - i), 0, -1):
            concepts = ENGLISH.get(tuple(stems[i : i + size]))
            if concepts and not (size == 1 and words[i][2] in STOP):
                start, end = words[i][0], words[i + size - 1][1]
                out.append(
                    Token(start, end, "concept", concepts, bool(_NOT_EN.search(text, max(0, start - 40), start)))
                )
                break
        else:
            size = 1
            start, end, word = words[i]
            prefixed = ENGLISH.get((stem(word[2:]),)) if word.startswith("un") and len(word) > 5 else None
            if prefixed and word not in STOP:
                out.append(Token(start, end, "concept", prefixed, True))
            else:
                out.append(Token(start, end, "stop" if word in STOP else "word", (stems[i],)))
        i += size
    return out


def _chinese(text: str, start: int, end: int) -> list[Token]:
    out: list[Token] = []
    i = loose = start
    while i < end:
        for size in range(min(LONGEST_FORM, end - i), 0, -1):
            form = text[i : i + size]
            if form in CONTENT:
                i += size
                break
            if form in NEUTRAL or form in CHINESE:
                if loose < i:
                    out.append(Token(loose, i, "piece", (text[loose:i],)))
                if form in CHINESE:
                    out.append(
                        Token(i, i + size, "concept", CHINESE[form], bool(_NOT_ZH.search(text[max(0, i - 6) : i])))
                    )
                else:
                    out.append(Token(i, i + size, "stop", (form,)))
                i += size
                loose = i
                break
        else:
            i += 1
    if loose < end:
        out.append(Token(loose, end, "piece", (text[loose:end],)))
    return out


@lru_cache(maxsize=8192)
def vector(text: str) -> tuple[tuple[str, float], ...]:
    """Features with their weights, each feature once, in order of first appearance."""
    weights: dict[str, float] = {}
    for token in tokens(text):
        if token.kind == "concept":
            for key in token.keys:
                weights["c:" + key] = CONCEPT_WEIGHT
        elif token.kind == "word":
            weights.setdefault("w:" + token.keys[0], WORD_WEIGHT)
        elif token.kind == "piece":
            piece = token.keys[0]
            for i in range(max(1, len(piece) - 1)):
                weights.setdefault("b:" + piece[i : i + 2], PIECE_WEIGHT)
    for concept in paraphrased(text):
        weights["c:" + concept] = CONCEPT_WEIGHT
    return tuple(weights.items())


@lru_cache(maxsize=8192)
def concepts(text: str) -> tuple[str, ...]:
    """The concepts a text names, in order, each once."""
    named = [key for token in tokens(text) if token.kind == "concept" for key in token.keys]
    return tuple(dict.fromkeys([*named, *paraphrased(text)]))


@lru_cache(maxsize=8192)
def stems(text: str) -> frozenset[str]:
    """Concepts and words of a text as one set of keys, for matching a name against words."""
    keys = [key for token in tokens(text) if token.kind in ("concept", "word") for key in token.keys]
    pieces = [token.keys[0] for token in tokens(text) if token.kind == "piece"]
    return frozenset([*keys, *pieces])


@lru_cache(maxsize=4096)
def states(text: str) -> tuple[tuple[str, bool], ...]:
    """States and acts a text speaks of, each with whether it is denied: 还没发货 is (ship, True)."""
    return tuple(
        dict.fromkeys(
            (key, token.negated)
            for token in tokens(text)
            if token.kind == "concept"
            for key in token.keys
            if ROLE[key] in (STATE, "act")
        )
    )


_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_|-|\.")


@lru_cache(maxsize=4096)
def spaced(name: str) -> str:
    """An identifier as words: `findMemberByPhone` and `find_member_by_phone` alike."""
    return _CAMEL.sub(" ", name)


def values_of(text: str) -> tuple[Value, ...]:
    """Identifiers, numbers, dates, quotations of a text, in order."""
    return find_values(text)
