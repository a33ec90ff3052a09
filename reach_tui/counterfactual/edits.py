"""The edits that a branch can make to its parent's setup: each changes one part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.condition import Condition, Setup, the_factor
from reach_tui.core.errors import UsageError
from reach_tui.core.experiment import Factor

CHANGEABLE = ("sent", "served", "handed")
"""Evidence under which a part may be changed: what is only declared cannot be seen to have changed."""


def with_part(setup: Setup, part: str, value: Any) -> Setup:
    """The setup with another value in one part: /prompt, /model, a tool's description or that of a parameter.

    UsageError for a part that is not there or that no edit can set.
    """
    match pointers.split(part):
        case ("prompt",):
            return replace(setup, prompt=value)
        case ("model",):
            return replace(setup, model=dict(value))
        case ("tools", tool, "description"):
            return setup.with_tool_description(tool, value)
        case ("tools", tool, "parameters", name, "description"):
            return _with_parameter_description(setup, tool, name, value)
    raise UsageError(
        f"{part} cannot be changed", hint="/prompt, /model, /tools/TOOL/description and its parameters' can"
    )


def _with_parameter_description(setup: Setup, tool: str, name: str, text: str) -> Setup:
    view = setup.tool(tool)
    properties = view.parameters.get("properties", {})
    if name not in properties:
        raise UsageError(f"{tool} has no parameter {name!r}", hint=f"its parameters: {', '.join(sorted(properties))}")
    changed = {**properties, name: {**properties[name], "description": text}}
    described = replace(view, parameters={**view.parameters, "properties": changed})
    return replace(setup, tools=tuple(described if candidate.name == tool else candidate for candidate in setup.tools))


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
        return _with_parameter_description(setup, self.tool, self.parameter, self.text)


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
class PartEdit:
    """Any part by its name, as factor libraries give it."""

    part: str
    value: Any

    def apply(self, setup: Setup) -> Setup:
        """The setup with that part; UsageError where it has none such."""
        return with_part(setup, self.part, self.value)


Edit = ToolDescription | ParameterDescription | Prompt | Model | PartEdit


def edited(setup: Setup, edits: Sequence[Edit]) -> tuple[Setup, Factor]:
    """(the branch's setup, its factor). All edits are made, then the two conditions are joined on their parts.

    UsageError where they differ in nothing, in more than one part (all are named), or in one that cannot be changed
    because its use could not be seen.
    """
    branch = setup
    for edit in edits:
        branch = edit.apply(branch)
    difference = the_factor(Condition(setup), Condition(branch))
    part = next((part for part in setup.parts() if part.name == difference.name), None)
    if part is not None and part.evidence not in CHANGEABLE:
        raise UsageError(
            f"{difference.factor} is only {part.evidence} for agent {setup.agent}: nobody could see it change",
            hint="re-run it with an agent kind that sends or serves this part",
        )
    return branch, Factor.of(difference)
