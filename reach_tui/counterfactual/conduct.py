"""Conducting an experiment: waves of trials, a look after some of them, and the result in the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reach_tui.core.errors import ReachError
from reach_tui.counterfactual.arms import ArmData, load_arms
from reach_tui.counterfactual.evidence import Manipulation, copies, manipulation_check
from reach_tui.counterfactual.looks import Look, stops
from reach_tui.counterfactual.plan import ExperimentPlan
from reach_tui.counterfactual.result import STATS_VERSION, Progress, assemble, judged
from reach_tui.counterfactual.start import add_arm
from reach_tui.counterfactual.verdict import Judgement
from reach_tui.harness.execute import Execution, interleaved
from reach_tui.harness.plan import Slot, slots_of
from reach_tui.store.experiments import experiment, runs_of, set_result
from reach_tui.store.rows import ExperimentRow
from reach_tui.store.store import Store

ENDED = "ended"


def conduct(
    store: Path, experiment_uid: str, on_look: Callable[[Mapping[str, Any]], None] | None = None
) -> dict[str, Any]:
    """Run an experiment to its end, or as far as it is let; its result, which is also stored after each look.

    `on_look` is given the result so far. One that has ended is returned as it is; one that was cancelled, paused or
    interrupted goes on where it stopped: what has ended is not run again, and the looks come out the same.
    ReachError where another process holds one of its runs.
    """
    with Store(store) as opened:
        row = experiment(opened, experiment_uid)
        uids = [run.uid for run in runs_of(opened, row.id)]
    if row.result and row.result.get("status") == "ended":
        return dict(row.result)
    if not uids:
        raise ReachError(f"experiment {experiment_uid} has no arms", hint="start it again with `reach branch`")
    with Execution(store, uids) as execution:
        return _Conductor(execution, row, on_look).run()


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a look saw."""

    arms: dict[str, ArmData]
    manipulation: Manipulation
    judgement: Judgement


class _Conductor:
    def __init__(
        self, execution: Execution, row: ExperimentRow, on_look: Callable[[Mapping[str, Any]], None] | None
    ) -> None:
        self.execution, self.row = execution, row
        self.plan = ExperimentPlan.of(row.plan)
        self.on_look = on_look
        self.history: list[dict[str, Any]] = []

    def run(self) -> dict[str, Any]:
        waves = 0
        for look in self.plan.looks:
            state = self._wave(look.wave)
            seen = self._see(look)
            if state == "done" and self._placebo_decides(look, seen.judgement):
                state = self._add_placebo(look.wave)
                seen = self._see(look)
            if state != "done":
                return self._left(state, waves)
            waves = look.wave
            stop = self._stop(look, seen.judgement)
            self.history.append(_look_json(look, seen.judgement, stop))
            if stop is not None:
                return self._end(look, stop)
            self._store(Progress("running", look.wave, look.level, None, tuple(self.history)), seen)
        raise AssertionError("the last look always stops")

    def _wave(self, wave: int, arms: Sequence[str] = ()) -> str:
        """Run every slot up to that repeat which has not ended, the arms side by side."""
        by_run: list[Sequence[Slot]] = []
        for run in self.execution.runs:
            if not arms or run.row.arm in arms:
                by_run.append([slot for slot in slots_of(run.row.uid, run.plan.tasks) if slot.repeat <= wave])
        return self.execution.run(interleaved(by_run))

    def _see(self, look: Look, stop: str | None = None) -> _Seen:
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
        within = {name: [row for row in arm.trials if row.repeat <= look.wave] for name, arm in arms.items()}
        alike = copies(store, within)
        same_agent = {"control", "placebo"} if self.plan.factor.kind == "model" else {"control", "branch", "placebo"}
        if (same_agent & within.keys()) - alike:
            alike -= same_agent
        progress = Progress("running", look.wave, look.level, stop)
        judgement = judged(self.plan, arms, progress, manipulation, alike)
        return _Seen(arms, manipulation, judgement)

    def _placebo_decides(self, look: Look, judgement: Judgement) -> bool:
        """Whether the verdict hangs on a placebo arm that has not run: at an early look only if it would stop there."""
        if not judgement.wants_placebo or self.plan.placebo.when == "never":
            return False
        return look.last or self._sure(look, judgement)

    def _sure(self, look: Look, judgement: Judgement) -> bool:
        """Whether the headline's test holds at this look, in a scope that a further wave could not widen."""
        found, rules = judgement.effect, self.plan.rules
        if found is None or judgement.p is None:
            return False
        widest = judgement.headline.scope == "tasks_like_these" or len(self.plan.chosen.tasks) < judgement.needed
        return widest and judgement.p <= look.level * rules.factors and abs(found.estimate) >= rules.margin

    def _add_placebo(self, wave: int) -> str:
        fixed = self.execution.runs[0].plan.fixed_now_ms
        run = add_arm(self.execution.store, self.row, self.plan, "placebo", now_ms=fixed)
        self.execution.add(run.uid)
        return self._wave(wave, ("placebo",))

    def _stop(self, look: Look, judgement: Judgement) -> str | None:
        found = judgement.effect
        decided = judgement.headline.word in ("cause", "harmful") and self._sure(look, judgement)
        return stops(
            look, decided=decided, estimate=found.estimate if found else None, harm_asked=self.plan.rules.harm_asked
        )

    def _end(self, look: Look, stop: str) -> dict[str, Any]:
        for run in self.execution.runs:
            self.execution.end_early(run.row.uid)
        progress = Progress("ended", look.wave, look.level, stop, tuple(self.history))
        body = self._store(progress, self._see(look, stop))
        self.execution.finish()
        return body

    def _left(self, state: str, waves: int) -> dict[str, Any]:
        """Cancelled or paused: store what the last look saw, without a verdict."""
        look = replace(self.plan.looks[0], wave=waves)
        body = self._store(Progress(state, waves, look.level, None, tuple(self.history)), self._see(look))
        self.execution.finish()
        return body

    def _store(self, progress: Progress, seen: _Seen) -> dict[str, Any]:
        body = assemble(self.row.uid, self.plan, seen.arms, progress, seen.manipulation, seen.judgement)
        set_result(self.execution.store, self.row.uid, body["verdict"], body, STATS_VERSION)
        if self.on_look is not None:
            self.on_look(body)
        return body


def _look_json(look: Look, judgement: Judgement, stop: str | None) -> dict[str, Any]:
    found = judgement.effect
    return {
        "wave": look.wave, "level": look.level, "estimate": found.estimate if found else None, "p": judgement.p,
        "said": stop or "go on",
    }  # fmt: skip
