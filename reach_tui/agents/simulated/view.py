"""What the model sees: messages made plain, cut to its memory, calls paired with their results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MAX_TURN = 8000
"""Signs of a user's turn that are read; what is longer is not a request but a document."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message: `at` is its place in the whole conversation; `calls` are (id, name, arguments) of an assistant."""

    at: int
    role: str
    text: str
    calls: tuple[tuple[str, str, Any], ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """A call in view: `result` None where it is not (yet) answered."""

    at: int
    name: str
    args: Mapping[str, Any]
    result: str | None


@dataclass(frozen=True, slots=True)
class View:
    """The visible part of a conversation. `users` and `own` are (place, text) of turns of the user and of the model;
    `summaries` are system messages after the first; `cut` says that something lies outside memory."""

    system: str
    summaries: tuple[tuple[int, str], ...]
    users: tuple[tuple[int, str], ...]
    own: tuple[tuple[int, str], ...]
    calls: tuple[Seen, ...]
    cut: bool
    length: int


def plain_text(content: Any) -> str:
    """Content as text: a string, a list of parts, or nothing."""
    if isinstance(content, str):
        return content
    if isinstance(content, (list, tuple)):
        parts = []
        for part in content:
            if isinstance(part, str):
                parts.append(part)
            elif isinstance(part, Mapping) and isinstance(part.get("text"), str):
                parts.append(part["text"])
        return "".join(parts)
    if content is None or isinstance(content, bool):
        return ""
    if isinstance(content, (int, float)):
        return str(content)
    try:
        return json.dumps(content, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return ""


def _arguments(raw: Any) -> Mapping[str, Any]:
    if isinstance(raw, str):
        try:
            raw = json.loads(raw)
        except (ValueError, RecursionError):
            return {}
    return {str(key): value for key, value in raw.items()} if isinstance(raw, Mapping) else {}


def _message(at: int, raw: Any) -> Message | None:
    if not isinstance(raw, Mapping):
        return None
    role = str(raw.get("role") or "")
    role = {"developer": "system", "function": "tool"}.get(role, role)
    calls = []
    given = raw.get("tool_calls")
    for one in given if isinstance(given, (list, tuple)) else ():
        function = one.get("function") if isinstance(one, Mapping) else None
        if isinstance(function, Mapping):
            calls.append((str(one.get("id") or ""), str(function.get("name") or ""), function.get("arguments")))
    legacy = raw.get("function_call")
    if not calls and isinstance(legacy, Mapping):
        calls.append(("", str(legacy.get("name") or ""), legacy.get("arguments")))
    return Message(at, role, plain_text(raw.get("content")), tuple(calls), str(raw.get("tool_call_id") or ""))


def look(messages: Sequence[Any], memory: int | None) -> View:
    """The view of `messages`: the system message, the latest turn of the user, and the last `memory` messages in whole
    call and result pairs (None: all)."""
    plain = [one for at, raw in enumerate(messages) if (one := _message(at, raw)) is not None]
    systems = [one for one in plain if one.role == "system"]
    rest = [one for one in plain if one.role != "system"]
    kept, cut = _window(rest, memory)
    answered = _answers(kept)
    calls = tuple(
        Seen(one.at, name, _arguments(raw), answered.get((one.at, n)))
        for one in kept
        if one.role == "assistant"
        for n, (_, name, raw) in enumerate(one.calls)
    )
    return View(
        system=systems[0].text if systems else "",
        summaries=tuple((one.at, one.text) for one in systems[1:]),
        users=tuple((one.at, one.text[:MAX_TURN]) for one in kept if one.role == "user" and one.text.strip()),
        own=tuple((one.at, one.text) for one in kept if one.role == "assistant" and one.text.strip() and not one.calls),
        calls=calls,
        cut=cut,
        length=len(messages),
    )


def _window(rest: list[Message], memory: int | None) -> tuple[list[Message], bool]:
    if memory is None or len(rest) <= memory:
        return rest, False
    kept = rest[-max(1, memory) :]
    while kept and kept[0].role == "tool":
        kept = kept[1:]
    latest = next((one for one in reversed(rest) if one.role == "user" and one.text.strip()), None)
    if latest is not None and all(one.at != latest.at for one in kept):
        kept = [latest, *kept]
    return kept, len(kept) < len(rest)


def _answers(kept: list[Message]) -> dict[tuple[int, int], str]:
    """Results by (place of the call's message, number within it): by id where that is told, else in order."""
    out: dict[tuple[int, int], str] = {}
    waiting: list[tuple[int, int, str]] = []
    for one in kept:
        if one.role == "assistant" and one.calls:
            waiting = [(one.at, n, call_id) for n, (call_id, _, _) in enumerate(one.calls)]
        elif one.role == "tool" and waiting:
            hit = next((w for w in waiting if one.call_id and w[2] == one.call_id), waiting[0])
            waiting.remove(hit)
            out[(hit[0], hit[1])] = one.text
    return out
