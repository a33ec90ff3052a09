"""Numbers as both faces say them: one form for each kind of number, short enough for a column."""

from __future__ import annotations

from reach_tui.present.language import phrase

NONE = "-"
"""What stands where nothing is known."""


def share(value: float | None) -> str:
    """A share of 1 as percent: `73%`. Only all is `100%` and only none is `0%`: next to them it is `>99%` and `<1%`."""
    if value is None:
        return NONE
    shown = f"{value * 100:.0f}%"
    if value < 1 and shown == "100%":
        return ">99%"
    return "<1%" if value > 0 and shown == "0%" else shown


def share_interval(low: float | None, high: float | None) -> str:
    """The bounds of a share: `[52%, 69%]`; empty where they are not known."""
    return "" if low is None or high is None else f"[{share(low)}, {share(high)}]"


def points(change: float | None) -> str:
    """A change of a share in percentage points with its sign: `+27.3`, `-3.0`, `0.0`.

    One decimal: the end of an interval must not round onto the wrong side of zero.
    """
    if change is None:
        return NONE
    return _signed(change * 100)


def _signed(value: float) -> str:
    shown = f"{value:+.1f}"
    return "0.0" if shown in ("+0.0", "-0.0") else shown


def in_points(change: float | None) -> str:
    """`points` with their unit: `+27.3 points`."""
    return phrase("{points} points", points=points(change))


def size_in_points(size: float) -> str:
    """A size without direction, in points: `5.6`; of a margin, or of the smallest effect that can be found."""
    return f"{abs(size) * 100:.1f}"


def points_interval(low: float | None, high: float | None) -> str:
    """The bounds of a change in points: `[+9.1, +45.2]`; empty where they are not known."""
    return "" if low is None or high is None else f"[{points(low)}, {points(high)}]"


def effect(estimate: float | None, low: float | None, high: float | None) -> str:
    """A change with its interval, in points: `+27.3 [+9.1, +45.2]`."""
    return " ".join(part for part in (points(estimate), points_interval(low, high)) if part)


def p_bare(p: float | None) -> str:
    """A p value with two digits, never a bare 0: `0.031`, `<1e-06`."""
    if p is None:
        return NONE
    return "1.0" if p >= 1 else f"<{1e-6:g}" if p < 1e-6 else f"{p:.2g}"


def p_value(p: float | None) -> str:
    """`p = 0.031`, `p < 1e-06`; `no p` where nothing was tested."""
    if p is None:
        return phrase("no p")
    shown = p_bare(p)
    return f"p < {shown[1:]}" if shown[0] == "<" else f"p = {shown}"


def decimal(value: float | None) -> str:
    """A mean of counts, one decimal: `3.4`."""
    return NONE if value is None else f"{value:.1f}"


def change(value: float | None) -> str:
    """A change of such a mean with its sign: `+0.4`."""
    return NONE if value is None else _signed(value)


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


def duration(ms: int | None) -> str:
    """How long something took: `320 ms`, `4.1 s`, `2m 05s`, `1h 12m`."""
    if ms is None:
        return NONE
    if ms < 1000:
        return f"{ms} ms"
    if ms < 100_000:
        return f"{ms / 1000:.1f} s"
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes}m {seconds:02}s" if minutes < 60 else f"{minutes // 60}h {minutes % 60:02}m"


def count(number: float | None) -> str:
    """Tokens and other counts in few cells: `940`, `12.4k`, `3.1M`."""
    if number is None:
        return NONE
    if number < 10_000:
        return f"{number:.0f}"
    return f"{number / 1000:.1f}k" if number < 1_000_000 else f"{number / 1_000_000:.1f}M"


def money(cost: float | None, unknown: int = 0) -> str:
    """A cost; `+?` where some of it is unknown, `-` where all is."""
    if cost is None or (not cost and unknown):
        return NONE
    if not cost:
        return "0"
    shown = f"{cost:.2f}" if cost >= 0.1 else f"{cost:.2g}"
    return shown + ("+?" if unknown else "")


def reach_role(reach: float | None) -> str:
    """Good, warning or bad, for a share of tasks reached."""
    return "dim" if reach is None else "good" if reach >= 0.8 else "warn" if reach >= 0.5 else "bad"
