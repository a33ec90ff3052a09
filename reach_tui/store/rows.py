"""The frozen rows that cross the wall between the store and everything above it."""

from __future__ import annotations

from dataclasses import dataclass

from reach_tui.core.condition import Setup
from reach_tui.core.experiment import ExperimentPlan, ExperimentResult, VerdictWord
from reach_tui.core.grading import Grading, GradingHead
from reach_tui.core.run import Arm, RunOrigin, RunStatus, RunTotals
from reach_tui.core.task import Task, TaskFacts
from reach_tui.core.trajectory import StepKind, Trajectory
from reach_tui.core.trial import TrialEnd, TrialStart


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as lists show it. Times are ms UTC.

    `tree` orders a run's branches under it; `tasks` and `repeats` (the largest) describe the plan.
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
    tasks: int
    repeats: int
    rev: int
    totals: RunTotals

    @property
    def depth(self) -> int:
        """How deep it is nested: 0 for a run of its own."""
        return self.tree.count("/")


@dataclass(frozen=True, slots=True)
class TrialRow:
    """A trial as lists show it, with its task's facts. `final` marks the attempt that speaks for its slot.

    `end` is None while it runs; `grading` holds its status then, too.
    """

    id: int
    run_uid: str
    start: TrialStart
    task: TaskFacts
    grading: GradingHead
    end: TrialEnd | None
    final: bool
    rev: int

    @property
    def link(self) -> str:
        """How people name it: `RUN/TASK#REPEAT`."""
        return f"{self.run_uid}/{self.task.key}#{self.start.repeat}"


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
