"""What the writer is told, encoded at once into values that no one can change any more.

An operation is a named tuple of texts, numbers, blobs, None and rows of them: it survives a queue and a side file
alike. A row has the order of its record's columns (`STEP`, `END`, ...); in a side file its values stand by name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from reach_tui.core.canonical import canonical, digest_text
from reach_tui.core.grading import Grading
from reach_tui.core.records import from_json, to_json
from reach_tui.core.redaction import MASK
from reach_tui.core.run import RunTotals
from reach_tui.core.trajectory import Exchange, Step
from reach_tui.core.trial import TrialEnd, TrialStart
from reach_tui.store.columns import Columns, Row
from reach_tui.store.encode import json_or_null, json_text, plain, safe, value_at
from reach_tui.store.trial_columns import (
    CHANGE,
    END,
    EXCHANGE,
    GRADING,
    PARTS,
    STEP,
    TOTALS,
    GradingOp,
    grading_op,
)

PREVIEW_CHARACTERS = 120


class StartOp(NamedTuple):
    """A trial begins, with the text of its world's initial state."""

    uid: str
    start: TrialStart
    initial: str | None


class StepOp(NamedTuple):
    """A finished step, without what has columns of its own; the changes are rows of `CHANGE`."""

    uid: str
    step: Row
    preview: str
    body: str
    changes: tuple[Row, ...]


class ExchangeOp(NamedTuple):
    """A request and its response; `messages` are canonical texts."""

    uid: str
    exchange: Row
    messages: tuple[str, ...]
    tools: str
    response: str
    request_digest: bytes


class EndOp(NamedTuple):
    """A trial ended. `final`: its attempt is to speak for the slot."""

    uid: str
    end: Row
    final: bool
    grading: GradingOp
    totals: Row


Op: TypeAlias = StartOp | StepOp | ExchangeOp | EndOp


def start_op(start: TrialStart, initial: Mapping[str, Any] | None, initials: InitialTexts | None = None) -> StartOp:
    """Encode the beginning of a trial; `initial` is its world's whole initial state (None where none is known)."""
    return StartOp(start.uid, start, json_or_null(initial) if initials is None else initials.text_of(initial))


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
        trial_uid,
        STEP.encode(step),
        preview(step.kind, seen.body, seen.text),
        body,
        tuple(
            (plain(change.pointer), value_at(change.pointer, change.old), value_at(change.pointer, change.new))
            for change in step.changes
        ),
    )


def preview(kind: str, body: Mapping[str, Any], text: str) -> str:
    """A step's first words on one line: of a message its text, of a call its arguments and what they gave."""
    if kind == "call":
        args = body.get("args")
        arguments = canonical(args) if args is not None else str(body.get("raw", ""))
        # A result gets at least half of the line.
        arguments = arguments[: max(PREVIEW_CHARACTERS // 2, PREVIEW_CHARACTERS - 4 - len(text))]
        text = f"{arguments} -> {text}" if text else arguments
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
        trial_uid,
        EXCHANGE.encode(exchange),
        tuple(map(safe, raw, request["messages"])),
        safe(raw_tools, request.get("tools", [])),
        json_text(exchange.response),
        proof,
    )


def request_text(request: Mapping[str, Any], messages: Sequence[str], tools: str) -> str:
    """`canonical(request)`, from the canonical texts of its long parts: they are not encoded twice."""
    long = {"messages": f"[{','.join(messages)}]", "tools": tools}
    return (
        "{" + ",".join(f"{canonical(key)}:{long.get(key) or canonical(request[key])}" for key in sorted(request)) + "}"
    )


def end_op(uid: str, end: TrialEnd, grading: Grading, totals: RunTotals, final: bool = True) -> EndOp:
    """Encode the end of a trial and the totals of its run, this trial included."""
    return EndOp(uid, END.encode(end), final, grading_op(grading), TOTALS.encode(totals))


_KINDS: Mapping[str, type[Op]] = {"start": StartOp, "step": StepOp, "exchange": ExchangeOp, "end": EndOp}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_ROWS: Mapping[str, Columns[Any]] = {"step": STEP, "exchange": EXCHANGE, "end": END, "totals": TOTALS}


def as_line(op: Op) -> str:
    """An operation as one line of JSON (without its end of line): an object in which every value has its name."""
    body = {"op": _NAMES[type(op)], **op._asdict()}
    for name, columns in _ROWS.items():
        if name in body:
            body[name] = _named(columns, body[name])
    if isinstance(op, StartOp):
        body["start"] = to_json(op.start)
    elif isinstance(op, StepOp):
        body["changes"] = [_named(CHANGE, change) for change in op.changes]
    elif isinstance(op, EndOp):
        parts = {name: [_named(PARTS[name], row) for row in rows] for name, rows in op.grading.parts.items()}
        body["grading"] = {**_named(GRADING, op.grading.grading), **parts}
    return json.dumps(body, default=_blob, ensure_ascii=True)


def _named(columns: Columns[Any], row: Row) -> dict[str, Any]:
    return dict(zip(columns.names, row, strict=True))


def _blob(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    raise TypeError(f"no such value in a side file: {type(value).__name__}")


def from_line(line: str) -> Op:
    """The inverse of `as_line`. Raises ValueError where the line is torn or none of ours.

    A name that is not known passes; one that is not there takes its field's default.
    """
    try:
        body = json.loads(line, object_hook=_unblobbed)
    except ValueError as error:
        raise ValueError(f"a torn line: {error}") from error
    if isinstance(body, list):
        raise ValueError("written by an older release, whose values have no names")
    try:
        kind = _KINDS[body["op"]]
        for name, columns in _ROWS.items():
            if name in kind._fields:
                body[name] = columns.of_mapping(body[name])
        if kind is StartOp:
            body["start"] = from_json(TrialStart, body["start"])
        elif kind is StepOp:
            body["changes"] = tuple(map(CHANGE.of_mapping, body["changes"]))
        elif kind is ExchangeOp:
            body["messages"] = tuple(body["messages"])
        else:
            parts = {name: tuple(map(part.of_mapping, body["grading"][name])) for name, part in PARTS.items()}
            body["grading"] = GradingOp(GRADING.of_mapping(body["grading"]), parts)
        return kind(**{name: body[name] for name in kind._fields})
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise ValueError(f"no operation of a writer: {error!r}") from error


def _unblobbed(body: dict[str, Any]) -> Any:
    return bytes.fromhex(body["hex"]) if body.keys() == {"hex"} else body


def uids(ops: Iterable[Op]) -> set[str]:
    """The trials that operations speak of."""
    return {op.uid for op in ops}
