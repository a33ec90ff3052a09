"""Runs and labels as rows: what lists of runs need, without what trials and experiments are made of."""

from __future__ import annotations

from dataclasses import dataclass

from reach_tui.core.agent import Measures
from reach_tui.core.run import Arm, RunOrigin, RunStatus, RunTotals


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as lists show it. Times are ms UTC.

    `agent_label` and `measures` are of what the agent's kind stated (None: unknown). `tree` orders a run's branches
    under it; `tasks` and `repeats` (the largest) describe the plan.
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
    agent_label: str | None
    measures: Measures | None
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
