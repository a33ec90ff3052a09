"""Tools that fail on purpose, and tools that answer from a script: parts of a setup, which holds them as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import combinations
from typing import Any, Literal, NamedTuple, get_args

FaultKind = Literal["status", "timeout", "delay", "empty", "malformed"]
"""status: an error with a number in place of an answer. timeout: no answer. delay: the answer comes `seconds` late.
empty: an empty list in place of an answer. malformed: the answer is cut off in its middle. Under status, timeout and
empty the tool does not run; under delay and malformed it runs as a whole, and what it wrote stays written."""
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
TOOL_RUNS: tuple[FaultKind, ...] = ("delay", "malformed")
"""Kinds under which the tool runs; under the others nothing is carried out, whatever the answer looks like."""
SPOILS: tuple[FaultKind, ...] = ("empty", "malformed")
"""Kinds whose answer is no error and yet nothing to go by."""
DEFAULT_STATUS = 503
NO_STUB = "no stub"
"""Begins the name of what befalls a call for which a stubbed tool holds no answer."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one tool.

    It befalls the calls of that tool whose ordinals in a trial (from 1) are in `calls` (empty: every call), each with a
    `chance`, in the tasks whose ids one of the patterns `tasks` fits (empty: in all).
    """

    tool: str
    kind: FaultKind
    status: int = DEFAULT_STATUS
    seconds: float = 0.0
    calls: tuple[int, ...] = ()
    chance: float = 1.0
    tasks: tuple[str, ...] = ()

    def concerns(self, task_key: str) -> bool:
        """Whether it may befall calls in a task."""
        return not self.tasks or any(fnmatchcase(task_key, pattern) for pattern in self.tasks)


@dataclass(frozen=True, slots=True)
class StubReply:
    """What a stubbed tool answers where all of `args` are given so (none: to any call): `reply` (the answer's own JSON
    text, in its author's order), or the text of an `error`.

    A stub is a list of them, of which the first that fits answers; its tool never touches the world.
    """

    args: Mapping[str, Any] = field(default_factory=dict)
    reply: str | None = None
    error: str | None = None


class Befallen(NamedTuple):
    """A fault that befalls a call, and its name."""

    name: str
    fault: Fault


def overlapping(faults: Mapping[str, Fault], task_keys: Iterable[str]) -> tuple[str, str] | None:
    """Two faults that could befall the same call of a task: nobody could say which of them does. None without any."""
    keys = tuple(task_keys)
    for (one, first), (other, second) in combinations(faults.items(), 2):
        ordinals = not first.calls or not second.calls or set(first.calls) & set(second.calls)
        together = any(first.concerns(key) and second.concerns(key) for key in keys)
        if first.tool == second.tool and ordinals and together:
            return one, other
    return None
