"""The tool-calling loop: ask the model, run its calls, hand back the results, until it says its last word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reach_tui.agents.context import shown
from reach_tui.agents.replies import CallRequest, for_sending, read_message
from reach_tui.core.brief import Brief
from reach_tui.core.notice import append_notice
from reach_tui.core.protocols import Session
from reach_tui.core.trajectory import Exchange


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One decision asked of a model. `messages` and `tools` in the chat-completions form; `seed` is the trial's."""

    turn: int
    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]]
    seed: str
    brief: Brief | None = None
    """For kinds that need the task's reference (`AgentKind.needs`)."""


class Model(Protocol):
    """A model, wherever it runs."""

    async def complete(self, request: ModelRequest, record: Callable[[Exchange], None]) -> Mapping[str, Any]:
        """The assistant message. Every attempt is given to `record`. AgentSideError where the endpoint broke."""


class ChatLoop:
    """An agent made of a model. It looks at the calls of a message, never at the finish reason."""

    def __init__(self, model: Model) -> None:
        self._model = model

    async def run(self, session: Session) -> None:
        """Work on the session's request until the conversation is over."""
        messages: list[Mapping[str, Any]] = []
        if session.prompt:
            messages.append({"role": "system", "content": session.prompt})
        messages.append({"role": "user", "content": session.request})
        tools = tuple(tool.as_function() for tool in session.tools)
        while True:
            turn = session.next_turn()
            request = ModelRequest(turn, shown(messages, session.context), tools, session.seed, session.brief)
            message = await self._model.complete(request, session.exchange)
            read = read_message(message, turn)
            messages.append(for_sending(message, read))
            if not read.calls:
                answer = await session.say(read.text, read.reasoning, read.parts)
                if answer is None:
                    return
                messages.append({"role": "user", "content": answer})
                continue
            if read.text or read.reasoning or read.parts:
                session.remark(read.text, read.reasoning, read.parts)
            results = [(call, await session.call(call.name, call.arguments, call.id)) for call in read.calls]
            notice = session.take_notice()
            if notice:
                call, text = results[-1]
                results[-1] = (call, append_notice(text, notice))
            messages.extend(_result_message(call, text, legacy=read.legacy) for call, text in results)


def _result_message(call: CallRequest, text: str, *, legacy: bool) -> dict[str, Any]:
    if legacy:
        return {"role": "function", "name": call.name, "content": text}
    return {"role": "tool", "tool_call_id": call.id, "content": text}


def approximate_tokens(messages: Sequence[Mapping[str, Any]]) -> int:
    """Tokens of some messages, by a rule and not a tokenizer: four characters of what they say or call are one."""
    size = 0
    for message in messages:
        if isinstance(message, Mapping):
            size += _length(message.get("content")) + _length(message.get("tool_calls"))
    return (size + 3) // 4


def _length(value: Any) -> int:
    """Characters of a text, or of everything in a list or mapping that anyone may have sent."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, Mapping):
        return sum(map(_length, value.values()))
    return sum(map(_length, value)) if isinstance(value, (list, tuple)) else 0
