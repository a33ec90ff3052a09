"""An experiment: what was planned, what it came to, as records.

Shares are numbers from 0 to 1, differences of shares from -1 to 1. Everything here goes through `core.records` as it
stands; nothing holds a sentence (see `core.reasons`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reach_tui.core import pointer as pointers
from reach_tui.core.absent import ABSENT
from reach_tui.core.agent import Measures
from reach_tui.core.condition import TEXT_FACTORS, PartDifference
from reach_tui.core.reasons import Reason
from reach_tui.core.run import Arm, RunStatus
from reach_tui.core.verdicts import (
    Fate,
    ManipulationStatus,
    MetricName,
    PlaceboStart,
    Scope,
    StopReason,
    StratumName,
    VerdictWord,
)

# --- the plan ---


@dataclass(frozen=True, slots=True)
class Factor:
    """The one part in which branch and control differ: its kind, its name (a JSON Pointer), and both values.

    ABSENT stands for a part that one of them does not have.
    """

    kind: str
    part: str
    before: Any = ABSENT
    after: Any = ABSENT

    @property
    def is_text(self) -> bool:
        """Whether it is a text the agent reads, of which a neutral edit can be made."""
        return self.kind in TEXT_FACTORS

    @property
    def tool(self) -> str | None:
        """The tool it belongs to, if it is one's."""
        parts = pointers.split(self.part)
        return parts[1] if len(parts) > 1 and parts[0] == "tools" else None

    @property
    def about(self) -> str:
        """What it is called in a few words: its tool, its fault, else its kind."""
        parts = pointers.split(self.part)
        return self.tool or (parts[1] if parts[0] == "faults" else self.kind.replace("_", " "))

    @classmethod
    def of(cls, difference: PartDifference) -> Factor:
        """From the join of two conditions."""
        return cls(difference.factor, difference.name, difference.before, difference.after)


@dataclass(frozen=True, slots=True)
class Stratum:
    """Tasks that are analysed together. `of` is how many such tasks the run has: a sample where it is larger."""

    name: StratumName
    how: tuple[Reason, ...]
    tasks: tuple[str, ...]
    of: int


@dataclass(frozen=True, slots=True)
class Placebo:
    """The neutral edit: where, its text, and when its arm runs."""

    part: str
    text: str
    when: PlaceboStart


@dataclass(frozen=True, slots=True)
class Rules:
    """What is fixed before the run: shares, not points. `factors` counts all factors confirmed in the experiment."""

    alpha: float = 0.05
    margin: float = 0.10
    factors: int = 1
    max_uncounted: float = 0.10
    harm_asked: bool = False


@dataclass(frozen=True, slots=True)
class Estimate:
    """Expected totals: `calls` of tools, `turns` asked of the model; None where the parent's trials do not say.

    `cost` is None where the cost of no trial is known; `cost_from` says of how many trials it is.
    """

    trials: int
    turns: int | None
    calls: int | None
    tokens: int | None
    cost: float | None
    cost_from: int


@dataclass(frozen=True, slots=True)
class SmallestEffects:
    """The smallest effects that can be found: with 80 % power on tasks like these; at all on these tasks.

    `breakage` is the share of the passing tasks whose breakage is noticed with 80 % chance. None: none is.
    """

    tasks_like_these: float | None
    these_tasks: float | None
    breakage: float | None


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """An experiment before it runs; the tasks and setups by value are in the plans of its runs.

    `trials` is the most it runs without a placebo arm, `placebo_trials` what that arm adds if it joins.
    """

    parent_uid: str
    parent_name: str
    suite: str
    agent: str
    factor: Factor
    chosen: Stratum
    passing: Stratum | None
    all_failed: bool
    repeats: int
    base_seed: str
    placebo: Placebo
    rules: Rules
    trials: int
    placebo_trials: int
    estimate: Estimate
    smallest: SmallestEffects
    warnings: tuple[Reason, ...]
    concurrency: int
    measures: Measures | None = None
    """What the numbers of its agent speak of; None in plans of releases that did not keep it."""

    @property
    def strata(self) -> tuple[Stratum, ...]:
        """The chosen tasks, and the passing ones where there are any."""
        return (self.chosen,) if self.passing is None else (self.chosen, self.passing)


# --- the result ---


@dataclass(frozen=True, slots=True)
class Effect:
    """Branch minus control on the `n` tasks that both counted; `low` and `high` bound 95 %, `inner` 90 %.

    `variance` is the padded one of the task differences, `informative` counts the tasks that moved, `p` is the exact
    two-sided sign-flip p. What an early release did not store has the widest value it can have.
    """

    estimate: float
    low: float
    high: float
    p: float
    n: int = 0
    informative: int = 0
    inner: tuple[float, float] = (-1.0, 1.0)
    variance: float = 1.0


@dataclass(frozen=True, slots=True)
class MilestoneEffect:
    """Mean change in the share of milestones reached, over the n tasks that have any; exact p over tasks and within."""

    estimate: float
    p: float
    p_within: float
    n: int


