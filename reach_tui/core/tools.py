"""What grading, agents and screens need to know of a tool; how it works inside is the sandbox's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolView:
    """A tool as the agent sees it: the part of a setup that a branch may change.

    `parameters` is a JSON Schema of type object; `errors` optionally replaces texts of errors by their code.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]

    def as_function(self) -> dict[str, Any]:
        """The form in which chat endpoints take it."""
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": dict(self.parameters)},
        }

    def as_json(self) -> dict[str, Any]:
        """Name, description and parameters as plain JSON."""
        return {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the sandbox knows it.

    `effect` is "read" or "write"; `entity` the table whose records it reads or writes; `entity_arg` the argument that
    names the record; `polling` exempts it from loop detection; `claims` are phrases, Chinese and English, by which an
    agent says that it has done this write; `batch_of` names the single-record twin of a batch tool. `purpose` says in
    the words of people what the tool is wanted for; no agent is shown it, stand-ins for a model choose tools by it.
    """

    view: ToolView
    effect: str
    entity: str | None = None
    entity_arg: str | None = None
    polling: bool = False
    claims: tuple[str, ...] = field(default=())
    batch_of: str | None = None
    purpose: str = ""

    @property
    def name(self) -> str:
        """The name by which it is called."""
        return self.view.name

    @property
    def writes(self) -> bool:
        """Whether it can change the world."""
        return self.effect == "write"
