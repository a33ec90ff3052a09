"""The edits that a branch can make to its parent's setup: each changes one part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.agent import AgentFacts, Evidence
from reach_tui.core.condition import Condition, Setup, the_factor
from reach_tui.core.context import strategy_of
from reach_tui.core.errors import UsageError
from reach_tui.core.experiment import Factor

CHANGEABLE: tuple[Evidence, ...] = ("sent", "served", "handed")
"""Evidence under which a part may be changed: what is only declared cannot be seen to have changed."""


def with_part(setup: Setup, part: str, value: Any) -> Setup:
    """The setup with another value in one part; ABSENT takes a fault away.

    UsageError for a part that is not there or that no edit can set.
    """
    match pointers.split(part):
        case ("prompt",):
            return replace(setup, prompt=value)
        case ("model",):
            return replace(setup, model=dict(value))
        case ("context",):
            return replace(setup, context=dict(value))
        case ("faults", name) if value is ABSENT:
            return setup.without_fault(name)
        case ("tools", tool, "description"):
            return setup.with_tool_description(tool, value)
        case ("tools", tool, "parameters", name, "description"):
            return setup.with_parameter_description(tool, name, value)
    raise UsageError(
        f"{part} cannot be changed",
        hint="/prompt, /model, /context, /tools/TOOL/description and its parameters' can, and faults taken away",
    )


@dataclass(frozen=True, slots=True)
class ToolDescription:
    """What the agent is told a tool does."""

    tool: str
    text: str

    def apply(self, setup: Setup) -> Setup:
        """The setup with that description; UsageError for an unknown tool."""
        return setup.with_tool_description(self.tool, self.text)


@dataclass(frozen=True, slots=True)
class ParameterDescription:
    """What the agent is told of one parameter of a tool."""

    tool: str
    parameter: str
    text: str

    def apply(self, setup: Setup) -> Setup:
        """The setup with that description; UsageError for an unknown tool or parameter."""
        return setup.with_parameter_description(self.tool, self.parameter, self.text)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The whole system prompt."""

    text: str

    def apply(self, setup: Setup) -> Setup:
        """The setup with that prompt."""
        return replace(setup, prompt=self.text)


@dataclass(frozen=True, slots=True)
class Model:
    """The model: its id alone, or several fields of the group (provider, id, base URL, the options it requires)."""

    value: str | Mapping[str, Any]

    def apply(self, setup: Setup) -> Setup:
        """The setup with that model; what is not named of the group stays as it is."""
        named = {"id": self.value} if isinstance(self.value, str) else self.value
        return replace(setup, model={**setup.model, **named})


@dataclass(frozen=True, slots=True)
class Context:
    """How much of the conversation is sent: `full`, `summary` or `window:N`."""

    strategy: str

    def apply(self, setup: Setup) -> Setup:
        """The setup with that strategy; UsageError for an unknown one."""
        return replace(setup, context=strategy_of(self.strategy))


@dataclass(frozen=True, slots=True)
class FaultOff:
    """A fault of the setup taken away."""

    name: str

    def apply(self, setup: Setup) -> Setup:
        """The setup without it; UsageError names the faults there are."""
        return setup.without_fault(self.name)


@dataclass(frozen=True, slots=True)
class PartEdit:
    """Any part by its name, as factor libraries give it."""

    part: str
    value: Any

    def apply(self, setup: Setup) -> Setup:
        """The setup with that part; UsageError where it has none such."""
        return with_part(setup, self.part, self.value)


Edit = ToolDescription | ParameterDescription | Prompt | Model | Context | FaultOff | PartEdit


def edited(setup: Setup, edits: Sequence[Edit], facts: AgentFacts) -> tuple[Setup, Factor]:
    """(the branch's setup, its factor). All edits are made, then the two conditions are joined on their parts.

    UsageError where they differ in nothing, in more than one part (all are named), or in one of which the agent's kind
    gives no evidence that it reaches the agent.
    """
    branch = setup
    for edit in edits:
        branch = edit.apply(branch)
    difference = the_factor(Condition(setup), Condition(branch))
    # What stands between any agent and its world is served by the harness, whatever the kind.
    evidence = "served" if difference.factor == "faults" else facts.evidence.get(difference.factor)
    if evidence not in CHANGEABLE:
        known = f"is only {evidence} by" if evidence else "does not reach"
        raise UsageError(
            f"{difference.factor} {known} an agent of kind {setup.agent}: nobody could see it change",
            hint="re-run it with an agent kind that sends or serves this part",
        )
    return branch, Factor.of(difference)