@dataclass(frozen=True, slots=True)
class Flips:
    """Task keys by what became of them from control to branch, in the order of the control's tasks."""

    fixed: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    rose: tuple[str, ...] = ()
    fell: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """One word about one scope, the p of its test (None where nothing was tested) and the reasons for it."""

    word: VerdictWord
    scope: Scope
    p: float | None
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Manipulation:
    """Whether the arms got what they were to get. `carried` of `checked` first requests held exactly the arm's setup.

    "failed": some request held something else, named in `reason`; "not_observable": no request is kept.
    """

    status: ManipulationStatus
    checked: Mapping[str, int] = field(default_factory=dict)
    carried: Mapping[str, int] = field(default_factory=dict)
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Spending:
    """What all attempts of an arm at the chosen tasks took, in all and per pass; None where a trial does not tell."""

    trials: int
    passes: int
    calls: float | None
    tokens: float | None
    cost: float | None
    tokens_per_pass: float | None
    cost_per_pass: float | None


@dataclass(frozen=True, slots=True)
class ArmResult:
    """One arm over the chosen tasks and the repeats compared; `rate` is the mean of its tasks' pass rates.

    `trials` of `tasks` tasks are counted, `reached` tasks passed by majority. `spending` is of all its attempts.
    """

    run: str
    name: str
    status: RunStatus
    model: str | None
    planned: int
    done: int
    tasks: int
    trials: int
    passed: int
    not_counted: int
    rate: float | None
    reached: int
    calls: int
    tokens: int | None
    cost: float | None
    unknown_cost: int
    spending: Spending


@dataclass(frozen=True, slots=True)
class PlaceboResult:
    """Whether a placebo was `needed` to name an effect, `ran`, or is `missing`; `effect` is branch minus placebo."""

    needed: bool
    ran: bool
    missing: bool
    effect: Effect | None = None


@dataclass(frozen=True, slots=True)
class PassingResult:
    """The second line: what became of tasks that passed, and the share whose breakage would have been noticed."""

    effect: Effect
    of: int
    harm: bool
    flips: Flips
    would_have_noticed: float | None


@dataclass(frozen=True, slots=True)
class SuiteGain:
    """The gain on all tasks of the run: both strata's effects weighted by their shares, with a 95 % interval."""

    estimate: float
    low: float
    high: float
    failing_share: float


@dataclass(frozen=True, slots=True)
class TasksNeeded:
    """How many such tasks it would take to show the effect seen, and to exclude the margin."""

    to_show: int
    to_exclude: int


@dataclass(frozen=True, slots=True)
class MetricRow:
    """A metric over the `tasks` that tell it: the arms' means over tasks of task means; `change` is branch - control.

    `low` and `high` bound 95 % of the change; only the primary metric has a p.
    """

    name: MetricName
    tasks: int
    control: float | None
    branch: float | None
    placebo: float | None
    change: float | None
    low: float | None
    high: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class TaskFate:
    """A task in every arm: (passed, counted) trials by arm, and what became of it."""

    task: str
    stratum: StratumName
    fate: Fate
    passes: Mapping[Arm, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class InterimResult:
    """What an interim analysis saw after so many repeats, tested at `level`; `stop` is None where it went on."""

    repeats_done: int
    level: float
    estimate: float | None
    p: float | None
    stop: StopReason | None


@dataclass(frozen=True, slots=True)
class ExperimentResult:
    """An experiment as far as it has run: `repeats_done` repeats of every task ended in all arms.

    `verdicts` stand from the widest scope down, the first is the headline; they are preliminary until `status` is
    "ended". `p` is the headline's, Holm included. `needed` informative tasks are the fewest for a verdict on tasks like
    these. `reproduced`: tasks that flipped under an agent without noise, where a p means nothing.
    """

    status: RunStatus
    repeats_done: int
    arms: Mapping[Arm, ArmResult]
    stop: StopReason | None = None
    effect: Effect | None = None
    p: float | None = None
    needed: int = 0
    flips: Flips | None = None
    verdicts: tuple[Verdict, ...] = ()
    reasons: tuple[Reason, ...] = ()
    placebo: PlaceboResult | None = None
    milestones: MilestoneEffect | None = None
    passing: PassingResult | None = None
    suite_gain: SuiteGain | None = None
    tasks_needed: TasksNeeded | None = None
    reproduced: tuple[str, ...] | None = None
    manipulation: Manipulation | None = None
    metrics: tuple[MetricRow, ...] = ()
    per_task: tuple[TaskFate, ...] = ()
    interim: tuple[InterimResult, ...] = ()
    control_rate: float | None = None
    branch_rate: float | None = None

    @property
    def verdict(self) -> Verdict | None:
        """The headline, once the experiment has ended."""
        return self.verdicts[0] if self.status == "ended" and self.verdicts else None
