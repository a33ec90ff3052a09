"""What is worth stopping at in a trial: where it parts, writes, milestones, deviations, errors."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from reach_tui.core import trajectory as kinds
from reach_tui.core.changes import WORLD, Change
from reach_tui.core.grading import Claim, Deviation, MilestoneResult
from reach_tui.core.trajectory import Step
from reach_tui.store.rows import LabelRow, StoredTrial

LETTERS = {"user": "u", "agent": "a", "call": "t", "notice": "n", "error": "e"}
KIND_ROLES = {"user": "accent", "agent": "text", "call": "dim", "notice": "warn", "error": "bad"}


@dataclass(frozen=True, slots=True)
class Moments:
    """Steps by what happened at them. `decisive` is a person's word where there is one, `automatic` the grader's.

    `opening` is the step a trial opens at.
    """

    decisive: int | None
    parting: int | None
    writes: tuple[int, ...]
    failed: frozenset[int]
    automatic: int | None = None
    milestones: dict[int, tuple[MilestoneResult, ...]] = field(default_factory=dict)
    deviations: dict[int, tuple[Deviation, ...]] = field(default_factory=dict)
    claims: dict[int, tuple[Claim, ...]] = field(default_factory=dict)
    opening: int = 1

    @property
    def parts(self) -> tuple[int, ...]:
        """The parting and the decisive step (a person's and the automatic one), in order, each once."""
        return tuple(sorted({n for n in (self.parting, self.decisive, self.automatic) if n}))

    def sign(self, n: int) -> tuple[str, str]:
        """The mark that a step carries, with its role; the gravest of what applies."""
        if n in (self.decisive, self.parting):
            return "!", "bad"
        if n in self.failed:
            return "x", "bad"
        if n in self.deviations:
            return "?", "warn"
        return " ", ""


def moments_of(trial: StoredTrial) -> Moments:
    """Read a trial's moments off its grading and steps."""
    steps = trial.trajectory.steps
    grading = trial.grading
    last = len(steps)
    decisive = grading.step if grading and grading.step and grading.step <= last else None
    automatic = decisive
    said = [label for label in current_labels(trial.labels) if label.kind == "decisive_step" and label.step]
    if said and said[-1].step and said[-1].step <= last:
        decisive = said[-1].step
    parting = grading.parting if grading and grading.parting and grading.parting <= last else None
    opening = decisive or parting or max(1, last)
    milestones: dict[int, tuple[MilestoneResult, ...]] = {}
    deviations: dict[int, tuple[Deviation, ...]] = {}
    claims: dict[int, tuple[Claim, ...]] = {}
    if grading:
        for one in grading.milestones:
            if one.step is not None and one.verdict == "reached":
                milestones[one.step] = (*milestones.get(one.step, ()), one)
        for event in grading.deviations:
            deviations[event.step] = (*deviations.get(event.step, ()), event)
        for claim in grading.claims:
            claims[claim.step] = (*claims.get(claim.step, ()), claim)
    return Moments(
        decisive, parting, tuple(s.n for s in steps if written(s)), frozenset(s.n for s in steps if failed(s)),
        automatic, milestones, deviations, claims, opening,
    )  # fmt: skip


def current_labels(labels: Sequence[LabelRow]) -> list[LabelRow]:
    """The labels that stand: neither replaced by a later one nor empty."""
    replaced = {label.replaces for label in labels if label.replaces}
    return [label for label in labels if label.uid not in replaced and label.value]


def written(step: Step) -> tuple[Change, ...]:
    """What a step changed in the world that people see: its clock and counters are not among it."""
    return tuple(change for change in step.changes if not change.pointer.startswith(f"/{WORLD}/"))


def failed(step: Step) -> bool:
    """Whether the step itself ended in an error."""
    return step.ok is False or bool(step.flags & kinds.FAILED) or step.kind == "error"


def following(places: Sequence[int], here: int, direction: int) -> int | None:
    """The next (1) or previous (-1) of ascending `places`, seen from `here`; None past the ends."""
    if direction > 0:
        at = bisect_right(places, here)
        return places[at] if at < len(places) else None
    at = bisect_left(places, here) - 1
    return places[at] if at >= 0 else None
