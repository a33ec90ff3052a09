"""An experiment in words and bars: live, a line an arm; ended, the verdict and all it stands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reach_tui.core.run import ARMS
from reach_tui.core.text import fit, width
from reach_tui.present import plots
from reach_tui.present.cells import Cell, Column, Piece, Row
from reach_tui.present.groups import by_task
from reach_tui.present.numbers import effect, percent, points, wrap
from reach_tui.present.reading import ExperimentDetail
from reach_tui.present.runs import VERDICT_ROLES, reach_role
from reach_tui.present.steps import block
from reach_tui.store.rows import TrialRow

Line = tuple[Piece, ...]

FATES = {"fixed": ("+", "good"), "broken": ("!", "bad"), "rose": (" ", "good"), "fell": (" ", "warn")}
WORDS = {"tasks_like_these": "tasks like these", "these_tasks": "these tasks", "this_step": "this step"}


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task over the arms: its trials by arm, its stratum and what became of it."""

    key: str
    stratum: str
    fate: str
    trials: Mapping[str, tuple[TrialRow, ...]]


def title(detail: ExperimentDetail) -> tuple[list[Piece], list[Piece]]:
    """`experiment: description of track_shipment  running`."""
    result = detail.result
    status = str(result.get("status") or "")
    left: list[Piece] = [("experiment  ", "dim"), (str((result.get("factor") or {}).get("words") or ""), "title")]
    left += [("  of ", "dim"), (str((result.get("parent") or {}).get("name") or ""), "text")]
    return left, [(f" {status}", "accent" if status == "running" else "dim")]


def lines(detail: ExperimentDetail, cells: int) -> list[Line]:
    """The upper pane in `cells` columns."""
    result = detail.result
    out: list[Line] = []
    if result.get("verdict"):
        out.append(_headline(result))
    out += _band(result, cells)
    out += _arms(detail, cells)
    out += _looks(result)
    if detail.said and not result.get("verdict"):
        out += [((line, "bad"),) for line in wrap(f"its process said: {detail.said}", cells)[:4]]
    if result.get("next"):
        out += block("next", str(result["next"]), cells, None, "accent", name_cells=9)
    out.append((("", ""),))
    out += [((line, "text"),) for line in wrap(str(result.get("sentence") or ""), cells)]
    out += [((line, "warn"),) for one in result.get("warnings") or () for line in wrap(f"! {one}", cells)]
    out += _metrics(result, cells)
    out += _check(result)
    return out


def _headline(result: Mapping[str, Any]) -> Line:
    word, scope = str(result["verdict"]), str(result.get("scope") or "")
    flips = result.get("flips") or {}
    fixed, broken = len(flips.get("fixed") or ()), len(flips.get("broken") or ())
    pieces: list[Piece] = [
        (word.replace("_", " ").upper(), VERDICT_ROLES.get(word, "text") if word != "inconclusive" else "warn"),
        (f" on {WORDS.get(scope, scope)}" if scope else "", "text"),
        (f"   fixed {fixed}", "good" if fixed else "dim"), (f"  broke {broken}", "bad" if broken else "dim"),
        (f"  of {result.get('n', 0)}", "dim"),
    ]  # fmt: skip
    others = [one for one in result.get("verdicts") or () if (one.get("word"), one.get("scope")) != (word, scope)]
    if others:
        more = "; ".join(
            f"{one['word'].replace('_', ' ')} on {WORDS.get(one['scope'], one['scope'])}" for one in others
        )
        pieces.append((f"   also: {more}", "dim"))
    return tuple(pieces)


def _band(result: Mapping[str, Any], cells: int) -> list[Line]:
    found = result.get("effect") or {}
    estimate, low, high = found.get("estimate"), found.get("low"), found.get("high")
    if estimate is None:
        return [(("effect   ", "head"), ("no look taken yet", "dim"))]
    p = found.get("p")
    told = f"  {effect(estimate, low, high)} points" + (f"  p {p:.2g}" if isinstance(p, float) else "")
    bounds = [abs(one) for one in (low, high, estimate) if one is not None]
    limit = 1.0 if max(bounds) > 0.5 else 0.5 if max(bounds) > 0.2 else 0.2
    ends = f"-{limit * 100:.0f} ", f" +{limit * 100:.0f}"
    wide = max(11, min(61, cells - 9 - width(told) - width(ends[0] + ends[1])))
    drawn = plots.band(low, estimate, high, wide, limit)
    return [(("effect   ", "head"), (ends[0], "faint"), *drawn, (ends[1], "faint"), (told, "text"))]


def _arms(detail: ExperimentDetail, cells: int) -> list[Line]:
    arms = detail.result.get("arms") or {}
    runs = {run.arm: run for run in detail.runs}
    out: list[Line] = []
    for name in ARMS:
        run = runs.get(name)
        if run is None:
            continue
        arm = arms.get(name) or {}
        done, planned, status = run.done, run.planned, run.status
        rate, passed, trials = arm.get("rate"), arm.get("passed", 0), arm.get("trials", 0)
        lost = arm.get("not_counted") or 0
        shown = plots.progress(done, planned, max(12, min(32, cells - 56)))
        live = status in ("running", "queued", "paused")
        out.append((
            (fit(name, 9), "head"), (shown, "accent" if live else "faint"), (f" {done:>4}/{planned:<4}", "dim"),
            (f" {percent(rate):>4}", reach_role(rate)), (f" {passed}/{trials} passed", "dim"),
            (f"  {lost} not counted" if lost and not live else "", "warn"),
            (f"  {status}" if status != "ended" else "", "dim"),
        ))  # fmt: skip
    return out


