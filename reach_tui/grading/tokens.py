"""What a text names by itself: numbers by value, and the ids of records.

Numbers: `129.00`, `80 %`, `八成`, `百分之八十`, `三分之二`, `1.2万`, `一百二十九`.
Ids: letters with digits (`A100`, `TK-0031`) or a long number.
"""

from __future__ import annotations

import re
import unicodedata

_DIGITS = dict(zip("零〇一二两三四五六七八九", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
_UNITS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10_000, "亿": 100_000_000}
_NUMERALS = "零〇一二两三四五六七八九十百千万亿"
_CHINESE = f"[{_NUMERALS}]+"

# What holds digits and is no number: dates, times, joined names (`TK-0031`).
_NO_NUMBER = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:t[\d:.+z-]+)?|\d{1,2}:\d{2}(?::\d{2})?"
    r"|(?<![a-z0-9_-])(?=[0-9_-]*[a-z])[a-z0-9]+(?:[-_][a-z0-9]+)+"
)
_ARABIC = re.compile(
    r"(?<![a-z0-9_.,])((?<![a-z0-9])[-+−])?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![a-z_]*\d)(?!\.\d)"
    r"(?:\s*(%|万|亿|成(?!功|为|交|立|员|都|品|本)))?"
)
_FRACTION = re.compile(rf"(?<![0-9{_NUMERALS}])(百|{_CHINESE}|\d+)分之({_CHINESE}|\d+(?:\.\d+)?)(?:点({_CHINESE}))?")
_TENTHS = re.compile(r"([一二两三四五六七八九])成(?!功|为|交|立|员|都|品|本)(半)?")
_WORDED = re.compile(rf"({_CHINESE})(?:点([零〇一二三四五六七八九]+))?")
_CURRENCY = re.compile(r"^(¥|\$|€|£|cny|usd|rmb)\s*|\s*(元|块|cny|usd|rmb|yuan)$")
# A single digit in words is mostly no number (一起, 第一): it counts before a measure.
_MEASURES = "个件天元块次张单台份小分周月年日号笔条种位倍折"


def normal(text: str) -> str:
    """Full-width forms narrowed, letter case and runs of white space evened out."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def numbers_in(text: str) -> list[float]:
    """Every number that a normal text names; `%` and 成 count as the fraction they mean."""
    text = _NO_NUMBER.sub(" ; ", text)
    found = [value for match in _ARABIC.finditer(text) if (value := _arabic(match)) is not None]
    if not any(c in _DIGITS or c in _UNITS for c in text):
        return found
    for match in _FRACTION.finditer(text):
        below, above = _either(match.group(1)), _either(match.group(2))
        if below and above is not None:
            found.append((above + _decimals(match.group(3))) / below)
    text = _FRACTION.sub(";", text)
    for match in _TENTHS.finditer(text):
        found.append(_DIGITS[match.group(1)] / 10 + (0.05 if match.group(2) else 0.0))
    text = _TENTHS.sub(";", text)
    for match in _WORDED.finditer(text):
        alone = len(match.group()) == 1 and len(text) > 1 and text[match.end() : match.end() + 1] not in _MEASURES
        value = None if alone else chinese(match.group(1))
        if value is not None:
            found.append(value + _decimals(match.group(2)))
    return found


def number_of(text: str) -> float | None:
    """The value of a normal text that is one number, with a currency at most; None otherwise."""
    bare = _CURRENCY.sub("", text)
    arabic = _ARABIC.fullmatch(bare)
    if arabic is not None:
        return _arabic(arabic)
    for pattern in (_FRACTION, _TENTHS, _WORDED):
        if pattern.fullmatch(bare):
            values = numbers_in(bare)
            return values[0] if values else None
    return None


def chinese(word: str) -> float | None:
    """The value of a Chinese numeral; a run of digits reads as written (二〇二六). None where it is no numeral."""
    if not any(c in _UNITS or c in _MYRIADS for c in word):
        return float("".join(str(_DIGITS[c]) for c in word)) if word and len(word) < 19 else None
    total = section = digit = 0
    for c in word:
        if c in _DIGITS:
            digit = _DIGITS[c]
        elif c in _UNITS:
            section += (digit or 1) * _UNITS[c]
            digit = 0
        else:
            if total == section == digit == 0:
                return None
            total = (total + section + digit) * _MYRIADS[c]
            section = digit = 0
    return float(total + section + digit)


def _arabic(match: re.Match[str]) -> float | None:
    sign, whole, fraction, unit = match.groups()
    if len(whole) > 300:
        return None
    value = float(whole.replace(",", "") + (fraction or ""))
    scale = {"%": 0.01, "成": 0.1, "万": 1e4, "亿": 1e8}.get(unit or "", 1.0)
    return (-value if sign in ("-", "−") else value) * scale


def _either(word: str) -> float | None:
    return 100.0 if word == "百" else chinese(word) if word[0] not in "0123456789" else float(word)


def _decimals(word: str | None) -> float:
    return float("0." + "".join(str(_DIGITS.get(c, 0)) for c in word)) if word else 0.0


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
