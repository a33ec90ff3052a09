"""Dates as people write them, brought to ISO form against the clock that the conversation names."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from reach_tui.agents.simulated.values import chinese_number

_ISO = re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})")
_ISO_MONTH = re.compile(r"^(\d{4})-(\d{2})$")
_ZH = re.compile(
    r"(?:(\d{4}|今|去|明)年)?\s?(\d{1,2}|[一二三四五六七八九十]{1,2})\s?月(?:份|底|初)?(?:\s?(\d{1,2}|"
    r"[一二三四五六七八九十]{1,3})\s?[日号])?"
)
_ZH_DAY = re.compile(r"^(\d{1,2})\s?号$")
_EN_MD = re.compile(r"([a-z]{3,9})\.?\s(\d{1,2})(?:st|nd|rd|th)?(?:,?\s(\d{4}))?$")
_EN_DM = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\s(?:of\s)?([a-z]{3,9})(?:,?\s(\d{4}))?$")
_EN_M = re.compile(r"^([a-z]{3,9})(?:\s(\d{4}))?$")
_SLASH = re.compile(r"^(\d{1,2})/(\d{1,2})/(\d{4})$")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ZH_WEEKDAYS = "一二三四五六日"
_DAYS = {
    "今天": 0, "今日": 0, "today": 0, "明天": 1, "明日": 1, "tomorrow": 1, "昨天": -1, "昨日": -1, "yesterday": -1,
    "后天": 2, "前天": -2, "大后天": 3, "大前天": -3, "day after tomorrow": 2, "day before yesterday": -2,
}  # fmt: skip
_MONTH_STEPS = {
    "上月": -1, "上个月": -1, "last month": -1, "这月": 0, "这个月": 0, "本月": 0, "this month": 0,
    "下月": 1, "下个月": 1, "next month": 1,
}  # fmt: skip
_CLOCK = re.compile(r"(?:(上午|下午|晚上|早上|中午)\s?)?(\d{1,2}|[一二两三四五六七八九十]{1,2})点(半|\d{1,2})?")
_CLOCK_EN = re.compile(r"(\d{1,2})(?::(\d{2}))?\s?([ap])\.?m", re.IGNORECASE)


def find_now(text: str) -> date | None:
    """The day a text names as now: its first full date."""
    match = _ISO.search(text) or re.search(r"(\d{4})年(\d{1,2})月(\d{1,2})日", text)
    return _date(*match.groups()) if match else None


def _date(year: object, month: object, day: object) -> date | None:
    try:
        return date(int(str(year)), int(str(month)), int(str(day)))
    except ValueError:
        return None


def _int(text: str) -> int:
    if text.isdigit():
        return int(text)
    return int(chinese_number(text) or 0)


def iso_date(text: str, now: date | None) -> str | None:
    """`YYYY-MM-DD`, or `YYYY-MM` where no day is named; None where it cannot be told (relative, and no clock known)."""
    low = text.strip().lower()
    if match := _ISO.search(low):
        day = _date(*match.groups())
        return day.isoformat() if day else None
    if _ISO_MONTH.match(low):
        return low
    if match := _SLASH.match(low):
        first, second, year = (int(part) for part in match.groups())
        day = _date(year, second, first) if first > 12 else _date(year, first, second)
        return day.isoformat() if day else None
    return _relative(low, now) or _chinese(low, now) or _english(low, now)


def _relative(low: str, now: date | None) -> str | None:
    if now is None:
        return None
    if low in _DAYS:
        return (now + timedelta(days=_DAYS[low])).isoformat()
    if low in _MONTH_STEPS:
        months = now.year * 12 + now.month - 1 + _MONTH_STEPS[low]
        return f"{months // 12:04d}-{months % 12 + 1:02d}"
    shift = -7 if low.startswith(("上", "last")) else 7 if low.startswith(("下", "next")) else 0
    weekday = next((i for i, name in enumerate(_WEEKDAYS) if low.endswith(name)), None)
    english = weekday is not None
    if weekday is None and re.search("周|星期|礼拜", low):
        last = low[-1].replace("天", "日")
        weekday = _ZH_WEEKDAYS.find(last) if last in _ZH_WEEKDAYS else None
    if weekday is None:
        return None
    monday = now - timedelta(days=now.weekday())
    day = monday + timedelta(days=weekday + shift)
    if shift == 0 and day < now:
        day += timedelta(days=7)
    if english and shift == 7 and now.weekday() < weekday:
        day = monday + timedelta(days=weekday + 7)
    return day.isoformat()


def _chinese(low: str, now: date | None) -> str | None:
    if (match := _ZH_DAY.match(low)) and now is not None:
        day = _date(now.year, now.month, match.group(1))
        return day.isoformat() if day else None
    match = _ZH.search(low)
    if not match:
        return None
    year_text, month_text, day_text = match.groups()
    base = now.year if now else None
    if year_text and year_text.isdigit():
        base = int(year_text)
    elif base is not None and year_text:
        base += {"今": 0, "去": -1, "明": 1}[year_text]
    month = _int(month_text)
    if base is None or not 1 <= month <= 12:
        return None
    if not day_text:
        return f"{base:04d}-{month:02d}"
    day = _date(base, month, _int(day_text))
    return day.isoformat() if day else None


def _month(name: str) -> int | None:
    return _MONTHS.index(name[:3]) + 1 if name[:3] in _MONTHS else None


def _english(low: str, now: date | None) -> str | None:
    for pattern, month_at, day_at in ((_EN_MD, 1, 2), (_EN_DM, 2, 1)):
        if match := pattern.search(low):
            month = _month(match.group(month_at))
            year = match.group(3) or (now.year if now else None)
            if month and year:
                day = _date(year, month, match.group(day_at))
                return day.isoformat() if day else None
    if match := _EN_M.match(low):
        month = _month(match.group(1))
        year = match.group(2) or (now.year if now else None)
        if month and year:
            return f"{int(str(year)):04d}-{month:02d}"
    return None


def clock_time(text: str) -> str | None:
    """`HH:MM` of a time of day."""
    if match := re.search(r"(\d{1,2}):(\d{2})(?!\s?[ap]\.?m)", text, re.IGNORECASE):
        return f"{int(match.group(1)):02d}:{match.group(2)}"
    if match := _CLOCK_EN.search(text):
        hour = int(match.group(1)) % 12 + (12 if match.group(3).lower() == "p" else 0)
        return f"{hour:02d}:{match.group(2) or '00'}"
    if match := _CLOCK.search(text):
        part, hour_text, rest = match.groups()
        hour = _int(hour_text)
        if part in ("下午", "晚上") and hour < 12:
            hour += 12
        minute = 30 if rest == "半" else _int(rest) if rest else 0
        return f"{hour:02d}:{minute:02d}"
    return None


def parse_moment(value: object) -> datetime | None:
    """A date or time stamp of a record as a naive moment, for comparing; None if it is none."""
    if not isinstance(value, str) or len(value) < 8 or not value[:4].isdigit():
        return None
    try:
        return datetime.fromisoformat(value.replace("Z", "+00:00").replace("/", "-")).replace(tzinfo=None)
    except ValueError:
        match = _ISO.match(value)
        day = _date(*match.groups()) if match else None
        return datetime(day.year, day.month, day.day) if day else None
