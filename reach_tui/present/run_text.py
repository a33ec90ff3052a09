"""Runs as JSON and as a table: reach always with its denominator and what was not counted beside it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from reach_tui.core.grading import COUNTED
from reach_tui.core.text import fit, one_line
from reach_tui.present.tables import Column, share, table
from reach_tui.store.rows import RunRow, TrialRow

STRIP = {
    "passed": "o", "failed": "x", "partial": "p", "unscored": "-", "infra_error": "i", "grader_error": "g",
    "simulator_error": "s", "cancelled": "c", "interrupted": "c", "running": ">",
}  # fmt: skip
"""One sign for each status of a trial, as strips of repeats use them."""
MODES = 5
"""So many failure modes are named in a summary, the rest counted together."""
REACH_RULES = ("mean", "at_least_once", "majority")


def run_json(row: RunRow) -> dict[str, Any]:
    """A run as `reach run --json` and `reach runs --json` print it (see docs/json.md)."""
    summary = row.summary
    reach = summary.get("reach") or {}
    intervals = summary.get("intervals") or {}
    return {
        "run": row.uid,
        "name": row.name,
        "status": row.status,
        "origin": row.origin,
        "suite": row.suite,
        "agent": row.agent_kind,
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
        "gap": summary.get("gap"),
        "bands": summary.get("bands"),
        "unstable": summary.get("unstable"),
        "modes": summary.get("modes") or {},
        "tokens": row.tokens,
        "cost": row.cost,
        "unknown_cost": row.unknown_cost,
    }


def counts(row: RunRow) -> dict[str, Any]:
    """Trials of a run by how they ended; the counted ones are the denominator of every share."""
    counted = row.passed + row.partial + row.failed
    return {
        "planned": row.planned,
        "done": row.done,
        "counted": counted,
        "passed": row.passed,
        "partial": row.partial,
        "failed": row.failed,
        "not_counted": dict(row.summary.get("not_counted") or {}),
    }


def runs_table(rows: Sequence[RunRow]) -> str:
    """The list of runs, branches under their parents."""
    columns = (
        Column("run"), Column("name", 30), Column("model", 14), Column("status", 11), Column("trials", right=True),
        Column("majority", right=True), Column("mean", right=True), Column("weighted", right=True),
        Column("not counted", right=True), Column("age", right=True),
    )  # fmt: skip
    now = time.time() * 1000
    lines = [
        [
            "  " * row.depth + row.uid,
            f"{row.arm}: {row.name}" if row.arm else row.name,
            f"{row.model or '-'}",
            row.status,
            f"{row.done}/{row.planned}",
            share(row.reach_majority),
            share(row.reach_mean),
            share(row.reach_weighted),
            str(row.not_counted),
            age(now - row.created_at),
        ]
        for row in rows
    ]
    return table(columns, lines)


def age(ms: float) -> str:
    """A span in the largest unit that says enough: `40 s`, `3 h`, `12 d`."""
    seconds = max(0, int(ms / 1000))
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def run_summary(row: RunRow) -> str:
    """What came of a run, in a few lines."""
    summary = row.summary
    counted = row.passed + row.partial + row.failed
    lines = [
        f"run {row.uid}  {row.name}  {row.model or '-'}" + (" (simulated)" if row.agent_kind == "simulated" else ""),
        f"{row.status}: {row.done} of {row.planned} trials of {row.tasks} tasks; counted {counted}: "
        + ", ".join(f"{getattr(row, name)} {name}" for name in COUNTED),
    ]
    left_out: Mapping[str, int] = summary.get("not_counted") or {}
    lines.append(
        "not counted: " + (", ".join(f"{count} {status}" for status, count in left_out.items()) if left_out else "none")
    )
    reach = summary.get("reach") or {}
    intervals = summary.get("intervals") or {}
    tasks = summary.get("tasks") or 0
    rows = []
    for rule in REACH_RULES:
        values, ranges = reach.get(rule) or {}, intervals.get(rule) or {}
        rows.append(
            [rule.replace("_", " "), *(_with_interval(values, ranges, side) for side in ("unweighted", "weighted"))]
        )
    lines.append(
        table((Column(f"reach of {tasks} tasks"), Column("unweighted [95 %]"), Column("weighted [95 %]")), rows)
    )
    gap = summary.get("gap")
    if gap:
        lines.append(str(gap["reading"]))
    unstable = summary.get("unstable") or {}
    if unstable.get("count"):
        named = ", ".join(unstable["tasks"][:12])
        more = unstable["count"] - min(12, len(unstable["tasks"]))
        lines.append(
            f"unstable (once, not by majority): {unstable['count']}: {named}" + (f" and {more} more" * (more > 0))
        )
    modes: Mapping[str, int] = summary.get("modes") or {}
    if modes:
        of = row.partial + row.failed
        ordered = sorted(modes.items(), key=lambda item: -item[1])
        named = ", ".join(f"{mode} {count}" for mode, count in ordered[:MODES])
        rest = sum(count for _, count in ordered[MODES:])
        lines.append(f"failure modes of {of} trials: {named}" + (f", others {rest}" if rest else ""))
    return "\n".join(lines)


def _with_interval(values: Mapping[str, Any], ranges: Mapping[str, Any], side: str) -> str:
    interval = ranges.get(side)
    shown = share(values.get(side))
    return f"{shown} [{share(interval[0])}, {share(interval[1])}]" if interval else shown


def trials_text(trials: Sequence[TrialRow]) -> str:
    """Trials grouped by task: a strip of the repeats (`x.xo`), and for each that fell short why."""
    by_task: dict[str, list[TrialRow]] = {}
    for trial in trials:
        by_task.setdefault(trial.task_key, []).append(trial)
    lines = []
    for key, rows in by_task.items():
        speaking = [row for row in rows if row.final] or rows
        passed = sum(row.status == "passed" for row in speaking)
        counted = sum(row.status in COUNTED for row in speaking)
        strip = "".join(STRIP.get(row.status, "?") for row in speaking)
        lines.append(f"{fit(one_line(key), 24)} {fit(strip, 8)} {passed}/{counted} passed")
        for row in speaking:
            if row.status != "passed":
                where = f" at step {row.decisive_step}" if row.decisive_step else ""
                why = one_line(row.why or row.end_reason or "")
                lines.append(f"    #{row.repeat} {row.status}{f' {row.mode}' if row.mode else ''}{where}: {why}")
    legend = "  ".join(f"{sign} {status}" for status, sign in STRIP.items())
    return "\n".join([*lines, "", legend])
