"""A trial as JSON and as text: its steps, its state table at a step, its checks, claims and milestones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.canonical import canonical
from reach_tui.core.grading import SIGNS, StateRow
from reach_tui.core.text import fit, one_line
from reach_tui.core.trajectory import Step
from reach_tui.grading.state_table import StateTable
from reach_tui.present.tables import Column, table
from reach_tui.store.rows import StoredTrial, TrialRow


def opening_step(trial: StoredTrial) -> tuple[int, str]:
    """(step, why): where a replay opens: the decisive step, else the parting step, else the last."""
    grading = trial.grading
    if grading is not None and grading.status != "passed":
        if grading.step is not None:
            return grading.step, "decisive"
        if grading.parting is not None:
            return grading.parting, "parts here"
    return len(trial.trajectory.steps), "last"


def state_table(trial: StoredTrial) -> StateTable:
    """The state table of a stored trial."""
    claims = trial.grading.claims if trial.grading is not None else ()
    return StateTable(trial.task, trial.trajectory.history(), claims)


def plain_value(value: Any) -> Any:
    """A value for JSON: what is absent becomes null (its row's status says which it is)."""
    return None if value is ABSENT else value


def shown(value: Any) -> str:
    """A value in a cell: text as it is, absent as `-`, the rest as JSON."""
    if value is ABSENT:
        return "-"
    return value if isinstance(value, str) else canonical(value)


def state_json(rows: Sequence[StateRow]) -> list[dict[str, Any]]:
    """Rows of the state table as JSON."""
    return [
        {
            "path": row.path, "expected": plain_value(row.expected), "actual": plain_value(row.actual),
            "claimed": plain_value(row.claimed), "status": row.status, "since_step": row.since_step,
            **({"note": row.note} if row.note else {}),
        }
        for row in rows
    ]  # fmt: skip


def trial_json(row: TrialRow) -> dict[str, Any]:
    """A trial as lists of trials print it."""
    return {
        "trial": row.link, "uid": row.uid, "run": row.run_uid, "task": row.task_key, "repeat": row.repeat,
        "attempt": row.attempt, "final": row.final, "status": row.status, "why": row.why, "end_reason": row.end_reason,
        "mode": row.mode, "owner": row.owner, "decisive_step": row.decisive_step, "depth": row.depth,
        "depth_of": row.depth_of, "steps": row.steps, "calls": row.calls, "tokens_in": row.tokens_in,
        "tokens_out": row.tokens_out, "cost": row.cost, "wall_ms": row.wall_ms, "state_kind": row.state_kind,
    }  # fmt: skip


def step_json(step: Step) -> dict[str, Any]:
    """A step as JSON, with its changes."""
    return {
        "n": step.n, "turn": step.turn, "kind": step.kind, "tool": step.tool, "ok": step.ok, "at_ms": step.at_ms,
        "took_ms": step.took_ms, "body": dict(step.body),
        "changes": [
            {"path": c.pointer, "old": plain_value(c.old), "new": plain_value(c.new)} for c in step.changes
        ],
    }  # fmt: skip


def replay_json(trial: StoredTrial, step: int, view: str) -> dict[str, Any]:
    """One trial at one step: what `reach show RUN/TASK#1@7 --json` prints."""
    grading = trial.grading
    steps = trial.trajectory.steps
    found: dict[str, Any] = {
        **trial_json(trial.row),
        "request": trial.task.request,
        "step": step_json(steps[step - 1]) if 1 <= step <= len(steps) else None,
        "at_step": step,
        "view": view,
        "state": state_json(state_table(trial).rows(step, view)),
        "timeline": [_line_json(one) for one in steps],
        "labels": [
            {"kind": label.kind, "value": label.value, "step": label.step, "author": label.author}
            for label in trial.labels
        ],
    }
    if grading is not None:
        found |= {
            "grader": grading.version,
            "parting_step": grading.parting,
            "checks": [
                {"kind": c.kind, "decides": c.decides, "verdict": c.verdict, "path": c.path,
                 "expected": plain_value(c.expected), "actual": plain_value(c.actual), "step": c.step, "why": c.why}
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
        }  # fmt: skip
    return found


def _line_json(step: Step) -> dict[str, Any]:
    return {
        "n": step.n, "kind": step.kind, "tool": step.tool, "ok": step.ok, "changes": len(step.changes),
        "text": one_line(step.text)[:120],
    }  # fmt: skip


def replay_text(trial: StoredTrial, step: int, view: str) -> str:
    """One trial at one step, as a person reads it."""
    row, grading = trial.row, trial.grading
    lines = [
        f"{row.link}  {row.status.upper()}" + (f"  {row.mode} (auto)" if row.mode else "")
        + (f"  owner {row.owner}" if row.owner else "")
        + (f"  depth {row.depth}/{row.depth_of}" if row.depth_of else ""),
    ]  # fmt: skip
    if row.why:
        lines.append(row.why)
    lines.append("")
    for one in trial.trajectory.steps:
        lines.append(_step_line(one, here=one.n == step, trial=trial))
    lines += ["", f"state at step {step} ({view}):", state_text(state_table(trial).rows(step, view))]
    if grading is not None:
        failed = [check for check in grading.checks if check.verdict == "fail"]
        if failed:
            lines += ["", "failed checks:"]
            lines += [f"  {check.why}" for check in failed]
        loose = [claim for claim in grading.claims if claim.supported is False]
        if loose:
            lines += ["", "said but not done:"]
            lines += [f"  step {claim.step}: {one_line(claim.span)}" for claim in loose]
    return "\n".join(lines)


def state_text(rows: Sequence[StateRow]) -> str:
    """Rows of the state table as text: sign, path, expected, actual, claimed, since."""
    if not rows:
        return "  nothing to show in this view"
    columns = (
        Column("  path", 30, middle=True), Column("expected", 24), Column("actual", 24), Column("claimed", 18),
        Column("since", right=True),
    )  # fmt: skip
    cells = [
        [
            SIGNS[row.status] + " " + row.path, shown(row.expected), shown(row.actual), shown(row.claimed),
            str(row.since_step),
        ]
        for row in rows
    ]  # fmt: skip
    return table(columns, cells, indent=" ")


def _step_line(step: Step, *, here: bool, trial: StoredTrial) -> str:
    grading = trial.grading
    marks = "=" if step.changes else " "
    marks += "!" if step.ok is False or (grading is not None and step.n == grading.parting) else " "
    what = step.tool if step.kind == "call" else step.kind
    text = canonical(step.body.get("args")) if step.kind == "call" else step.text
    if step.kind == "call" and step.ok is False:
        text += "  " + str(step.body.get("error", ""))
    return f"{'>' if here else ' '}{step.n:4d} {marks} {fit(what or '', 20)} {one_line(text)[:110]}"
