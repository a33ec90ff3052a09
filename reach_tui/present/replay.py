"""The words around a step: the title of Replay, the heading of its state, the raw exchange, and searching."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reach_tui.core.condition import model_name
from reach_tui.core.trajectory import Step
from reach_tui.present.agents import label_of, stand_in
from reach_tui.present.cells import Line, Piece
from reach_tui.present.language import phrase, word
from reach_tui.present.layout import fit, width, wrap
from reach_tui.present.signs import TRIAL
from reach_tui.present.state import VIEW_WORDS
from reach_tui.present.step_marks import StepMarks, current_labels
from reach_tui.present.values import json_lines, shown
from reach_tui.store.trial_rows import StoredTrial

if TYPE_CHECKING:
    from reach_tui.present.opened import Loaded
    from reach_tui.store.replay import RawExchange


def title(trial: StoredTrial, n: int, marks: StepMarks, cells: int = 80) -> tuple[list[Piece], list[Piece]]:
    """`AS-014 #2 FAILED hallucination (auto)  step 7/12 decisive  depth 3/5  hasty-1 simulated` in `cells` columns.

    Where all of it does not fit, the model goes first (that numbers speak of none stays longer), then who judged, then
    the depth; the step always stays.
    """
    row = trial.row
    told = word(row.grading.status)
    attempt = f".{row.start.attempt}" if row.start.attempt > 1 else ""
    status = (told.upper() if row.grading.status == "failed" else told, TRIAL[row.grading.status].role)
    mode, owner, who = judged_by(trial)
    verdict: list[Piece] = [(f" {mode}", "text")] if mode else []
    if owner and owner != "agent":
        verdict.append((f", {word(owner)}", "text"))
    of = len(trial.trajectory.steps)
    step: list[Piece] = [(phrase("  step {n}/{of}", n=n, of=of), "strong")]
    places = ((n == marks.decisive, "decisive"), (n == marks.parting, "parting"), (n == of, "last"))
    which = next((name for here, name in places if here), "")
    if which:
        step.append((f" {word(which)}", "dim" if which == "last" else "bad"))
    judge: list[Piece] = [(f" ({who})", "dim")] if verdict else []
    grading = trial.grading
    depth: list[Piece] = (
        [(phrase("  depth {n}/{of}", n=grading.depth, of=grading.depth_of), "dim")]
        if grading and grading.depth_of
        else []
    )
    model: list[Piece] = []
    if trial.setup is not None:
        model = [
            (f" {model_name(trial.setup.model)} ", "dim"),
            label_of(trial.agent_label, trial.measures, trial.setup.agent),
        ]

    stands_in = stand_in(trial.agent_label, trial.measures)
    alone: list[Piece] = [(f" {stands_in}", "warn")] if stands_in else []

    def size(*parts: list[Piece]) -> int:
        return sum(width(text) for part in parts for text, _ in part)

    task: list[Piece] = [(row.task.key, "title"), (f" #{row.start.repeat}{attempt} ", "dim"), status]
    room = cells - 3
    briefly: list[Piece] = [(f" ({who.partition(';')[0]})", "dim")] if verdict else []
    # Each time one part gives way, until the rest fits.
    nothing: list[Piece] = []
    order = (
        (model, alone), (judge, briefly), (depth, nothing), (model, nothing), (judge, nothing), (verdict, nothing),
    )  # fmt: skip
    for optional, instead in order:
        if size(task, verdict, judge, step, depth, model) > room:
            optional[:] = instead
    spare = room - size(task[1:], verdict, judge, step, depth, model)
    task[0] = (fit(row.task.key, min(width(row.task.key), max(8, spare))), "title")
    return [*task, *verdict, *judge, *step, *depth], model


def judged_by(trial: StoredTrial) -> tuple[str, str, str]:
    """Failure mode, owner and who said so: a person's labels win over the automatic ones, and both are named."""
    labels = {label.kind: label for label in current_labels(trial.labels) if label.kind in ("mode", "owner")}
    mode, owner = trial.row.grading.mode or "", trial.row.grading.owner or ""
    if not labels:
        return mode, owner, phrase("auto")
    who = next(iter(labels.values())).author
    named = labels["mode"].value if "mode" in labels else mode
    by = phrase("{who}; auto {mode}", who=who, mode=mode) if mode and named != mode else who
    return named, labels["owner"].value if "owner" in labels else owner, by


