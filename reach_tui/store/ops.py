"""What the writer is told, encoded at once into values that no one can change any more.

An operation is a named tuple of texts, numbers, blobs and None: it survives a queue and a side file alike.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from reach_tui.core.canonical import canonical, digest_text
from reach_tui.core.grading import Grading
from reach_tui.core.redaction import MASK
from reach_tui.core.run import RunTotals
from reach_tui.core.trajectory import Exchange, Step
from reach_tui.store.encode import (
    flag,
    json_or_absent,
    json_or_null,
    json_text,
    plain,
    plain_or_null,
    real,
    safe,
    value_at,
    whole,
)
from reach_tui.store.rows import TrialEnd, TrialStart

PREVIEW_CHARACTERS = 120

Row: TypeAlias = tuple[Any, ...]


class StartOp(NamedTuple):
    """A trial begins."""

    uid: str
    run_id: int
    task_id: int
    repeat: int
    attempt: int
    seed: str | None
    state_kind: str
    initial: str | None
    started_at: int | None


class StepOp(NamedTuple):
    """A finished step; `changes` are rows (seq, pointer, old, new)."""

    uid: str
    n: int
    turn: int
    kind: str
    tool: str | None
    call_id: str | None
    ok: int | None
    flags: int
    at_ms: int | None
    took_ms: int | None
    tokens: int | None
    preview: str
    body: str
    state_digest: bytes | None
    changes: tuple[Row, ...]


class ExchangeOp(NamedTuple):
    """A request and its response; `messages` are canonical texts."""

    uid: str
    turn: int
    attempt: int
    who: str
    model: str | None
    options: str
    messages: tuple[str, ...]
    tools: str
    response: str
    request_digest: bytes
    status: int | None
    error: str | None
    finish: str | None
    tokens_in: int | None
    tokens_out: int | None
    waited_ms: int | None
    took_ms: int | None


class GradingOp(NamedTuple):
    """A grading as rows of its tables, without their ids."""

    version: str
    oracle: bytes
    status: str
    mode: str | None
    owner: str | None
    step: int | None
    parting: int | None
    depth: int
    depth_of: int
    why: str
    checks: tuple[Row, ...]
    milestones: tuple[Row, ...]
    deviations: tuple[Row, ...]
    claims: tuple[Row, ...]


class TotalsOp(NamedTuple):
    """The totals of a run, as columns of `runs`."""

    done: int
    passed: int
    partial: int
    failed: int
    not_counted: int
    reach_once: float | None
    reach_majority: float | None
    reach_mean: float | None
    reach_weighted: float | None
    tokens: int | None
    cost: float | None
    unknown_cost: int
    summary: str


class EndOp(NamedTuple):
    """A trial ended."""

    uid: str
    run_id: int
    ended_at: int
    end_reason: str
    end_text: str
    steps: int
    turns: int
    calls: int
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    model_ms: int | None
    wall_ms: int | None
    failed_requests: int
    final_digest: bytes | None
    final: int
    grading: GradingOp
    totals: TotalsOp


Op: TypeAlias = StartOp | StepOp | ExchangeOp | EndOp


def start_op(start: TrialStart, initials: InitialTexts | None = None) -> StartOp:
    """Encode the beginning of a trial."""
    initial = json_or_null(start.initial) if initials is None else initials.text_of(start.initial)
    return StartOp(
        start.uid, start.run_id, start.task_id, start.repeat, start.attempt, start.seed, start.state_kind,
        initial, whole(start.started_at),
    )  # fmt: skip


class InitialTexts:
    """Remembers how initial states were encoded: all trials of a task are given one and the same object.

    The objects are kept, so that no other can come to stand at the same address.
    """

    def __init__(self, most: int = 256) -> None:
        self._most = most
        self._known: dict[int, tuple[Mapping[str, Any], str]] = {}

    def text_of(self, initial: Mapping[str, Any] | None) -> str | None:
        """The encoded state; one that was seen before must not have been changed since."""
        if initial is None:
            return None
        known = self._known.get(id(initial))
        if known is None:
            if len(self._known) >= self._most:
                self._known.clear()
            known = self._known[id(initial)] = (initial, json_text(initial))
        return known[1]


def step_op(trial_uid: str, step: Step) -> StepOp:
    """Encode a step."""
    body = json_text(step.body)
    seen = step
    if MASK in body:
        # The first words come from what is stored: half a key would not be recognised as one.
        seen = replace(step, body=json.loads(body))
    return StepOp(
        trial_uid, step.n, step.turn, step.kind, plain_or_null(step.tool), plain_or_null(step.call_id), flag(step.ok),
        step.flags, whole(step.at_ms), whole(step.took_ms), whole(step.tokens),
        preview(step.kind, seen.body, seen.text), body, step.state_digest,
        tuple(
            (seq, plain(change.pointer), value_at(change.pointer, change.old), value_at(change.pointer, change.new))
            for seq, change in enumerate(step.changes)
        ),
    )  # fmt: skip


def preview(kind: str, body: Mapping[str, Any], text: str) -> str:
    """A step's first words on one line: of a message its text, of a call its arguments and what they gave."""
    if kind == "call":
        args = body.get("args")
        said = canonical(args) if args is not None else str(body.get("raw", ""))
        # A result gets at least half of the line.
        said = said[: max(PREVIEW_CHARACTERS // 2, PREVIEW_CHARACTERS - 4 - len(text))]
        text = f"{said} -> {text}" if text else said
    elif not text:
        text = str(body.get("reasoning") or " ".join(str(part) for part in body.get("parts") or ()))
    return plain(" ".join(text[: 4 * PREVIEW_CHARACTERS].split())[:PREVIEW_CHARACTERS])


def exchange_op(trial_uid: str, exchange: Exchange, safe: Callable[[str, Any], str] = safe) -> ExchangeOp:
    """Encode an exchange. Where the sender gave no digest, that of the canonical request stands in.

    `safe` may be one with a memory (`encode.SafeTexts`).
    """
    request = exchange.request()
    raw = [canonical(message) for message in request["messages"]]
    raw_tools = canonical(request.get("tools", []))
    proof = exchange.request_digest
    if proof is None:
        proof = digest_text(request_text(request, raw, raw_tools))
    return ExchangeOp(
        trial_uid, exchange.turn, exchange.attempt, exchange.who, plain_or_null(exchange.model),
        json_text(dict(exchange.options)), tuple(map(safe, raw, request["messages"])),
        safe(raw_tools, request.get("tools", [])), json_text(exchange.response), proof, whole(exchange.status),
        plain_or_null(exchange.error), plain_or_null(exchange.finish), whole(exchange.tokens_in),
        whole(exchange.tokens_out), whole(exchange.waited_ms), whole(exchange.took_ms),
    )  # fmt: skip


def request_text(request: Mapping[str, Any], messages: Sequence[str], tools: str) -> str:
    """`canonical(request)`, from the canonical texts of its long parts: they are not encoded twice."""
    long = {"messages": f"[{','.join(messages)}]", "tools": tools}
    return (
        "{" + ",".join(f"{canonical(key)}:{long.get(key) or canonical(request[key])}" for key in sorted(request)) + "}"
    )


def grading_op(grading: Grading) -> GradingOp:
    """Encode a grading with its checks, milestones, deviations and claims."""
    return GradingOp(
        grading.version, grading.oracle, grading.status, plain_or_null(grading.mode), plain_or_null(grading.owner),
        whole(grading.step), whole(grading.parting), grading.depth, grading.depth_of, plain(grading.why),
        tuple(
            (ord_, one.kind, int(one.decides), plain_or_null(one.path), one.verdict, json_or_absent(one.expected),
             json_or_absent(one.actual), whole(one.step), plain(one.why))
            for ord_, one in enumerate(grading.checks)
        ),
        tuple(
            (ord_, plain(one.name), one.verdict, whole(one.step), json_or_absent(one.expected),
             json_or_absent(one.actual))
            for ord_, one in enumerate(grading.milestones)
        ),
        tuple(
            (ord_, one.detector, plain_or_null(one.tool), whole(one.step), whole(one.last_step), plain(one.evidence))
            for ord_, one in enumerate(grading.deviations)
        ),
        tuple(
            (ord_, whole(one.step), plain_or_null(one.pointer), json_or_absent(one.value), plain(one.span),
             flag(one.supported), plain_or_null(one.tool))
            for ord_, one in enumerate(grading.claims)
        ),
    )  # fmt: skip


def totals_op(totals: RunTotals) -> TotalsOp:
    """Encode the totals of a run."""
    return TotalsOp(
        totals.done, totals.passed, totals.partial, totals.failed, totals.not_counted, real(totals.reach_once),
        real(totals.reach_majority), real(totals.reach_mean), real(totals.reach_weighted), whole(totals.tokens),
        real(totals.cost), totals.unknown_cost, json_text(dict(totals.summary)),
    )  # fmt: skip


def end_op(end: TrialEnd) -> EndOp:
    """Encode the end of a trial."""
    return EndOp(
        end.uid, end.run_id, end.ended_at, end.end_reason, plain(end.end_text), end.steps, end.turns, end.calls,
        whole(end.tokens_in), whole(end.tokens_out), real(end.cost), whole(end.model_ms), whole(end.wall_ms),
        end.failed_requests, end.final_digest, int(end.final), grading_op(end.grading), totals_op(end.totals),
    )  # fmt: skip


_KINDS: Mapping[str, type[Op]] = {"start": StartOp, "step": StepOp, "exchange": ExchangeOp, "end": EndOp}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def as_line(op: Op) -> str:
    """An operation as one line of JSON (without its end of line)."""
    return json.dumps([_NAMES[type(op)], *op], default=_blob, ensure_ascii=True)


def _blob(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    raise TypeError(f"no such value in a side file: {type(value).__name__}")


def from_line(line: str) -> Op:
    """The inverse of `as_line`. Raises ValueError where the line is torn or none of ours."""
    try:
        name, *values = json.loads(line)
        values = [_tupled(value) for value in values]
        if name == "end":
            values[-2:] = [GradingOp(*values[-2]), TotalsOp(*values[-1])]
        return _KINDS[name](*values)
    except (TypeError, KeyError, IndexError, AttributeError) as error:
        raise ValueError(f"no operation of a writer: {line[:80]}") from error


def _tupled(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_tupled(item) for item in value)
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"])
    return value


def uids(ops: Iterable[Op]) -> set[str]:
    """The trials that operations speak of."""
    return {op.uid for op in ops}
