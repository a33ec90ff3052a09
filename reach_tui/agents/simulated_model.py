"""A simulated model as the loop sees one: in this process, or behind the endpoint of `reach agent serve`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reach_tui.agents.loop import ModelRequest
from reach_tui.core.draws import seed_number
from reach_tui.core.trajectory import Exchange


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


class SimulatedModel:
    """Runs `decide` in this process. Always labelled simulated; tokens are approximate, cost is nothing."""

    def __init__(self, model: str, options: Mapping[str, Any] | None = None) -> None:
        self._model = model
        self._options = dict(options or {})

    async def complete(self, request: ModelRequest, record: Callable[[Exchange], None]) -> Mapping[str, Any]:
        """One decision; never fails."""
        from reach_tui.agents.simulated import decide

        options = {**self._options, "model": self._model, "seed": seed_number(request.seed)}
        begun = time.monotonic()
        message = decide(request.messages, request.tools, options)
        took = int((time.monotonic() - begun) * 1000)
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        record(
            Exchange(
                turn=request.turn, attempt=1, messages=tuple(request.messages), tools=tuple(request.tools),
                options=options, response={"choices": [{"message": message, "finish_reason": finish}]},
                model=self._model, finish=finish, tokens_in=approximate_tokens(request.messages),
                tokens_out=approximate_tokens([message]), took_ms=took,
            )
        )  # fmt: skip
        return message
