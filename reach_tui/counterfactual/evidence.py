"""What the stored exchanges prove: that each arm was sent its own setup, and whether its repeats are copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from reach_tui.core.canonical import canonical, digest
from reach_tui.core.condition import Setup, tools_for
from reach_tui.core.context import strategy_text
from reach_tui.core.experiment import Manipulation
from reach_tui.core.grading import COUNTED
from reach_tui.core.reasons import Reason
from reach_tui.core.redaction import redact
from reach_tui.core.run import Arm
from reach_tui.core.task import Task
from reach_tui.harness.trial import prompt_for
from reach_tui.store.replay import raw_exchange, steps_of
from reach_tui.store.store import Store
from reach_tui.store.trial_rows import TrialRow

SAMPLE = 30
"""The most trials of an arm whose first request is looked at, spread evenly over it."""


def manipulation_check(
    store: Store, arms: Mapping[Arm, Sequence[TrialRow]], setups: Mapping[Arm, Setup], tasks: Mapping[str, Task]
) -> Manipulation:
    """Compare what the first request of trials really held with what the arm's setup says it should."""
    checked: dict[str, int] = {}
    carried: dict[str, int] = {}
    told: Reason | None = None
    for arm, rows in arms.items():
        checked[arm] = carried[arm] = 0
        for row in _spread([row for row in rows if row.final and row.grading.status in COUNTED]):
            exchange = raw_exchange(store, row.id, 1)
            if exchange is None or exchange.request is None:
                continue
            checked[arm] += 1
            wrong = _unlike(exchange.request, setups[arm], tasks[row.task.key])
            carried[arm] += wrong is None
            if wrong is not None and told is None:
                told = Reason("request_differs", {"trial": row.link, "arm": arm, "part": wrong})
    told = told or _without_effect(store, arms, setups)
    if told is not None:
        return Manipulation("failed", checked, carried, told)
    if not all(checked.get(arm) for arm in ("control", "branch")):
        return Manipulation("not_observable", checked, carried, Reason("no_request_kept"))
    return Manipulation("seen", checked, carried)


def _without_effect(store: Store, arms: Mapping[Arm, Sequence[TrialRow]], setups: Mapping[Arm, Setup]) -> Reason | None:
    """Why the change was none: a fault of one side alone befell nothing, no strategy ever left anything out."""
    pairs: tuple[tuple[Arm, Arm], ...] = (("control", "branch"), ("branch", "control"))
    ended = {arm: [row for row in arms.get(arm, ()) if row.final and row.end is not None] for arm, _ in pairs}
    for arm, other in pairs:
        befell = {name for row in ended[arm] if row.end is not None for name in row.end.faults or ()}
        idle = [name for name in setups[arm].faults if name not in setups[other].faults and name not in befell]
        if ended[arm] and idle:
            return Reason("fault_never_fired", {"fault": idle[0], "arm": arm})
    if setups["control"].context != setups["branch"].context and all(ended.values()):
        seen = [_cut(store, row) for arm, _ in pairs for row in _longest(ended[arm])]
        if False in seen and True not in seen:
            strategies = " -> ".join(strategy_text(setups[arm].context) for arm, _ in pairs)
            return Reason("context_never_cut", {"strategies": strategies})
    return None


def _longest(rows: Sequence[TrialRow]) -> list[TrialRow]:
    """The trials in which a strategy has the most to leave out."""
    return sorted(rows, key=lambda row: -(row.end.turns or 0) if row.end is not None else 0)[:SAMPLE]


def _cut(store: Store, row: TrialRow) -> bool | None:
    """Whether the last request of a trial held less than all that went before it; None where none is kept."""
    turns = row.end.turns if row.end is not None else None
    exchange = raw_exchange(store, row.id, turns) if turns else None
    messages = (exchange.request or {}).get("messages") if exchange is not None else None
    if not messages or not turns:
        return None
    before = [step for step in steps_of(store, row.id) if step.turn < turns and step.kind in ("user", "call")]
    prompted = messages[0].get("role") == "system"
    return bool(len(messages) < prompted + len(before) + turns - 1)


def _spread(rows: Sequence[TrialRow]) -> list[TrialRow]:
    if len(rows) <= SAMPLE:
        return list(rows)
    return [rows[i * len(rows) // SAMPLE] for i in range(SAMPLE)]


def _unlike(request: Mapping[str, Any], setup: Setup, task: Task) -> Literal["tools", "prompt", "model"] | None:
    """What in a request is not as the setup says; None where all is."""
    expected_tools = [tool.as_function() for tool in tools_for(setup, task.allowed_tools)]
    if not _same(expected_tools, request.get("tools") or []):
        return "tools"
    messages = request.get("messages") or [{}]
    system = messages[0].get("content") if messages[0].get("role") == "system" else ""
    if not _same(prompt_for(setup, task.now), system):
        return "prompt"
    return None if request.get("model") == setup.model.get("id") else "model"


def _same(planned: Any, stored: Any) -> bool:
    """Equal as JSON. What is stored was masked where it looked like a secret."""
    stored_text = canonical(stored)
    return canonical(planned) == stored_text or canonical(redact(planned)) == stored_text


def copies(store: Store, arms: Mapping[Arm, Sequence[TrialRow]]) -> frozenset[Arm]:
    """The arms in which every repeat of a task is word for word the same as its first: an agent without noise.

    An arm is one only if some task has a second repeat to compare; one differing step anywhere says otherwise.
    """
    return frozenset(arm for arm, rows in arms.items() if _all_alike(store, rows))


def _all_alike(store: Store, rows: Sequence[TrialRow]) -> bool:
    by_task: dict[str, list[TrialRow]] = {}
    for row in rows:
        if row.final and row.grading.status in COUNTED:
            by_task.setdefault(row.task.key, []).append(row)
    repeated = [group for group in by_task.values() if len(group) > 1]
    if not repeated or any(trial.grading.status != group[0].grading.status for group in repeated for trial in group):
        return False
    return all(_transcript(store, trial) == _transcript(store, group[0]) for group in repeated for trial in group[1:])


def _transcript(store: Store, row: TrialRow) -> bytes:
    return digest([[step.kind, step.tool, step.body] for step in steps_of(store, row.id)])
