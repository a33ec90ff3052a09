"""An experiment in rows: live, a line an arm; ended, the verdict and all it stands on; its tasks, flips first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reach_tui.core.experiment import ExperimentResult
from reach_tui.core.run import ARMS, Arm
from reach_tui.core.verdicts import Fate, StratumName
from reach_tui.present import plots
from reach_tui.present.agents import stand_in
from reach_tui.present.cells import Cell, Column, Line, Piece, Row
from reach_tui.present.groups import by_task
from reach_tui.present.language import phrase, word
from reach_tui.present.layout import fit, width, wrap
from reach_tui.present.metrics import change_shown, interval_shown, number_shown
from reach_tui.present.numbers import effect as effect_shown
from reach_tui.present.numbers import p_bare, p_value, reach_role, share
from reach_tui.present.reasons import sentence
from reach_tui.present.signs import TASK, VERDICT_ROLES, strip
from reach_tui.present.steps import block
from reach_tui.present.verdict import check_words, factor_words, next_step, scope_words, verdict_sentence
from reach_tui.store.trial_rows import TrialRow

if TYPE_CHECKING:
    from reach_tui.present.reading import ExperimentDetail

NAME = 9
"""Cells of the names of lines."""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task over the arms: its trials by arm, its stratum and what became of it (None before an analysis)."""

    key: str
    stratum: StratumName | None
    fate: Fate | None
    trials: Mapping[Arm, tuple[TrialRow, ...]]


def title(detail: ExperimentDetail, cells: int) -> tuple[list[Piece], list[Piece]]:
    """`experiment  description of track_shipment  of baseline` and `simulated running` in `cells` columns.

    The parent's name goes first where they do not fit.
    """
    plan, status = detail.row.plan, detail.result.status
    left: list[Piece] = [(phrase("experiment  "), "dim"), (factor_words(plan.factor), "title")]
    label = stand_in(plan.agent, plan.measures)
    right: list[Piece] = [(f" {label}", "warn")] if label else []
    right.append((f" {word(status)}", "accent" if status == "running" else "dim"))
    parent: list[Piece] = [(phrase("  of "), "dim"), (plan.parent_name, "text")]
    whole = [*left, *parent]
    return whole if sum(width(text) for text, _ in (*whole, *right)) + 3 <= cells else left, right


def lines(detail: ExperimentDetail, cells: int) -> list[Line]:
    """The upper pane in `cells` columns."""
    plan, result = detail.row.plan, detail.result
    ahead = next_step(result)
    out: list[Line] = []
    if result.verdict is not None:
        out.append(_headline(result))
    out += _band(result, cells)
    out += _arms(detail, cells)
    out.append(_looks(detail))
    if detail.row.unread_result is not None:
        told = phrase("a result of version {version}, which this release cannot read", version=detail.row.unread_result)
        out += [((line, "warn"),) for line in wrap(told, cells)]
    if detail.said and result.verdict is None:
        told = phrase("its process said: {words}", words=detail.said)
        out += [((line, "bad"),) for line in wrap(told, cells)[:4]]
    if ahead:
        out += block(phrase("next"), ahead, cells, None, "accent", name_cells=NAME)
    out.append((("", ""),))
    out += [((line, "text"),) for line in wrap(verdict_sentence(plan, result), cells)]
    out += [((line, "warn"),) for warning in plan.warnings for line in wrap(f"! {sentence(warning)}", cells)]
    out += _metrics(result)
    if result.manipulation is not None:
        role = {"seen": "good", "failed": "bad"}.get(result.manipulation.status, "warn")
        out += [(("", ""),), ((phrase("manipulation check  "), "head"), (check_words(result), role))]
    return out


def _headline(result: ExperimentResult) -> Line:
    verdict, flips = result.verdict, result.flips
    assert verdict is not None
    fixed, broken = (len(flips.fixed), len(flips.broken)) if flips is not None else (0, 0)
    pieces: list[Piece] = [
        (word(verdict.word).upper(), VERDICT_ROLES[verdict.word]),
        (phrase(" on {scope}", scope=scope_words(verdict.scope)), "text"),
        (phrase("   fixed {n}", n=fixed), "good" if fixed else "dim"),
        (phrase("  broke {n}", n=broken), "bad" if broken else "dim"),
        (phrase("  of {n}", n=result.effect.n if result.effect else 0), "dim"),
    ]  # fmt: skip
    others = [
        phrase("{word} on {scope}", word=word(other.word), scope=scope_words(other.scope))
        for other in result.verdicts[1:]
    ]
    if others:
        pieces.append((phrase("   also: {verdicts}", verdicts="; ".join(others)), "dim"))
    return tuple(pieces)


def _band(result: ExperimentResult, cells: int) -> list[Line]:
    effect = result.effect
    name = fit(phrase("effect"), NAME)
    if effect is None:
        return [((name, "head"), (phrase("no look taken yet"), "dim"))]
    told = phrase("  {effect} points", effect=effect_shown(effect.estimate, effect.low, effect.high))
    told += f"  {p_value(result.p)}"
    widest = max(abs(bound) for bound in (effect.low, effect.high, effect.estimate))
    limit = 1.0 if widest > 0.5 else 0.5 if widest > 0.2 else 0.2
    ends = f"-{limit * 100:.0f} ", f" +{limit * 100:.0f}"
    wide = max(11, min(61, cells - NAME - width(told) - width(ends[0] + ends[1])))
    drawn = plots.band(effect.low, effect.estimate, effect.high, wide, limit)
    return [((name, "head"), (ends[0], "faint"), *drawn, (ends[1], "faint"), (told, "text"))]