def _looks(result: Mapping[str, Any]) -> list[Line]:
    seen = result.get("looks") or ()
    stop = result.get("stop")
    waves, repeats = result.get("waves") or 0, result.get("repeats") or 0
    words = f"look after {waves} of {repeats} repeats" if seen else f"first look pending, {repeats} repeats at most"
    reason = f"; stopped: {str(stop).replace('_', ' ')}" if stop else ""
    return [(("looks    ", "head"), (f"{len(seen)}, {words}{reason}" if seen else words, "dim"))]


def _metrics(result: Mapping[str, Any], cells: int) -> list[Line]:
    rows = result.get("metrics") or ()
    if not rows:
        return []
    placebo = any(row.get("placebo") is not None for row in rows)
    head = f"{fit('metric', 22)}{'control':>9}{'branch':>9}{'placebo':>9}{'change':>9}  {fit('interval', 16)}{'p':>8}"
    if not placebo:
        head = head.replace(f"{'placebo':>9}", "")
    out: list[Line] = [(("", ""),), ((head, "head"),)]
    for row in rows:
        # Shares are shown as percent and points, counts as they are.
        share = all(one is None or 0 <= one <= 1 for one in (row.get("control"), row.get("branch")))

        def shown(value: float | None, share: bool = share) -> str:
            return percent(value) if share else "-" if value is None else f"{value:.1f}"

        change, low, high = row.get("change"), row.get("low"), row.get("high")
        moved = points(change) if share else "-" if change is None else f"{change:+.1f}"
        bounds = ""
        if low is not None and high is not None:
            bounds = f"[{points(low)},{points(high)}]" if share else f"[{low:+.1f},{high:+.1f}]"
        p = row.get("p")
        tested = "" if p is None else f"{p:.3g}"
        role = "dim" if low is None or high is None or low <= 0 <= high else "strong"
        out.append((
            (fit(str(row.get("name")), 22), "text"), (f"{shown(row.get('control')):>9}", "text"),
            (f"{shown(row.get('branch')):>9}", "text"),
            (f"{shown(row.get('placebo')):>9}" if placebo else "", "dim"), (f"{moved:>9}", role),
            (f"  {fit(bounds, 16)}", "dim"), (f"{tested:>8}", "text"),
        ))  # fmt: skip
    return out


def _check(result: Mapping[str, Any]) -> list[Line]:
    check = result.get("manipulation_check") or {}
    if not check:
        return []
    role = {"seen": "good", "failed": "bad"}.get(str(check.get("status")), "warn")
    return [(("", ""),), (("manipulation check  ", "head"), (str(check.get("status", "")).replace("_", " "), role),
                          (f"  {check.get('why') or ''}", "dim"))]  # fmt: skip


def task_rows(detail: ExperimentDetail) -> list[TaskRow]:
    """Every task of the experiment: flips first, both ways, then the others in their order."""
    groups = {arm: {group.key: group for group in by_task(trials)} for arm, trials in detail.trials.items()}
    known = {str(row["task"]): row for row in detail.result.get("per_task") or ()}
    plan = detail.row.plan
    strata = {key: str(stratum.get("name") or "") for stratum in (plan.get("chosen"), plan.get("passing")) if stratum
              for key in stratum.get("tasks") or ()}  # fmt: skip
    keys = dict.fromkeys([*strata, *(key for group in groups.values() for key in group)])
    rows = [
        TaskRow(
            key, strata.get(key, ""), str(known.get(key, {}).get("fate") or ""),
            {arm: group[key].trials for arm, group in groups.items() if key in group},
        )
        for key in keys
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (row.fate not in ("fixed", "broken"), row.fate != "broken"))


def columns(detail: ExperimentDetail) -> tuple[Column, ...]:
    """One strip for each arm."""
    arms = [Column(name, 10) for name in ARMS if name in detail.trials]
    return (Column("task", 20, grow=2), *arms, Column("became", 12), Column("chosen as", 10, grow=1))


def task_row(row: TaskRow, shown: Sequence[Column]) -> Row:
    """A task with the strips of its arms."""
    sign = FATES.get(row.fate, (" ", "dim"))
    cells: dict[str, Cell] = {
        "task": ((row.key, "text"),),
        "became": ((row.fate.replace("_", " "), sign[1]),),
        "chosen as": (("failing" if row.stratum == "chosen" else row.stratum, "dim"),),
    }
    cells |= {arm: plots.strip([trial.status for trial in trials]) for arm, trials in row.trials.items()}
    return Row(tuple(cells.get(column.title, "") for column in shown), *sign)
