"""Kinds of agents: how an agent of a kind is described, checked and opened, found by name like a stranger's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from reach_tui.core.agent import AgentFacts, Evidence
from reach_tui.core.brief import Brief
from reach_tui.core.condition import Setup
from reach_tui.core.errors import UsageError
from reach_tui.core.plugins import AGENTS, Registry
from reach_tui.core.protocols import Agent
from reach_tui.core.records import RecordError, from_json
from reach_tui.core.task import Task

Need = Literal["reference"]
"""What the harness lays out for each trial of a kind beside tools and words: `reference` is the task's `Brief`."""

SENT: Mapping[str, Evidence] = {
    **dict.fromkeys(
        (
            "prompt", "model", "sampling", "context", "tool_description", "parameter_description", "tool_schema",
            "tool_presence", "user_wording",
        ),
        "sent",
    ),
    "limits": "served", "faults": "served", "stubs": "served", "start": "served",
    "sandbox": "fingerprint", "agent": "declared",
}  # fmt: skip
"""The evidence of a kind whose requests we make ourselves: everything the agent reads stands in them."""


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """What command line, form or suite say of the agent; None or empty leaves it to the next of them.

    `key_env` names the environment variable with the key; the key itself goes nowhere. `options` are the kind's own.
    """

    kind: str | None = None
    model: str | None = None
    base_url: str | None = None
    key_env: str | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Served:
    """What a kind can serve over HTTP: the models' names, and what answers a chat-completions request.

    `answer` gives the assistant message; ValueError with words refuses the request (status 400).
    """

    models: tuple[str, ...]
    answer: Callable[[Mapping[str, Any]], Mapping[str, Any]]


class AgentKind:
    """One kind of agents. Made once a process, without arguments; holds nothing of a run.

    Subclasses give `name`, `facts` and `open`, and override the rest where the default does not fit.
    """

    name: ClassVar[str]
    takes: ClassVar[frozenset[str]] = frozenset({"model"})
    """Which of `AgentChoice.model`, `base_url`, `key_env`, `sampling` mean something to it; others are refused."""
    needs: ClassVar[frozenset[Need]] = frozenset()
    Options: ClassVar[type | None] = None
    """A frozen dataclass whose fields are the kind's own options, or None where any mapping will do."""
    most_at_once: ClassVar[int | None] = None
    """How many trials may run at the same time, where it bears no more."""

    def claims(self, choice: AgentChoice) -> bool:
        """Whether a choice that names no kind can only mean this one."""
        return False

    def model(self, choice: AgentChoice) -> dict[str, Any]:
        """The model part of a setup. UsageError for a choice that no agent can be made of."""
        return {"id": choice.model} if choice.model else {}

    def facts(self, setup: Setup) -> AgentFacts:
        """What plan and store carry of it."""
        raise NotImplementedError

    def problems(self, setup: Setup, tasks: Sequence[Task]) -> Sequence[str]:
        """Everything for which these tasks cannot be run under this setup, a sentence each; asked before planning."""
        return ()

    def leave(self, choice: AgentChoice) -> str:
        """What a suite that chooses so would make this machine do ("speak to ADDRESS"), which a person must allow."""
        return ""

    def check(self, setup: Setup, connection: Mapping[str, Any]) -> None:
        """UsageError where no agent of this setup could be opened: asked before anything is queued."""

    def served(self, briefs: Mapping[str, Brief]) -> Served | None:
        """What `reach agent serve` offers of it, with the briefs of a suite's tasks; None where nothing."""
        return None

    def open(self, setup: Setup, connection: Mapping[str, Any]) -> AbstractAsyncContextManager[Agent]:
        """The agent, for all trials of a run, entered once. UsageError where it cannot be opened.

        `connection` says how it is reached (`key_env`, ...) and is no part of the condition.
        """
        raise NotImplementedError


def _fits(loaded: object) -> str:
    return "" if isinstance(loaded, AgentKind) else f"{type(loaded).__name__} is no AgentKind"


KINDS: Registry[AgentKind] = Registry(AGENTS, "agent kind", _fits)


def chosen(choice: AgentChoice, of_suite: AgentChoice) -> tuple[AgentKind, AgentChoice]:
    """The kind that is meant and the whole choice: what was said now, over what the suite says of its own agent.

    What a suite says belongs to its own kind and model: another has sampling and options of its own. UsageError where
    no kind is named, for an unknown one, and for what it does not take.
    """
    name = choice.kind or _claimed(choice) or of_suite.kind
    if name is None:
        raise UsageError("which agent?", hint=f"say --agent {' | '.join(KINDS.names())}, or name it in the suite")
    kind = KINDS.find(name)
    same = name == of_suite.kind
    model = choice.model or (of_suite.model if same else None)
    own = same and model == of_suite.model
    whole = AgentChoice(
        kind=name,
        model=model,
        base_url=choice.base_url or (of_suite.base_url if same else None),
        key_env=choice.key_env,
        sampling={**(of_suite.sampling if own else {}), **choice.sampling},
        options={**(of_suite.options if own else {}), **choice.options},
    )
    given = {key for key in ("model", "base_url", "key_env", "sampling") if getattr(whole, key)}
    if given - kind.takes:
        raise UsageError(
            f"an agent of kind {name} takes no {' or '.join(sorted(given - kind.takes))}",
            hint=f"it takes {', '.join(sorted(kind.takes)) or 'nothing but its options'}",
        )
    check_options(kind, whole.options)
    return kind, whole


def check_options(kind: AgentKind, options: Mapping[str, Any]) -> Any:
    """The options as the kind's own record (the mapping itself where it has none). UsageError names what is wrong."""
    if kind.Options is None:
        return options
    known = list(getattr(kind.Options, "__dataclass_fields__", {}))
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise UsageError(
            f"an agent of kind {kind.name} has no option {' or '.join(unknown)}", hint=f"options: {', '.join(known)}"
        )
    try:
        return from_json(kind.Options, options)
    except RecordError as error:
        raise UsageError(f"option {error}", hint=f"of an agent of kind {kind.name}") from None


@asynccontextmanager
async def open_agent(setup: Setup, connection: Mapping[str, Any]) -> AsyncIterator[Agent]:
    """The agent that a setup describes, for all trials of a run. Errors as its kind has them."""
    async with KINDS.find(setup.agent).open(setup, connection) as agent:
        yield agent


def _claimed(choice: AgentChoice) -> str | None:
    names = [name for name, kind in KINDS.usable() if kind.claims(choice)]
    if len(names) > 1:
        raise UsageError(f"{' and '.join(names)} could be meant", hint="say which one: --agent KIND")
    return names[0] if names else None
