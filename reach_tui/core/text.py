"""Text that is safe to show and to store."""

from __future__ import annotations

import re

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


def storable(text: str) -> str:
    """`text` without lone surrogates, which UTF-8 cannot hold: each becomes its escape, `\\udc80`."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
