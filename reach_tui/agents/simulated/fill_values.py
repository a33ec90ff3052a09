"""Numbers, money, dates, choices and flags for a parameter, out of the words that belong to a goal."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from reach_tui.agents.simulated import parameters as kinds
from reach_tui.agents.simulated import values as forms
from reach_tui.agents.simulated.cues import bounds
from reach_tui.agents.simulated.dates import clock_time, iso_date
from reach_tui.agents.simulated.features import concepts, spaced, stems, tokens
from reach_tui.agents.simulated.lexicon import FIELD, ROLE, STATE
from reach_tui.agents.simulated.parameters import Param
from reach_tui.agents.simulated.values import Value, find_values

_UNIT_CONCEPTS = {
    "积分": "points", "分": "points", "点": "points", "天": "days", "年": "year", "人": "capacity", "小时": "time",
    "件": "quantity",
    "个": "quantity", "台": "quantity", "盒": "quantity", "瓶": "quantity", "双": "quantity", "只": "quantity",
    "把": "quantity",
    "本": "quantity", "套": "quantity", "箱": "quantity", "份": "quantity", "张": "quantity", "条": "quantity",
    "包": "quantity", "袋": "quantity", "支": "quantity",
}  # fmt: skip
_TAKEN = re.compile(r"(?:最近|最新|最早|最后|前|第|last|latest|top|first|recent)\s*(?:的)?\s*$", re.IGNORECASE)
_START = re.compile(r"start|from|since|begin|after|开始|起始|起", re.IGNORECASE)
_END = re.compile(r"end|until|to\b|till|before|due|结束|截止|终止|止", re.IGNORECASE)
_FRACTION = re.compile(r"0\s?(?:-|to|到|~|and)\s?1\b|fraction|decimal|小数", re.IGNORECASE)
_LESS = frozenset({"remove"})
_SIGNED = re.compile(r"negative|负数|delta|change|adjust|增减", re.IGNORECASE)
_EVERYTHING = re.compile(r"全额|全部金额|整单|全款|\bfull\b|\bwhole\b|\bentire\b", re.IGNORECASE)


def numbers_in(text: str) -> list[Value]:
    """Numbers that say how much, those of conditions and of `the last 3` left out."""
    limits = {bound.number for bound in bounds(text)}
    return [
        v
        for v in find_values(text)
        if v.number is not None and not _TAKEN.search(text[max(0, v.start - 8) : v.start]) and v.number not in limits
    ]


def number_for(param: Param, texts: Sequence[str], lenient: bool) -> float | None:
    """A count: by unit or by the noun beside it; `lenient` also takes a lone number."""
    for text in texts:
        found = [v for v in numbers_in(text) if v.kind == forms.NUMBER]
        best = next((v for v in found if _near(param, text, v)), None)
        if best is None and lenient and len(found) == 1 and not _foreign(param, found[0]):
            best = found[0]
        if best is not None:
            return best.number
    return None


def _near(param: Param, text: str, value: Value) -> bool:
    wanted = set(param.concepts) | set(param.words)
    if _UNIT_CONCEPTS.get(value.unit) in wanted:
        return True
    found = [t for t in tokens(text) if t.kind in ("concept", "word")]
    after = next((t for t in found if 0 <= t.start - value.end <= 12), None)
    before = next((t for t in reversed(found) if 0 <= value.start - t.end <= 3), None)
    return bool(after and wanted & set(after.keys)) or bool(before and wanted & set(before.keys) and not value.unit)


def _foreign(param: Param, value: Value) -> bool:
    """A unit that belongs to something else: 3 天 is no quantity."""
    concept = _UNIT_CONCEPTS.get(value.unit)
    return concept in ("days", "points", "capacity", "year") and concept not in param.concepts


def money_for(param: Param, texts: Sequence[str], minor: bool, lenient: bool) -> float | int | None:
    """An amount of money in the parameter's unit."""
    for text in texts:
        found = [v for v in numbers_in(text) if v.kind == forms.MONEY]
        if not found and lenient:
            found = [v for v in numbers_in(text) if v.kind == forms.NUMBER and not v.unit]
        if not found:
            found = [v for v in numbers_in(text) if v.kind == forms.NUMBER and re.fullmatch(r"\d[\d,]*\.\d\d", v.text)]
        if found and found[0].number is not None:
            cents = re.search(r"分|cents?|pence", text[found[0].end : found[0].end + 6], re.IGNORECASE)
            return as_type(param, found[0].number * (100 if (minor or param.minor) and not cents else 1))
    return None


def wants_whole(texts: Sequence[str]) -> bool:
    """Whether the words say that the whole sum is meant."""
    return any(_EVERYTHING.search(text) for text in texts)


def percent_for(param: Param, texts: Sequence[str]) -> float | int | None:
    """A percentage, as a fraction where the parameter wants one."""
    for text in texts:
        found = [v for v in find_values(text) if v.number is not None and v.kind in (forms.PERCENT, forms.NUMBER)]
        found.sort(key=lambda v: v.kind != forms.PERCENT)
        if found and found[0].number is not None:
            number = found[0].number
            if param.type == "number" and _FRACTION.search(param.description):
                number /= 100
            return as_type(param, number)
    return None


def signed(param: Param, number: float | int, acts: Sequence[str]) -> float | int:
    """Negative where the goal takes away and the parameter is a change."""
    return -number if set(acts) & _LESS and _SIGNED.search(param.name + " " + param.description) else number


def as_type(param: Param, number: float) -> float | int:
    """Whole numbers as integers."""
    return round(number) if param.type == "integer" or float(number).is_integer() else number


