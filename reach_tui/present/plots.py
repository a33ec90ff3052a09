"""Small plots made of text: for what people would rather look at than read."""

from __future__ import annotations

from collections.abc import Sequence

from reach_tui.present.cells import Piece

_EIGHTHS = " ▁▂▃▄▅▆▇█"


def bar(share: float, cells: int) -> str:
    """A horizontal bar: `share` of `cells`, at least one cell for anything above nothing."""
    full = round(max(0.0, min(1.0, share)) * cells)
    return "█" * (max(1, full) if share > 0 else 0)


def progress(done: int, planned: int, cells: int) -> str:
    """`[####....]` in `cells` cells; full only when all is done."""
    room = max(1, cells - 2)
    share = done / planned if planned else 0.0
    full = room if planned and done >= planned else min(room - 1, int(share * room))
    return "[" + "#" * full + "." * (room - full) + "]"


def columns(values: Sequence[float | None], height: int) -> list[str]:
    """Values in [0, 1] as upright bars, one cell wide, `height` lines from the top; a missing value is a `?` below."""
    lines = []
    for row in range(height - 1, -1, -1):
        line = ""
        for value in values:
            if value is None:
                line += "?" if row == 0 else " "
                continue
            eighths = round(max(0.0, min(1.0, value)) * height * 8) - row * 8
            # A value of zero is still a point: it gets the lowest mark.
            line += _EIGHTHS[max(0, min(8, eighths))] if eighths > 0 or row else _EIGHTHS[1]
        lines.append(line)
    return lines


def band(low: float | None, estimate: float | None, high: float | None, cells: int, reach: float) -> list[Piece]:
    """An effect with its interval around zero on an axis of -`reach`..+`reach`: `....|...(==o==)`.

    Zero is `|`, the interval `(==)`, the estimate `o`. Unknown values draw the bare axis.
    """
    cells = max(9, cells | 1)

    def place(at: float) -> int:
        return max(0, min(cells - 1, round((at + reach) / (2 * reach) * (cells - 1))))

    zero = cells // 2
    marks = ["."] * cells
    roles = ["faint"] * cells
    if low is not None and high is not None:
        role = "good" if low > 0 else "bad" if high < 0 else "warn"
        first, last = place(low), place(high)
        for at in range(first, last + 1):
            marks[at], roles[at] = "=", role
        marks[first], marks[last] = "(", ")"
        if estimate is not None:
            marks[place(estimate)], roles[place(estimate)] = "o", "strong"
    if marks[zero] in ".=":
        marks[zero], roles[zero] = "|", "dim"
    pieces: list[Piece] = []
    for mark, role in zip(marks, roles, strict=True):
        if pieces and pieces[-1][1] == role:
            pieces[-1] = (pieces[-1][0] + mark, role)
        else:
            pieces.append((mark, role))
    return pieces
