"""One step in words: message or call, what it gave, what it changed, what is to be said of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reach_tui.core import trajectory as flags
from reach_tui.core.trajectory import Step
from reach_tui.present.cells import Line, Piece
from reach_tui.present.language import phrase, plural, word
from reach_tui.present.layout import fit, width, wrap
from reach_tui.present.numbers import count, duration
from reach_tui.present.step_marks import StepMarks, current_labels, fault_of, written
from reach_tui.present.values import json_lines, shown
from reach_tui.store.rows import LabelRow
from reach_tui.store.trial_rows import StoredTrial

LABEL = 8
"""Cells of the column in which a line's name stands."""


def heading(step: Step | None, of: int, number: int) -> list[Piece]:
    """`[2] step 7: tool request_refund, 320 ms`."""
    if step is None:
        return [(f"[{number}] ", "head"), (phrase("no steps yet"), "")]
    if step.kind == "call":
        by_user = step.body.get("requestor") == "user"
        what = phrase("tool {name} by the user" if by_user else "tool {name}", name=step.tool or "?")
    else:
        what = word(step.kind)
    extras = [duration(step.took_ms)] if step.took_ms is not None else []
    if step.tokens:
        extras.append(phrase("{n} tokens", n=count(step.tokens)))
    if step.turn:
        extras.append(phrase("turn {n}", n=step.turn))
    names = {flags.REPLAYED: "replayed", flags.FAULT: "fault injected", flags.LATE: "late"}
    extras += [phrase(name) for bit, name in names.items() if step.flags & bit]
    extras += [phrase("answered by a stub")] if step.body.get("stub") else []
    return [
        (f"[{number}] ", "head"),
        (phrase("step {n}/{of}: {what}", n=step.n, of=of, what=what), ""),
        ("".join(f", {x}" for x in extras), "head"),
    ]


def step_lines(trial: StoredTrial, n: int, marks: StepMarks, cells: int, fold: int | None) -> list[Line]:
    """The lines of step `n` in `cells` columns; long values are cut to `fold` lines (None: whole)."""
    steps = trial.trajectory.steps
    if not 1 <= n <= len(steps):
        return [((trial.trajectory.end_text or phrase("this trial has no steps"), "dim"),)]
    step = steps[n - 1]
    lines: list[Line] = []
    lines += _remarks(trial, n, marks, cells)
    if step.kind == "call":
        lines += _call(
            step, cells, fold, phrase("seen") if trial.row.start.state_kind == "observed" else phrase("wrote")
        )
    else:
        role = {"user": "accent", "error": "bad", "notice": "warn"}.get(step.kind, "text")
        if step.body.get("reasoning"):
            lines += block(phrase("thought"), str(step.body["reasoning"]), cells, fold, "dim")
        text = step.text or str(step.body.get("reason") or "")
        lines += block(phrase("says") if step.kind in ("user", "agent") else word(step.kind), text, cells, fold, role)
    lines += _claims(marks, n, cells)
    lines += _labels(trial.labels, n, cells)
    if n < len(steps):
        lines += block(phrase("next"), summary(steps[n]), cells, 1, "dim")
    elif trial.row.grading.status != "running":
        lines += block(phrase("end"), _end(trial), cells, fold, "dim")
    return lines


def block(
    name: str, text: str, cells: int, fold: int | None, role: str = "text", name_cells: int = LABEL
) -> list[Line]:
    """A named value: its lines wrapped beside the name, cut to `fold` with what is left out counted."""
    room = max(8, cells - name_cells)
    # Of a long text that is folded anyway only the beginning is laid out.
    begin = text[: room * (fold + 2) * 2] if fold is not None else text
    wrapped = wrap(begin, room)
    cut = wrapped if fold is None else wrapped[: max(1, fold)]
    more = ""
    if len(begin) < len(text):
        more = phrase("  … {n} more characters", n=count(len(text) - sum(map(len, cut))))
    elif len(cut) < len(wrapped):
        more = plural(len(wrapped) - len(cut), "  … {n} more line", "  … {n} more lines")
    if more and width(cut[-1]) + width(more) > room:
        cut[-1] = fit(cut[-1], max(1, room - width(more)))
    names = (f"{name if k == 0 else '':<{name_cells}}"[:name_cells] for k in range(len(cut)))
    lines: list[Line] = [((head, "head"), (line, role)) for head, line in zip(names, cut, strict=True)]
    if more:
        lines[-1] = (*lines[-1], (more, "faint"))
    return lines


