"""The decision rule: from the arms' results to words with a scope. Pure; everything measured comes in as data.

Per scope the first that holds: *inconclusive* (arms differ in more than the factor, the manipulation check failed, too
much is not counted), *cause* or *harmful* (the exact test at its level and at least the smallest effect of interest),
*partial* (milestones at p <= 0.01 upward, completion not), *not a cause* (the 90 % interval inside the margin),
*inconclusive*. Where a placebo is needed, *cause* and *partial* must hold against it as well, each test at its level:
without one these words become *inconclusive*. *Not a cause* needs none: where nothing happened there is nothing that
any edit could explain. Nor does *harmful* on tasks like these: an edit is not harmless because others harm as well.

- `tasks_like_these`: the sign-flip test over tasks. No verdict where fewer tasks moved than it takes.
- `these_tasks`: the test stratified by task, from 3 repeats with distinct draws. Every effect needs the placebo.

The headline is the widest scope with a verdict. A narrow *cause* never overrules a wide *inconclusive* that had enough
tasks: where any edit re-draws which tasks are hard, that would call 7 to 9 of 100 shams a cause (simulated, 10 and 20
tasks x 3) instead of 1 or 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reach_tui.core.experiment import Effect, Flips, MilestoneEffect, Rules, Verdict
from reach_tui.core.reasons import Reason, ReasonCode
from reach_tui.core.run import Arm
from reach_tui.core.verdicts import ManipulationStatus, Scope, VerdictWord
from reach_tui.counterfactual.pairs import (
    ArmTasks,
    effect,
    flips,
    mean_rate,
    milestone_effect,
    shared,
    uncounted_share,
    within_tasks,
)
from reach_tui.metrics.exact import minimum_informative

MILESTONE_LEVEL = 0.01
REPEATS_WITHIN = 3
"""Repeats from which the passes of these very tasks can be told from noise."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the trials beyond their outcomes.

    `extra_parts`: parts, other than the factor, in which the arms differ. `copies`: the arms whose repeats are copies
    of one another (an agent without noise, or a cache). `placebo_by_design`: a text was changed for a real model on
    tasks chosen because they failed.
    """

    extra_parts: tuple[str, ...] = ()
    manipulation: ManipulationStatus = "seen"
    copies: frozenset[Arm] = frozenset()
    placebo_by_design: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """All that the rule says of one branch against its control.

    `verdicts` from the widest scope down, the first is the headline. `p` of the effect is the headline's, Holm
    included. `wants_placebo`: the headline would name an effect if a placebo arm bore it out. `needed` informative
    tasks are the fewest for a verdict on tasks like these. `tasks_to_show`, `tasks_to_exclude`: how many it would
    take, where the headline is inconclusive for want of evidence. `reproduced`: tasks that flipped under an agent
    without noise, where a p means nothing.
    """

    effect: Effect | None
    p: float | None
    placebo: Effect | None
    placebo_needed: bool
    wants_placebo: bool
    flips: Flips
    milestones: MilestoneEffect | None
    control_rate: float | None
    branch_rate: float | None
    needed: int
    verdicts: tuple[Verdict, ...]
    tasks_to_show: int | None
    tasks_to_exclude: int | None
    reproduced: tuple[str, ...] | None
    reasons: tuple[Reason, ...]

    @property
    def headline(self) -> Verdict:
        """The verdict of the widest scope."""
        return self.verdicts[0]


def shows_no_noise(control: ArmTasks) -> bool:
    """All counted repeats of every task agree, and none passes."""
    return all(result.passed == 0 for result in control.values())


_RULES, _FACTS = Rules(), Facts()


def judge(
    control: ArmTasks,
    branch: ArmTasks,
    placebo: ArmTasks | None = None,
    *,
    rules: Rules = _RULES,
    facts: Facts = _FACTS,
    level: float | None = None,
    futile: bool = False,
) -> Judgement:
    """Apply the rule to the trials so far; `level` is that of the look (default: alpha over the factors).

    `futile`: the experiment stopped early without a sign of help; then nothing is excluded either.
    """
    return _Case(control, branch, placebo, rules, facts, level or rules.alpha / rules.factors, futile).judgement()


class _Case:
    def __init__(
        self,
        control: ArmTasks,
        branch: ArmTasks,
        placebo: ArmTasks | None,
        rules: Rules,
        facts: Facts,
        level: float,
        futile: bool,
    ) -> None:
        self.rules, self.facts, self.level, self.futile = rules, facts, level, futile
        self.raw: dict[Arm, ArmTasks] = {"control": control, "branch": branch}
        if placebo is not None:
            self.raw["placebo"] = placebo
        self.arms: dict[Arm, ArmTasks] = {
            name: {key: result.once() for key, result in arm.items()} if name in facts.copies else arm
            for name, arm in self.raw.items()
        }
        self.effect = effect(self.arms["control"], self.arms["branch"])
        self.placebo = effect(self.arms["placebo"], self.arms["branch"]) if placebo is not None else None
        self.milestones = milestone_effect(self.arms["control"], self.arms["branch"])
        self.placebo_needed = facts.placebo_by_design or shows_no_noise(control)
        self.needed = minimum_informative(rules.factors, rules.alpha)
        self.blocks = self._blocks()
        self.reasons = list(self.blocks)

    def judgement(self) -> Judgement:
        control, branch = self.arms["control"], self.arms["branch"]
        keys = shared(control, branch)
        both_copies = {"control", "branch"} <= self.facts.copies
        findings = self._findings(len(keys), repeats=self._repeats())
        verdicts = tuple(finding.verdict() for finding in findings)
        untold = verdicts[0].word == "inconclusive" and not self.blocks and not self.futile
        tested = self.effect if untold else None
        show, exclude = _tasks_needed(tested, self.rules.margin) if tested else (None, None)
        moved = flips(control, branch)
        if both_copies:
            self.reasons.append(Reason("copies"))
        return Judgement(
            effect=self.effect,
            p=verdicts[0].p,
            placebo=self.placebo,
            placebo_needed=self.placebo_needed,
            wants_placebo=findings[0].word == "wants_placebo",
            flips=moved,
            milestones=self.milestones,
            control_rate=mean_rate(control, keys),
            branch_rate=mean_rate(branch, keys),
            needed=self.needed,
            verdicts=verdicts,
            tasks_to_show=show,
            tasks_to_exclude=exclude,
            reproduced=(moved.fixed + moved.broken) if both_copies else None,
            reasons=tuple(self.reasons),
        )

    def _blocks(self) -> tuple[Reason, ...]:
        """What stands in the way of any verdict."""
        blocks = []
        if self.effect is None:
            blocks.append(Reason("nothing_compared"))
        if self.facts.extra_parts:
            blocks.append(Reason("arms_differ", {"parts": list(self.facts.extra_parts)}))
        if self.facts.manipulation == "failed":
            blocks.append(Reason("manipulation_failed"))
        limit = self.rules.max_uncounted
        blocks += [
            Reason("too_much_not_counted", {"arm": name, "share": uncounted_share(arm), "limit": limit})
            for name, arm in self.raw.items()
            if uncounted_share(arm) > limit + 1e-9
        ]
        return tuple(blocks)

    def _repeats(self) -> int:
        """The repeats with distinct draws that both arms have (at most, over the tasks)."""
        pair: tuple[Arm, ...] = ("control", "branch")
        return min(max((task.counted for task in self.arms[name].values()), default=0) for name in pair)

    def _findings(self, tasks: int, repeats: int) -> tuple[_Finding, ...]:
        wide = self._over_tasks()
        if repeats < REPEATS_WITHIN:
            return (wide,)
        narrow = self._within_tasks()
        moved = self.effect.informative if self.effect else 0
        untold = wide.word in ("inconclusive", "wants_placebo") and moved < self.needed and not self.blocks
        if tasks < self.needed or (untold and narrow.word != "inconclusive"):
            self.reasons.append(Reason("no_wide_verdict", {"moved": moved, "tasks": tasks, "needed": self.needed}))
            return (narrow,)
        return wide, narrow

    def _over_tasks(self) -> _Finding:
        if self.blocks or self.effect is None:
            return _Finding("inconclusive", "tasks_like_these", None, self.blocks)
        p = self._holm(self.effect.p)
        against = None if self.placebo is None else self._holm(self.placebo.p)
        word, reason = self._word(self.effect.estimate, p, against, within=False)
        if word == "inconclusive" and not self.futile:
            low, high = self.effect.inner
            if -self.rules.margin < low and high < self.rules.margin:
                word, reason = "not_a_cause", Reason("within_margin", {"margin": self.rules.margin})
            elif self.effect.informative < self.needed and reason is None:
                reason = Reason("too_few_moved", {"moved": self.effect.informative, "needed": self.needed})
        return _Finding(word, "tasks_like_these", p, (reason or self._nothing(),))

    def _within_tasks(self) -> _Finding:
        if self.blocks or self.effect is None:
            return _Finding("inconclusive", "these_tasks", None, self.blocks)
        p = self._holm(within_tasks(self.arms["control"], self.arms["branch"]))
        against = None
        if self.placebo is not None:
            against = self._holm(within_tasks(self.arms["placebo"], self.arms["branch"]))
        word, reason = self._word(self.effect.estimate, p, against, within=True)
        return _Finding(word, "these_tasks", p, (reason or self._nothing(),))

    def _nothing(self) -> Reason:
        return Reason("no_sign_of_help" if self.futile else "not_told_apart")

    def _word(self, estimate: float, p: float, p_placebo: float | None, *, within: bool) -> tuple[_Word, Reason | None]:
        """The word by the rule without its equivalence check, and the reason (None for plain want of evidence)."""
        level = self.level * self.rules.factors
        shown = p <= level and abs(estimate) >= self.rules.margin
        effect_shown = Reason("effect_shown", {"p": p, "estimate": estimate})
        if shown and estimate < 0 and not within:
            return "harmful", effect_shown
        if not shown and not self._more_milestones("control", within):
            return "inconclusive", None
        if self.placebo is None or p_placebo is None:
            if within or self.placebo_needed:
                return "wants_placebo", Reason("placebo_missing")
            return ("cause", effect_shown) if shown else ("partial", Reason("milestones_only"))
        if shown:
            other = self.placebo.estimate
            if p_placebo <= level and abs(other) >= self.rules.margin and (other > 0) == (estimate > 0):
                beats = Reason("beats_placebo", {"p": p, "p_placebo": p_placebo})
                return ("cause" if estimate > 0 else "harmful"), beats
            code: ReasonCode = "no_better_than_placebo" if estimate > 0 else "no_worse_than_placebo"
            return "inconclusive", Reason(code, {"p_placebo": p_placebo})
        if not self._more_milestones("placebo", within):
            return "inconclusive", Reason("milestones_like_placebo")
        return "partial", Reason("milestones_only")

    def _more_milestones(self, than: Arm, within: bool) -> bool:
        more = milestone_effect(self.arms[than], self.arms["branch"])
        if more is None or more.estimate <= 0:
            return False
        return self._holm(more.p_within if within else more.p) <= MILESTONE_LEVEL

    def _holm(self, p: float) -> float:
        return min(1.0, p * self.rules.factors)


_Word = VerdictWord | Literal["wants_placebo"]


@dataclass(frozen=True, slots=True)
class _Finding:
    """A verdict in the making: `wants_placebo` is an effect that only a placebo arm could bear out."""

    word: _Word
    scope: Scope
    p: float | None
    reasons: tuple[Reason, ...]

    def verdict(self) -> Verdict:
        word: VerdictWord = "inconclusive" if self.word == "wants_placebo" else self.word
        return Verdict(word, self.scope, self.p, self.reasons)


def _tasks_needed(seen: Effect, margin: float) -> tuple[int, int]:
    """(to show the effect seen, to exclude the margin), from the variance of this experiment."""
    from reach_tui.metrics.stats import tasks_for, tasks_to_exclude

    fewest = minimum_informative()
    show = tasks_for(max(abs(seen.estimate), margin), seen.variance)
    return max(fewest, show), max(fewest, tasks_to_exclude(margin, seen.variance))
