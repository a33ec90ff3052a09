"""What an agent that plays a task's reference is handed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reach_tui.core.task import Task
from reach_tui.core.tools import ToolSpec


@dataclass(frozen=True, slots=True)
class Brief:
    """What kinds that need `reference` are handed of a task: the answer key, and what the world's author says of tools.

    `reference` holds calls `{"tool": name, "args": {...}}` and words to the user `{"ask": text}` in order; `answer` the
    words of a good final message.
    `purposes`, `effects` ("read" or "write") and `entities` are by tool.
    """

    request: str
    reference: tuple[Mapping[str, Any], ...]
    answer: str | None
    purposes: Mapping[str, str]
    effects: Mapping[str, str]
    entities: Mapping[str, str | None]


def brief_of(task: Task, specs: Mapping[str, ToolSpec]) -> Brief:
    """The brief of a task in a world with these tools."""
    return Brief(
        task.request,
        task.reference,
        task.answer,
        {name: spec.purpose for name, spec in specs.items()},
        {name: spec.effect for name, spec in specs.items()},
        {name: spec.entity for name, spec in specs.items()},
    )
