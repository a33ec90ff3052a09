"""Runs side by side: metrics as rows, runs as columns, each against the first; then what flipped and what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reach_tui.core.text import fit
from reach_tui.present.cells import Piece
from reach_tui.present.numbers import effect, percent, points, wrap
from reach_tui.present.runs import reach_role

if TYPE_CHECKING:
    from reach_tui.counterfactual.compare import Comparison, PairComparison

Line = tuple[Piece, ...]
NAME = 20


def lines(comparison: Comparison, cells: int) -> list[Line]:
    """The comparison in `cells` columns."""
    runs = comparison.runs
    wide = max(12, min(24, (cells - NAME) // len(runs)))
    out: list[Line] = [_row("", [(run.name or run.uid, "strong") for run in runs], wide)]
    out.append(_row("model", [(run.model or run.agent_kind or "-", "dim") for run in runs], wide))
    out.append(_row("suite", [(run.suite or "-", "dim") for run in runs], wide))
    shares = (("reach, mean", "reach_mean"), ("reach, once", "reach_once"), ("reach, majority", "reach_majority"),
              ("reach, weighted", "reach_weighted"))  # fmt: skip
    for name, field in shares:
        values = [getattr(run, field) for run in runs]
        out.append(_row(name, [(percent(value), reach_role(value)) for value in values], wide))
    out.append((("", ""),))
    out.append((("on tasks that both tried, against the first", "head"),))
    pairs = comparison.pairs
    out.append(_row("shared tasks", [("", ""), *((str(len(pair.shared)), "text") for pair in pairs)], wide))
    out.append(_row("change", [("", ""), *(_change(pair) for pair in pairs)], wide))
    out.append(_row("fixed / broken", [("", ""), *((_flips(pair), "text") for pair in pairs)], wide))
    names = [row["name"] for row in pairs[0].metrics]
    for name in names:
        rows = [next((row for row in pair.metrics if row["name"] == name), None) for pair in pairs]
        first = (_value(rows[0], "control"), "text") if rows[0] else ("", "")
        out.append(_row(name, [first, *((_metric(row), "text") for row in rows)], wide))
    for pair in pairs:
        out += _pair(pair, cells)
    return out


def _row(name: str, values: list[Piece], wide: int) -> Line:
    return ((fit(name, NAME), "head"), *((fit(text, wide - 1) + " ", role) for text, role in values))


def _change(pair: PairComparison) -> Piece:
    found = pair.effect
    if found is None:
        return "-", "dim"
    role = "good" if found.low > 0 else "bad" if found.high < 0 else "dim"
    return effect(found.estimate, found.low, found.high), role


def _flips(pair: PairComparison) -> str:
    return f"+{len(pair.flips.fixed)} / -{len(pair.flips.broken)}"


def _value(row: dict[str, Any] | None, side: str) -> str:
    value = row.get(side) if row else None
    if value is None:
        return "-"
    return percent(value) if _share(row) else f"{value:.1f}"


def _metric(row: dict[str, Any] | None) -> str:
    if row is None or row.get("change") is None:
        return "-"
    moved = points(row["change"]) if _share(row) else f"{row['change']:+.1f}"
    return f"{_value(row, 'branch')} ({moved})"


def _share(row: dict[str, Any] | None) -> bool:
    return row is not None and all(one is None or 0 <= one <= 1 for one in (row.get("control"), row.get("branch")))


def _pair(pair: PairComparison, cells: int) -> list[Line]:
    out: list[Line] = [(("", ""),), ((f"{pair.b.name or pair.b.uid} against {pair.a.name or pair.a.uid}", "head"),)]
    out += [((f"  {line}", "warn"),) for note in pair.notes for line in wrap(note, cells - 2)]
    for word, keys, role in (("fixed", pair.flips.fixed, "good"), ("broke", pair.flips.broken, "bad")):
        if keys:
            out += [((f"  {line}", role),) for line in wrap(f"{word}: {', '.join(keys)}", cells - 2)]
    left_out = [f"{len(keys)} {what}" for keys, what in (
        (pair.only_a, "only in the first"), (pair.only_b, "only in the second"), (pair.changed, "not the same task"),
    ) if keys]  # fmt: skip
    if left_out:
        out.append(((f"  left out: {', '.join(left_out)}", "dim"),))
    return out
