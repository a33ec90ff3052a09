"""One trial as replaying shows it: everything at once, its timeline alone, or what a model was really sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reach_tui.core.canonical import digest
from reach_tui.core.changes import Change
from reach_tui.core.condition import Setup, tools_for
from reach_tui.core.errors import ReachError, UsageError
from reach_tui.core.redaction import MASK
from reach_tui.core.task import Task
from reach_tui.core.trajectory import Step, Trajectory
from reach_tui.store.encode import loads, loads_or_absent, truth
from reach_tui.store.gradings import current_grading
from reach_tui.store.labels import labels_of
from reach_tui.store.rows import StepRow, StoredTrial
from reach_tui.store.store import Store, translated
from reach_tui.store.texts import get_text, get_texts, unpacked
from reach_tui.store.trials import trials_by_ids

VERIFIED, MASKED, DIFFERS, DROPPED = "verified", "masked", "differs", "dropped"
"""What the digest says of a re-assembled request: it is what was sent; a secret was taken out of it; it is not what was
sent; its texts were dropped to save space."""


@dataclass(frozen=True, slots=True)
class ExchangeRow:
    """A request to a model as a list shows it."""

    turn: int
    attempt: int
    who: str
    model: str | None
    status: int | None
    error: str | None
    finish: str | None
    tokens_in: int | None
    tokens_out: int | None
    waited_ms: int | None
    took_ms: int | None


@translated
def timeline(store: Store, trial_id: int, after: int = 0) -> list[StepRow]:
    """The steps of a trial from `after` + 1 on, without their bodies."""
    rows = store.db.execute(
        "SELECT n, turn, kind, tool, ok, at_ms, took_ms, flags, preview FROM steps WHERE trial_id = ? AND n > ?"
        " ORDER BY n",
        (trial_id, after),
    ).fetchall()
    return [StepRow(r[0], r[1], r[2], r[3], truth(r[4]), *r[5:]) for r in rows]


@translated
def load_trial(store: Store, trial_id: int) -> StoredTrial:
    """A trial with its task, setup, trajectory, current grading and standing labels. UsageError where there is none."""
    found = trials_by_ids(store, [trial_id])
    if not found:
        raise UsageError(f"no trial {trial_id} in this store")
    row = found[0]
    task = task_of(store, row.task_id)
    (setup_id,) = store.db.execute("SELECT setup_id FROM runs WHERE id = ?", (row.run_id,)).fetchone()
    setup = None if setup_id is None else setup_of(store, setup_id)
    initial_id, end_text = store.db.execute(
        "SELECT initial_text_id, end_text FROM trials WHERE id = ?", (trial_id,)
    ).fetchone()
    tools: tuple[str, ...] = task.allowed_tools or ()
    if setup is not None:
        tools = tuple(tool.name for tool in tools_for(setup, task.allowed_tools))
    trajectory = Trajectory(
        initial=loads(get_text(store.db, initial_id)),
        steps=steps_of(store, trial_id),
        end_reason=row.end_reason or "unknown",
        end_text=end_text or "",
        tools=tools,
    )
    return StoredTrial(row, task, setup, trajectory, current_grading(store, trial_id), tuple(labels_of(store, row.uid)))


@translated
def task_of(store: Store, task_id: int) -> Task:
    """A stored task. UsageError where there is none."""
    row = store.db.execute("SELECT key, body FROM tasks WHERE id = ?", (task_id,)).fetchone()
    if row is None:
        raise UsageError(f"no task {task_id} in this store")
    try:
        return Task.of(json.loads(row[1]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ReachError(f"the stored task {row[0]!r} cannot be read: {error}") from error


@translated
def setup_of(store: Store, setup_id: int) -> Setup:
    """A stored setup. UsageError where there is none."""
    row = store.db.execute("SELECT text_id FROM setups WHERE id = ?", (setup_id,)).fetchone()
    if row is None:
        raise UsageError(f"no setup {setup_id} in this store")
    try:
        return Setup.of(loads(get_text(store.db, row[0])))
    except (KeyError, TypeError, ValueError) as error:
        raise ReachError(f"the stored setup {setup_id} cannot be read: {error}") from error


@translated
def steps_of(store: Store, trial_id: int, n: int | None = None) -> tuple[Step, ...]:
    """The steps of a trial (or only step `n`) with bodies, changes and state digests."""
    one = "" if n is None else " AND n = ?"
    values = (trial_id,) if n is None else (trial_id, n)
    changes: dict[int, list[Change]] = {}
    for at, pointer, old, new in store.db.execute(
        f"SELECT n, pointer, old, new FROM changes WHERE trial_id = ?{one} ORDER BY n, seq", values
    ).fetchall():
        changes.setdefault(at, []).append(Change(pointer, loads_or_absent(old), loads_or_absent(new)))
    rows = store.db.execute(
        "SELECT n, turn, kind, tool, call_id, ok, flags, at_ms, took_ms, tokens, state_digest, p.body, x.codec, x.body"
        f" FROM steps p LEFT JOIN texts x ON x.id = p.text_id WHERE trial_id = ?{one} ORDER BY n",
        values,
    ).fetchall()
    return tuple(
        Step(
            n=r[0], turn=r[1], kind=r[2], body=_body(r[11], r[12], r[13]), tool=r[3], call_id=r[4],
            ok=truth(r[5]), flags=r[6], at_ms=r[7], took_ms=r[8], tokens=r[9],
            changes=tuple(changes.get(r[0], ())), state_digest=r[10],
        )
        for r in rows
    )  # fmt: skip


def _body(inline: str | None, codec: str | None, body: Any) -> Mapping[str, Any]:
    text = inline if inline is not None else None if codec is None else unpacked(codec, body)
    found = loads(text)
    return found if isinstance(found, dict) else {}


@translated
def exchanges_of(store: Store, trial_id: int) -> list[ExchangeRow]:
    """The requests of a trial, retries included, in order."""
    rows = store.db.execute(
        "SELECT turn, attempt, who, model, status, error, finish, tokens_in, tokens_out, waited_ms, took_ms"
        " FROM exchanges WHERE trial_id = ? ORDER BY turn, who, attempt",
        (trial_id,),
    ).fetchall()
    return [ExchangeRow(*row) for row in rows]


@translated
def raw_exchange(
    store: Store, trial_id: int, turn: int, who: str = "agent", attempt: int | None = None
) -> dict[str, Any] | None:
    """What a model was sent at a turn and what came back: the last attempt, unless one is named; None if none is kept.

    Keys: turn, attempt, who, model, request (as sent; None if dropped), response, status, error, finish, tokens_in,
    tokens_out, waited_ms, took_ms, and proof: VERIFIED, MASKED, DIFFERS or DROPPED.
    """
    row = store.db.execute(
        "SELECT attempt, model, options, messages, tools_text_id, response_text_id, request_digest, status, error,"
        " finish, tokens_in, tokens_out, waited_ms, took_ms FROM exchanges"
        " WHERE trial_id = ? AND turn = ? AND who = ? AND (? IS NULL OR attempt = ?) ORDER BY attempt DESC LIMIT 1",
        (trial_id, turn, who, attempt, attempt),
    ).fetchone()
    if row is None:
        return None
    found, model, options, messages, tools_id, response_id, sent, status, error, finish, *counts = row
    request = _request(store, model, options, json.loads(messages), tools_id)
    return {
        "turn": turn, "attempt": found, "who": who, "model": model, "request": request,
        "response": loads(get_text(store.db, response_id)), "status": status, "error": error, "finish": finish,
        **dict(zip(("tokens_in", "tokens_out", "waited_ms", "took_ms"), counts, strict=True)),
        "proof": _proof(request, sent),
    }  # fmt: skip


def _request(
    store: Store, model: str | None, options: str, ids: list[int], tools_id: int | None
) -> dict[str, Any] | None:
    texts = get_texts(store.db, [*ids, *([] if tools_id is None else [tools_id])])
    if any(one not in texts for one in ids) or (tools_id is not None and tools_id not in texts):
        return None
    # The same shape as core's Exchange.request.
    request = {**json.loads(options), "model": model, "messages": [json.loads(texts[one]) for one in ids]}
    tools = json.loads(texts[tools_id]) if tools_id is not None else []
    if tools:
        request["tools"] = tools
    return request


def _proof(request: dict[str, Any] | None, sent: bytes | None) -> str:
    if request is None:
        return "dropped"
    if digest(request) == sent:
        return "verified"
    return "masked" if MASK in json.dumps(request, ensure_ascii=False) else "differs"
