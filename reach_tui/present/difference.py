"""The difference of two texts, word by word, in lines: `[-gone-]` and `{+new+}`, so that it reads without colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

import regex

from reach_tui.core.text import visible
from reach_tui.present.cells import Piece
from reach_tui.present.layout import width, wrap

_WORDS = regex.compile(r"\n|[^\S\n]+|[A-Za-z0-9_]+|\X")
_LONG = 20_000


def difference_lines(before: str, after: str, cells: int) -> list[tuple[Piece, ...]]:
    """Lines of at most `cells` columns."""
    if before == after:
        return [(("no difference yet", "dim"),)]
    if len(before) + len(after) > _LONG:
        texts = (("- ", before, "removed"), ("+ ", after, "added"))
        return [((sign + line, role),) for sign, text, role in texts for line in wrap(text, cells - 2)]
    return list(_lay(_changes(before, after), max(10, cells)))


def _changes(before: str, after: str) -> Iterator[Piece]:
    a, b = _WORDS.findall(visible(before)), _WORDS.findall(visible(after))
    for what, a_from, a_to, b_from, b_to in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if what == "equal":
            yield "".join(a[a_from:a_to]), "dim"
            continue
        if a_to > a_from:
            yield f"[-{''.join(a[a_from:a_to])}-]", "removed"
        if b_to > b_from:
            yield f"{{+{''.join(b[b_from:b_to])}+}}", "added"


def _lay(pieces: Iterable[Piece], cells: int) -> Iterator[tuple[Piece, ...]]:
    """Pieces broken into lines, at spaces where possible."""
    line: list[Piece] = []
    used = 0
    for text, role in pieces:
        for word in _WORDS.findall(text):
            # Joined, two words may be wider than apart: a mark may change the character before it.
            before = line[-1][0] if line and line[-1][1] == role else ""
            size = width(before + word) - width(before) if word != "\n" else 0
            if word == "\n" or (used + size > cells and line):
                yield tuple(line)
                line, used, size = [], 0, width(word)
                if word == "\n" or word.isspace():
                    continue
            if line and line[-1][1] == role:
                line[-1] = (line[-1][0] + word, role)
            else:
                line.append((word, role))
            used += size
    if line:
        yield tuple(line)
