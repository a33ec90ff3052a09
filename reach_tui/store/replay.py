"""One trial as replaying shows it: everything at once, its timeline alone, or what a model was really sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from reach_tui.core.canonical import digest
from reach_tui.core.changes import Change
from reach_tui.core.condition import Setup, tools_for
from reach_tui.core.errors import ReachError, UsageError
from reach_tui.core.redaction import MASK
from reach_tui.core.task import Task
from reach_tui.core.trajectory import Exchange, Step, Trajectory
from reach_tui.store.columns import Columns
from reach_tui.store.encode import loads
from reach_tui.store.gradings import current_grading
from reach_tui.store.labels import labels_of
from reach_tui.store.store import Store, translated
from reach_tui.store.texts import get_text, get_texts, unpacked
from reach_tui.store.trial_columns import CHANGE, EXCHANGE
from reach_tui.store.trial_rows import StepRow, StoredTrial
from reach_tui.store.trials import trials_by_ids

Proof = Literal["verified", "masked", "differs", "dropped"]
VERIFIED: Proof
MASKED: Proof
DIFFERS: Proof
DROPPED: Proof
VERIFIED, MASKED, DIFFERS, DROPPED = get_args(Proof)
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


@dataclass(frozen=True, slots=True)
class RawExchange:
    """A request as it was sent and its response, as far as they are kept, and what the digest says of them."""

    exchange: Exchange
    proof: Proof

    @property
    def request(self) -> dict[str, Any] | None:
        """The request's JSON body; None where its texts were dropped."""
        return None if self.proof == DROPPED else self.exchange.request()


_LINE, _EXCHANGE_LINE = Columns(StepRow), Columns(ExchangeRow)
_STEP = Columns(Step, without=("body", "changes"), places={"": "p"})


@translated
def timeline(store: Store, trial_id: int, after: int = 0) -> list[StepRow]:
    """The steps of a trial from `after` + 1 on, without their bodies."""
    rows = store.db.execute(
        f"SELECT {_LINE.select} FROM steps WHERE trial_id = ? AND n > ? ORDER BY n", (trial_id, after)
    ).fetchall()
    return list(map(_LINE.decode, rows))


@translated
def load_trial(store: Store, trial_id: int) -> StoredTrial:
    """A trial with its task, setup, trajectory, current grading and standing labels. UsageError where there is none."""
    rows = trials_by_ids(store, [trial_id])
    if not rows:
        raise UsageError(f"no trial {trial_id} in this store")
    row = rows[0]
    task = task_of(store, row.start.task_id)
    setup_id, label, measures = store.db.execute(
        "SELECT setup_id, agent_facts ->> '$.label', agent_facts ->> '$.measures' FROM runs WHERE id = ?",
        (row.start.run_id,),
    ).fetchone()
    setup = None if setup_id is None else setup_of(store, setup_id)
    (initial_id,) = store.db.execute("SELECT initial_text_id FROM trials WHERE id = ?", (trial_id,)).fetchone()
    tools: tuple[str, ...] = task.allowed_tools or ()
    if setup is not None:
        tools = tuple(tool.name for tool in tools_for(setup, task.allowed_tools))
    trajectory = Trajectory(
        initial=loads(get_text(store.db, initial_id)),
        steps=steps_of(store, trial_id),
        end_reason="unknown" if row.end is None else row.end.end_reason,
        end_text=(row.end and row.end.end_text) or "",
        tools=tools,
    )
    labels = tuple(labels_of(store, row.start.uid))
    return StoredTrial(row, task, setup, trajectory, current_grading(store, trial_id), labels, label, measures)


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
    only = "" if n is None else " AND n = :n"
    values = {"trial": trial_id, "n": n}
    changes: dict[int, list[Change]] = {}
    for row in store.db.execute(
        f"SELECT {CHANGE.select}, n FROM changes WHERE trial_id = :trial{only} ORDER BY n, seq", values
    ).fetchall():
        changes.setdefault(row[-1], []).append(CHANGE.decode(row))
    rows = store.db.execute(
        f"SELECT {_STEP.select}, p.body, x.codec, x.body, n FROM steps p LEFT JOIN texts x ON x.id = p.text_id"
        f" WHERE trial_id = :trial{only} ORDER BY n",
        values,
    ).fetchall()
    return tuple(_STEP.decode(row, body=_body(*row[-4:-1]), changes=tuple(changes.get(row[-1], ()))) for row in rows)


def _body(inline: str | None, codec: str | None, body: Any) -> Mapping[str, Any]:
    text = inline if inline is not None else None if codec is None else unpacked(codec, body)
    value = loads(text)
    return value if isinstance(value, dict) else {}


@translated
def exchanges_of(store: Store, trial_id: int) -> list[ExchangeRow]:
    """The requests of a trial, retries included, in order."""
    rows = store.db.execute(
        f"SELECT {_EXCHANGE_LINE.select} FROM exchanges WHERE trial_id = ? ORDER BY turn, who, attempt", (trial_id,)
    ).fetchall()
    return list(map(_EXCHANGE_LINE.decode, rows))


@translated
def raw_exchange(
    store: Store, trial_id: int, turn: int, who: str = "agent", attempt: int | None = None
) -> RawExchange | None:
    """What a model was sent at a turn and what came back: the last attempt, unless one is named; None if none is kept.

    Where the texts of the request were dropped, it has neither messages nor tools.
    """
    row = store.db.execute(
        f"SELECT {EXCHANGE.select}, messages, tools_text_id, response_text_id, request_digest FROM exchanges"
        " WHERE trial_id = :trial AND turn = :turn AND who = :who AND (:attempt IS NULL OR attempt = :attempt)"
        " ORDER BY attempt DESC LIMIT 1",
        {"trial": trial_id, "turn": turn, "who": who, "attempt": attempt},
    ).fetchone()
    if row is None:
        return None
    *_, messages, tools_id, response_id, sent = row
    ids = json.loads(messages)
    texts = get_texts(store.db, [*ids, *([] if tools_id is None else [tools_id])])
    dropped = any(id not in texts for id in ids) or (tools_id is not None and tools_id not in texts)
    exchange = EXCHANGE.decode(
        row,
        request_digest=sent,
        response=loads(get_text(store.db, response_id)),
        messages=() if dropped else tuple(json.loads(texts[id]) for id in ids),
        tools=() if dropped or tools_id is None else tuple(json.loads(texts[tools_id])),
    )
    return RawExchange(exchange, DROPPED if dropped else _proof(exchange))


def _proof(exchange: Exchange) -> Proof:
    request = exchange.request()
    if digest(request) == exchange.request_digest:
        return VERIFIED
    return MASKED if MASK in json.dumps(request, ensure_ascii=False) else DIFFERS