def _arms(detail: ExperimentDetail, cells: int) -> list[Line]:
    runs = {run.arm: run for run in detail.runs}
    out: list[Line] = []
    for name in ARMS:
        run, arm = runs.get(name), detail.result.arms.get(name)
        if run is None:
            continue
        rate, passed, trials = (arm.rate, arm.passed, arm.trials) if arm else (None, 0, 0)
        lost = arm.not_counted if arm else 0
        bar = plots.progress(run.totals.done, run.planned, max(12, min(32, cells - 62)))
        live = run.status in ("running", "queued", "paused")
        out.append(
            (
                (fit(word(name), NAME), "head"),
                (bar, "accent" if live else "faint"),
                (fit(phrase(" {done:>4}/{planned} trials", done=run.totals.done, planned=run.planned), 17), "dim"),
                (f" {share(rate):>4}", reach_role(rate)),
                (phrase(" {passed}/{trials} passed", passed=passed, trials=trials), "dim"),
                (phrase("  {n} not counted", n=lost) if lost and not live else "", "warn"),
                (f"  {word(run.status)}" if run.status != "ended" else "", "dim"),
            )
        )
    return out


def _looks(detail: ExperimentDetail) -> Line:
    result, repeats = detail.result, detail.row.plan.repeats
    name = (fit(phrase("looks"), NAME), "head")
    if not result.interim:
        return name, (phrase("first look pending, {n} repeats at most", n=repeats), "dim")
    told = phrase(
        "{n}, look after {done} of {repeats} repeats", n=len(result.interim), done=result.repeats_done, repeats=repeats
    )
    if result.stop is not None:
        told += phrase("; stopped: {why}", why=word(result.stop))
    return name, (told, "dim")


def _metrics(result: ExperimentResult) -> list[Line]:
    rows = result.metrics
    if not rows:
        return []
    placebo = any(row.placebo is not None for row in rows)

    def line(name: str, control: str, branch: str, neutral: str, change: str, bounds: str, p: str) -> list[str]:
        middle = f"{neutral:>9}" if placebo else ""
        return [
            fit(name, 22),
            f"{control:>9}",
            f"{branch:>9}",
            middle,
            f"{change:>9}",
            f"  {fit(bounds, 18)}",
            f"{p:>8}",
        ]

    head = line(*(phrase(name) for name in ("metric", "control", "branch", "placebo", "change", "interval", "p")))
    out: list[Line] = [(("", ""),), (("".join(head), "head"),)]
    for row in rows:
        open_ended = row.low is None or row.high is None
        role = "dim" if open_ended or row.low <= 0 <= row.high else "strong"  # type: ignore[operator]
        texts = line(
            phrase(row.name),
            number_shown(row, row.control),
            number_shown(row, row.branch),
            number_shown(row, row.placebo),
            change_shown(row, row.change),
            interval_shown(row),
            "" if row.p is None else p_bare(row.p),
        )
        out.append(tuple(zip(texts, ("text", "text", "text", "dim", role, "dim", "text"), strict=True)))
    return out


def task_rows(detail: ExperimentDetail) -> list[TaskRow]:
    """Every task of the experiment: flips first, both ways, then the others in their order."""
    groups = {arm: {group.key: group for group in by_task(trials)} for arm, trials in detail.trials.items()}
    fates = {task.task: task.fate for task in detail.result.per_task}
    strata = {key: stratum.name for stratum in detail.row.plan.strata for key in stratum.tasks}
    keys = dict.fromkeys([*strata, *(key for group in groups.values() for key in group)])
    rows = [
        TaskRow(
            key,
            strata.get(key),
            fates.get(key),
            {arm: group[key].trials for arm, group in groups.items() if key in group},
        )
        for key in keys
    ]
    return sorted(rows, key=lambda row: (row.fate not in ("fixed", "broken"), row.fate != "broken"))


def columns(detail: ExperimentDetail) -> tuple[Column, ...]:
    """One strip for each arm."""
    arms = [Column(name, 10) for name in ARMS if name in detail.trials]
    return (Column("task", 20, grow=2), *arms, Column("became", 12), Column("chosen as", 10, grow=1))


def task_row(row: TaskRow, shown: Sequence[Column]) -> Row:
    """A task with the strips of its arms."""
    sign = TASK[row.fate] if row.fate is not None else TASK["unchanged"]
    chosen = "failing" if row.stratum == "chosen" else row.stratum or ""
    cells: dict[str, Cell] = {
        "task": ((row.key, "text"),),
        "became": ((word(row.fate) if row.fate else "", sign.role),),
        "chosen as": ((word(chosen), "dim"),),
    }
    cells |= {arm: strip([trial.grading.status for trial in trials]) for arm, trials in row.trials.items()}
    return Row(tuple(cells.get(column.title, "") for column in shown), *sign.piece)
