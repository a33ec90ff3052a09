"""What has happened in a conversation so far: calls with their results, words with what was answered to them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Called:
    """A call that was answered. `result` is its JSON value (text where it is none), `end` the place of the message that
    follows its result; places count all messages but the system's."""

    tool: str
    args: Mapping[str, Any]
    result: Any
    end: int

    @property
    def ok(self) -> bool:
        """Whether it was not answered with an error."""
        if isinstance(self.result, Mapping):
            return not self.result.get("error")
        return not str(self.result).casefold().startswith(("error", "tool error", "错误"))

    @property
    def message(self) -> str:
        """What an error says in words."""
        if not isinstance(self.result, Mapping):
            return str(self.result)
        error = self.result.get("message") or self.result.get("error") or ""
        return str(error.get("message") or "") if isinstance(error, Mapping) else str(error)


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words of the agent that the user has answered."""

    end: int


Event = Called | Spoken


@dataclass(frozen=True, slots=True)
class Conversation:
    """`begin` is the place of the agent's first message; `lines` are (place, words) of the user."""

    prompt: str
    begin: int
    events: tuple[Event, ...]
    lines: tuple[tuple[int, str], ...]
    decisions: int


def listen(messages: Sequence[Mapping[str, Any]]) -> Conversation:
    """The conversation in some messages. Calls that nothing has answered yet are left out."""
    prompt = "\n".join(_plain(m.get("content")) for m in messages if m.get("role") in ("system", "developer"))
    rest = [message for message in messages if message.get("role") not in ("system", "developer")]
    lines = tuple((at, _plain(m.get("content"))) for at, m in enumerate(rest) if m.get("role") == "user")
    agents = [at for at, message in enumerate(rest) if message.get("role") == "assistant"]
    events: list[Event] = []
    for at, until in zip(agents, [*agents[1:], len(rest)], strict=False):
        answers = rest[at + 1 : until]
        calls = rest[at].get("tool_calls") or ()
        results = [answer for answer in answers if answer.get("role") in ("tool", "function")]
        by_id = {result.get("tool_call_id"): result for result in results}
        for call, in_order in zip(calls, results, strict=False):
            function = call.get("function") or {}
            args = _json(function.get("arguments"))
            result = _json(_plain(by_id.get(call.get("id"), in_order).get("content")))
            events.append(Called(str(function.get("name")), args if isinstance(args, Mapping) else {}, result, until))
        if answers and not calls:
            events.append(Spoken(until))
    return Conversation(prompt, agents[0] if agents else len(rest), tuple(events), lines, len(agents))


def _plain(content: Any) -> str:
    """The text of a message's content: a text, a list of parts, or nothing."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, (list, tuple)) else ()
    return "".join(part if isinstance(part, str) else str(part.get("text") or "") for part in parts)


def _json(text: Any) -> Any:
    """The JSON value at the beginning of a text (a notice of the harness may stand behind it), else the text."""
    if not isinstance(text, str):
        return text
    try:
        return json.JSONDecoder().raw_decode(text.lstrip())[0]
    except ValueError:
        return text


def leaves(value: Any) -> Iterator[Any]:
    """All texts and numbers in a JSON value, in order; no keys, no truth values."""
    if isinstance(value, (Mapping, list, tuple)):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from leaves(inner)
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        yield value
