"""The kind `simulated`: subjects in this process, or behind the endpoint of `reach agent serve`."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import fields
from typing import Any, ClassVar

from reach_tui import (
    SENT,
    Agent,
    AgentChoice,
    AgentFacts,
    AgentKind,
    Brief,
    ChatLoop,
    Exchange,
    ModelRequest,
    Need,
    Served,
    Setup,
    UsageError,
    approximate_tokens,
    code_digest,
    seed_number,
)
from reach_tui.contrib.subjects.decide import decide
from reach_tui.contrib.subjects.traits import SUBJECTS, Traits

UNKNOWN = "I know no task with this request: I was served without the suite that it belongs to."


class SubjectModel:
    """A subject as the loop sees a model. Tokens are approximate, cost is nothing."""

    def __init__(self, name: str, traits: Mapping[str, Any]) -> None:
        self._name = name
        self._traits = dict(traits)

    async def complete(self, request: ModelRequest, record: Callable[[Exchange], None]) -> Mapping[str, Any]:
        """One decision; never fails."""
        assert request.brief is not None, "the kind asks for the reference"
        options = {**self._traits, "model": self._name, "seed": seed_number(request.seed)}
        begun = time.monotonic()
        message = decide(request.messages, request.tools, options, request.brief)
        took = int((time.monotonic() - begun) * 1000)
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        record(
            Exchange(
                turn=request.turn,
                attempt=1,
                messages=tuple(request.messages),
                tools=tuple(request.tools),
                options=options,
                response={"choices": [{"message": message, "finish_reason": finish}]},
                model=self._name,
                finish=finish,
                tokens_in=approximate_tokens(request.messages),
                tokens_out=approximate_tokens([message]),
                took_ms=took,
            )
        )
        return message


class SubjectsKind(AgentKind):
    """Agents with planted weaknesses that are handed the reference: their numbers measure suites, never models."""

    name = "simulated"
    needs: ClassVar[frozenset[Need]] = frozenset({"reference"})

    def model(self, choice: AgentChoice) -> dict[str, Any]:
        """Provider, the subject's name, and the traits laid over its own."""
        if not choice.model:
            raise UsageError("which simulated agent?", hint="give --model: " + ", ".join(SUBJECTS))
        options = {"options": dict(choice.options)} if choice.options else {}
        return {"provider": self.name, "id": choice.model, **options}

    def facts(self, setup: Setup) -> AgentFacts:
        """Everything it reads stands in its requests; nothing is paid for it."""
        return AgentFacts(
            self.name,
            "suite",
            SENT,
            fork="history",
            holds=("turns", "words", "exchanges", "tokens"),
            fingerprint={self.name: code_digest("reach_tui.contrib.subjects")},
            cost_per_trial=0.0,
        )

    def check(self, setup: Setup, connection: Mapping[str, Any]) -> None:
        """UsageError for an unknown subject or trait."""
        name = str(setup.model.get("id"))
        if name not in SUBJECTS:
            raise UsageError(f"no simulated agent {name!r}", hint="there are " + ", ".join(SUBJECTS))
        try:
            SUBJECTS[name].override(setup.model.get("options") or {})
        except ValueError as error:
            raise UsageError(str(error), hint="give --option TRAIT=VALUE") from None

    @asynccontextmanager
    async def open(self, setup: Setup, connection: Mapping[str, Any]) -> AsyncIterator[Agent]:
        """The loop over the subject."""
        self.check(setup, connection)
        yield ChatLoop(SubjectModel(str(setup.model["id"]), setup.model.get("options") or {}))

    def served(self, briefs: Mapping[str, Brief]) -> Served:
        """All subjects; a request names its task in `metadata`, else its first user message tells it."""
        by_request = {brief.request: brief for brief in briefs.values()}
        traits = {field.name for field in fields(Traits)}

        def answer(body: Mapping[str, Any]) -> Mapping[str, Any]:
            metadata = body.get("metadata")
            task = metadata.get("task") if isinstance(metadata, Mapping) else None
            said = next((str(m.get("content")) for m in body["messages"] if m.get("role") == "user"), "")
            brief = briefs.get(str(task)) or by_request.get(said)
            if brief is None and body.get("tool_choice") == "required":
                raise ValueError(UNKNOWN)
            if brief is None:
                return {"role": "assistant", "content": UNKNOWN}
            options = {key: value for key, value in body.items() if key in traits or key in ("model", "seed")}
            return decide(body["messages"], body.get("tools") or [], options, brief)

        return Served(tuple(SUBJECTS), answer)
