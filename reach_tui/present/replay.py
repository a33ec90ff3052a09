"""The words around a step: the title of Replay, the heading of its state, the raw exchange, and searching."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reach_tui.core.absent import ABSENT
from reach_tui.core.grading import StateRow
from reach_tui.core.text import fit, width
from reach_tui.core.trajectory import Step
from reach_tui.present.cells import Piece
from reach_tui.present.numbers import json_lines, value, wrap
from reach_tui.present.state import VIEW_WORDS
from reach_tui.present.step_marks import Moments, current_labels
from reach_tui.present.steps import Line
from reach_tui.store.rows import StoredTrial

if TYPE_CHECKING:
    from reach_tui.present.reading import Loaded

STATUS_ROLES = {"passed": "good", "partial": "warn", "failed": "bad", "running": "accent"}


def title(trial: StoredTrial, n: int, moments: Moments, cells: int = 80) -> tuple[list[Piece], list[Piece]]:
    """`AS-014 #2 FAILED hallucination (auto)  step 7/12 decisive  depth 3/5  hasty-1 simulated` in `cells` columns.

    Where all of it does not fit, the model goes first, then who judged, then the depth; the step always stays.
    """
    row = trial.row
    shown = row.status.replace("_", " ")
    attempt = f".{row.attempt}" if row.attempt > 1 else ""
    status = (shown.upper() if row.status == "failed" else shown, STATUS_ROLES.get(row.status, "dim"))
    mode, owner, who = judged(trial)
    verdict: list[Piece] = [(f" {mode}", "text")] if mode else []
    if owner and owner != "agent":
        verdict.append((f", {owner}", "text"))
    of = len(trial.trajectory.steps)
    step: list[Piece] = [(f"  step {n}/{of}", "strong")]
    places = ((n == moments.decisive, "decisive"), (n == moments.parting, "parting"), (n == of, "last"))
    which = next((name for here, name in places if here), "")
    if which:
        step.append((f" {which}", "dim" if which == "last" else "bad"))
    judge: list[Piece] = [(f" ({who})", "dim")] if verdict else []
    grading = trial.grading
    depth: list[Piece] = (
        [(f"  depth {grading.depth}/{grading.depth_of}", "dim")] if grading and grading.depth_of else []
    )
    model: list[Piece] = []
    if trial.setup is not None:
        name = str(trial.setup.model.get("id") or trial.setup.model.get("model") or trial.setup.model.get("name") or "")
        model = [(f" {name} ", "dim"), (trial.setup.agent, "warn" if trial.setup.agent == "simulated" else "dim")]

    def size(*parts: list[Piece]) -> int:
        return sum(width(text) for part in parts for text, _ in part)

    task: list[Piece] = [(row.task_key, "title"), (f" #{row.repeat}{attempt} ", "dim"), status]
    room = cells - 3
    briefly: list[Piece] = [(f" ({who.partition(';')[0]})", "dim")] if verdict else []
    # Each time one part gives way, until the rest fits.
    for optional, instead in ((model, []), (judge, briefly), (depth, []), (judge, []), (verdict, [])):
        if size(task, verdict, judge, step, depth, model) > room:
            optional[:] = instead
    spare = room - size(task[1:], verdict, judge, step, depth, model)
    task[0] = (fit(row.task_key, min(width(row.task_key), max(8, spare))), "title")
    return [*task, *verdict, *judge, *step, *depth], model


def judged(trial: StoredTrial) -> tuple[str, str, str]:
    """Failure mode, owner and who said so: a person's labels win over the automatic ones, and both are named."""
    found = {label.kind: label for label in current_labels(trial.labels) if label.kind in ("mode", "owner")}
    mode, owner = trial.row.mode or "", trial.row.owner or ""
    if not found:
        return mode, owner, "auto"
    who = next(iter(found.values())).author
    said = found["mode"].value if "mode" in found else mode
    by = f"{who}; auto {mode}" if mode and said != mode else who
    return said, found["owner"].value if "owner" in found else owner, by


def state_heading(loaded: Loaded, view: str, shown: int, order: str, n: int, note: str = "") -> list[Piece]:
    """`[3] state: differing 3 of 41`, and the note of the row under the cursor; observed state says that it is."""
    kind = loaded.trial.row.state_kind
    if loaded.table is None:
        return [("[3] ", "head"), ("state: none in this log", "")]
    of = loaded.table.counts(n).watched
    what = "state" if kind == "exact" else "state as seen in results"
    # Where nothing is expected, rows can only differ from the start.
    word = "changed since the start" if view == "differing" and not loaded.table.judged else VIEW_WORDS[view]
    pieces: list[Piece] = [("[3] ", "head"), (f"{what}: {word} {shown} of {of}", "")]
    if order != "table":
        pieces.append((f", by {order}", "head"))
    if note:
        pieces.append((f"  {note}", "dim"))
    return pieces


def empty_state(loaded: Loaded, view: str) -> str:
    """What an empty state pane says."""
    if loaded.table is None:
        return "this log holds no state; nothing of it was seen in results either"
    if view == "differing":
        return "nothing differs from what is expected at this step"
    if view == "changed":
        return "this step changed nothing (v: next view)"
    return "no row (v: next view)"


def raw_lines(exchange: Mapping[str, Any] | None, step: Step, cells: int) -> list[Line]:
    """An exchange as lines: what was sent, what came back, every control character shown. Without one, the step's
    own body."""
    if exchange is None:
        head: Line = (("no exchange was recorded for this turn; the step as stored:", "warn"),)
        return [head, *(((line, "text"),) for line in json_lines(dict(step.body)))]
    plain = {name: part for name, part in exchange.items() if not isinstance(part, Mapping | list) and part is not None}
    facts = "  ".join(f"{name.replace('_', ' ')} {value(part)}" for name, part in plain.items())
    lines: list[Line] = [((line, "dim"),) for line in wrap(facts, cells)]
    for name, part in exchange.items():
        if isinstance(part, Mapping | list):
            lines.append(((f"{name}", "head"),))
            lines += [(("  ", ""), (line, "text")) for line in json_lines(part)]
    return lines


def words_of(step: Step) -> str:
    """Everything of a step that a search looks at."""
    body = json.dumps(dict(step.body), ensure_ascii=False, default=str)
    changes = " ".join(f"{one.pointer} {value(one.old)} {value(one.new)}" for one in step.changes)
    return f"{step.tool or ''} {step.text} {body} {changes}".lower()


def find_step(steps: Sequence[Step], text: str, here: int, direction: int) -> int | None:
    """The next (1) or previous (-1) step that holds `text`, coming round at the ends; `here` is tried last."""
    wanted = text.lower()
    for k in range(1, len(steps) + 1):
        n = (here - 1 + direction * k) % len(steps) + 1
        if wanted in words_of(steps[n - 1]):
            return n
    return None


def as_json(step: Step | None, rows: Sequence[StateRow]) -> dict[str, Any]:
    """A step and its state rows as plain JSON, as the command line gives them."""

    def plain(it: Any) -> Any:
        return None if it is ABSENT else it

    body: dict[str, Any] = {}
    if step is not None:
        body = {"step": step.n, "kind": step.kind, "tool": step.tool, "ok": step.ok, **dict(step.body)}
    body["state"] = [
        {
            "path": row.path, "expected": plain(row.expected), "actual": plain(row.actual),
            "claimed": plain(row.claimed), "status": row.status, "since_step": row.since_step,
        }
        for row in rows
    ]  # fmt: skip
    return body
