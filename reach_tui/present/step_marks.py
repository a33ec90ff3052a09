"""What is worth stopping at in a trial: where it parts, writes, milestones, deviations, errors."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from reach_tui.core import trajectory as flags
from reach_tui.core.changes import WORLD, Change
from reach_tui.core.grading import Claim, Deviation, MilestoneResult
from reach_tui.core.trajectory import Step
from reach_tui.present.cells import Piece
from reach_tui.present.language import word
from reach_tui.present.signs import STEP
from reach_tui.store.rows import LabelRow
from reach_tui.store.trial_rows import StoredTrial


@dataclass(frozen=True, slots=True)
class StepMarks:
    """Steps by what happened at them. `decisive` is a person's word where there is one, `automatic` the grader's.

    `opening` is the step at which a trial opens, on every face: the decisive step, else the parting step, else the
    last; `opening_why` says which.
    """

    decisive: int | None
    parting: int | None
    writes: tuple[int, ...]
    failed: frozenset[int]
    faults: frozenset[int]
    automatic: int | None = None
    milestones: dict[int, tuple[MilestoneResult, ...]] = field(default_factory=dict)
    deviations: dict[int, tuple[Deviation, ...]] = field(default_factory=dict)
    claims: dict[int, tuple[Claim, ...]] = field(default_factory=dict)
    opening: int = 1
    opening_why: Literal["decisive", "parting", "last"] = "last"

    @property
    def divergences(self) -> tuple[int, ...]:
        """The parting and the decisive step (a person's and the automatic one), in order, each once."""
        return tuple(sorted({n for n in (self.parting, self.decisive, self.automatic) if n}))

    def sign(self, n: int) -> Piece:
        """The mark that a step carries, with its role; the gravest of what applies."""
        if n == self.decisive:
            return STEP["decisive"].piece
        if n == self.parting:
            return STEP["parting"].piece
        if n in self.faults:
            return STEP["fault"].piece
        if n in self.failed:
            return STEP["error"].piece
        return STEP["deviation"].piece if n in self.deviations else (" ", "")


def marks_of(trial: StoredTrial) -> StepMarks:
    """Read a trial's marks off its grading, its labels and its steps."""
    steps = trial.trajectory.steps
    grading = trial.grading
    last = len(steps)
    decisive = grading.step if grading and grading.step and grading.step <= last else None
    automatic = decisive
    labels = [label for label in current_labels(trial.labels) if label.kind == "decisive_step" and label.step]
    if labels and labels[-1].step and labels[-1].step <= last:
        decisive = labels[-1].step
    parting = grading.parting if grading and grading.parting and grading.parting <= last else None
    opening = decisive or parting or max(1, last)
    why: Literal["decisive", "parting", "last"] = "decisive" if decisive else "parting" if parting else "last"
    milestones: dict[int, tuple[MilestoneResult, ...]] = {}
    deviations: dict[int, tuple[Deviation, ...]] = {}
    claims: dict[int, tuple[Claim, ...]] = {}
    if grading:
        for milestone in grading.milestones:
            if milestone.step is not None and milestone.verdict == "reached":
                milestones[milestone.step] = (*milestones.get(milestone.step, ()), milestone)
        for event in grading.deviations:
            deviations[event.step] = (*deviations.get(event.step, ()), event)
        for claim in grading.claims:
            claims[claim.step] = (*claims.get(claim.step, ()), claim)
    return StepMarks(
        decisive,
        parting,
        tuple(s.n for s in steps if written(s)),
        frozenset(s.n for s in steps if failed(s)),
        frozenset(s.n for s in steps if s.flags & flags.FAULT),
        automatic,
        milestones,
        deviations,
        claims,
        opening,
        why,
    )


def current_labels(labels: Sequence[LabelRow]) -> list[LabelRow]:
    """The labels that stand: neither replaced by a later one nor empty."""
    replaced = {label.replaces for label in labels if label.replaces}
    return [label for label in labels if label.uid not in replaced and label.value]


def written(step: Step) -> tuple[Change, ...]:
    """What a step changed in the world that people see: its clock and counters are not among it."""
    return tuple(change for change in step.changes if not change.pointer.startswith(f"/{WORLD}/"))


def failed(step: Step) -> bool:
    """Whether the step itself ended in an error."""
    return step.ok is False or bool(step.flags & flags.FAILED) or step.kind == "error"


def following(places: Sequence[int], here: int, direction: int) -> int | None:
    """The next (1) or previous (-1) of ascending `places`, seen from `here`; None past the ends."""
    if direction > 0:
        at = bisect_right(places, here)
        return places[at] if at < len(places) else None
    at = bisect_left(places, here) - 1
    return places[at] if at >= 0 else None


def fault_of(step: Step) -> str:
    """`NAME (kind)` of the fault that befell a call; empty for all other steps."""
    fault = step.body.get("fault")
    if not isinstance(fault, Mapping):
        return ""
    return f"{fault['name']} ({word(fault['kind'])})" if "kind" in fault else str(fault["name"])
