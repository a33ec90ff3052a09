"""Runs as JSON and as a table: reach always with its denominator and what was not counted beside it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.core.run import REACH_RULES, Gap, GapReading, RunSummary
from reach_tui.present.agents import stand_in
from reach_tui.present.language import phrase, plural, word
from reach_tui.present.numbers import age, share, share_interval
from reach_tui.present.tables import TextColumn, table
from reach_tui.store.rows import RunRow

MODES = 5
"""So many failure modes are named in a summary, the rest counted together."""


_GAPS: dict[GapReading, str] = {
    "no_clear_gap": "no clear gap: frequent tasks do about as well as rare ones",
    "weighted_lower": "weighted is lower: frequent tasks are the weak ones",
    "weighted_higher": "weighted is higher: the long tail is the weak part",
}


def gap_words(reading: GapReading | None) -> str:
    """How to read the gap between weighted and unweighted reach; empty where there is none."""
    return phrase(_GAPS[reading]) if reading is not None else ""


def run_json(row: RunRow) -> dict[str, Any]:
    """A run as `reach run --json` and `reach runs --json` print it (see docs/json.md)."""
    summary = row.totals.summary
    reach = summary.get("reach") or {}
    intervals = summary.get("intervals") or {}
    return {
        "run": row.uid,
        "name": row.name,
        "status": row.status,
        "origin": row.origin,
        "suite": row.suite,
        "agent": row.agent_kind,
        "measures": row.measures,
        "model": row.model,
        "parent": row.parent_id,
        "experiment": row.experiment_uid,
        "arm": row.arm,
        "factor": row.factor,
        "tasks": row.tasks,
        "repeats": row.repeats,
        "created_at": row.created_at,
        "counts": counts(row),
        "reach": {rule: reach.get(rule) or {"weighted": None, "unweighted": None} for rule in REACH_RULES},
        "intervals": {rule: intervals.get(rule) for rule in REACH_RULES},
        "gap": _gap_json(summary.get("gap")),
        "bands": summary.get("bands"),
        "unstable": summary.get("unstable"),
        "modes": summary.get("modes") or {},
        "faults": summary.get("faults") or {},
        "tokens": row.totals.tokens,
        "cost": row.totals.cost,
        "unknown_cost": row.totals.unknown_cost,
    }


def _gap_json(gap: Gap | None) -> dict[str, Any] | None:
    return None if gap is None else {**gap, "reading": gap_words(gap["reading"]), "reads": gap["reading"]}


def run_age(row: RunRow, now: int) -> str:
    """How long ago a run ended, else began, else was made; `now` in ms UTC."""
    return age(row.ended_at or row.started_at or row.created_at, now)


def counts(row: RunRow) -> dict[str, Any]:
    """Trials of a run by how they ended; the counted ones are the denominator of every share."""
    counted = row.totals.passed + row.totals.partial + row.totals.failed
    return {
        "planned": row.planned,
        "done": row.totals.done,
        "counted": counted,
        "passed": row.totals.passed,
        "partial": row.totals.partial,
        "failed": row.totals.failed,
        "not_counted": dict(row.totals.summary.get("not_counted") or {}),
    }


def runs_table(rows: Sequence[RunRow]) -> str:
    """The list of runs, branches under their parents."""
    columns = (
        TextColumn("run"), TextColumn("name", 30), TextColumn("model", 14), TextColumn("status", 11),
        TextColumn("trials", right=True),
        TextColumn("majority", right=True), TextColumn("mean", right=True), TextColumn("weighted", right=True),
        TextColumn("not counted", right=True), TextColumn("age", right=True),
    )  # fmt: skip
    now = int(time.time() * 1000)
    lines = [
        [
            "  " * row.depth + row.uid,
            f"{word(row.arm)}: {row.name.removeprefix(f'{row.arm} ')}" if row.arm else row.name,
            f"{row.model or '-'}",
            word(row.status),
            f"{row.totals.done}/{row.planned}",
            share(row.totals.reach_majority),
            share(row.totals.reach_mean),
            share(row.totals.reach_weighted),
            str(row.totals.not_counted),
            run_age(row, now),
        ]
        for row in rows
    ]
    return table(columns, lines)


def run_summary(row: RunRow) -> str:
    """What came of a run, in a few lines."""
    summary = row.totals.summary
    counted = row.totals.passed + row.totals.partial + row.totals.failed
    label = stand_in(row.agent_label, row.measures)
    lines = [
        phrase("run {uid}  {name}  {model}", uid=row.uid, name=row.name, model=row.model or "-")
        + (f" ({label})" if label else ""),
        phrase(
            "{status}: {done} of {planned} trials of {tasks} tasks; counted {counted}: {passed} passed, "
            "{partial} partial, {failed} failed",
            status=word(row.status),
            done=row.totals.done,
            planned=row.planned,
            tasks=row.tasks,
            counted=counted,
            passed=row.totals.passed,
            partial=row.totals.partial,
            failed=row.totals.failed,
        ),
    ]
    left_out: Mapping[str, int] = summary.get("not_counted") or {}
    named = ", ".join(f"{number} {word(status)}" for status, number in left_out.items())
    lines.append(phrase("not counted: {what}", what=named or phrase("none")))
    tasks = summary.get("tasks") or 0
    rows = [
        [word(rule), *(_with_interval(*row.totals.reach(rule, weighted=weighted)) for weighted in (False, True))]
        for rule in REACH_RULES
    ]
    lines.append(
        table(
            (
                TextColumn(phrase("reach of {n} tasks", n=tasks)),
                TextColumn("unweighted [95 %]"),
                TextColumn("weighted [95 %]"),
            ),
            rows,
        )
    )
    gap = summary.get("gap")
    if gap:
        lines.append(gap_words(gap["reading"]))
    unstable = summary.get("unstable")
    if unstable and unstable["count"]:
        named = ", ".join(unstable["tasks"][:12])
        more = unstable["count"] - min(12, len(unstable["tasks"]))
        rest = phrase(" and {n} more", n=more) if more > 0 else ""
        told = phrase("unstable (once, not by majority): {n}: {tasks}", n=unstable["count"], tasks=named)
        lines.append(told + rest)
    modes: Mapping[str, int] = summary.get("modes") or {}
    if modes:
        ordered = sorted(modes.items(), key=lambda item: -item[1])
        named = ", ".join(f"{mode} {count}" for mode, count in ordered[:MODES])
        others = sum(count for _, count in ordered[MODES:])
        told = phrase("failure modes of {n} trials: {modes}", n=row.totals.partial + row.totals.failed, modes=named)
        lines.append(told + (phrase(", others {n}", n=others) if others else ""))
    lines += [phrase("fault {name}: {calls}", name=name, calls=calls) for name, calls in fault_counts(summary)]
    return "\n".join(lines)


def fault_counts(summary: RunSummary) -> list[tuple[str, str]]:
    """(name, how often it befell) of every fault of a run's setup, those that never did too."""
    return [
        (
            name,
            phrase(
                "{calls} in {trials}",
                calls=plural(count["calls"], "{n} call", "{n} calls"),
                trials=plural(count["trials"], "{n} trial", "{n} trials"),
            )
            if count["calls"]
            else phrase("no call"),
        )
        for name, count in (summary.get("faults") or {}).items()
    ]


def _with_interval(value: float | None, interval: tuple[float, float] | None) -> str:
    return f"{share(value)} {share_interval(*interval)}" if interval else share(value)
