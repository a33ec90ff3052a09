"""What a search for the next action can come to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reach_tui.agents.simulated.catalogue import Tool
from reach_tui.agents.simulated.parameters import Param
from reach_tui.agents.simulated.situation import Call


@dataclass(frozen=True, slots=True)
class Act:
    """Call this tool now."""

    tool: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the user for these parameters; `options` are ids to choose from, `also` other ways to tell the same."""

    tool: Tool
    params: tuple[Param, ...]
    options: tuple[str, ...] = ()
    also: tuple[Param, ...] = ()


@dataclass(frozen=True, slots=True)
class Dead:
    """It cannot be had: nothing fits the description, or the record holds no such thing."""

    why: str
    nouns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Got:
    """Values for a parameter: one, or several for as many calls."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Filled:
    """Arguments for a tool, one mapping per call to make."""

    args: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Done:
    """The calls made: those that succeeded and those that failed for good."""

    ok: tuple[Call, ...]
    failed: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Hints:
    """What errors have taught about a call: values not to use again, parameters to give, optional ones to leave out;
    `used` are ids that another parameter of the same call already has."""

    avoid: frozenset[tuple[str, str]] = frozenset()
    needed: frozenset[str] = frozenset()
    bare: bool = False
    clean: bool = False
    used: frozenset[str] = frozenset()

    def avoids(self, name: str, value: Any) -> bool:
        """Whether a value has failed for a parameter, or is used for another one of the same call."""
        return (name, str(value)) in self.avoid or str(value) in self.used
