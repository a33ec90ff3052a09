"""What an agent must have said: texts, numbers by value, alternatives, patterns, values bound to the world's state.

An entry of `must_include`, `told` or `said` is a text; a number, or a text that is one (found by value: 129.00 is 129,
80 % is 0.8 is 八成); a list of alternatives; or a mapping with `$in` (alternatives), `$regex` (a pattern) or `state` (a
pointer: the value that stands there at the end). A mapping may hold `decides: false`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.equality import is_number, same_number
from reach_tui.core.trajectory import Step
from reach_tui.grading.state.explanations import show
from reach_tui.grading.state.expressions import occurs

_CJK = "\u3400-\u9fff\uf900-\ufaff\u3000-\u303f"
_LOOSE_SPACE = re.compile(rf"(?<=[{_CJK}]) | (?=[{_CJK}])")


@dataclass(slots=True)
class Message:
    """One message, made comparable once."""

    step: Step
    text: str
    normal: str
    _numbers: list[float] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, step: Step) -> Message:
        """The message of a step that has a text."""
        return cls(step, step.text, _squeezed(step.text))

    @property
    def numbers(self) -> list[float]:
        """Every number in it, by value."""
        if self._numbers is None:
            self._numbers = numbers_in(self.normal)
        return self._numbers


def entry_decides(entry: Any) -> bool:
    """Whether an entry counts: all do that do not say otherwise."""
    return not (isinstance(entry, dict) and entry.get("decides") is False)


def where_said(entry: Any, messages: Sequence[Message], value_at: Callable[[str], Any]) -> Step | None:
    """The first message that holds the entry, or None. `value_at` gives the state's value at a pointer.

    Raises PatternTrouble where a pattern cannot be decided.
    """
    return next((message.step for message in messages if _holds(entry, message, value_at)), None)


def entry_in_words(entry: Any) -> str:
    """The entry as a sentence quotes it."""
    if isinstance(entry, (list, tuple)):
        return " or ".join(map(entry_in_words, entry))
    if isinstance(entry, dict):
        if "$in" in entry and isinstance(entry["$in"], (list, tuple)):
            return entry_in_words(entry["$in"])
        if "$regex" in entry:
            return f"text like {show(entry['$regex'])}"
        if "state" in entry:
            return f"the value of {entry['state']}"
        if "text" in entry:
            return entry_in_words(entry["text"])
    return show(entry)


def _holds(entry: Any, message: Message, value_at: Callable[[str], Any]) -> bool:
    if isinstance(entry, (list, tuple)):
        return any(_holds(alternative, message, value_at) for alternative in entry)
    if isinstance(entry, dict):
        return _mapping_holds(entry, message, value_at)
    if is_number(entry):
        return _has_number(entry, message.numbers)
    return isinstance(entry, str) and contains(message, entry)


def _mapping_holds(entry: dict[str, Any], message: Message, value_at: Callable[[str], Any]) -> bool:
    if "$regex" in entry:
        return occurs(str(entry["$regex"]), message.text)
    if "state" in entry:
        value = value_at(str(entry["state"]))
        return value is not ABSENT and value is not None and _holds(value, message, value_at)
    inner = entry.get("$in", entry.get("text"))
    return inner is not None and _holds(inner, message, value_at)


def contains(message: Message, needed: str) -> bool:
    """Whether a message holds a text, letter case, width and spacing aside; never a part of a number or id."""
    needle = _squeezed(needed)
    if not needle:
        return True
    value = number_of(needle)
    if value is not None:
        return _has_number(value, message.numbers)
    return holds_text(message.normal, needle)


def holds_text(haystack: str, needle: str) -> bool:
    """`needle` in `haystack`, both normal; `A100` is not in `A1001`, nor `12` in `120`."""
    at = haystack.find(needle)
    while at >= 0:
        if _free(haystack, at, needle):
            return True
        at = haystack.find(needle, at + 1)
    return False


def _free(haystack: str, at: int, needle: str) -> bool:
    named = any(c.isdigit() for c in needle)
    before = haystack[at - 1] if at else " "
    after = haystack[at + len(needle)] if at + len(needle) < len(haystack) else " "
    starts_id = needle[0].isdigit() or (named and needle[0].isascii() and needle[0].isalpha())
    if starts_id and before.isascii() and before.isalnum():
        return False
    return not (needle[-1].isdigit() and after.isascii() and after.isdigit())


def _has_number(value: float, numbers: Iterable[float]) -> bool:
    return any(same_number(value, number) for number in numbers)


def _squeezed(text: str) -> str:
    """Normal, and without the spaces that some put between Chinese and other writing."""
    return _LOOSE_SPACE.sub("", normal(text))


# --- numbers in a text ---

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
    numbers = [value for match in _ARABIC.finditer(text) if (value := _arabic(match)) is not None]
    if not any(c in _DIGITS or c in _UNITS for c in text):
        return numbers
    for match in _FRACTION.finditer(text):
        below, above = _either(match.group(1)), _either(match.group(2))
        if below and above is not None:
            numbers.append((above + _decimals(match.group(3))) / below)
    text = _FRACTION.sub(";", text)
    for match in _TENTHS.finditer(text):
        numbers.append(_DIGITS[match.group(1)] / 10 + (0.05 if match.group(2) else 0.0))
    text = _TENTHS.sub(";", text)
    for match in _WORDED.finditer(text):
        alone = len(match.group()) == 1 and len(text) > 1 and text[match.end() : match.end() + 1] not in _MEASURES
        value = None if alone else chinese(match.group(1))
        if value is not None:
            numbers.append(value + _decimals(match.group(2)))
    return numbers


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
