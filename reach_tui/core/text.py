"""Text that is safe to show and measured in terminal cells."""

from __future__ import annotations

import re

from rich.cells import cell_len, set_cell_size, split_graphemes

# C0 (but newline and tab, which callers lay out), DEL, C1, and the format characters that reorder or hide text.
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
_PICTURES = {0x7F: "\u2421"}


def _mark(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return _PICTURES.get(code, f"<{code:04x}>")


def visible(text: str) -> str:
    """`text` with every control character drawn as a mark: nothing of it acts on a terminal. Newlines and tabs stay."""
    return _CONTROL.sub(_mark, text) if _CONTROL.search(text) else text


def one_line(text: str) -> str:
    """`visible` on a single line: newlines and tabs are shown as marks too."""
    return visible(text).replace("\r\n", "\u23ce").replace("\n", "\u23ce").replace("\t", "\u21e5")


def expand_tabs(text: str, size: int = 4) -> str:
    """Tabs turned into spaces by cells, not characters (`text` is one line)."""
    if "\t" not in text:
        return text
    out = ""
    for piece in text.split("\t")[:-1]:
        out += piece
        out += " " * (size - cell_len(out) % size)
    return out + text.rsplit("\t", 1)[1]


def storable(text: str) -> str:
    """`text` without lone surrogates, which UTF-8 cannot hold: each becomes its escape, `\\udc80`."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


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
