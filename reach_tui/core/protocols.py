"""The few shapes by which parts of the product know each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from reach_tui.core.brief import Brief
from reach_tui.core.changes import Change
from reach_tui.core.tools import ToolSpec, ToolView
from reach_tui.core.trajectory import EndReason, Exchange


class StopTrial(Exception):
    """Ends a trial from inside a session; `detail` says more in words."""

    def __init__(self, reason: EndReason, detail: str = "") -> None:
        super().__init__(detail or reason)
        self.reason = reason
        self.detail = detail


class AgentSideError(Exception):
    """The agent's endpoint broke (outage, unreadable reply): an infrastructure error, never a failure."""


class Session(Protocol):
    """What an agent sees of a trial. Every method records; each may raise StopTrial, which an agent lets pass."""

    trial_uid: str
    request: str
    prompt: str
    tools: Sequence[ToolView]
    context: Mapping[str, Any]
    """How much of the conversation a model is to be sent (`core.context`), for agents that send it themselves."""
    seed: str
    brief: Brief | None
    """The task's reference and answer, for kinds that need them; None for all others."""

    def next_turn(self) -> int:
        """A new decision of the agent begins; its number, from 1."""

    def exchange(self, exchange: Exchange) -> None:
        """Record one request to the model and what came of it; raises StopTrial over a token or cost limit."""

    def remark(self, text: str, reasoning: str = "", parts: Sequence[str] = ()) -> None:
        """Record words (or reasoning) that come beside calls: no turn of the user follows."""

    async def say(self, text: str, reasoning: str = "", parts: Sequence[str] = ()) -> str | None:
        """Say something to the user; their next words, or None if the conversation is over."""

    async def call(self, name: str, arguments: Any, call_id: str) -> str:
        """Call a tool. `arguments` as received (text or object); returns the text for the agent, errors included."""

    def take_notice(self) -> str | None:
        """What the guard has to say after this turn's calls, to be put at the end of the last result; None mostly."""


@runtime_checkable
class Agent(Protocol):
    """Anything with one `run`. Holds no state between trials."""

    async def run(self, session: Session) -> None:
        """Work on the session's request until done. AgentSideError where its own endpoint broke."""


class ToolResult(Protocol):
    """What one call came to: `text` for the agent, `value` as JSON, `error` None on success, `changes` committed."""

    @property
    def ok(self) -> bool: ...
    @property
    def text(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def error(self) -> str | None: ...
    @property
    def changes(self) -> tuple[Change, ...]: ...


class ToolPort(Protocol):
    """A world as the harness uses it. One port is one trial's; nothing is shared between two."""

    state: dict[str, Any]
    """The whole state, the hidden `_world` table included. To be read, not written."""

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run one call in a transaction of its own. Never raises for what the agent did wrong."""


class SandboxFamily(Protocol):
    """A family of worlds, found by name through the entry point group `reach_tui.sandboxes`."""

    @property
    def name(self) -> str:
        """The name by which suites call it."""

    @property
    def digest(self) -> str:
        """Of the code and data that can change what a trial sees."""

    def specs(self) -> tuple[ToolSpec, ...]:
        """All its tools."""

    def open(self, overlay: Mapping[str, Any], now: str | None, trial_key: str) -> ToolPort:
        """A fresh world: the family's data under `overlay`, its clock at `now`, new ids a function of `trial_key`."""
