"""What happened in a trial, as an event log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from reach_tui.core.changes import Change
from reach_tui.core.history import StateHistory

StepKind = Literal["user", "agent", "call", "notice", "error"]
"""user: a turn of the user. agent: a message of the agent. call: one tool call with its result. notice: the guard or
the harness spoke. error: something outside the agent broke."""
STEP_KINDS: tuple[StepKind, ...] = get_args(StepKind)

EndReason = Literal[
    "answered",
    "step_limit",
    "token_limit",
    "time_limit",
    "cost_limit",
    "loop",
    "infra_error",
    "simulator_error",
    "cancelled",
    "interrupted",
    "user_left",
    "unknown",
]
"""Why a trajectory ended. answered: the agent gave its last word and the user had no more to say."""
END_REASONS: tuple[EndReason, ...] = get_args(EndReason)

CANCELLED_REQUEST = "cancelled"
"""The error of an exchange that was cut off from our side, by a limit or a cancel."""

REPLAYED, FAULT, LATE, FAILED, CHANGED = 1, 2, 4, 8, 16
"""Bits of `Step.flags`: from a replayed prefix, under an injected fault, after the deadline, ended in error, wrote."""


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the timeline. `n` counts from 1; `turn` is the agent's decision it belongs to (0 before the first).

    `body` by kind: user, agent, notice, error: {"text", "reasoning"?, "parts"?, "reason"?}; call: {"args" (the parsed
    object, or null), "raw" (the arguments as received), "result" (text the agent got), "error" (text, absent if none),
    "fault"? ({"name", "kind"?} of the one that befell it), "stub"? (true where one answered), "requestor"?
    ("user" where the user called)}. `at_ms` counts from the trial's start; `took_ms` is None if unknown.
    """

    n: int
    turn: int
    kind: StepKind
    body: Mapping[str, Any]
    tool: str | None = None
    call_id: str | None = None
    ok: bool | None = None
    flags: int = 0
    at_ms: int | None = None
    took_ms: int | None = None
    tokens: int | None = None
    changes: tuple[Change, ...] = ()
    state_digest: bytes | None = None

    @property
    def text(self) -> str:
        """The words of the step: a message, or what a call gave back."""
        for key in ("text", "error", "result"):
            value = self.body.get(key)
            if isinstance(value, str) and value:
                return value
        return ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request to a model and its response; retries of a turn are exchanges of their own (`attempt` from 1).

    `messages` and `tools` are what was sent; `response` is what came back, as received. Token counts are None if the
    endpoint did not say. `who` is "agent", or "user" for a simulated user.
    """

    turn: int
    attempt: int
    messages: tuple[Mapping[str, Any], ...]
    tools: tuple[Mapping[str, Any], ...]
    options: Mapping[str, Any]
    response: Any
    model: str
    who: str = "agent"
    status: int | None = None
    error: str | None = None
    finish: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    waited_ms: int = 0
    took_ms: int = 0
    request_digest: bytes | None = None

    def request(self) -> dict[str, Any]:
        """The request's JSON body: the options, with model, messages and (where there are any) tools.

        `request_digest` is the digest of its canonical text, which is also how it travels.
        """
        body: dict[str, Any] = {**self.options, "model": self.model, "messages": [dict(m) for m in self.messages]}
        if self.tools:
            body["tools"] = [dict(tool) for tool in self.tools]
        return body


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A finished event log; `initial` is None where no state is known."""

    initial: Mapping[str, Any] | None
    steps: tuple[Step, ...]
    end_reason: EndReason
    end_text: str = ""
    tools: tuple[str, ...] = field(default=())

    def history(self) -> StateHistory:
        """The state at every step."""
        return StateHistory(self.initial or {}, ((step.n, change) for step in self.steps for change in step.changes))

    def calls(self) -> tuple[Step, ...]:
        """The agent's tool calls, in order."""
        return tuple(s for s in self.steps if s.kind == "call" and s.body.get("requestor") != "user")

    def final_message(self) -> Step | None:
        """The agent's last message, if it said anything."""
        return next((step for step in reversed(self.steps) if step.kind == "agent" and step.text), None)
