"""Loose names: runs of a text that the lexicon does not know, with the concepts that touch them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reach_tui.agents.simulated.features import Token, tokens


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of text that the lexicon does not know, with the concepts that touch it on either side."""

    text: str
    start: int
    end: int
    left: tuple[str, ...]
    right: tuple[str, ...]


_SPACE = re.compile(r"^[\s'’-]*$")
_VERBISH = re.compile(
    r"^(?:所|来|去|做|办|弄|搞|下|上|一|这|那|第|多|少|点|还|该|此|某|另|新|老|刚|共|总|快|件|号|人|前|后|里|间|当|"
    r"时|如|比|第一|第二|第三|其中|里面|帮忙|麻烦|问题|事|几|哪|走|坐|等|只|到底|究竟|目前|收|吃|穿|放|试|退|真|挺|"
    r"蛮|超|特|好|差|坏|大|小|高|低|买|卖|装|拿|付|讲|听|谈|行|中|内|外|旁|边|性|化|者|员|家|们|样|么|嘛|哈|哦)+$"
)


@lru_cache(maxsize=4096)
def chunks(text: str) -> tuple[Chunk, ...]:
    """Loose names of `text`, in order."""
    found = tokens(text)
    out: list[Chunk] = []
    i = 0
    while i < len(found):
        token = found[i]
        if token.kind not in ("word", "piece"):
            i += 1
            continue
        last = i
        while (
            token.kind == "word"
            and last + 1 < len(found)
            and found[last + 1].kind == "word"
            and _SPACE.match(text[found[last].end : found[last + 1].start])
        ):
            last += 1
        raw = text[token.start : found[last].end]
        if not (token.kind == "piece" and (_VERBISH.match(raw))) and len(raw) > 1:
            out.append(
                Chunk(raw, token.start, found[last].end, _touching(text, found, i, -1), _touching(text, found, last, 1))
            )
        i = last + 1
    return tuple(out)


def _touching(text: str, found: tuple[Token, ...], at: int, step: int) -> tuple[str, ...]:
    """Concepts of the neighbour that touches a chunk, small words between (的, of, the) passed over."""
    here = at + step
    passed = 0
    while 0 <= here < len(found) and found[here].kind == "stop" and passed < 2:
        here += step
        passed += 1
    if 0 <= here < len(found) and found[here].kind == "concept":
        return found[here].keys
    return ()
