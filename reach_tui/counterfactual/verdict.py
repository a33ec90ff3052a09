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
from typing import Any

from reach_tui.counterfactual.pairs import (
    Arm,
    Effect,
    Flips,
    MilestoneEffect,
    effect,
    flips,
    mean_rate,
    milestone_effect,
    shared,
    uncounted_share,
    within_tasks,
)
from reach_tui.metrics.exact import minimum_informative

CAUSE, HARMFUL, NOT_A_CAUSE, PARTLY, INCONCLUSIVE = "cause", "harmful", "not_a_cause", "partial", "inconclusive"
THESE, LIKE_THESE = "these_tasks", "tasks_like_these"

MILESTONE_LEVEL = 0.01
REPEATS_WITHIN = 3
"""Repeats from which the passes of these very tasks can be told from noise."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What is fixed before the run: shares, not points. `factors` counts all factors confirmed in the experiment."""

    alpha: float = 0.05
    margin: float = 0.10
    factors: int = 1
    max_uncounted: float = 0.10
    harm_asked: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the trials beyond their outcomes.

    `extra_parts`: parts, other than the factor, in which the arms differ. `manipulation`: "seen", "not_observable" or
    "failed". `copies`: the arms whose repeats are copies of one another (an agent without noise, or a cache).
    `placebo_by_design`: a text was changed for a real model on tasks chosen because they failed.
    """

    extra_parts: tuple[str, ...] = ()
    manipulation: str = "seen"
    copies: frozenset[str] = frozenset()
    placebo_by_design: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """One word about one scope, the p of its test (None where nothing was tested) and the reason in words."""

    word: str
    scope: str
    p: float | None
    why: str

    def as_json(self) -> dict[str, Any]:
        """All fields."""
        return {"word": self.word, "scope": self.scope, "p": self.p, "why": self.why}


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
    reasons: tuple[str, ...]

    @property
    def headline(self) -> Verdict:
        """The verdict of the widest scope."""
        return self.verdicts[0]


def shows_no_noise(control: Arm) -> bool:
    """All counted repeats of every task agree, and none passes."""
    return all(one.passed == 0 for one in control.values())


_RULES, _FACTS = Rules(), Facts()


def judge(
    control: Arm,
    branch: Arm,
    placebo: Arm | None = None,
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
        self, control: Arm, branch: Arm, placebo: Arm | None, rules: Rules, facts: Facts, level: float, futile: bool
    ) -> None:
        self.rules, self.facts, self.level, self.futile = rules, facts, level, futile
        self.raw = {"control": control, "branch": branch, **({"placebo": placebo} if placebo is not None else {})}
        self.arms: dict[str, Arm] = {
            name: {key: one.once() for key, one in arm.items()} if name in facts.copies else arm
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
        raw = self._verdicts(len(keys), repeats=self._repeats())
        verdicts = tuple(_said(verdict) for verdict in raw)
        head = verdicts[0]
        tested = self.effect if head.word == "inconclusive" and not self.blocks and not self.futile else None
        show, exclude = _tasks_needed(tested, self.rules.margin) if tested else (None, None)
        moved = flips(control, branch)
        if both_copies:
            self.reasons.append("repeats are copies (no noise was seen): each task counts once")
        return Judgement(
            effect=self.effect, p=head.p, placebo=self.placebo, placebo_needed=self.placebo_needed,
            wants_placebo=raw[0].word == _WANTING, flips=moved, milestones=self.milestones,
            control_rate=mean_rate(control, keys), branch_rate=mean_rate(branch, keys), needed=self.needed,
            verdicts=verdicts, tasks_to_show=show, tasks_to_exclude=exclude,
            reproduced=(moved.fixed + moved.broken) if both_copies else None,
            reasons=tuple(self.reasons),
        )  # fmt: skip

    def _blocks(self) -> list[str]:
        found = []
        if self.effect is None:
            found.append("no task has a counted trial in both arms")
        if self.facts.extra_parts:
            found.append("the arms differ in more than the factor: " + ", ".join(self.facts.extra_parts))
        if self.facts.manipulation == "failed":
            found.append("the manipulation check failed: the changed part did not reach the agent as planned")
        found += [
            f"too much is not counted: {uncounted_share(arm):.0%} of the trials in {name}, "
            f"{self.rules.max_uncounted:.0%} is the limit"
            for name, arm in self.raw.items()
            if uncounted_share(arm) > self.rules.max_uncounted + 1e-9
        ]
        return found

    def _repeats(self) -> int:
        """The repeats with distinct draws that both arms have (at most, over the tasks)."""
        return min(max((one.counted for one in self.arms[name].values()), default=0) for name in ("control", "branch"))

    def _verdicts(self, tasks: int, repeats: int) -> tuple[Verdict, ...]:
        wide = self._over_tasks()
        if repeats < REPEATS_WITHIN:
            return (wide,)
        narrow = self._within_tasks()
        moved = self.effect.informative if self.effect else 0
        untold = wide.word in ("inconclusive", _WANTING) and moved < self.needed and not self.blocks
        if tasks < self.needed or (untold and narrow.word != "inconclusive"):
            self.reasons.append(
                f"no verdict on tasks like these: {moved} of {tasks} tasks moved, and at least {self.needed} must"
            )
            return (narrow,)
        return wide, narrow

    def _over_tasks(self) -> Verdict:
        if self.blocks or self.effect is None:
            return Verdict("inconclusive", "tasks_like_these", None, "; ".join(self.blocks))
        p = self._holm(self.effect.p)
        against = None if self.placebo is None else self._holm(self.placebo.p)
        word, why = self._word(self.effect.estimate, p, against, within=False)
        if word == "inconclusive" and not self.futile:
            low, high = self.effect.inner
            if -self.rules.margin < low and high < self.rules.margin:
                word, why = "not_a_cause", f"the 90 % interval lies within {_points(self.rules.margin)} of zero"
            elif self.effect.informative < self.needed and not why:
                why = f"{self.effect.informative} tasks moved, at least {self.needed} must"
        return Verdict(word, "tasks_like_these", p, why or self._nothing())

    def _within_tasks(self) -> Verdict:
        if self.blocks or self.effect is None:
            return Verdict("inconclusive", "these_tasks", None, "; ".join(self.blocks))
        p = self._holm(within_tasks(self.arms["control"], self.arms["branch"]))
        against = None
        if self.placebo is not None:
            against = self._holm(within_tasks(self.arms["placebo"], self.arms["branch"]))
        word, why = self._word(self.effect.estimate, p, against, within=True)
        return Verdict(word, "these_tasks", p, why or self._nothing())

    def _nothing(self) -> str:
        return "stopped early: no sign of help" if self.futile else "not told apart from rerun noise"

    def _word(self, estimate: float, p: float, p_placebo: float | None, *, within: bool) -> tuple[str, str]:
        """The word by the rule without its equivalence check, with the reason ("" for plain want of evidence)."""
        level = self.level * self.rules.factors
        shown = p <= level and abs(estimate) >= self.rules.margin
        if shown and estimate < 0 and not within:
            return "harmful", f"exact p {p:.2g}, {_points(estimate)}"
        if not shown and not self._more_milestones("control", within):
            return "inconclusive", ""
        if self.placebo is None or p_placebo is None:
            if within or self.placebo_needed:
                return _WANTING, "an effect against the control alone: any edit might have had it, and no placebo ran"
            return ("cause", f"exact p {p:.2g}, {_points(estimate)}") if shown else ("partial", _PARTLY_WHY)
        if shown:
            other = self.placebo.estimate
            if p_placebo <= level and abs(other) >= self.rules.margin and (other > 0) == (estimate > 0):
                why = f"exact p {p:.2g} against control, {p_placebo:.2g} against placebo"
                return ("cause" if estimate > 0 else "harmful"), why
            than = "better" if estimate > 0 else "worse"
            return "inconclusive", f"{than} than the control but not than the placebo (exact p {p_placebo:.2g})"
        if not self._more_milestones("placebo", within):
            return "inconclusive", "more milestones than the control but not than the placebo"
        return "partial", _PARTLY_WHY

    def _more_milestones(self, than: str, within: bool) -> bool:
        found = milestone_effect(self.arms[than], self.arms["branch"])
        if found is None or found.estimate <= 0:
            return False
        return self._holm(found.p_within if within else found.p) <= MILESTONE_LEVEL

    def _holm(self, p: float) -> float:
        return min(1.0, p * self.rules.factors)


_WANTING = "wants placebo"
_PARTLY_WHY = "more milestones are reached, completion is not"


def _said(verdict: Verdict) -> Verdict:
    return Verdict("inconclusive", verdict.scope, verdict.p, verdict.why) if verdict.word == _WANTING else verdict


def _tasks_needed(found: Effect, margin: float) -> tuple[int, int]:
    """(to show the effect seen, to exclude the margin), from the variance of this experiment."""
    from reach_tui.metrics.stats import tasks_for, tasks_to_exclude

    fewest = minimum_informative()
    show = tasks_for(max(abs(found.estimate), margin), found.variance)
    return max(fewest, show), max(fewest, tasks_to_exclude(margin, found.variance))


def _points(share: float) -> str:
    return f"{100 * share:+.1f} points" if share < 0 else f"{100 * share:.1f} points"
