"""Tools that fail on purpose, and tools that answer from a script: parts of a setup, which holds them as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Literal, get_args

FaultKind = Literal["status", "timeout", "delay", "empty", "malformed"]
"""status: an error with a number in place of an answer. timeout: no answer. delay: the answer comes `seconds` late.
empty: an empty list in place of an answer. malformed: the answer is cut off in its middle. Under status, timeout and
empty the tool does not run; under delay and malformed it runs as a whole, and what it wrote stays written."""
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one tool.

    It befalls the calls of that tool whose ordinals in a trial (from 1) are in `calls` (empty: every call), each with a
    `chance`, in the tasks whose ids one of the patterns `tasks` fits (empty: in all).
    """

    tool: str
    kind: FaultKind
    status: int = 503
    seconds: float = 0.0
    calls: tuple[int, ...] = ()
    chance: float = 1.0
    tasks: tuple[str, ...] = ()

    def concerns(self, task_key: str) -> bool:
        """Whether it may befall calls in a task."""
        return not self.tasks or any(fnmatchcase(task_key, pattern) for pattern in self.tasks)


@dataclass(frozen=True, slots=True)
class StubReply:
    """What a stubbed tool answers where all of `args` are given so (none: to any call): `reply`, or an `error`'s text.

    A stub is a list of them, of which the first that fits answers; its tool never touches the world.
    """

    args: Mapping[str, Any] = field(default_factory=dict)
    reply: Any = None
    error: str | None = None
