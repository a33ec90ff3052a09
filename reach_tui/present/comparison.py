"""Runs side by side: metrics as rows, runs as columns, each against the first; then what flipped and what it means."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from reach_tui.core.experiment import MetricRow
from reach_tui.core.records import to_json
from reach_tui.core.run import RunTotals
from reach_tui.counterfactual.compare import Comparison, PairComparison
from reach_tui.present.cells import Line, Piece
from reach_tui.present.experiment_text import WIDTH, effect_json, flips_json
from reach_tui.present.explained import SHOWN, place_lines, places, places_json
from reach_tui.present.language import phrase
from reach_tui.present.layout import fit, width, wrap
from reach_tui.present.metrics import change_shown, number_shown
from reach_tui.present.numbers import effect, p_value, reach_role, share
from reach_tui.present.reasons import sentence
from reach_tui.present.tables import TextColumn, named_tasks, table

NAME = 20
_REACH: tuple[tuple[str, Callable[[RunTotals], float | None]], ...] = (
    ("reach, mean", lambda totals: totals.reach_mean), ("reach, once", lambda totals: totals.reach_once),
    ("reach, majority", lambda totals: totals.reach_majority),
    ("reach, weighted", lambda totals: totals.reach_weighted),
)  # fmt: skip


def lines(comparison: Comparison, cells: int) -> list[Line]:
    """The comparison in `cells` columns."""
    runs, pairs = comparison.runs, comparison.pairs
    nothing: Piece = ("", "")
    head: list[tuple[str, list[Piece]]] = [
        ("", [(run.name or run.uid, "strong") for run in runs]),
        (phrase("model"), [(run.model or run.agent_kind or "-", "dim") for run in runs]),
        (phrase("suite"), [(run.suite or "-", "dim") for run in runs]),
    ]
    for name, read in _REACH:
        values = [read(run.totals) for run in runs]
        head.append((phrase(name), [(share(value), reach_role(value)) for value in values]))
    numbers: list[tuple[str, list[Piece]]] = [
        (phrase("shared tasks"), [nothing, *((str(len(pair.shared)), "text") for pair in pairs)]),
        (phrase("change"), [nothing, *(_change(pair) for pair in pairs)]),
        (phrase("fixed / broken"), [nothing, *((_flips(pair), "text") for pair in pairs)]),
    ]
    for at, first in enumerate(pairs[0].metrics):
        rows = [pair.metrics[at] if at < len(pair.metrics) else None for pair in pairs]
        numbers.append(
            (
                phrase(first.name),
                [(number_shown(first, first.control), "text"), *((_metric(row), "text") for row in rows)],
            )
        )
    # Numbers are never cut: where the columns are wider than the pane, it scrolls sideways.
    longest = max(width(text) for _, values in numbers for text, _ in values)
    wide = max(longest + 1, 12, min(24, (cells - NAME) // len(runs)))
    out: list[Line] = [_row(name, values, wide) for name, values in head]
    out += [(("", ""),), ((phrase("on tasks that both tried, against the first"), "head"),)]
    out += [_row(name, values, wide) for name, values in numbers]
    for pair in pairs:
        out += _pair(pair, cells)
    return out


def _row(name: str, values: Sequence[Piece], wide: int) -> Line:
    return ((fit(name, NAME), "head"), *((fit(text, wide - 1) + " ", role) for text, role in values))


def _change(pair: PairComparison) -> Piece:
    change = pair.effect
    if change is None:
        return "-", "dim"
    role = "good" if change.low > 0 else "bad" if change.high < 0 else "dim"
    return effect(change.estimate, change.low, change.high), role


def _flips(pair: PairComparison) -> str:
    return f"{len(pair.flips.fixed)} / {len(pair.flips.broken)}"


def _metric(row: MetricRow | None) -> str:
    if row is None or row.change is None:
        return "-"
    return f"{number_shown(row, row.branch)} ({change_shown(row, row.change)})"


def _pair(pair: PairComparison, cells: int) -> list[Line]:
    against = phrase("{run} against {first}", run=pair.b.name or pair.b.uid, first=pair.a.name or pair.a.uid)
    out: list[Line] = [(("", ""),), ((against, "head"),)]
    out += [((f"  {line}", "warn"),) for note in pair.notes for line in wrap(sentence(note), cells - 2)]
    for name, keys, role in (("fixed", pair.flips.fixed, "good"), ("broken", pair.flips.broken, "bad")):
        if keys:
            out += [((f"  {line}", role),) for line in wrap(f"{phrase(name)}: {', '.join(keys)}", cells - 2)]
    left_out = [phrase(what, n=len(keys)) for what, keys in _left_out(pair) if keys]
    if left_out:
        out.append(((phrase("  left out: {what}", what=", ".join(left_out)), "dim"),))
    return out + [(("  ", ""), *line) for line in _explained(pair, cells - 2)]


def _explained(pair: PairComparison, cells: int) -> list[Line]:
    """The parts of the setups that differ and the tasks that are not the same, each place with both its values."""
    out: list[Line] = []
    parts = pair.differs or ()
    for part in parts[:SHOWN]:
        out += place_lines(part.name, places(part.before, part.after), cells)
    if len(parts) > SHOWN:
        out.append(((phrase("{n} more parts differ", n=len(parts) - SHOWN), "dim"),))
    for task in pair.changed[:SHOWN]:
        out += place_lines(task.key + " ", places(task.before, task.after), cells)
    if len(pair.changed) > SHOWN:
        out.append(((phrase("{n} more tasks are not the same", n=len(pair.changed) - SHOWN), "dim"),))
    return out


def _left_out(pair: PairComparison) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        ("{n} only in the first", pair.only_a), ("{n} only in the second", pair.only_b),
        ("{n} not the same task", tuple(task.key for task in pair.changed)),
    )  # fmt: skip


def comparison_text(comparison: Comparison) -> str:
    """Each run against the first, as the command line prints it."""
    return "\n\n".join(_pair_text(pair) for pair in comparison.pairs)


def _pair_text(pair: PairComparison) -> str:
    a, b = pair.a, pair.b
    out = [f"A {a.uid} {a.name} ({a.model or '-'})", f"B {b.uid} {b.name} ({b.model or '-'})"]
    if pair.effect is not None:
        out.append(
            phrase(
                "{n} shared tasks, each alike: A {a} ({a_trials} trials), B {b} ({b_trials}); B minus A {change} "
                "points, exact paired {p}",
                n=len(pair.shared),
                a=share(pair.rate_a),
                a_trials=pair.trials_a,
                b=share(pair.rate_b),
                b_trials=pair.trials_b,
                change=effect(pair.effect.estimate, pair.effect.low, pair.effect.high),
                p=p_value(pair.effect.p),
            )
        )
        columns = (TextColumn("metric"), TextColumn("A", right=True), TextColumn("B", right=True),
                   TextColumn("B - A", right=True))  # fmt: skip
        out.append(
            table(
                columns,
                [
                    [
                        phrase(row.name),
                        number_shown(row, row.control),
                        number_shown(row, row.branch),
                        change_shown(row, row.change),
                    ]
                    for row in pair.metrics
                ],
            )
        )
        out.append(named_tasks(phrase("fixed in B"), pair.flips.fixed))
        out.append(named_tasks(phrase("broken in B"), pair.flips.broken))
    different = tuple(task.key for task in pair.changed)
    for what, tasks in (("only in A", pair.only_a), ("only in B", pair.only_b), ("not the same task", different)):
        if tasks:
            out.append(named_tasks(phrase(what), tasks))
    for note in pair.notes:
        out += textwrap.wrap(sentence(note), WIDTH)
    out += ["".join(text for text, _ in line) for line in _explained(pair, WIDTH)]
    return "\n".join(out)


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """As `reach compare --json` prints it."""
    return {
        "runs": [
            {"run": run.uid, "name": run.name, "model": run.model, "suite": run.suite} for run in comparison.runs
        ],
        "pairs": [_pair_json(pair) for pair in comparison.pairs],
    }  # fmt: skip


def _pair_json(pair: PairComparison) -> dict[str, Any]:
    differs = None
    if pair.differs is not None:
        differs = [
            {"part": part.name, "factor": part.factor, "places": places_json(places(part.before, part.after))}
            for part in pair.differs
        ]
    tasks = [
        {"task": task.key, "places": places_json(places(task.before, task.after))} for task in pair.changed[:SHOWN]
    ]
    return {
        "a": pair.a.uid, "b": pair.b.uid, "shared": len(pair.shared), "shared_tasks": list(pair.shared),
        "only_a": list(pair.only_a), "only_b": list(pair.only_b), "changed": [task.key for task in pair.changed],
        "changed_tasks": tasks,
        "rate_a": pair.rate_a, "rate_b": pair.rate_b, "trials_a": pair.trials_a, "trials_b": pair.trials_b,
        "effect": None if pair.effect is None else effect_json(pair.effect), "flips": flips_json(pair.flips),
        "differs": differs, "metrics": to_json(pair.metrics), "notes": [sentence(note) for note in pair.notes],
        "reasons": to_json(pair.notes),
    }  # fmt: skip
