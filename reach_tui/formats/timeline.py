"""Logged messages become steps: each is shown somewhere, none blank, and its raw JSON stays with the step.

A step of a message holds the message as `raw`. A call's step holds its arguments as received as `raw` (the product's
word for them), the message that made the call as `message` (whole in its first call, the call's own entry in the
others) and the message that answered as `reply`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reach_tui.core.text import storable
from reach_tui.core.trajectory import FAILED, Step, StepKind
from reach_tui.formats.content import Content, LoggedCall, read_calls, read_content, read_message
from reach_tui.formats.values import count, instant, milliseconds, total
from reach_tui.formats.values import text_of as as_text

EMPTY = "[empty message]"
PROMPT_ROLES = ("system", "developer")

ErrorRule = Callable[[Mapping[str, Any], str], bool]
"""(the message with a call's result, its text) -> whether the call failed, by the rule of the format."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The steps of a conversation and what its messages say of time and tokens (None where they do not)."""

    steps: tuple[Step, ...]
    turns: int
    tokens_in: int | None
    tokens_out: int | None
    model_ms: int


@dataclass(slots=True)
class _Row:
    """A step in the making. `reply` is the message with a call's result."""

    kind: StepKind
    turn: int
    body: dict[str, Any]
    at: int | None = None
    took: int | None = None
    tokens: int | None = None
    call: LoggedCall | None = None
    requestor: str = "assistant"
    reply: Mapping[str, Any] | None = None


@dataclass(slots=True)
class _Open:
    """Calls without a result: those of the messages just before, and older ones."""

    recent: list[_Row] = field(default_factory=list)
    older: list[_Row] = field(default_factory=list)

    def settle(self) -> None:
        """Something else came: what is still open is older now."""
        self.older = [row for row in (*self.older, *self.recent) if row.reply is None]
        self.recent = []


def timeline(messages: Sequence[Any], failed: ErrorRule, began: int | None = None) -> Timeline:
    """The steps of `messages` (chat messages of any dialect). `began` is the trial's start in ms, else the first time.

    Results are paired with the calls just before them: by id where a call still without a result has it, else by
    position, for ids need not be unique; only then with older calls. Text beside calls is a step before them.
    """
    rows: list[_Row] = []
    calls = _Open()
    results: list[Mapping[str, Any]] = []
    turn, tokens_in, tokens_out, model_ms = 0, None, None, 0
    for message in messages:
        if isinstance(message, Mapping) and message.get("role") in ("tool", "function"):
            results.append(message)
            continue
        rows.extend(_pair(results, calls, turn))
        results = []
        if not isinstance(message, Mapping):
            rows.append(_Row("notice", turn, _words(read_content(message), message, reason="not a message")))
            continue
        if message.get("role") == "assistant":
            turn += 1
            usage = message.get("usage")
            usage = usage if isinstance(usage, Mapping) else {}
            tokens_in = total(tokens_in, count(usage.get("prompt_tokens", usage.get("input_tokens"))))
            tokens_out = total(tokens_out, count(usage.get("completion_tokens", usage.get("output_tokens"))))
            model_ms += milliseconds(message.get("generation_time_seconds")) or 0
        made = _rows_of(message, turn)
        asked = [row for row in made if row.kind == "call"]
        if not asked:
            calls.settle()
        calls.recent.extend(asked)
        rows.extend(made)
    rows.extend(_pair(results, calls, turn))
    steps = _number(rows, failed, began)
    return Timeline(steps, turn, tokens_in, tokens_out, model_ms)


def _rows_of(message: Mapping[str, Any], turn: int) -> list[_Row]:
    role = message.get("role")
    content, calls = read_message(message), read_calls(message)
    at = instant(message.get("timestamp"))
    kind: StepKind = "agent" if role == "assistant" else "user" if role == "user" else "notice"
    usage = message.get("usage")
    tokens = None
    if kind == "agent" and isinstance(usage, Mapping):
        tokens = count(usage.get("completion_tokens", usage.get("output_tokens")))
    rows = []
    if not content.blank or not calls:
        body = _words(content, message, reason=as_text(role or "no role") if kind == "notice" else None)
        rows.append(_Row(kind, turn, body, at, milliseconds(message.get("generation_time_seconds")), tokens))
    for index, call in enumerate(calls):
        entry = call.entry if isinstance(call.entry, Mapping) else {}
        requestor = entry.get("requestor") or ("user" if kind == "user" else "assistant")
        body = {"args": call.args, "raw": call.received, "message": message if index == 0 else call.entry}
        if requestor == "user":
            body["requestor"] = "user"
        own = tokens if index == 0 and not rows else None
        rows.append(_Row("call", turn, body, at, None, own, call, as_text(requestor)))
    return rows


def _words(content: Content, raw: Any, reason: str | None = None) -> dict[str, Any]:
    body: dict[str, Any] = {"text": EMPTY if content.blank else content.text}
    if content.reasoning:
        body["reasoning"] = content.reasoning
    if reason is not None:
        body["reason"] = reason
    return {**body, "raw": raw}


def _pair(results: Sequence[Mapping[str, Any]], calls: _Open, turn: int) -> list[_Row]:
    """Give each result to its call; the rows of results that no call is left for."""
    left = list(results)
    for window in (calls.recent, calls.older):
        left = [result for result in left if not _answers_by_id(result, window)]
    orphans = []
    for result in left:
        # By position a result belongs to what was called last; to an older call only if it names none itself.
        waiting = calls.recent if _id_of(result) is not None else (*calls.recent, *calls.older)
        row = next((row for row in waiting if _takes(row, result)), None)
        if row is not None:
            row.reply = result
            continue
        body = _words(read_message(result), result, reason="a result without a call")
        if result.get("name"):
            body["name"] = as_text(result["name"])
        orphans.append(_Row("notice", turn, body, instant(result.get("timestamp"))))
    if results:
        calls.settle()
    return orphans


def _answers_by_id(result: Mapping[str, Any], window: Sequence[_Row]) -> bool:
    """Give `result` to the first call of the window that still waits and has its id, if there is one."""
    call_id = _id_of(result)
    row = next((row for row in window if _takes(row, result) and row.call and row.call.id == call_id), None)
    if call_id is None or row is None:
        return False
    row.reply = result
    return True


def _id_of(result: Mapping[str, Any]) -> str | None:
    """The id of the call that a result says it answers."""
    call_id = result.get("tool_call_id", result.get("id", result.get("call_id")))
    return None if call_id in (None, "") else storable(as_text(call_id))


def _takes(row: _Row, result: Mapping[str, Any]) -> bool:
    requestor = result.get("requestor")
    return row.reply is None and (requestor is None or requestor == row.requestor)


def _number(rows: Sequence[_Row], failed: ErrorRule, began: int | None) -> tuple[Step, ...]:
    if began is None:
        began = next((row.at for row in rows if row.at is not None), None)
    return tuple(_step(n, row, failed, began) for n, row in enumerate(rows, 1))


def _step(n: int, row: _Row, failed: ErrorRule, began: int | None) -> Step:
    at = None if row.at is None or began is None else max(0, row.at - began)
    if row.call is None:
        return Step(n, row.turn, row.kind, row.body, at_ms=at, took_ms=row.took, tokens=row.tokens)
    body, took, ok = dict(row.body), None, None
    if row.reply is None:
        body["reason"] = "the log holds no result of this call"
    else:
        text = read_message(row.reply).text
        ok = not failed(row.reply, text)
        body["result" if ok else "error"] = text
        body["reply"] = row.reply
        ended = instant(row.reply.get("timestamp"))
        took = None if ended is None or row.at is None else max(0, ended - row.at)
    return Step(
        n,
        row.turn,
        "call",
        body,
        tool=row.call.name or "(no name)",
        call_id=row.call.id,
        ok=ok,
        flags=FAILED if ok is False else 0,
        at_ms=at,
        took_ms=took,
        tokens=row.tokens,
    )


def error_step(steps: Sequence[Step], text: str, raw: Any = None) -> Step:
    """A last step that says what broke the trial from outside."""
    turn = steps[-1].turn if steps else 0
    body = {"text": text} if raw is None else {"text": text, "raw": raw}
    return Step(len(steps) + 1, turn, "error", body)
