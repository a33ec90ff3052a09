"""What looks like the name of a record: letters with digits (`A100`, `TK-0031`) or a long number."""

from __future__ import annotations

import re

# Hyphens and underscores join pieces; a word without any digit is no id, and neither is a short number.
_TOKEN = re.compile(r"(?<![A-Za-z0-9_])#?([A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*)(?![A-Za-z0-9])")
_DATE = re.compile(r"\d{4}-\d{1,2}(-\d{1,2})?|\d{1,2}-\d{1,2}(-\d{2,4})?|\d{4}-\d{1,2}-\d{1,2}T\d+")
_MEASURE = re.compile(
    r"\d+(st|nd|rd|th|ml|kg|cm|mm|gb|mb|am|pm|h|s|d|k|m|g|l|x|w|v|px|pcs|min|days?|hours?|yuan)", re.I
)
SHORTEST_NUMBER = 7
"""Digits from which a bare number counts as a name and not as an amount."""


def looks_like_id(text: str) -> bool:
    """Whether the whole text is one id."""
    match = _TOKEN.fullmatch(text)
    return match is not None and _is_id(match.group(1))


def ids_in(text: str) -> tuple[str, ...]:
    """The ids in a text as written, each once, in order."""
    return tuple(dict.fromkeys(token for token in _TOKEN.findall(text) if _is_id(token)))


def shape(token: str) -> str:
    """Ids of one kind share a shape: `A100` and `A2001` are `A0`, `TK-0031` is `TK-0`."""
    return re.sub(r"\d+", "0", token.upper())


def _is_id(token: str) -> bool:
    if len(token) < 3 or not any(c.isdigit() for c in token):
        return False
    if token.isdecimal():
        return len(token) >= SHORTEST_NUMBER
    if not any(c.isalpha() for c in token):
        return not _DATE.fullmatch(token) and sum(c.isdigit() for c in token) >= SHORTEST_NUMBER
    return _MEASURE.fullmatch(token) is None and _DATE.fullmatch(token) is None
