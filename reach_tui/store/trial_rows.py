"""Trials and steps as rows, and a trial whole."""

from __future__ import annotations

from dataclasses import dataclass

from reach_tui.core.agent import Measures
from reach_tui.core.condition import Setup
from reach_tui.core.grading import Grading, GradingHead
from reach_tui.core.task import Task, TaskFacts
from reach_tui.core.trajectory import StepKind, Trajectory
from reach_tui.core.trial import TrialEnd, TrialStart
from reach_tui.store.rows import LabelRow


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
class StoredTrial:
    """Everything that replaying one trial needs, loaded at once."""

    row: TrialRow
    task: Task
    setup: Setup | None
    trajectory: Trajectory
    grading: Grading | None
    labels: tuple[LabelRow, ...] = ()
    agent_label: str | None = None
    measures: Measures | None = None