def _remarks(trial: StoredTrial, n: int, marks: StepMarks, cells: int) -> Iterable[Line]:
    grading = trial.grading
    if grading is None:
        return
    if n == marks.automatic:
        yield from block(phrase("decides"), grading.why, cells, 2, "bad")
    elif n == marks.parting:
        yield from block(phrase("parts"), phrase("the state parts from what was expected here"), cells, 1, "bad")
    for deviation in marks.deviations.get(n, ()):
        yield from block(phrase("strays"), f"{deviation.detector}: {deviation.evidence}", cells, 2, "warn")
    for milestone in marks.milestones.get(n, ()):
        yield from block(phrase("reaches"), milestone.name, cells, 1, "good")
    if n != marks.automatic:
        for check in grading.checks:
            if check.step == n and check.verdict == "fail":
                yield from block(phrase("check"), f"{check.kind}: {check.why}", cells, 2, "bad")


def _call(step: Step, cells: int, fold: int | None, wrote: str) -> Iterable[Line]:
    arguments = step.body.get("args")
    raw = step.body.get("raw")
    if arguments is None and raw is not None:
        yield from block(phrase("args"), raw if isinstance(raw, str) else _json(raw, cells), cells, fold, "warn")
    else:
        yield from block(phrase("args"), _json(arguments, cells), cells, fold)
    if fault_of(step):
        yield from block(phrase("fault"), fault_of(step), cells, 1, "warn")
    if step.body.get("error"):
        yield from block(phrase("error"), str(step.body["error"]), cells, fold, "bad")
    result = step.body.get("result")
    if result is not None and result != step.body.get("error"):
        yield from block(phrase("result"), result if isinstance(result, str) else _json(result, cells), cells, fold)
    changes = written(step)
    for n, change in enumerate(changes):
        if fold is not None and n == fold + 1 and len(changes) > fold + 2:
            yield ((" " * LABEL, ""), (phrase("… {n} more changes", n=len(changes) - n), "faint"))
            break
        yield (
            (f"{wrote if n == 0 else '':<{LABEL}}", "head"),
            (change.pointer, "text"),
            ("  ", ""),
            (shown(change.old), "dim"),
            (" -> ", "faint"),
            (shown(change.new), "good"),
        )


def _claims(marks: StepMarks, n: int, cells: int) -> Iterable[Line]:
    for claim in marks.claims.get(n, ()):
        borne = phrase({True: "borne out", False: "not borne out", None: "cannot be told"}[claim.supported])
        about = f" ({claim.pointer} = {shown(claim.value)})" if claim.pointer else ""
        role = "bad" if claim.supported is False else "claim"
        yield from block(phrase("claims"), f"{claim.span}{about}: {borne}", cells, 2, role)


def _labels(labels: Sequence[LabelRow], n: int, cells: int) -> Iterable[Line]:
    for label in current_labels(labels):
        if label.kind == "note" and label.step == n:
            yield from block(phrase("note"), f"{label.value}  ({label.author})", cells, 3, "claim")


def _end(trial: StoredTrial) -> str:
    reason = word(trial.trajectory.end_reason)
    return f"{reason}: {trial.trajectory.end_text}" if trial.trajectory.end_text else reason


def _json(it: Any, cells: int) -> str:
    short = shown(it) if not isinstance(it, str) else it
    if len(short) <= cells - LABEL or not isinstance(it, Mapping | list):
        return short
    return "\n".join(json_lines(it))


def summary(step: Step) -> str:
    """A step in a few words: the tool with its arguments, or the first words of a message."""
    if step.kind == "call":
        arguments = step.body.get("args")
        if isinstance(arguments, Mapping):
            inner = ", ".join(f"{key} {shown(argument)}" for key, argument in arguments.items())
        else:
            inner = str(step.body.get("raw") or "")
        return f"{step.tool or '?'}({inner[:400]})"
    text = step.text[:400].replace("\n", " ")
    return text or str(step.body.get("reason") or step.kind)
