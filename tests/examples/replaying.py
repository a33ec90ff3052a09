"""Play the reference of a task in the shop, and set what an agent says beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reach_tui.contrib.commerce import SANDBOX
from reach_tui.core.changes import Change
from reach_tui.core.task import AcceptableState, Task
from reach_tui.core.trajectory import Step, StepKind, Trajectory
from reach_tui.suites.entries import entry_texts

SPECS = {spec.name: spec for spec in SANDBOX.specs()}
GENERIC = (
    "",
    "Done. Is there anything else I can do for you?",
    "I have looked into it and taken care of everything. You will hear from us soon.",
    "您好，已为您处理完毕，请耐心等待，感谢您的理解。",
    "Sorry, I cannot help with that. 抱歉，这个我办不到。",
)
"""What says nothing of the case, so that no task may pass with it."""


def calls_of(task: Task) -> tuple[Mapping[str, Any], ...]:
    """The calls of a task's reference; what it asks the user between them is set by `questions`."""
    return tuple(entry for entry in task.reference if "tool" in entry)


def steps_of(
    task: Task, calls: Sequence[Mapping[str, Any]], asks: Sequence[str], last: str
) -> tuple[Any, tuple[Step, ...]]:
    """The initial state, and the steps of an agent that asks for `asks`, makes `calls` and says `last`."""
    world = SANDBOX.open(task.initial_state, task.now, "reference")
    initial = {table: dict(rows) for table, rows in world.state.items()}
    steps: list[Step] = []

    def add(kind: StepKind, turn: int, **fields: Any) -> None:
        steps.append(Step(n=len(steps) + 1, turn=turn, kind=kind, **fields))

    add("user", 0, body={"text": task.request})
    for number, ask in enumerate(asks):
        add("agent", number + 1, body={"text": ask})
        if number < len(task.turns):
            add("user", number + 1, body={"text": task.turns[number].say})
    for number, call in enumerate(calls):
        outcome = world.call(call["tool"], call.get("args") or {})
        body = {"args": call.get("args") or {}, "raw": "", "result": outcome.text}
        add(
            "call",
            len(asks) + number + 1,
            body=body if outcome.ok else {**body, "error": outcome.error},
            tool=call["tool"],
            call_id=f"c{number}",
            ok=outcome.ok,
            changes=outcome.changes,
        )
        assert not outcome.fault, outcome.detail
    if last:
        add("agent", len(asks) + len(calls) + 1, body={"text": last})
    return initial, tuple(steps)


def trajectory(task: Task, calls: Sequence[Mapping[str, Any]], asks: Sequence[str], last: str) -> Trajectory:
    """The trajectory of those steps, ended by the agent's last word."""
    initial, steps = steps_of(task, calls, asks, last)
    return Trajectory(initial, steps, "answered", tools=tuple(SPECS))


def questions(task: Task) -> list[str]:
    """What a careful agent asks first: the fields that must be asked for, in words that the scripted user hears."""
    asked = dict.fromkeys(field for outcome in task.outcomes for field in outcome.asked)
    if not task.turns:
        return []
    return [f"{turn.when_asked or ''} {' '.join(asked)} ?" for turn in task.turns[:1]]


def words_of(outcome: AcceptableState) -> str:
    """What an agent says that tells all it must: of alternatives, the first."""
    entries = [*outcome.must_include, *outcome.told]
    return "; ".join(text for entry in entries for text in entry_texts(entry)[:1]) or "That is all."


def changes_of(steps: Sequence[Step]) -> Iterator[Change]:
    """Every change that the steps made, in their order."""
    for step in steps:
        yield from step.changes
