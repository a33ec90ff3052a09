"""The card of a run: how its suite went over time, why trials failed, where, and what is not counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from reach_tui.core.run import ReachRule, RunTotals
from reach_tui.present import plots
from reach_tui.present.agents import stand_in
from reach_tui.present.cells import Line, Piece, fit_pieces, pieces_of
from reach_tui.present.groups import by_tag
from reach_tui.present.language import phrase, word
from reach_tui.present.layout import fit, width
from reach_tui.present.numbers import age, duration, money, reach_role, share, share_interval
from reach_tui.present.reading import Card, Point
from reach_tui.store.trials import InFlight

FACTOR_MARKS = {
    "tool_description": "t", "parameter_description": "a", "prompt": "p", "model": "m", "tool_schema": "s",
    "tool_presence": "x", "sampling": "g", "context": "c", "limits": "l", "user_wording": "w",
}  # fmt: skip


def heading(card: Card | None) -> list[Piece]:
    """`[2] name  hasty-1  commerce-aftersales`."""
    if card is None:
        return [("[2] ", "head"), (phrase("run"), "")]
    run = card.item.row
    label = stand_in(run.agent_label, run.measures)
    model = f"{run.model or run.agent_kind or ''} {label}".strip()
    parts = [part for part in (model, run.suite) if part]
    return [("[2] ", "head"), (run.name or run.uid, ""), ("".join(f"  {part}" for part in parts), "head")]


def lines(card: Card, cells: int, height: int, now: int) -> list[Line]:
    """The card in `cells` columns, the most wanted first; `height` only says how tall plots may be."""
    run = card.item.row
    out: list[Line] = [_reach(card)]
    if card.live:
        out += _live(card.live, now)
    tall = 3 if height < 14 else 5
    together = cells >= 70
    half = cells // 2 if together else cells
    blocks = (
        (_history(card.history, run.id, half - 8, tall), _modes(run.totals.summary.get("modes") or {}, half - 2)),
        (_domains(card), _not_counted(card)),
    )
    for left, right in blocks:
        out += beside(left, right, half) if together else [*left, *right]
    out.append(_facts(card, now))
    return out


def beside(left: Sequence[Line], right: Sequence[Line], at: int) -> list[Line]:
    """Two blocks of lines side by side, the right one from column `at`."""
    rows = []
    for left_line, right_line in zip_longest(left, right, fillvalue=()):
        padded = fit_pieces(pieces_of(tuple(left_line)) if left_line else (("", ""),), max(1, at - 1))
        rows.append((*padded, (" ", ""), *right_line))
    return rows


def interval(totals: RunTotals, rule: ReachRule) -> str:
    """`[52%, 69%]` of a reach value; empty where there is none."""
    _, bounds = totals.reach(rule)
    return " " + share_interval(*bounds) if bounds else ""


def _reach(card: Card) -> Line:
    run = card.item.row
    if run.totals.reach_mean is None:
        return ((phrase("no trial counted yet"), "dim"),)
    return (
        (phrase("reach "), "head"), (share(run.totals.reach_mean), reach_role(run.totals.reach_mean)),
        (interval(run.totals, "mean") + phrase(" mean"), "dim"),
        ("  ", ""), (share(run.totals.reach_once), "text"), (phrase(" once"), "dim"),
        ("  ", ""), (share(run.totals.reach_majority), "text"), (phrase(" majority"), "dim"),
        ("  ", ""), (share(run.totals.reach_weighted), "text"), (phrase(" weighted"), "dim"),
    )  # fmt: skip


def _live(live: Sequence[InFlight], now: int) -> list[Line]:
    rows: list[Line] = [((phrase("in flight {n}", n=len(live)), "head"),)]
    for trial in live[:6]:
        what = phrase("step {n}", n=trial.steps) if trial.steps else phrase("starting")
        what += f" {trial.last_tool}" if trial.steps and trial.last_tool else ""
        rows.append(
            (
                (f"  {trial.task_key}#{trial.repeat}", "text"),
                (f"  {what}", "accent"),
                (f"  {age(trial.started_at, now)}", "dim"),
            )
        )
    if len(live) > 6:
        rows.append(((phrase("  and {n} more", n=len(live) - 6), "dim"),))
    return rows


def _history(points: Sequence[Point], here: int, cells: int, tall: int) -> list[Line]:
    if not points:
        return [((phrase("reach over time"), "head"),), ((phrase("  first run of its suite"), "dim"),)]
    shown = sorted(points, key=lambda point: (point.at, point.run_id))[-max(4, cells) :]
    bars = plots.columns([point.reach for point in shown], tall)
    scale = ["100%", *[""] * (tall - 2), "  0%"] if tall > 1 else [""]
    out: list[Line] = [((phrase("reach over time"), "head"),)]
    current = next((k for k, point in enumerate(shown) if point.run_id == here), None)
    for label, bar in zip(scale, bars, strict=True):
        pieces: list[Piece] = [(f"{label:>4} ", "faint")]
        if current is None:
            pieces.append((bar, "accent"))
        else:
            pieces += [(bar[:current], "accent"), (bar[current], "strong"), (bar[current + 1 :], "accent")]
        out.append(tuple(pieces))
    marks = "".join(FACTOR_MARKS.get(point.changed, "?" if point.changed else ".") for point in shown)
    under: list[Piece] = [("     ", "")]
    if current is None:
        under.append((marks, "dim"))
    else:
        under += [(marks[:current], "dim"), ("^" if marks[current] == "." else marks[current], "strong")]
        under.append((marks[current + 1 :], "dim"))
    used = sorted({point.changed for point in shown if point.changed})
    if used:
        under.append(("  " + " ".join(f"{FACTOR_MARKS.get(factor, '?')} {word(factor)}" for factor in used), "faint"))
    return [*out, tuple(under)]


def _modes(modes: Mapping[str, int], cells: int) -> list[Line]:
    total = sum(modes.values())
    out: list[Line] = [
        ((phrase("why trials failed"), "head"), (f"  {total}" if total else phrase("  none did"), "dim"))
    ]
    name_cells = min(max((width(mode) for mode in modes), default=0), max(16, cells - 16))
    room = max(4, cells - name_cells - 8)
    for mode, number in sorted(modes.items(), key=lambda pair: (-pair[1], pair[0]))[:5]:
        bar = plots.bar(number / max(modes.values()), room)
        out.append(((fit(mode, name_cells) + " ", "text"), (f"{number:>4} ", "dim"), (bar, "bad")))
    return out


def _domains(card: Card) -> list[Line]:
    groups = [group for group in by_tag(card.trials, lambda trial: trial.task.domain) if group.mean is not None]
    if not groups:
        return []
    out: list[Line] = [((phrase("worst domains"), "head"),)]
    name = max(width(group.name) for group in groups[:3])
    for group in groups[:3]:
        out.append(
            (
                (f"  {share(group.mean):>4} ", reach_role(group.mean)),
                (fit(group.name, min(name, 20)), "text"),
                (f" {group.passed:>3}/{group.counted:<3}", "dim"),
                (f" {group.mode}" if group.mode else "", "dim"),
            )
        )
    return out


def _not_counted(card: Card) -> list[Line]:
    missing = card.item.row.totals.summary.get("not_counted") or {}
    out: list[Line] = [((phrase("not counted"), "head"), (phrase("  none") if not missing else "", "dim"))]
    for status, number in sorted(missing.items(), key=lambda pair: -pair[1])[:3]:
        out.append(((f"  {number:>4} ", "warn"), (word(status), "text")))
    return out


def _facts(card: Card, now: int) -> Line:
    run = card.item.row
    # A store made under a fixed clock has one moment only: it does not know how long anything took.
    lasted = run.ended_at - run.started_at if run.ended_at and run.started_at else 0
    took = duration(lasted) if lasted else ""
    totals = run.totals
    facts = [
        run.uid, word(run.status), phrase("{done} of {planned} trials", done=totals.done, planned=run.planned), took,
        phrase("cost {money}", money=money(totals.cost, totals.unknown_cost)) if totals.cost is not None else "",
    ]  # fmt: skip
    return (("  ".join(fact for fact in facts if fact), "dim"),)
