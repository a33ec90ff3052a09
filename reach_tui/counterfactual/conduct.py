"""Conducting an experiment: waves of trials, an interim analysis after some of them, and the result in the store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from reach_tui.core.errors import ReachError
from reach_tui.core.experiment import ExperimentResult, InterimResult, Manipulation
from reach_tui.core.run import Arm
from reach_tui.core.verdicts import StopReason
from reach_tui.counterfactual.arms import ArmData, load_arms
from reach_tui.counterfactual.evidence import copies, manipulation_check
from reach_tui.counterfactual.interim import InterimAnalysis, analyses, stops
from reach_tui.counterfactual.result import STATS_VERSION, Progress, assemble, judged
from reach_tui.counterfactual.start import add_arm
from reach_tui.counterfactual.verdict import Judgement
from reach_tui.harness.execute import Execution, WorkState, interleaved
from reach_tui.harness.plan import Slot, slots_of
from reach_tui.store.experiments import ExperimentRow, experiment, runs_of, set_result
from reach_tui.store.store import Store

ENDED = "ended"


OnAnalysis = Callable[[ExperimentResult], None]


def conduct(store: Path, experiment_uid: str, on_analysis: OnAnalysis | None = None) -> ExperimentResult:
    """Run an experiment to its end, or as far as it is let; its result, also stored after each interim analysis.

    `on_analysis` is given the result so far. One that has ended is returned as it is; one that was cancelled, paused or
    interrupted goes on where it stopped: what has ended is not run again, and the analyses come out the same.
    ReachError where another process holds one of its runs.
    """
    with Store(store) as opened:
        row = experiment(opened, experiment_uid)
        uids = [run.uid for run in runs_of(opened, row.id)]
    if row.result is not None and row.result.status == "ended":
        return row.result
    if not uids:
        raise ReachError(f"experiment {experiment_uid} has no arms", hint="start it again with `reach branch`")
    with Execution(store, uids) as execution:
        return _Conductor(execution, row, on_analysis).run()


@dataclass(frozen=True, slots=True)
class _Seen:
    """What an interim analysis saw."""

    arms: dict[Arm, ArmData]
    manipulation: Manipulation
    judgement: Judgement


class _Conductor:
    def __init__(self, execution: Execution, row: ExperimentRow, on_analysis: OnAnalysis | None) -> None:
        self.execution, self.row = execution, row
        self.plan = row.plan
        self.on_analysis = on_analysis
        self.interim: list[InterimResult] = []

    def run(self) -> ExperimentResult:
        repeats = 0
        for look in analyses(self.plan):
            state = self._up_to(look.repeats_done)
            seen = self._see(look)
            if state == "done" and self._placebo_decides(look, seen.judgement):
                state = self._add_placebo(look.repeats_done)
                seen = self._see(look)
            if state != "done":
                return self._left(state, repeats)
            repeats = look.repeats_done
            stop = self._stop(look, seen.judgement)
            self.interim.append(_interim(look, seen.judgement, stop))
            if stop is not None:
                return self._end(look, stop)
            self._store(Progress("running", look.repeats_done, look.level, None, tuple(self.interim)), seen)
        raise AssertionError("the last look always stops")

    def _up_to(self, repeat: int, arms: Sequence[Arm] = ()) -> WorkState:
        """Run every slot up to that repeat which has not ended, the arms side by side."""
        by_run: list[Sequence[Slot]] = []
        for run in self.execution.runs:
            if not arms or run.row.arm in arms:
                by_run.append([slot for slot in slots_of(run.row.uid, run.plan.tasks) if slot.repeat <= repeat])
        return self.execution.run(interleaved(by_run))

    def _see(self, look: InterimAnalysis, stop: StopReason | None = None) -> _Seen:
        """The arms as they stand in the store after that look's wave, and what the rule says of them."""
        store = self.execution.store
        arms = load_arms(store, self.row.id)
        manipulation = manipulation_check(
            store,
            {name: arm.trials for name, arm in arms.items()},
            {name: arm.setup for name, arm in arms.items()},
            {key: task for arm in arms.values() for key, task in arm.tasks.items()},
        )
        # Whether the agent has noise shows on all tasks, the passing ones too, and it is the same agent in all arms
        # unless the model is what differs.
        within = {
            name: [row for row in arm.trials if row.start.repeat <= look.repeats_done] for name, arm in arms.items()
        }
        alike = copies(store, within)
        same_agent: set[Arm] = (
            {"control", "placebo"} if self.plan.factor.kind == "model" else {"control", "branch", "placebo"}
        )
        if (same_agent & within.keys()) - alike:
            alike -= same_agent
        progress = Progress("running", look.repeats_done, look.level, stop)
        judgement = judged(self.plan, arms, progress, manipulation, alike)
        return _Seen(arms, manipulation, judgement)

    def _placebo_decides(self, look: InterimAnalysis, judgement: Judgement) -> bool:
        """Whether the verdict hangs on a placebo arm that has not run: at an early look only if it would stop there."""
        if not judgement.wants_placebo or self.plan.placebo.when == "never":
            return False
        return look.last or self._sure(look, judgement)

    def _sure(self, look: InterimAnalysis, judgement: Judgement) -> bool:
        """Whether the headline's test holds at this look, in a scope that a further wave could not widen."""
        effect, rules = judgement.effect, self.plan.rules
        if effect is None or judgement.p is None:
            return False
        widest = judgement.headline.scope == "tasks_like_these" or len(self.plan.chosen.tasks) < judgement.needed
        return widest and judgement.p <= look.level * rules.factors and abs(effect.estimate) >= rules.margin

    def _add_placebo(self, repeat: int) -> WorkState:
        fixed = self.execution.runs[0].plan.fixed_now_ms
        run = add_arm(self.execution.store, self.row, self.plan, "placebo", now_ms=fixed)
        self.execution.add(run.uid)
        return self._up_to(repeat, ("placebo",))

    def _stop(self, look: InterimAnalysis, judgement: Judgement) -> StopReason | None:
        effect = judgement.effect
        decided = judgement.headline.word in ("cause", "harmful") and self._sure(look, judgement)
        return stops(
            look, decided=decided, estimate=effect.estimate if effect else None, harm_asked=self.plan.rules.harm_asked
        )

    def _end(self, look: InterimAnalysis, stop: StopReason) -> ExperimentResult:
        for run in self.execution.runs:
            self.execution.end_early(run.row.uid)
        progress = Progress("ended", look.repeats_done, look.level, stop, tuple(self.interim))
        result = self._store(progress, self._see(look, stop))
        self.execution.finish()
        return result

    def _left(self, state: Literal["cancelled", "paused"], repeats: int) -> ExperimentResult:
        """Cancelled or paused: store what the last analysis saw."""
        look = replace(analyses(self.plan)[0], repeats_done=repeats)
        result = self._store(Progress(state, repeats, look.level, None, tuple(self.interim)), self._see(look))
        self.execution.finish()
        return result

    def _store(self, progress: Progress, seen: _Seen) -> ExperimentResult:
        result = assemble(self.plan, seen.arms, progress, seen.manipulation, seen.judgement)
        set_result(self.execution.store, self.row.uid, result, STATS_VERSION)
        if self.on_analysis is not None:
            self.on_analysis(result)
        return result


def _interim(look: InterimAnalysis, judgement: Judgement, stop: StopReason | None) -> InterimResult:
    estimate = judgement.effect.estimate if judgement.effect else None
    return InterimResult(look.repeats_done, look.level, estimate, judgement.p, stop)
