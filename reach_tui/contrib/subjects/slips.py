"""What goes amiss in a call: arguments that come out wrong, values that are made up, trouble that passes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from reach_tui.contrib.subjects.choose import Tool
from reach_tui.contrib.subjects.traits import draw

_SHOWN = ('"enum"', '"format"', '"pattern"', '"examples"', '"example"', '"const"')
_EXAMPLES = ("for example", "e.g.", "such as", "format", "digits", "exactly", "例如", "比如", "格式", "形如", "位数字")
_PASSING = (
    "try again", "retry", "timeout", "timed out", "time out", "temporar", "unavailable", "busy", "overload", "too many",
    "rate limit", "connection", "later", "internal error", "tool failure", "broke", "稍后", "超时", "暂时", "繁忙",
    "重试",
)  # fmt: skip
_LASTING = ("will not help", "does not help", "no use", "无需重试", "重试无效", "不要重试")


def passes(message: str) -> bool:
    """Whether an error speaks of trouble that may pass, and not of what was asked."""
    text = message.casefold()
    return any(word in text for word in _PASSING) and not any(word in text for word in _LASTING)


def documented(schema: Mapping[str, Any]) -> bool:
    """Whether a parameter's schema shows what a value looks like: by example, enum, format or pattern."""
    text = json.dumps(schema, ensure_ascii=False).casefold()
    return any(sign in text for sign in (*_SHOWN, *_EXAMPLES))


def shape(value: str) -> str:
    """What a value looks like: its digits and letters by kind. Empty where there is no digit to tell a number by."""
    kinds = ["9" if s.isdigit() else "A" if s.isupper() else "a" if s.islower() else s for s in value]
    return "".join(kinds) if "9" in kinds else ""


def made_up(value: str, *key: object) -> str:
    """A value of the same shape with other digits; the value itself where it has none.

    A number of up to two digits stays one that may be of a month or a day; decimals stay as they are.
    """
    if value.isdecimal() and len(value) < 3:
        low, many = (1, 12) if int(value) <= 12 else (13, 16)
        further = 1 + int(draw("made up", value, *key) * (many - 1))
        return str((int(value) - low + further) % many + low).zfill(len(value))
    whole, point, decimals = value.rpartition(".")
    whole, tail = (whole, point + decimals) if whole.isdecimal() and decimals.isdecimal() else (value, "")
    digits = [at for at, sign in enumerate(whole) if sign in "0123456789"]
    made = list(whole)
    for at in digits[-3:]:
        made[at] = str((int(whole[at]) + 1 + int(draw("made up", value, at, *key) * 8)) % 10)
    if digits and made[0] == "0" != whole[0]:
        made[0] = whole[0]
    return "".join(made) + tail


def slipped(
    tool: Tool, meant: Mapping[str, Any], care: float, seen: Callable[[], Iterable[str]], *key: object
) -> dict[str, Any]:
    """The arguments as they are given: each with chance 1 - `care` (half of it where it is documented) not as meant.

    It is then left out where it may be, is a neighbour of the same shape among the values `seen`, or comes in raw form.
    """
    given = dict(meant)
    for name, value in meant.items():
        chance = draw("slip", name, *key)
        if chance >= 1 - care or (chance >= (1 - care) / 2 and documented(tool.parameters.get(name, {}))):
            continue
        forms: list[Any] = []
        if isinstance(value, str) and shape(value):
            forms += [other for other in seen() if other != value and shape(other) == shape(value)][:1]
        forms += [raw for raw in [_raw(value)] if raw != value]
        optional = name not in tool.required and len(given) > 1
        pick = int(draw("form", name, *key) * (len(forms) + optional))
        if pick < len(forms):
            given[name] = forms[pick]
        elif optional:
            del given[name]
    return given


def _raw(value: Any) -> Any:
    """A value as people write it who have not read what form it shall have."""
    if isinstance(value, str):
        if "_" in value or not shape(value):
            return value.replace("_", " ")
        return value.lower() if value != value.lower() else value.lstrip("0") or value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value
