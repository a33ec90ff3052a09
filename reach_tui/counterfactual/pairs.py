"""Two arms side by side, task by task: the task is the unit, its repeats are measurements of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reach_tui.core.experiment import Effect, Flips, MilestoneEffect
from reach_tui.metrics.exact import sign_flip, stratified
from reach_tui.metrics.intervals import tango
from reach_tui.metrics.repeats import majority


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What the final trials of one task came to in one arm.

    `counted` of the `planned` trials so far have an outcome, `passed` of them passed. `depths` holds the milestones
    that each counted trial reached in order, of `depth_of` (0: the task has none).
    """

    passed: int
    counted: int
    planned: int
    depths: tuple[int, ...] = ()
    depth_of: int = 0

    @property
    def rate(self) -> float:
        """Share of counted trials that passed; 0 without any."""
        return self.passed / self.counted if self.counted else 0.0

    @property
    def reached(self) -> bool:
        """Whether more than half of the counted trials passed."""
        return majority(self.passed, self.counted)

    @property
    def agrees(self) -> bool:
        """Whether all counted trials came to the same end."""
        return self.passed in (0, self.counted)

    def once(self) -> TaskResult:
        """The same with all its trials counted as one: they were copies."""
        if not self.counted:
            return self
        return replace(self, passed=int(self.reached), counted=1, planned=1, depths=self.depths[:1])


ArmTasks = Mapping[str, TaskResult]
"""An arm's results by task key."""


def shared(control: ArmTasks, branch: ArmTasks) -> tuple[str, ...]:
    """Tasks with a counted trial in both arms, in the control's order. Pairing is by task, never by position."""
    return tuple(key for key, result in control.items() if result.counted and key in branch and branch[key].counted)


def effect(control: ArmTasks, branch: ArmTasks) -> Effect | None:
    """The effect over tasks; None where no task counted in both arms."""
    keys = shared(control, branch)
    if not keys:
        return None
    from reach_tui.metrics.stats import padded_t, padded_variance

    pairs = [(control[key], branch[key]) for key in keys]
    exact = _whole([(b.passed, b.counted, a.passed, a.counted) for a, b in pairs])
    differences = [b.rate - a.rate for a, b in pairs]
    # Without a task's full repeats the harmonic mean stands for K: never more than the evidence there is.
    repeats = 2 * len(pairs) / math.fsum(1 / a.counted + 1 / b.counted for a, b in pairs)
    estimate = math.fsum(differences) / len(pairs)
    if all(a.counted == b.counted == 1 for a, b in pairs):
        gained = sum(1 for d in exact if d > 0)
        lost = sum(1 for d in exact if d < 0)
        (low, high), inner = tango(gained, lost, len(pairs)), tango(gained, lost, len(pairs), 0.90)
    else:
        (low, high), inner = padded_t(differences, repeats), padded_t(differences, repeats, 0.90)
    return Effect(
        estimate=estimate,
        low=low,
        high=high,
        p=sign_flip(exact),
        n=len(pairs),
        informative=sum(1 for d in exact if d),
        inner=inner,
        variance=padded_variance(differences, repeats),
    )


def _whole(rates: Sequence[tuple[int, int, int, int]]) -> list[int]:
    """b/n - a/m for each (b, n, a, m) as whole numbers in their smallest common unit."""
    unit = math.lcm(*(count for _, n, _, m in rates for count in (n, m)))
    return [b * unit // n - a * unit // m for b, n, a, m in rates]


def within_tasks(control: ArmTasks, branch: ArmTasks) -> float:
    """Exact p that the shared tasks' own pass chances differ: stratified by task, of these tasks only."""
    return stratified([(_outcomes(control[key]), _outcomes(branch[key])) for key in shared(control, branch)])


def _outcomes(result: TaskResult) -> list[int]:
    return [1] * result.passed + [0] * (result.counted - result.passed)


def milestone_effect(control: ArmTasks, branch: ArmTasks) -> MilestoneEffect | None:
    """The effect on milestones; None where no shared task has any."""
    keys = [
        key
        for key in shared(control, branch)
        if control[key].depth_of > 0
        and control[key].depth_of == branch[key].depth_of
        and control[key].depths
        and branch[key].depths
    ]
    if not keys:
        return None
    pairs = [(control[key], branch[key]) for key in keys]
    exact = _whole(
        [(sum(b.depths), len(b.depths) * b.depth_of, sum(a.depths), len(a.depths) * a.depth_of) for a, b in pairs]
    )
    change = math.fsum(
        sum(b.depths) / (len(b.depths) * b.depth_of) - sum(a.depths) / (len(a.depths) * a.depth_of) for a, b in pairs
    )
    unit = math.lcm(*(a.depth_of for a, _ in pairs))
    strata = [
        ([d * (unit // a.depth_of) for d in a.depths], [d * (unit // b.depth_of) for d in b.depths]) for a, b in pairs
    ]
    return MilestoneEffect(change / len(pairs), sign_flip(exact), stratified(strata), len(pairs))


def flips(control: ArmTasks, branch: ArmTasks) -> Flips:
    """Which shared tasks moved, and how."""
    by_fate: dict[str, list[str]] = {"fixed": [], "broken": [], "rose": [], "fell": [], "unchanged": []}
    for key in shared(control, branch):
        a, b = control[key], branch[key]
        moved = b.passed * a.counted - a.passed * b.counted
        if a.reached != b.reached:
            by_fate["fixed" if b.reached else "broken"].append(key)
        else:
            by_fate["rose" if moved > 0 else "fell" if moved < 0 else "unchanged"].append(key)
    return Flips(**{name: tuple(keys) for name, keys in by_fate.items()})


def mean_rate(arm: ArmTasks, keys: Sequence[str]) -> float | None:
    """Mean over the tasks `keys` of their pass rates; None for no task."""
    return math.fsum(arm[key].rate for key in keys) / len(keys) if keys else None


def uncounted_share(arm: ArmTasks) -> float:
    """Share of the trials planned so far that did not count; 0 before any."""
    planned = sum(result.planned for result in arm.values())
    return 1 - sum(result.counted for result in arm.values()) / planned if planned else 0.0
