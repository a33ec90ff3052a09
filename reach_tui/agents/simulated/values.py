"""Values that a text holds, known by their form: identifiers, numbers with units, money, dates, phones, quotations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

ID, NUMBER, MONEY, PERCENT, DATE, TIME, PHONE, EMAIL, QUOTED = (
    "id", "number", "money", "percent", "date", "time", "phone", "email", "quoted",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Value:
    """A value as written. `number` is set for number, money (major units) and percent; `unit` is the word behind it."""

    kind: str
    text: str
    start: int
    end: int
    number: float | None = None
    unit: str = ""


_ZH_NUMBER = "[零〇一二两三四五六七八九十百千]+"
_UNITS = (
    "个|件|天|笔|张|台|份|条|单|次|箱|位|款|双|只|盒|瓶|把|本|套|人|小时|分钟|折|积分|分|点|年|个月|周|名|间|辆|"
    "组|元钱|包|袋|支|部|块|页|副|辑|吨|公斤|斤|枚|场"
)
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?"
)
_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_EN_SMALL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

_PATTERN = re.compile(
    rf"""
    (?P<quoted>“[^”]+”|「[^」]+」|『[^』]+』|《[^》]+》
      | "[^"\n]+"|(?<![A-Za-z0-9_])['‘][^'’\n]{{2,}}['’](?![A-Za-z0-9_]))
  | (?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
  | (?P<date>
        (?<!\d)\d{{4}}-\d{{1,2}}-\d{{1,2}}(?:[T ]\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:\.\d+)?
            (?:Z|[+-]\d{{2}}:?\d{{2}})?)?(?!\d)
      | (?<!\d)\d{{4}}[./]\d{{1,2}}[./]\d{{1,2}}(?!\d)
      | (?<!\d)\d{{4}}-(?:0[1-9]|1[0-2])(?![\d-])
      | (?:\d{{4}}|今|去|明)年\s?\d{{1,2}}\s?月(?:份|底|初)?(?:\s?\d{{1,2}}\s?[日号])?
      | (?<!\d)(?:\d{{1,2}}|[一二三四五六七八九十]{{1,2}})\s?月\s?(?:\d{{1,2}}|[一二三四五六七八九十]{{1,3}})\s?[日号]
      | (?<![\d个])(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])\s?月(?:份|底|初)
      | (?<![\d个])(?:1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?!\d)
      | 大?[前后]天|今天|今日|明天|明日|昨天|昨日|上个?月|这个?月|本月|下个?月
      | (?:上|这|本|下)个?(?:周|星期|礼拜)[一二三四五六日天]?|(?:周|星期|礼拜)[一二三四五六日天]
      | (?<!\d)(?:[12]\d|3[01]|0?[1-9])\s?号(?![A-Za-z0-9楼线院门栋])
      | \b(?:{_MONTHS})\.?\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?\b
      | \b\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?(?:{_MONTHS})(?:,?\s\d{{4}})?\b
      | \b(?:{_MONTHS})\s\d{{4}}\b
      | \b(?:day\safter\stomorrow|day\sbefore\syesterday|today|tomorrow|yesterday)\b
      | \b(?:last|this|next)\s(?:month|week|{_WEEKDAYS})\b
      | \b(?:on\s)?(?:{_WEEKDAYS})\b
      | (?<!\d)\d{{1,2}}/\d{{1,2}}/\d{{4}}(?!\d)
      | \b(?:january|february|april|june|july|august|september|october|november|december)\b
    )
  | (?P<money>
        (?:[¥￥$€£]|(?:rmb|cny|usd|eur|gbp)\s)\s?\d[\d,]*(?:\.\d+)?\s?(?:万|千|k)?
      | (?<![A-Za-z0-9_.])\d[\d,]*(?:\.\d+)?\s?(?:万|千)?\s?
            (?:元|块钱|块|人民币|rmb\b|cny\b|yuan\b|dollars?\b|usd\b|euros?\b|eur\b|pounds?\b|gbp\b)
      | {_ZH_NUMBER}(?:万)?(?:元|块钱|块(?!头))
      | (?<![A-Za-z0-9_.])\d[\d,]*(?:\.\d+)?\s?万(?![A-Za-z0-9])
    )
  | (?P<percent>
        (?<![A-Za-z0-9_.])\d+(?:\.\d+)?\s?(?:%|％|percent\b|per\scent\b)|百分之{_ZH_NUMBER}|[一二三四五六七八九]成半?)
  | (?P<time>
        (?<!\d)\d{{1,2}}:\d{{2}}(?!\d)
      | (?:上午|下午|晚上|早上|中午)\s?(?:\d{{1,2}}|[一二两三四五六七八九十]{{1,2}})点(?:半|\d{{1,2}}分?)?
      | (?<![\d])\d{{1,2}}点(?:半|\d{{1,2}}分)?(?![\u5c0f\d])
      | \b\d{{1,2}}(?::\d{{2}})?\s?[ap]\.?m\b\.?)
  | (?P<phone>(?<![A-Za-z0-9_-])(?:
            \+\d[\d\s-]{{7,15}}\d|1[3-9]\d{{9}}|1[3-9]\d[\s-]\d{{4}}[\s-]\d{{4}}
          | 0\d{{2,4}}[\s-]?\d{{6,8}}|\d{{3}}-\d{{3,4}}-\d{{4}}
        )(?![A-Za-z0-9_-]))
  | (?P<id>
        (?<![A-Za-z0-9_])(?:
            [A-Za-z]{{1,8}}[-_]?\d[A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*
          | (?:[A-Z]{{1,8}}|sku)(?:[-_][A-Za-z0-9]+)+
          | \d+[A-Za-z]{{1,4}}\d+
          | \d{{2,}}(?:-\d+)+
          | [A-Za-z]+(?:[-_][A-Za-z]+)+[-_]\d+[A-Za-z0-9]*
        )(?![A-Za-z0-9_])
      | (?<=[#＃])[A-Za-z0-9][\w-]*
      | (?<![A-Za-z0-9_.-])0\d{{2,}}(?![A-Za-z0-9_]|\.\d)
      | (?<![A-Za-z0-9_.])\d{{6,}}(?![A-Za-z0-9_]|\.\d)
    )
  | (?P<number>
        (?<![A-Za-z0-9_.])\d[\d,]*(?:\.\d+)?\s?(?:万|千)?(?:\s?(?:{_UNITS}))?(?!\d)
      | (?:{_ZH_NUMBER}|半)(?:{_UNITS})(?!下)
      | (?<!the\s)(?<!this\s)(?<!that\s)(?<!which\s)(?<!another\s)(?<!any\s)(?<!every\s)(?<!new\s)(?<!no\s)(?<!same\s)
        \b(?:{"|".join(_EN_SMALL)}|half\sa\sdozen|a\sdozen|a\scouple\sof|a\spair\sof)\b(?!\s(?:of|more\sthing|thing|that|is|was|to)\b)
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER_PARTS = re.compile(rf"(\d[\d,]*(?:\.\d+)?|{_ZH_NUMBER})\s?(万|千|k)?", re.IGNORECASE)
_UNIT_END = re.compile(rf"(?:{_UNITS})$")
_QUOTES = "“”「」『』《》\"'‘’"
_NOT_ID = re.compile(r"^(?:a|an|the|no|of|to|in|at|on|by|is|it)[-_ ]", re.IGNORECASE)
_ZH_DIGITS = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
}  # fmt: skip
_ZH_POWERS = {"十": 10, "百": 100, "千": 1000}
_EN_EXTRA = {"half a dozen": 6.0, "a dozen": 12.0, "a couple of": 2.0, "a pair of": 2.0}


def chinese_number(text: str) -> float | None:
    """十二 is 12, 两百 is 200; None where it is no number."""
    total, digit, seen = 0, 0, False
    for sign in text:
        if sign in _ZH_DIGITS:
            digit, seen = _ZH_DIGITS[sign], True
        elif sign in _ZH_POWERS:
            total += (digit or 1) * _ZH_POWERS[sign]
            digit, seen = 0, True
        else:
            return None
    return float(total + digit) if seen else None


def number_in(text: str) -> float | None:
    """The first number a piece of text writes, 万 and 千 and Chinese digits included."""
    match = _NUMBER_PARTS.search(text)
    if not match:
        return None
    digits, scale = match.groups()
    plain = digits.replace(",", "")
    try:
        number = float(plain) if plain[0].isdigit() and plain.isascii() else chinese_number(plain)
    except ValueError:
        return None
    if number is None:
        return None
    return number * {"万": 10_000, "千": 1000, "k": 1000}.get((scale or "").lower(), 1)


def _value(kind: str, raw: str, start: int) -> Value:
    end = start + len(raw)
    if kind == QUOTED:
        return Value(kind, raw.strip(_QUOTES), start, end)
    if kind == PERCENT:
        if raw.startswith("百分之"):
            return Value(kind, raw, start, end, chinese_number(raw[3:]))
        if "成" in raw:
            return Value(kind, raw, start, end, _ZH_DIGITS[raw[0]] * 10.0 + (5 if raw.endswith("半") else 0))
        return Value(kind, raw, start, end, number_in(raw))
    if kind == MONEY:
        return Value(kind, raw.strip(), start, end, number_in(raw), "money")
    if kind == NUMBER:
        unit = _UNIT_END.search(raw)
        lower = raw.lower()
        if lower in _EN_EXTRA:
            number: float | None = _EN_EXTRA[lower]
        elif lower in _EN_SMALL:
            number = _EN_SMALL.index(lower) + 1.0
        elif raw.startswith("半"):
            number = 0.5
        else:
            number = number_in(raw)
        return Value(kind, raw.strip(), start, end, number, unit.group() if unit else "")
    return Value(kind, raw.strip(), start, end)


@lru_cache(maxsize=8192)
def find_values(text: str) -> tuple[Value, ...]:
    """All values of `text`, in order, none overlapping."""
    out: list[Value] = []
    at = 0
    while match := _PATTERN.search(text, at):
        kind = str(match.lastgroup)
        raw = match.group()
        at = match.end()
        if kind == DATE and raw.lower().startswith("on "):
            out.append(_value(kind, raw[3:], match.start() + 3))
            continue
        if kind == ID and (_NOT_ID.match(raw) or not any(sign.isdigit() or sign.isupper() for sign in raw)):
            continue
        out.append(_value(kind, raw, match.start()))
    return tuple(out)


_SHAPE = re.compile(r"[A-Za-z]+|\d+|[^A-Za-z\d]+")


def shape(value: str) -> str:
    """The form of an identifier: letters kept, digit runs as 9: A100 and A7 are both `A9`, SO-2026-0007 is `SO-9-9`."""
    return "".join("9" if part[0].isdigit() else part.upper() for part in _SHAPE.findall(value))


def prefix(value: str) -> str:
    """The letters an identifier begins with, in capitals."""
    match = re.match(r"[A-Za-z]+", value)
    return match.group().upper() if match else ""


_ID_LIKE = re.compile(r"[A-Za-z]{0,8}[-_#]?\d[\w-]*|[A-Za-z]+(?:[-_][A-Za-z0-9]+)+")


def looks_like_id(text: str) -> bool:
    """Whether a whole text has the form of an identifier."""
    return bool(_ID_LIKE.fullmatch(text))
