"""The Overview of a run: reach by three rules with intervals and denominators, where it fails, what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reach_tui.core.run import ReachRule, RunSummary, RunTotals
from reach_tui.present import plots
from reach_tui.present.cells import Piece, fit_pieces
from reach_tui.present.groups import TagGroup, by_tag, final_trials
from reach_tui.present.language import phrase, word
from reach_tui.present.layout import fit, width, wrap
from reach_tui.present.numbers import count, decimal, effect, money, reach_role, share, share_interval
from reach_tui.present.reading import RunDetail
from reach_tui.present.run_text import fault_counts, gap_words
from reach_tui.present.trial_numbers import TRIAL_NUMBERS
from reach_tui.store.trial_rows import TrialRow

EXPERIMENT = "experiment:"
"""Begins the target of a line that leads to an experiment."""

RULES: tuple[tuple[ReachRule, str], ...] = (
    ("mean", "mean"), ("at_least_once", "at least once"), ("majority", "by majority"),
)  # fmt: skip
BAND_WORDS = {
    "never_started": "never started", "broke_midway": "broke midway", "ended_wrong": "ended wrong",
    "reached_sometimes": "reached sometimes", "reached_stably": "reached stably", "not_counted": "not counted",
}  # fmt: skip
BAND_ROLES = {"reached_stably": "good", "reached_sometimes": "warn", "not_counted": "dim"}


@dataclass(frozen=True, slots=True)
class OverviewLine:
    """A line, and the filter of trials (or the experiment) that `enter` on it leads to (empty: none)."""

    pieces: tuple[Piece, ...]
    filter: str = ""


def lines(detail: RunDetail, cells: int) -> list[OverviewLine]:
    """The whole Overview in `cells` columns."""
    run, summary = detail.item.row, detail.item.row.totals.summary
    out = [*_reach(run.totals, cells), _line()]
    out += [*_counts(detail, cells), *_bands(summary, cells), *_process(detail.trials, cells), *_cost(detail, cells)]
    out.append(_line())
    if run.experiment_uid:
        told = phrase("{arm} arm of {uid}", arm=run.arm, uid=run.experiment_uid)
        pieces: list[Piece] = [
            (fit(phrase("experiment"), 16), "head"),
            (told, "text"),
        ]
        if detail.item.effect is not None:
            pieces += [(phrase("   against its control "), "dim"), (effect(*detail.item.effect), "strong")]
            pieces.append((f"  {word(detail.item.verdict)}" if detail.item.verdict else "", "warn"))
        out += [_line(*pieces, filter=EXPERIMENT + run.experiment_uid), _line()]
    out += _table("by domain", "domain", by_tag(detail.trials, lambda trial: trial.task.domain), cells)
    out += _table("by type", "type", by_tag(detail.trials, lambda trial: trial.task.task_type), cells)
    out += _table("by difficulty", "difficulty", by_tag(detail.trials, lambda trial: trial.task.difficulty), cells)
    out += _modes(summary.get("modes") or {}, cells)
    return out


def _line(*pieces: Piece, filter: str = "") -> OverviewLine:
    return OverviewLine(pieces, filter)


def _reach(totals: RunTotals, cells: int) -> list[OverviewLine]:
    if totals.reach_mean is None:
        return [_line((phrase("no trial counted yet"), "dim"))]
    tasks = totals.summary.get("tasks") or 0
    out = [
        _line(
            (fit(phrase("reach"), 16), "head"),
            (fit(phrase("each task alike"), 26), "head"),
            (phrase("weighted by frequency"), "head"),
        )
    ]
    for rule, name in RULES:
        pieces: list[Piece] = [(fit(phrase(name), 16), "text")]
        for weighted in (False, True):
            value, bounds = totals.reach(rule, weighted=weighted)
            pieces.append((f"{share(value):>6}", reach_role(value)))
            pieces.append((fit(f" {share_interval(*bounds)}" if bounds else "", 20), "dim"))
        out.append(_line(*pieces))
    n_eff = totals.summary.get("n_eff")
    effective = phrase(", weighted as good as {n}", n=decimal(n_eff)) if n_eff else ""
    told = phrase("of {tasks} tasks{effective}; 95 % intervals", tasks=tasks, effective=effective)
    out.append(_line((fit("", 16), ""), (told, "faint")))
    gap = totals.summary.get("gap")
    if gap:
        shown = effect(gap.get("difference"), gap.get("low"), gap.get("high"))
        first, *more = wrap(f"{shown}  {gap_words(gap.get('reading'))}", cells - 17)
        out.append(_line((fit(phrase("weights"), 16), "text"), (first, "dim")))
        out += [_line((fit("", 16), ""), (line, "dim")) for line in more]
    return out


def _flow(name: str, parts: Sequence[Sequence[Piece]], cells: int, filter: str = "") -> list[OverviewLine]:
    """Parts one after the other beside a name, on as many lines as they take."""
    lines: list[list[Piece]] = [[(fit(phrase(name), 16), "head")]]
    used = 16
    for part in parts:
        size = sum(width(text) for text, _ in part)
        if used > 16 and used + size > cells:
            lines.append([(fit("", 16), "")])
            used = 16
        lines[-1] += [*part, ("  ", "")]
        used += size + 2
    return [OverviewLine(tuple(line), filter) for line in lines]


def _counts(detail: RunDetail, cells: int) -> list[OverviewLine]:
    run = detail.item.row
    done = phrase("{done} of {planned} done ", done=run.totals.done, planned=run.planned)
    parts: list[list[Piece]] = [
        [(done, "text")], [(phrase("{n} passed", n=run.totals.passed), "good")],
        [(phrase("{n} partial", n=run.totals.partial), "warn" if run.totals.partial else "dim")],
        [(phrase("{n} failed", n=run.totals.failed), "bad" if run.totals.failed else "dim")],
    ]  # fmt: skip
    out = _flow("trials", parts, cells)
    missing = run.totals.summary.get("not_counted") or {}
    if missing:
        named = ", ".join(f"{number} {word(status)}" for status, number in sorted(missing.items()))
        out += _flow("", [[(phrase("not counted: {what}", what=named), "warn")]], cells, f"status:{min(missing)}")
    unstable = run.totals.summary.get("unstable")
    if unstable and unstable["count"]:
        keys = unstable["tasks"][:12]
        out += _flow(
            "unstable", [[(phrase("{n} tasks", n=unstable["count"]), "warn")], *([(key, "dim")] for key in keys)], cells
        )
    for n, (name, calls) in enumerate(fault_counts(run.totals.summary)):
        part: list[Piece] = [(f"{calls}  ", "text"), (name, "dim")]
        out += _flow("" if n else "faults", [fit_pieces(part, cells - 16)], cells)
    return out


def _bands(summary: RunSummary, cells: int) -> list[OverviewLine]:
    bands = summary.get("bands") or {}
    parts: list[list[Piece]] = [
        [(f"{bands[name]} ", "text"), (phrase(words), BAND_ROLES.get(name, "bad"))]
        for name, words in BAND_WORDS.items()
        if bands.get(name)
    ]
    return _flow("tasks", parts, cells) if parts else []


def _process(trials: Sequence[TrialRow], cells: int) -> list[OverviewLine]:
    ended = [trial for trial in final_trials(trials) if trial.end is not None and trial.end.steps is not None]
    if not ended:
        return []

    parts: list[list[Piece]] = []
    for number in TRIAL_NUMBERS:
        values = [value for trial in ended if (value := number.of(trial)) is not None]
        if values and number.mean is not None:
            parts.append([(number.mean(sum(values) / len(values)), "text")])
    depths = [trial for trial in ended if trial.grading.depth_of]
    if depths:
        reached = sum((trial.grading.depth or 0) / (trial.grading.depth_of or 1) for trial in depths) / len(depths)
        parts.append([(phrase("depth {share}", share=share(reached)), "text")])
    return _flow("a trial takes", parts, cells)


def _cost(detail: RunDetail, cells: int) -> list[OverviewLine]:
    run, summary = detail.item.row, detail.item.row.totals.summary
    parts = [phrase("{n} tokens", n=count(run.totals.tokens))] if run.totals.tokens is not None else []
    if summary.get("tokens_per_pass") is not None:
        parts.append(phrase("{n} a pass", n=count(summary["tokens_per_pass"])))
    if run.totals.cost:
        parts.append(phrase("cost {money}", money=money(run.totals.cost, run.totals.unknown_cost)))
        if summary.get("cost_per_pass") is not None:
            parts.append(phrase("{n} a pass", n=money(summary["cost_per_pass"])))
    return _flow("spent", [[(part, "text")] for part in parts], cells) if parts else []


def _table(title: str, field: str, groups: Sequence[TagGroup], cells: int) -> list[OverviewLine]:
    if len(groups) < 2:
        return []
    name = max(16, min(26, cells // 4))
    room = max(4, min(20, cells - name - 48))
    tasks, reach, trials = phrase("tasks"), phrase("reach"), phrase("trials")
    head = f"{fit(phrase(title), name)} {tasks:>5} {reach:>6} {trials:>8}  {fit(phrase('main failure'), 20)}"
    out = [_line((head, "head"))]
    for group in groups:
        out.append(
            _line(
                (fit(group.name, name), "text"),
                (f" {group.tasks:>5}", "dim"),
                (f" {share(group.mean):>6}", reach_role(group.mean)),
                (f" {group.passed:>4}/{group.counted:<3}", "dim"),
                ("  " + fit(group.mode, 20), "dim"),
                (" ", ""),
                (plots.bar(group.mean or 0.0, room), reach_role(group.mean)),
                filter=f"{field}:{group.name}",
            )
        )
    return [*out, _line()]


def _modes(modes: Mapping[str, int], cells: int) -> list[OverviewLine]:
    if not modes:
        return []
    name = max(16, min(26, cells // 4))
    out = [_line((fit(phrase("why trials failed"), name), "head"), (f" {sum(modes.values()):>5}", "dim"))]
    room = max(6, cells - name - 10)
    for mode, number in sorted(modes.items(), key=lambda pair: (-pair[1], pair[0])):
        bar = plots.bar(number / max(modes.values()), min(room, 40))
        out.append(_line((fit(mode, name), "text"), (f" {number:>5} ", "dim"), (bar, "bad"), filter=f"mode:{mode}"))
    return out
