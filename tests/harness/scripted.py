"""A model that says what a script tells it: the harness's own subject in tests, run by the real loop."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reach_tui.agents.loop import ChatLoop, ModelRequest
from reach_tui.core.trajectory import Exchange

Line = str | tuple[str, Any] | list[tuple[str, Any]]


def message(line: Line, turn: int) -> dict[str, Any]:
    """A line of a script as an assistant message: text is said, (tool, arguments) called, a list calls all."""
    if isinstance(line, str):
        return {"role": "assistant", "content": line}
    calls = line if isinstance(line, list) else [line]
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": f"c{turn}.{i}",
                "type": "function",
                "function": {"name": name, "arguments": args if isinstance(args, str) else json.dumps(args)},
            }
            for i, (name, args) in enumerate(calls)
        ],
    }


class ScriptedModel:
    """Says the script's lines, one a turn; the last one again when it runs out."""

    def __init__(self, script: Sequence[Line]) -> None:
        self.script = script
        self.seen: list[Sequence[Mapping[str, Any]]] = []

    async def complete(self, request: ModelRequest, record: Callable[[Exchange], None]) -> Mapping[str, Any]:
        self.seen.append(request.messages)
        reply = message(self.script[min(request.turn, len(self.script)) - 1], request.turn)
        record(
            Exchange(
                turn=request.turn,
                attempt=1,
                messages=tuple(request.messages),
                tools=tuple(request.tools),
                options={},
                response=reply,
                model="scripted",
                tokens_in=10,
                tokens_out=1,
            )
        )
        return reply


def scripted_agent(script: Sequence[Line]) -> ChatLoop:
    """An agent of the real loop over a script."""
    return ChatLoop(ScriptedModel(script))
