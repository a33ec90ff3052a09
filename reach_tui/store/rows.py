"""The frozen rows that cross the wall between the store and everything above it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reach_tui.core.condition import Setup
from reach_tui.core.experiment import ExperimentPlan, ExperimentResult, VerdictWord
from reach_tui.core.grading import FailureMode, Grading, Owner, TrialStatus
from reach_tui.core.run import Arm, RunOrigin, RunStatus, RunTotals, StateKind
from reach_tui.core.task import Task
from reach_tui.core.trajectory import EndReason, StepKind, Trajectory


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as lists show it. Times are ms UTC; reach values are shares of tasks in [0, 1], None before any trial.

    `tree` orders a run's branches under it; `tasks` and `repeats` (the largest) describe the plan.
    `reach_weighted` is the weighted mean reach; `summary` also holds the other weighted values, failure modes by count
    and what was not counted by status. `cost` covers what is known of it; `unknown_cost` counts trials whose cost is
    not.
    """

    id: int
    uid: str
    name: str
    parent_id: int | None
    root_id: int
    tree: str
    experiment_id: int | None
    experiment_uid: str | None
    arm: Arm | None
    suite: str | None
    suite_id: int | None
    agent_kind: str | None
    model: str | None
    factor: str | None
    factor_part: str | None
    origin: RunOrigin
    status: RunStatus
    created_at: int
    started_at: int | None
    ended_at: int | None
    planned: int
    done: int
    passed: int
    partial: int
    failed: int
    not_counted: int
    reach_once: float | None
    reach_majority: float | None
    reach_mean: float | None
    reach_weighted: float | None
    tokens: int | None
    cost: float | None
    unknown_cost: int
    tasks: int
    repeats: int
    rev: int
    summary: Mapping[str, Any] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        """How deep it is nested: 0 for a run of its own."""
        return self.tree.count("/")


@dataclass(frozen=True, slots=True)
class TrialRow:
    """A trial as lists show it, with its task's attributes. `final` marks the attempt that speaks for its slot.

    `state_kind` is "exact" (a world of ours), "observed" (entities as seen in results) or "none".
    """

    id: int
    uid: str
    run_id: int
    run_uid: str
    task_id: int
    task_key: str
    repeat: int
    attempt: int
    final: bool
    seed: str | None
    status: TrialStatus
    end_reason: EndReason | None
    mode: FailureMode | None
    owner: Owner | None
    decisive_step: int | None
    depth: int | None
    depth_of: int | None
    steps: int | None
    turns: int | None
    calls: int | None
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    wall_ms: int | None
    failed_requests: int | None
    state_kind: StateKind
    started_at: int | None
    ended_at: int | None
    rev: int
    domain: str | None
    intent: str | None
    task_type: str | None
    kind: str | None
    difficulty: str | None
    priority: str | None
    weight: float
    why: str | None

    @property
    def link(self) -> str:
        """How people name it: `RUN/TASK#REPEAT`."""
        return f"{self.run_uid}/{self.task_key}#{self.repeat}"


@dataclass(frozen=True, slots=True)
class StepRow:
    """A row of the timeline, without its body."""

    n: int
    turn: int
    kind: StepKind
    tool: str | None
    ok: bool | None
    at_ms: int | None
    took_ms: int | None
    flags: int
    preview: str


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A person's label on a trial. Append-only: an undo is a label that `replaces` another with value ""."""

    uid: str
    trial_uid: str
    step: int | None
    kind: str
    value: str
    author: str
    at: int
    reason: str | None
    replaces: str | None


@dataclass(frozen=True, slots=True)
class StoredTrial:
    """Everything that replaying one trial needs, loaded at once."""

    row: TrialRow
    task: Task
    setup: Setup | None
    trajectory: Trajectory
    grading: Grading | None
    labels: tuple[LabelRow, ...] = ()


@dataclass(frozen=True, slots=True)
class ExperimentRow:
    """An experiment with its plan and, from its first interim analysis on, its result.

    `unread_result` is the version of the statistics of a stored result that this release cannot read.
    """

    id: int
    uid: str
    parent_run_id: int | None
    parent_run_uid: str | None
    base_seed: str
    primary_metric: str
    plan: ExperimentPlan
    verdict: VerdictWord | None
    result: ExperimentResult | None
    unread_result: str | None
    created_at: int


@dataclass(frozen=True, slots=True)
class TrialStart:
    """A trial begins. `initial` is its world's whole initial state (None where no state is known).

    `started_at` is None where a log does not say.
    """

    uid: str
    run_id: int
    task_id: int
    repeat: int
    attempt: int
    seed: str | None
    initial: Mapping[str, Any] | None
    state_kind: StateKind
    started_at: int | None


@dataclass(frozen=True, slots=True)
class TrialEnd:
    """A trial ended and was graded. `totals` are the run's, this trial included; `final`: it speaks for its slot."""

    uid: str
    run_id: int
    ended_at: int
    end_reason: EndReason
    end_text: str
    steps: int
    turns: int
    calls: int
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    model_ms: int
    wall_ms: int | None
    failed_requests: int
    final_digest: bytes | None
    grading: Grading
    totals: RunTotals
    final: bool = True
