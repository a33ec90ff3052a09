"""A task as the harness and the grader read it: made from its stored body, which a suite file was validated into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reach_tui.core.canonical import digest

STIMULUS_KEYS = ("request", "turns", "initial_state", "now", "allowed_tools", "limits", "sandbox", "stubs", "faults")
"""What can reach the agent or its world."""
NEUTRAL_KEYS = ("id", "repeat", "perturbations", "quality")
"""What changes neither the trial nor its grading."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a trial. `steps` counts actions (calls and messages to the user); None is no limit.

    `loop` is how many equal calls with equal results and no state change between are borne before the guard speaks.
    """

    steps: int = 40
    tool_seconds: float = 20.0
    task_seconds: float = 600.0
    tokens: int | None = None
    cost: float | None = None
    loop: int = 3

    @classmethod
    def of(cls, body: Mapping[str, Any] | None) -> Limits:
        """From a mapping with any of the fields; unknown keys raise TypeError."""
        return cls(**(body or {}))

    def as_json(self) -> dict[str, Any]:
        """All fields as plain JSON."""
        return {
            "steps": self.steps, "tool_seconds": self.tool_seconds, "task_seconds": self.task_seconds,
            "tokens": self.tokens, "cost": self.cost, "loop": self.loop,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """A turn of the scripted user: said when the agent's message contains `when_asked` (or next, if that is None)."""

    say: str
    when_asked: str | None = None


@dataclass(frozen=True, slots=True)
class AcceptableState:
    """One acceptable outcome: expected state, words the agent must have said, fields it must have asked for first."""

    state: Mapping[str, Any] = field(default_factory=dict)
    must_include: tuple[Any, ...] = ()
    told: tuple[Any, ...] = ()
    asked: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """What lists show of a task, and filter by."""

    key: str
    domain: str | None
    intent: str | None
    task_type: str | None
    kind: str | None
    difficulty: str | None
    priority: str | None
    weight: float


@dataclass(frozen=True, slots=True)
class Task:
    """One case. `body` is the normalised JSON it came from and holds every key, also those without a field here.

    Patterns of calls are {"tool": name, "args": {...}}; a condition (milestone, forbidden) is a mapping with one of
    `called` (a pattern of a call), `state` (a state expression), `said` (text the agent said). `reference` leads to the
    expected state: calls `{tool, args}` and, between them, words to the user `{ask}`; `answer` is a good last message.
    """

    key: str
    request: str
    kind: str
    body: Mapping[str, Any]
    outcomes: tuple[AcceptableState, ...] = ()
    weight: float = 1.0
    repeat: int = 3
    turns: tuple[ScriptedTurn, ...] = ()
    initial_state: Mapping[str, Any] = field(default_factory=dict)
    now: str | None = None
    allowed_tools: tuple[str, ...] | None = None
    allow_changes: tuple[str, ...] = ()
    milestones: tuple[Mapping[str, Any], ...] = ()
    forbidden: tuple[Mapping[str, Any], ...] = ()
    constraints: tuple[Mapping[str, Any], ...] = ()
    expected_tools: Mapping[str, Any] | None = None
    reference: tuple[Mapping[str, Any], ...] = ()
    answer: str | None = None
    limits: Limits = Limits()

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> Task:
        """From a normalised body (see docs/suites.md): `id` and `request` are needed, all else has a default.

        Raises KeyError or TypeError where the body was not validated.
        """
        outcomes = tuple(
            AcceptableState(
                state=outcome.get("state") or {},
                must_include=tuple(outcome.get("must_include") or ()),
                told=tuple(outcome.get("told") or ()),
                asked=tuple(outcome.get("asked") or ()),
                name=outcome.get("name") or "",
            )
            for outcome in body.get("outcomes") or ()
        )
        tools = body.get("allowed_tools")
        return cls(
            key=body["id"],
            request=body["request"],
            kind=body.get("kind") or "action",
            body=body,
            outcomes=outcomes,
            weight=float(body.get("weight", 1.0)),
            repeat=int(body.get("repeat") or 3),
            turns=tuple(ScriptedTurn(turn["say"], turn.get("when_asked")) for turn in body.get("turns") or ()),
            initial_state=body.get("initial_state") or {},
            now=body.get("now"),
            allowed_tools=None if tools is None else tuple(tools),
            allow_changes=tuple(body.get("allow_changes") or ()),
            milestones=tuple(body.get("milestones") or ()),
            forbidden=tuple(body.get("forbidden") or ()),
            constraints=tuple(body.get("constraints") or ()),
            expected_tools=body.get("expected_tools"),
            reference=tuple(body.get("reference") or ()),
            answer=body.get("answer"),
            limits=Limits.of(body.get("limits")),
        )

    @property
    def stimulus(self) -> bytes:
        """Digest of all that can reach agent or world: the task's share of a cache key, and what pairs two arms."""
        return digest({key: self.body[key] for key in STIMULUS_KEYS if self.body.get(key) is not None})

    @property
    def oracle(self) -> bytes:
        """Digest of all that grading reads and the trial does not: if only this changed, re-grade, do not re-run."""
        hidden = {*STIMULUS_KEYS, *NEUTRAL_KEYS}
        return digest({key: value for key, value in self.body.items() if key not in hidden and value is not None})
