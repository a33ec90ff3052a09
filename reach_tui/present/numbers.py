"""Numbers, times and values as people read them, in few cells."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from rich.cells import split_graphemes

from reach_tui.core.absent import ABSENT
from reach_tui.core.text import expand_tabs, visible, width

NONE = "-"


def age(then_ms: int | None, now_ms: int) -> str:
    """How long ago, in at most 4 cells: `42s`, `17m`, `5h`, `3d`, `8w`, `2y`."""
    if then_ms is None:
        return NONE
    seconds = max(0, (now_ms - then_ms) // 1000)
    for size, unit, until in ((1, "s", 60), (60, "m", 3600), (3600, "h", 86400), (86400, "d", 604800 * 2)):
        if seconds < until:
            return f"{seconds // size}{unit}"
    weeks = seconds // 604800
    return f"{weeks}w" if weeks < 105 else f"{weeks // 52}y"


def span(ms: int | None) -> str:
    """A duration: `320 ms`, `4.1 s`, `2m 05s`, `1h 12m`."""
    if ms is None:
        return NONE
    if ms < 1000:
        return f"{ms} ms"
    if ms < 100_000:
        return f"{ms / 1000:.1f} s"
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes}m {seconds:02}s" if minutes < 60 else f"{minutes // 60}h {minutes % 60:02}m"


def percent(share: float | None, digits: int = 0) -> str:
    """A share of 1 as percent: `73%`."""
    return NONE if share is None else f"{share * 100:.{digits}f}%"


def points(change: float | None) -> str:
    """A change of a share in percentage points with its sign: `+27`, `-3`, `0`."""
    if change is None:
        return NONE
    rounded = round(change * 100)
    return f"{rounded:+d}" if rounded else "0"


def effect(estimate: float | None, low: float | None, high: float | None) -> str:
    """A change with its interval, in points: `+27 [+9,+45]`."""
    if estimate is None:
        return NONE
    if low is None or high is None:
        return points(estimate)
    return f"{points(estimate)} [{points(low)},{points(high)}]"


def count(number: int | None) -> str:
    """A count in few cells: `940`, `12.4k`, `3.1M`."""
    if number is None:
        return NONE
    if number < 10_000:
        return str(number)
    return f"{number / 1000:.1f}k" if number < 1_000_000 else f"{number / 1_000_000:.1f}M"


def money(cost: float | None, unknown: int = 0) -> str:
    """A cost; `+?` where some of it is unknown, `-` where all is."""
    if cost is None or (not cost and unknown):
        return NONE
    if not cost:
        return "0"
    return f"{cost:.2f}" + ("+?" if unknown else "")


def value(it: Any) -> str:
    """A JSON value on one line: text without quotes where it cannot be taken for something else."""
    if it is ABSENT:
        return NONE
    if isinstance(it, str):
        looks_else = it in ("", NONE, "null", "true", "false") or it[0] in '{["' or _number(it) or it.strip() != it
        return json.dumps(it, ensure_ascii=False) if looks_else else it
    return json.dumps(it, ensure_ascii=False, default=str)


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def json_lines(it: Any) -> list[str]:
    """A JSON value as indented lines."""
    return json.dumps(it, ensure_ascii=False, indent=2, default=str).split("\n")


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
