"""A run's plan by value: everything the process that runs it needs, so that it depends on no file that may change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reach_tui.core.agent import AgentFacts
from reach_tui.core.condition import Setup
from reach_tui.core.errors import UsageError
from reach_tui.core.records import from_json, to_json
from reach_tui.core.redaction import masked_at
from reach_tui.core.task import Task

CONCURRENCY = 16


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """A task and how often it is tried."""

    task: Task
    repeats: int


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run does. `connection` says how the agent is reached (names of keys only); it is no part of the condition.

    `attempts` is how often a trial may be tried when infrastructure breaks it; `fixed_now_ms` makes every time in the
    store that one moment, for stores that must come out the same. `task_ids` are the store's own, filled in as the run
    is created; `facts` are what the agent's kind stated (None in plans of older releases); `code` names what trials
    depend on beside the sandbox (grader, agent kind): a run is not finished by other code than it was begun with.
    """

    suite: str
    setup: Setup
    tasks: tuple[PlannedTask, ...]
    base_seed: str
    concurrency: int = CONCURRENCY
    attempts: int = 2
    connection: Mapping[str, Any] = field(default_factory=dict)
    fixed_now_ms: int | None = None
    task_ids: Mapping[str, int] = field(default_factory=dict)
    code: Mapping[str, str] = field(default_factory=dict)
    facts: AgentFacts | None = None

    @property
    def planned(self) -> int:
        """How many slots the run has."""
        return sum(planned.repeats for planned in self.tasks)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, as it is stored."""
        return {
            "suite": self.suite, "setup": self.setup.as_json(), "base_seed": self.base_seed,
            "tasks": [{"body": dict(planned.task.body), "repeats": planned.repeats} for planned in self.tasks],
            "concurrency": self.concurrency, "attempts": self.attempts, "connection": dict(self.connection),
            "fixed_now_ms": self.fixed_now_ms, "task_ids": dict(self.task_ids),
            "code": dict(self.code), "facts": None if self.facts is None else to_json(self.facts),
        }  # fmt: skip

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> RunPlan:
        """The inverse of `as_json`."""
        return cls(
            suite=body["suite"],
            setup=Setup.of(body["setup"]),
            tasks=tuple(PlannedTask(Task.of(entry["body"]), int(entry["repeats"])) for entry in body["tasks"]),
            base_seed=body["base_seed"],
            concurrency=int(body.get("concurrency") or CONCURRENCY),
            attempts=int(body.get("attempts") or 2),
            connection=body.get("connection") or {},
            fixed_now_ms=body.get("fixed_now_ms"),
            task_ids=body.get("task_ids") or {},
            code=body.get("code") or {},
            facts=from_json(AgentFacts, body["facts"]) if body.get("facts") else None,
        )


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of a plan: a task under one repeat index (from 1) in one run."""

    run_uid: str
    task_key: str
    repeat: int


def slots_of(run_uid: str, tasks: Sequence[PlannedTask]) -> tuple[Slot, ...]:
    """All slots of a run, one repeat of every task before the next: an early look then has seen all tasks."""
    most = max((planned.repeats for planned in tasks), default=0)
    return tuple(
        Slot(run_uid, planned.task.key, repeat)
        for repeat in range(1, most + 1)
        for planned in tasks
        if repeat <= planned.repeats
    )


def refuse_secrets(plan: RunPlan) -> None:
    """UsageError where a plan holds what looks like a key: it would be masked in the store, and run as masked."""
    where = masked_at(plan.as_json())
    if where is not None:
        raise UsageError(
            "this looks like a secret, and secrets are never stored",
            where=f"plan {where}",
            hint="put something that is no key in its place; keys come from the environment, by --key-env",
        )
