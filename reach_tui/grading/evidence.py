"""A trial laid out for grading: its calls, successful writes and messages, found once and read by every check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.changes import WORLD
from reach_tui.core.faults import TOOL_RUNS
from reach_tui.core.history import StateHistory
from reach_tui.core.task import Task
from reach_tui.core.tools import ToolSpec
from reach_tui.core.trajectory import CHANGED, Step, Trajectory
from reach_tui.grading.wording import Message


@dataclass(frozen=True, slots=True)
class Evidence:
    """What happened, by kind. `calls` are the agent's; `writes` those that succeeded and could change the world."""

    task: Task
    trajectory: Trajectory
    specs: Mapping[str, ToolSpec]
    history: StateHistory
    calls: tuple[Step, ...]
    writes: tuple[Step, ...]
    messages: tuple[Message, ...]
    user: tuple[Step, ...]
    last_step: int

    @classmethod
    def of(cls, task: Task, trajectory: Trajectory, specs: Mapping[str, ToolSpec]) -> Evidence:
        """Lay out a trajectory. Changes whose pointer is none are passed over."""
        steps = trajectory.steps
        calls = tuple(step for step in steps if step.kind == "call" and step.body.get("requestor") != "user")
        return cls(
            task=task,
            trajectory=trajectory,
            specs=specs,
            history=trajectory.history(),
            calls=calls,
            writes=tuple(step for step in calls if succeeded(step) and writes(step, specs)),
            messages=tuple(Message.of(step) for step in steps if step.kind == "agent" and step.text),
            user=tuple(step for step in steps if step.kind == "user" and step.text),
            last_step=max((step.n for step in steps), default=0),
        )

    @property
    def final_message(self) -> Message | None:
        """The agent's last words."""
        return self.messages[-1] if self.messages else None

    def spec(self, step: Step) -> ToolSpec | None:
        """What is known of the tool a step called."""
        return self.specs.get(step.tool or "")

    def value_at(self, pointer: str) -> Any:
        """The state's value at a pointer at the end, ABSENT where there is none or the pointer is none."""
        parts = pointers.split(pointer if pointer.startswith("/") else "/" + pointer)
        return self.history.value(parts, self.last_step)


def args_of(step: Step) -> dict[str, Any]:
    """A call's arguments as an object."""
    args = step.body.get("args")
    return args if isinstance(args, dict) else {}


def result_of(step: Step) -> str:
    """What a call gave back, as text."""
    for key in ("result", "error"):
        value = step.body.get(key)
        if isinstance(value, str):
            return value
    return ""


def succeeded(step: Step) -> bool:
    """Whether a call did; one whose log does not say is taken to have, unless it holds an error.

    A call whose tool did not run has carried nothing out, though a fault answered it with an empty list.
    """
    kind = (step.body.get("fault") or {}).get("kind")
    if kind is not None and kind not in TOOL_RUNS:
        return False
    return step.ok if step.ok is not None else not step.body.get("error")


def writes(step: Step, specs: Mapping[str, ToolSpec]) -> bool:
    """Whether a call could change the world: by what is known of its tool, or by what it changed.

    Of a tool that nothing is known of, only a step that is marked as having written counts: in logs that others wrote,
    what a result shows of the state stands as changes too.
    """
    spec = specs.get(step.tool or "")
    if spec is not None and spec.writes:
        return True
    seen = spec is not None or step.flags & CHANGED
    return bool(seen) and any(change.parts[:1] != (WORLD,) for change in step.changes)


def strings_in(value: Any) -> Iterator[str]:
    """Every text in a JSON value, keys of mappings left out; numbers as they are written."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from strings_in(item)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield str(value)
