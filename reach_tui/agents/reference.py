"""Two agents that prove a suite before any model is paid for: one plays each task's reference, one does nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar

from reach_tui.agents.kind import AgentKind, Need
from reach_tui.core.agent import AgentFacts
from reach_tui.core.code import code_digest
from reach_tui.core.condition import Setup
from reach_tui.core.protocols import Agent, Session
from reach_tui.core.task import Task


class _Player:
    async def run(self, session: Session) -> None:
        """Make the reference's calls in order, ask what it asks, and end with the task's answer."""
        assert session.brief is not None
        for number, entry in enumerate(session.brief.reference, 1):
            session.next_turn()
            if "ask" in entry:
                if await session.say(entry["ask"]) is None:
                    return
            else:
                await session.call(entry["tool"], dict(entry.get("args") or {}), f"reference-{number}")
        session.next_turn()
        await session.say(session.brief.answer or "")


class _Idler:
    async def run(self, session: Session) -> None:
        """Say nothing and be done."""
        session.next_turn()
        await session.say("")


class ReferenceKind(AgentKind):
    """Plays the task's reference: what it does not pass, no agent can."""

    name = "reference"
    takes: ClassVar[frozenset[str]] = frozenset()
    needs: ClassVar[frozenset[Need]] = frozenset({"reference"})

    def facts(self, setup: Setup) -> AgentFacts:
        """Nothing of it can be branched: it reads neither prompt nor descriptions."""
        return AgentFacts(
            self.name,
            "suite",
            fork="history",
            holds=("turns", "words"),
            fingerprint={self.name: code_digest(__name__)},
            cost_per_trial=0.0,
        )

    def problems(self, setup: Setup, tasks: Sequence[Task]) -> Sequence[str]:
        """Every task without a reference."""
        return [f"task {task.key} has no reference to play" for task in tasks if not task.body.get("reference")]

    @asynccontextmanager
    async def open(self, setup: Setup, connection: Mapping[str, Any]) -> AsyncIterator[Agent]:
        """The player; it holds nothing."""
        yield _Player()


class NothingKind(AgentKind):
    """Does nothing: what it passes tests nothing."""

    name = "nothing"
    takes: ClassVar[frozenset[str]] = frozenset()

    def facts(self, setup: Setup) -> AgentFacts:
        """Nothing of it can be branched."""
        return AgentFacts(
            self.name,
            "suite",
            fork="history",
            holds=("turns",),
            fingerprint={self.name: code_digest(__name__)},
            cost_per_trial=0.0,
        )

    @asynccontextmanager
    async def open(self, setup: Setup, connection: Mapping[str, Any]) -> AsyncIterator[Agent]:
        """The idler; it holds nothing."""
        yield _Idler()


REFERENCE, NOTHING = ReferenceKind(), NothingKind()
