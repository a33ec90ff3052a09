"""Text by terminal cells: measured, cut, padded, wrapped into lines, never inside a character.

The one place that takes the terminal library's own measure: columns counted otherwise would not stand where it draws.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size, split_graphemes

from reach_tui.core.text import visible


def width(text: str) -> int:
    """Terminal cells that `text` (one line) takes."""
    return cell_len(text)


def fit(text: str, cells: int) -> str:
    """`text` cut or padded to exactly `cells` cells; a cut ends in `…` and never halves a character."""
    size = cell_len(text)
    if size <= cells:
        return text + " " * (cells - size)
    if cells <= 1:
        return set_cell_size(text, cells)
    return set_cell_size(set_cell_size(text, cells - 1).rstrip() + "…", cells)


def fit_middle(text: str, cells: int) -> str:
    """Like `fit`, but the end is kept and the middle cut: for paths, whose leaf says most."""
    if cell_len(text) <= cells:
        return fit(text, cells)
    spans, _ = split_graphemes(text)
    tail_room = max(1, (cells - 1) * 2 // 3)
    tail, used = len(text), 0
    for start, _end, size in reversed(spans):
        if used + size > tail_room:
            break
        tail, used = start, used + size
    head = set_cell_size(text, max(0, cells - 1 - used)).rstrip()
    return fit(head + "…" + text[tail:], cells)


def expand_tabs(text: str, size: int = 4) -> str:
    """Tabs turned into spaces by cells, not characters (`text` is one line)."""
    if "\t" not in text:
        return text
    out = ""
    for piece in text.split("\t")[:-1]:
        out += piece
        out += " " * (size - cell_len(out) % size)
    return out + text.rsplit("\t", 1)[1]


def wrap(text: str, cells: int) -> list[str]:
    """Lines of at most `cells` cells, broken at spaces where there are any, never inside a character. Control
    characters are marks, tabs are spaces."""
    cells = max(2, cells)
    lines: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        lines.extend(_wrap_line(expand_tabs(visible(line)), cells))
    return lines


def _wrap_line(line: str, cells: int) -> Iterator[str]:
    # A line may be a megabyte long: only a window of it is looked at for each piece.
    plain, size, at = line.isascii(), len(line), 0
    reach = cells + 1 if plain else cells * 2 + 8
    while True:
        window = line[at : at + reach]
        last = at + len(window) >= size
        if last and (len(window) <= cells if plain else width(window) <= cells):
            yield window
            return
        cut = cells if plain else _cut(window, cells)
        space = window.rfind(" ", cut // 2, cut + 1)
        if space > 0:
            yield window[:space]
            at += space + 1
        else:
            yield window[:cut]
            at += cut
            if at >= size:
                return


_SIMPLE = re.compile("[ -~\u3001-\u301b\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]+")
"""Text whose characters stand alone and take one cell (ASCII) or two (all others here)."""


def _cut(window: str, cells: int) -> int:
    """How many characters of `window` fit in `cells`, never inside a grapheme; at least one grapheme."""
    used = 0
    if _SIMPLE.fullmatch(window):
        for at, character in enumerate(window):
            used += 1 if character < "\x7f" else 2
            if used > cells:
                return at or 1
        return len(window)
    spans, _ = split_graphemes(window)
    for start, _end, size in spans:
        used += size
        if used > cells:
            return start or spans[0][1]
    return len(window)