def date_for(param: Param, texts: Sequence[str], now: date | None, raw: bool = False) -> str | None:
    """A date, month or time of day in the form the parameter wants; as typed where `raw`."""
    label = spaced(param.name)
    for text in texts:
        if param.kind == kinds.TIME:
            times = [clock_time(v.text) for v in find_values(text) if v.kind == forms.TIME]
            times = [t for t in times if t]
            if times:
                return times[-1] if _END.search(label) and len(times) > 1 else times[0]
            continue
        found = [(v.text, iso) for v in find_values(text) if v.kind == forms.DATE and (iso := iso_date(v.text, now))]
        weeks = [(v.text, week) for v in find_values(text) if v.kind == forms.DATE and (week := _week(v.text, now))]
        if not found and weeks:
            return weeks[0][1][1] if _END.search(label) else weeks[0][1][0]
        if not found:
            continue
        typed, iso = found[-1] if _END.search(label) and not _START.search(label) else found[0]
        if raw:
            return typed
        if param.kind == kinds.MONTH:
            return iso[:7]
        if len(iso) == 7:
            year, month = int(iso[:4]), int(iso[5:])
            return f"{iso}-{calendar.monthrange(year, month)[1]:02d}" if _END.search(label) else f"{iso}-01"
        return iso
    return None


def _week(text: str, now: date | None) -> tuple[str, str] | None:
    low = text.lower()
    if now is None or not re.fullmatch(r"(?:上|这|本|下)个?(?:周|星期|礼拜)|(?:last|this|next) week", low):
        return None
    shift = -7 if low.startswith(("上", "last")) else 7 if low.startswith(("下", "next")) else 0
    monday = now - timedelta(days=now.weekday()) + timedelta(days=shift)
    return monday.isoformat(), (monday + timedelta(days=6)).isoformat()


def choice_for(param: Param, texts: Sequence[str]) -> Any:
    """The option that the words speak of; None where none is spoken of. Nearer texts count more."""
    glosses = _glosses(param)
    best, best_score = None, 0.0
    for place, text in enumerate(text for text in texts if text):
        share = 0.85**place
        keys = {key for t in tokens(text) if t.kind in ("concept", "word") and not t.negated for key in t.keys}
        for option in param.enum:
            score = share * _option_score(str(option), text, keys, glosses.get(str(option), ()))
            if score > best_score + 1e-9:
                best, best_score = option, score
    return best if best_score >= 0.45 else None


def _option_score(label: str, text: str, keys: set[str], gloss: Sequence[str]) -> float:
    """How much a text speaks of an option: by its very name, its concepts, and what the description says of it."""
    low = text.lower()
    word = re.escape(label.lower())
    plain = label.lower() in low if not label.isascii() else bool(re.search(rf"(?<![a-z0-9]){word}(?![a-z0-9])", low))
    score = 3.0 if plain and len(label) > 1 and not _negated(label, text) else 0.0
    said = [t for t in tokens(spaced(label).lower()) if t.kind == "concept"]
    named = {key for t in said if not t.negated for key in t.keys}
    score += sum(1.0 if ROLE[c] == STATE else 0.8 for c in named & keys)
    heard = keys | stems(text)
    score += sum(
        0.6 for c in sorted(set(gloss)) if c in heard and c not in named and ROLE.get(c) in (None, STATE, FIELD)
    )
    return score + (1.0 if _denied_match(label, text) else 0.0)


def _negated(label: str, text: str) -> bool:
    """Whether an option stands in the text only behind a no (not paid)."""
    wanted = set(concepts(spaced(label).lower()))
    found = [t for t in tokens(text) if t.kind == "concept" and wanted & set(t.keys)]
    return bool(found) and all(t.negated for t in found)


def _denied_match(label: str, text: str) -> bool:
    """`unpaid`, `pending_payment` and `not_shipped` are what 还没付款 and `not shipped` mean."""
    wanted = {(t.keys[0]) for t in tokens(spaced(label).lower()) if t.kind == "concept" and t.negated}
    said = {key for t in tokens(text) if t.kind == "concept" and t.negated for key in t.keys}
    return bool(wanted & said)


def _glosses(param: Param) -> dict[str, tuple[str, ...]]:
    """What the description says of each option: the words from its name to the next option's."""
    places = sorted(
        (match.start(), match.end(), str(option))
        for option in param.enum
        for match in [re.search(rf"(?<![A-Za-z0-9]){re.escape(str(option))}(?![A-Za-z0-9])", param.description)]
        if match
    )
    out: dict[str, tuple[str, ...]] = {}
    for n, (_, end, option) in enumerate(places):
        until = places[n + 1][0] if n + 1 < len(places) else len(param.description)
        piece = re.split(r"[;；。]|，(?=\w+\s)", param.description[end:until])[0]
        out[option] = tuple(sorted(stems(piece)))
    return out


def plain_choice(param: Param) -> Any:
    """What to take where a choice is demanded and nothing was said: default, the ordinary one, or the first."""
    if param.has_default:
        return param.default
    for option in param.enum:
        if set(concepts(spaced(str(option)).lower())) & {"normal", "regular", "other", "original", "unwanted"}:
            return option
    return param.enum[0] if param.enum else None


def flag_for(param: Param, texts: Sequence[str]) -> bool | None:
    """True or false where the words speak of it; None where they do not."""
    wanted = [c for c in param.concepts if ROLE[c] in (STATE, "act", "field", "thing")]
    for text in texts:
        for token in tokens(text):
            if token.kind == "concept" and set(token.keys) & set(wanted[:2]):
                return not (
                    token.negated
                    or bool(
                        re.search(
                            r"不用|不要|别|无需|without|don['’]t|no need to|\bno\s*$|\bnot\s*$",
                            text[max(0, token.start - 12) : token.start],
                            re.IGNORECASE,
                        )
                    )
                )
    return None
