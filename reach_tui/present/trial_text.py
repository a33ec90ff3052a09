"""A trial as JSON and as text: its steps, its state table at a step, its checks, claims and milestones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reach_tui.core.canonical import canonical
from reach_tui.core.grading import StateRow
from reach_tui.core.text import one_line
from reach_tui.core.trajectory import Step
from reach_tui.present.language import phrase, word
from reach_tui.present.layout import fit
from reach_tui.present.opened import Loaded
from reach_tui.present.replay import judged_by
from reach_tui.present.signs import HERE, STEP
from reach_tui.present.state import VIEW_WORDS, state_json, state_text
from reach_tui.present.step_marks import StepMarks, fault_of, marks_of, written
from reach_tui.present.trial_numbers import TRIAL_NUMBERS
from reach_tui.present.values import plain
from reach_tui.store.trial_rows import TrialRow


def trial_json(row: TrialRow) -> dict[str, Any]:
    """A trial as lists of trials print it."""
    grading = row.grading
    return {
        "trial": row.link, "uid": row.start.uid, "run": row.run_uid, "task": row.task.key, "repeat": row.start.repeat,
        "attempt": row.start.attempt, "final": row.final, "status": grading.status, "why": grading.why,
        "end_reason": None if row.end is None else row.end.end_reason,
        "mode": grading.mode, "owner": grading.owner, "decisive_step": grading.decisive_step, "depth": grading.depth,
        "depth_of": grading.depth_of,
        **{number.name: number.of(row) for number in TRIAL_NUMBERS if number.in_json},
        "state_kind": row.start.state_kind,
    }  # fmt: skip


def step_json(step: Step) -> dict[str, Any]:
    """A step as JSON, with its changes."""
    return {
        "n": step.n, "turn": step.turn, "kind": step.kind, "tool": step.tool, "ok": step.ok, "at_ms": step.at_ms,
        "took_ms": step.took_ms, "body": dict(step.body),
        "changes": [
            {"path": c.pointer, "old": plain(c.old), "new": plain(c.new)} for c in step.changes
        ],
    }  # fmt: skip


def replay_json(loaded: Loaded, step: int, view: str) -> dict[str, Any]:
    """One trial at one step: what `reach show RUN/TASK#1@7 --json` prints."""
    trial = loaded.trial
    grading, steps = trial.grading, trial.trajectory.steps
    body: dict[str, Any] = {
        **trial_json(trial.row),
        "request": trial.task.request,
        "step": step_json(steps[step - 1]) if 1 <= step <= len(steps) else None,
        "at_step": step,
        "view": view,
        "state": state_json(_rows(loaded, step, view)),
        "timeline": [_line_json(line) for line in steps],
        "labels": [
            {"kind": label.kind, "value": label.value, "step": label.step, "author": label.author}
            for label in trial.labels
        ],
    }
    if grading is not None:
        body |= {
            "grader": grading.version,
            "parting_step": grading.parting,
            "checks": [
                {
                    "kind": c.kind,
                    "decides": c.decides,
                    "verdict": c.verdict,
                    "path": c.path,
                    "expected": plain(c.expected),
                    "actual": plain(c.actual),
                    "step": c.step,
                    "why": c.why,
                }
                for c in grading.checks
            ],
            "milestones": [{"name": m.name, "verdict": m.verdict, "step": m.step} for m in grading.milestones],
            "claims": [
                {"step": c.step, "span": c.span, "supported": c.supported, "tool": c.tool, "path": c.pointer}
                for c in grading.claims
            ],
            "deviations": [
                {"detector": d.detector, "step": d.step, "tool": d.tool, "evidence": d.evidence}
                for d in grading.deviations
            ],
        }
    return body


def _line_json(step: Step) -> dict[str, Any]:
    return {
        "n": step.n, "kind": step.kind, "tool": step.tool, "ok": step.ok, "changes": len(step.changes),
        "text": one_line(step.text)[:120],
    }  # fmt: skip


def replay_text(loaded: Loaded, step: int, view: str) -> str:
    """One trial at one step, as a person reads it."""
    trial, marks = loaded.trial, marks_of(loaded.trial)
    row, grading = trial.row, trial.grading
    mode, owner, who = judged_by(trial)
    lines = [
        f"{row.link}  {word(row.grading.status).upper()}" + (f"  {mode} ({who})" if mode else "")
        + (phrase("  owner {owner}", owner=word(owner)) if owner else "")
        + (phrase("  depth {n}/{of}", n=row.grading.depth, of=row.grading.depth_of) if row.grading.depth_of else ""),
    ]  # fmt: skip
    if row.grading.why:
        lines.append(row.grading.why)
    lines.append("")
    for line in trial.trajectory.steps:
        lines.append(_step_line(line, marks, here=line.n == step))
    rows = _rows(loaded, step, view)
    lines += ["", phrase("state at step {n} ({view}):", n=step, view=phrase(VIEW_WORDS[view])), state_text(rows)]
    if grading is not None:
        failed = [check for check in grading.checks if check.verdict == "fail"]
        if failed:
            lines += ["", phrase("failed checks:")]
            lines += [f"  {check.why}" for check in failed]
        # One sentence may claim several places of the state; it was said once.
        loose = dict.fromkeys((claim.step, claim.span) for claim in grading.claims if claim.supported is False)
        if loose:
            lines += ["", phrase("said but not done:")]
            lines += [phrase("  step {n}: {words}", n=n, words=one_line(span)) for n, span in loose]
    return "\n".join(lines)


def _rows(loaded: Loaded, step: int, view: str) -> Sequence[StateRow]:
    return loaded.table.rows(step, view) if loaded.table is not None else ()


def _step_line(step: Step, marks: StepMarks, *, here: bool) -> str:
    signs = marks.sign(step.n)[0] + (STEP["write"].sign if written(step) else " ")
    what = step.tool if step.kind == "call" else word(step.kind)
    text = canonical(step.body.get("args")) if step.kind == "call" else step.text
    if step.kind == "call" and step.ok is False:
        text += "  " + str(step.body.get("error", ""))
    fault = fault_of(step)
    text = phrase("[fault {fault}] ", fault=fault) + text if fault else text
    return f"{HERE.sign if here else ' '}{step.n:4d} {signs} {fit(what or '', 20)} {one_line(text)[:110]}"
