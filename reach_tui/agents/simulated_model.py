"""The kind `simulated`: a model as the loop sees one, in this process or behind the endpoint of `reach agent serve`."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from reach_tui.agents.kind import SENT, AgentChoice, AgentKind
from reach_tui.agents.loop import ChatLoop, ModelRequest
from reach_tui.core.agent import AgentFacts
from reach_tui.core.code import code_digest
from reach_tui.core.condition import Setup
from reach_tui.core.draws import seed_number
from reach_tui.core.errors import UsageError
from reach_tui.core.protocols import Agent
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


class SimulatedKind(AgentKind):
    """Deterministic models with known weaknesses, in this process: their numbers measure suites, never models."""

    name = "simulated"

    def model(self, choice: AgentChoice) -> dict[str, Any]:
        """Provider, name and options."""
        if not choice.model:
            raise UsageError("which simulated model?", hint="give --model: " + ", ".join(_models()))
        options = {"options": dict(choice.options)} if choice.options else {}
        return {"provider": self.name, "id": choice.model, **options}

    def facts(self, setup: Setup) -> AgentFacts:
        """Everything it reads stands in its requests; nothing is paid for it."""
        return AgentFacts(
            self.name, "suite", SENT, fork="history", holds=("turns", "words", "exchanges", "tokens"),
            fingerprint={self.name: code_digest("reach_tui.agents.simulated")}, cost_per_trial=0.0,
        )  # fmt: skip

    def check(self, setup: Setup, connection: Mapping[str, Any]) -> None:
        """UsageError for an unknown model."""
        name = str(setup.model.get("id"))
        if name not in _models():
            raise UsageError(f"no simulated model {name!r}", hint="there are " + ", ".join(_models()))

    @asynccontextmanager
    async def open(self, setup: Setup, connection: Mapping[str, Any]) -> AsyncIterator[Agent]:
        """The loop over the model."""
        self.check(setup, connection)
        yield ChatLoop(SimulatedModel(str(setup.model["id"]), setup.model.get("options") or {}))


def _models() -> tuple[str, ...]:
    # Imported here: what reads requests is large, and planning needs none of it.
    from reach_tui.agents.simulated import MODELS

    return tuple(MODELS)


SIMULATED = SimulatedKind()