def state_heading(loaded: Loaded, view: str, listed: int, order: str, n: int, note: str = "") -> list[Piece]:
    """`[3] state: differing 3 of 41`, and the note of the row under the cursor; observed state says that it is."""
    kind = loaded.trial.row.start.state_kind
    if loaded.table is None:
        return [("[3] ", "head"), (phrase("state: none in this log"), "")]
    of = loaded.table.counts(n).watched
    what = phrase("state") if kind == "exact" else phrase("state as seen in results")
    # Where nothing is expected, rows can only differ from the start.
    unjudged = view == "differing" and not loaded.table.judged
    which = phrase("changed since the start") if unjudged else phrase(VIEW_WORDS[view])
    pieces: list[Piece] = [
        ("[3] ", "head"),
        (phrase("{what}: {which} {shown} of {of}", what=what, which=which, shown=listed, of=of), ""),
    ]
    if order != "table":
        pieces.append((phrase(", by {order}", order=word(order)), "head"))
    if note:
        pieces.append((f"  {note}", "dim"))
    return pieces


def empty_state(loaded: Loaded, view: str) -> str:
    """What an empty state pane says."""
    if loaded.table is None:
        return phrase("this log holds no state; nothing of it was seen in results either")
    if view == "differing":
        return phrase("nothing differs from what is expected at this step")
    if view == "changed":
        return phrase("this step changed nothing (v: next view)")
    return phrase("no row (v: next view)")


def exchange_json(raw: RawExchange) -> dict[str, Any]:
    """A request to a model and its response; `request` as sent, null where its texts were dropped."""
    exchange = raw.exchange
    return {
        "turn": exchange.turn, "attempt": exchange.attempt, "who": exchange.who, "model": exchange.model,
        "request": raw.request, "response": exchange.response, "status": exchange.status, "error": exchange.error,
        "finish": exchange.finish, "tokens_in": exchange.tokens_in, "tokens_out": exchange.tokens_out,
        "waited_ms": exchange.waited_ms, "took_ms": exchange.took_ms, "proof": raw.proof,
    }  # fmt: skip


def raw_lines(raw: RawExchange | None, step: Step, cells: int) -> list[Line]:
    """An exchange as lines: what was sent, what came back, every control character shown. Without one, the step's
    own body."""
    if raw is None:
        head: Line = ((phrase("no exchange was recorded for this turn; the step as stored:"), "warn"),)
        return [head, *(((line, "text"),) for line in json_lines(dict(step.body)))]
    exchange = exchange_json(raw)
    facts_of = {
        name: part for name, part in exchange.items() if not isinstance(part, Mapping | list) and part is not None
    }
    facts = "  ".join(f"{word(name)} {shown(part)}" for name, part in facts_of.items())
    lines: list[Line] = [((line, "dim"),) for line in wrap(facts, cells)]
    for name, part in exchange.items():
        if isinstance(part, Mapping | list):
            lines.append(((word(name), "head"),))
            lines += [(("  ", ""), (line, "text")) for line in json_lines(part)]
    return lines


def words_of(step: Step) -> str:
    """Everything of a step that a search looks at."""
    body = json.dumps(dict(step.body), ensure_ascii=False, default=str)
    changes = " ".join(f"{change.pointer} {shown(change.old)} {shown(change.new)}" for change in step.changes)
    return f"{step.tool or ''} {step.text} {body} {changes}".lower()


def find_step(steps: Sequence[Step], text: str, here: int, direction: int) -> int | None:
    """The next (1) or previous (-1) step that holds `text`, coming round at the ends; `here` is tried last."""
    needle = text.lower()
    for k in range(1, len(steps) + 1):
        n = (here - 1 + direction * k) % len(steps) + 1
        if needle in words_of(steps[n - 1]):
            return n
    return None
