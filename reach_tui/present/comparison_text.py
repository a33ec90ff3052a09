"""A comparison of runs as text: metrics as rows, runs as columns, flips both ways, and what it cannot say."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from reach_tui.counterfactual.compare import Comparison, PairComparison
from reach_tui.present.experiment_text import WIDTH, change_shown, named_tasks, number_shown
from reach_tui.present.tables import Column, table
from reach_tui.present.verdict import p_value, percent, points


def comparison_text(comparison: Comparison) -> str:
    """Each run against the first."""
    return "\n\n".join(_pair(pair) for pair in comparison.pairs)


def _pair(pair: PairComparison) -> str:
    a, b = pair.a, pair.b
    lines = [f"A {a.uid} {a.name} ({a.model or '-'})", f"B {b.uid} {b.name} ({b.model or '-'})"]
    if pair.effect is not None:
        effect = pair.effect
        lines.append(
            f"{len(pair.shared)} shared tasks: A {percent(pair.rate_a)} of {pair.trials_a} trials, "
            f"B {percent(pair.rate_b)} of {pair.trials_b}; B minus A {points(effect.estimate)} "
            f"[{points(effect.low)}, {points(effect.high)}], exact paired {p_value(effect.p)}"
        )
        columns = (Column("metric"), Column("A", right=True), Column("B", right=True), Column("B - A", right=True))
        lines.append(table(columns, [_metric(row) for row in pair.metrics]))
        lines.append(named_tasks("fixed in B", pair.flips.fixed))
        lines.append(named_tasks("broken in B", pair.flips.broken))
    for what, tasks in (("only in A", pair.only_a), ("only in B", pair.only_b), ("not the same task", pair.changed)):
        if tasks:
            lines.append(named_tasks(what, tasks))
    for note in pair.notes:
        lines += textwrap.wrap(note, WIDTH)
    return "\n".join(lines)


def _metric(row: Mapping[str, object]) -> list[str]:
    name = str(row["name"])
    return [
        name, number_shown(row.get("control"), name), number_shown(row.get("branch"), name),
        change_shown(row.get("change"), name),
    ]  # fmt: skip
