"""Executing runs: slots in order, many at a time, each end stored with the run's totals, under leases.

One code path starts and resumes: what is stored as ended is not run again, the rest is.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from reach_tui.agents.kind import KINDS, open_agent
from reach_tui.core.agent import AgentFacts
from reach_tui.core.condition import Setup
from reach_tui.core.draws import trial_seed
from reach_tui.core.errors import ReachError, UsageError
from reach_tui.core.run import RunStatus, StateKind
from reach_tui.core.task import Task
from reach_tui.core.trial import TrialStart
from reach_tui.harness.clock import Clock, FixedClock, WallClock
from reach_tui.harness.code import code_of
from reach_tui.harness.plan import RunPlan, Slot, slots_of
from reach_tui.harness.run_control import RunControl
from reach_tui.harness.trial import EndedTrial, InitialStates, TrialContext, broken, run_trial, trial_uid
from reach_tui.metrics.tally import RunTally
from reach_tui.sandbox.registry import find_sandbox
from reach_tui.store import control, leases, run_queue, trials
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import run_by_uid
from reach_tui.store.store import Store
from reach_tui.store.writer import Writer

WorkState = Literal["done", "cancelled", "paused"]
"""How a spell of work ended: nothing is left to do, or it was asked to stop."""
_UNFINISHED = ("cancelled", "interrupted", "running")


@dataclass(slots=True)
class LiveRun:
    """A run while it is executed."""

    row: RunRow
    plan: RunPlan
    tasks: dict[str, Task]
    initial: InitialStates
    clock: Clock
    tally: RunTally
    attempts: dict[tuple[str, int], int] = field(default_factory=dict)
    ended: set[tuple[str, int]] = field(default_factory=set)
    begun: bool = False

    @property
    def facts(self) -> AgentFacts:
        """What the agent's kind states, as planned; now, for a plan of an older release."""
        return self.plan.facts or KINDS.find(self.plan.setup.agent).facts(self.plan.setup)

    @property
    def complete(self) -> bool:
        """Whether every slot has an end that speaks for it."""
        return len(self.ended) >= self.plan.planned


class Execution:
    """Holds the leases on one or more runs of a store and executes their slots. A context manager.

    ReachError where another process holds a run; what it finds of an earlier process that is gone becomes
    `interrupted` and runs again as the next attempt. Leaving without `finish` marks unfinished runs interrupted.
    `store` is for what is above the harness too, in the thread that made this object.
    """

    def __init__(self, path: Path, run_uids: Iterable[str]) -> None:
        self.store = Store(path, write=True)
        self._control = RunControl(self.store.path)
        self._runs: dict[str, LiveRun] = {}
        self._writer: Writer | None = None
        self._families: dict[str, InitialStates] = {}
        self._first = tuple(run_uids)
        self._closed = False

    def __enter__(self) -> Execution:
        try:
            for uid in self._first:
                self.add(uid)
            # A store that must come out the same holds its texts as they are: compressed bytes differ by library.
            fixed = any(run.plan.fixed_now_ms is not None for run in self._runs.values())
            self._writer = Writer(self.store.path, compress=not fixed)
            self._control.start([run.row.id for run in self._runs.values()])
        except BaseException:
            self._close("interrupted")
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self._close("interrupted")

    @property
    def runs(self) -> Sequence[LiveRun]:
        """The runs held, in the order in which they were added."""
        return tuple(self._runs.values())

    def add(self, run_uid: str) -> LiveRun:
        """Take a further run under lease and learn what is stored of it."""
        row = run_by_uid(self.store, run_uid)
        if row is None:
            raise UsageError(f"no run {run_uid!r} in {self.store.path}", hint="see `reach runs`")
        if not leases.claim(self.store, row.id, self._control.runner_uid, *self._control.process):
            raise ReachError(f"run {run_uid} is being executed by another process", hint="watch it with `reach runs`")
        control.recover(self.store, row.id, runner_uid=self._control.runner_uid)
        plan = RunPlan.of(run_queue.load_plan(self.store, run_uid))
        family = find_sandbox(str(plan.setup.sandbox["name"]))
        if family.digest != plan.setup.sandbox.get("digest"):
            raise ReachError(
                f"the sandbox {family.name} has changed since run {run_uid} was planned",
                hint="a run goes on only in the world it began in; start a new run",
            )
        now = code_of(plan.setup)
        changed = sorted(name for name, value in plan.code.items() if now.get(name) != value)
        if changed:
            raise ReachError(
                f"{' and '.join(changed)} changed since run {run_uid} was planned",
                hint="one run is not finished by other code than it was begun with; start a new one",
            )
        initial = self._families.setdefault(family.name, InitialStates(family))
        clock: Clock = WallClock() if plan.fixed_now_ms is None else FixedClock(plan.fixed_now_ms)
        tasks = {planned.task.key: planned.task for planned in plan.tasks}
        run = LiveRun(row, plan, tasks, initial, clock, RunTally(plan.setup.faults))
        self._learn(run)
        self._runs[run_uid] = run
        self._control.hold(row.id)
        return run

    def run(self, slots: Sequence[Slot] | None = None) -> WorkState:
        """Execute `slots` (all of all runs, interleaved, if None) that have not ended."""
        if slots is None:
            slots = interleaved([slots_of(uid, run.plan.tasks) for uid, run in self._runs.items()])
        todo = [slot for slot in slots if (slot.task_key, slot.repeat) not in self._runs[slot.run_uid].ended]
        for uid in dict.fromkeys(slot.run_uid for slot in todo):
            run = self._runs[uid]
            if not run.begun:
                control.set_run_status(self.store, run.row.id, "running", run.clock.now_ms())
                run.begun = True
        if todo:
            asyncio.run(self._run(todo))
        self._settle()
        return self._control.stop_asked or "done"

    def finish(self) -> None:
        """Give every held run its end: `ended` where all slots are, else `paused` or `cancelled` as was asked."""
        stop = self._control.stop_asked
        self._close("paused" if stop == "paused" else "cancelled")

    def end_early(self, run_uid: str) -> None:
        """End a run before all its slots are done, because nothing more is to be learned from it."""
        self._settle()
        run = self._runs.pop(run_uid)
        control.set_run_status(self.store, run.row.id, "ended", run.clock.now_ms())
        leases.release(self.store, self._control.runner_uid, run.row.id)

    def _settle(self) -> None:
        """Wait until everything given is stored, saying why it takes long; a cancel ends the waiting.

        What is not stored then goes to the side file as the writer closes, and is taken in by the next one.
        """
        assert self._writer is not None
        told = ""
        while not self._writer.flush(1.0):
            if self._writer.note and self._writer.note != told:
                told = self._writer.note
                print(f"reach: {told}", file=sys.stderr, flush=True)
            if self._control.stop_asked == "cancelled":
                return

    def _close(self, status: RunStatus) -> None:
        if self._closed:
            return
        self._closed = True
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        self._control.stop()
        for run in self._runs.values():
            if not run.complete:
                control.recover(self.store, run.row.id, runner_uid=self._control.runner_uid)
            control.set_run_status(self.store, run.row.id, "ended" if run.complete else status, run.clock.now_ms())
        leases.release(self.store, self._control.runner_uid)
        self._runs.clear()
        self.store.close()

    def _learn(self, run: LiveRun) -> None:
        for row in trials.trials_of(self.store, run.row.id):
            slot = (row.task.key, row.start.repeat)
            run.attempts[slot] = max(run.attempts.get(slot, 0), row.start.attempt)
            if row.end is None or row.grading.status in _UNFINISHED:
                continue
            run.tally.add(
                row.task.key,
                row.task.weight,
                row.start.repeat,
                row.grading.status,
                row.end.tokens,
                row.end.cost,
                row.grading.mode,
                attempt=row.start.attempt,
                depth=row.grading.depth,
                depth_of=row.grading.depth_of,
                final=row.final,
                faults=row.end.faults,
            )
            if row.final:
                run.ended.add(slot)

    async def _run(self, slots: Sequence[Slot]) -> None:
        contexts: dict[str, TrialContext] = {}
        async with AsyncExitStack() as opened:
            for uid in dict.fromkeys(slot.run_uid for slot in slots):
                run = self._runs[uid]
                agent = await opened.enter_async_context(open_agent(run.plan.setup, run.plan.connection))
                contexts[uid] = TrialContext.of(
                    run.plan.setup,
                    agent,
                    run.initial.family,
                    run.clock,
                    cost=run.facts.cost_per_trial,
                    briefed="reference" in KINDS.find(run.plan.setup.agent).needs,
                )
            waiting = iter(slots)
            many = min(len(slots), max(self._runs[slot.run_uid].plan.concurrency for slot in slots))
            workers = [asyncio.create_task(self._work(waiting, contexts)) for _ in range(many)]
            unwatch = self._control.watch(asyncio.get_running_loop(), lambda: [worker.cancel() for worker in workers])
            try:
                ends = await asyncio.gather(*workers, return_exceptions=True)
            finally:
                unwatch()
        for end in ends:
            if isinstance(end, BaseException) and not isinstance(end, asyncio.CancelledError):
                raise end

    async def _work(self, waiting: Iterator[Slot], contexts: dict[str, TrialContext]) -> None:
        for slot in waiting:
            # A trial of an in-process model never waits for anything; without this nobody else would be heard.
            await asyncio.sleep(0)
            if self._control.stop_asked:
                return
            await self._try_slot(slot, contexts[slot.run_uid])

    async def _try_slot(self, slot: Slot, context: TrialContext) -> None:
        run = self._runs[slot.run_uid]
        task, key = run.tasks[slot.task_key], (slot.task_key, slot.repeat)
        for left in reversed(range(run.plan.attempts)):
            attempt = run.attempts.get(key, 0) + 1
            run.attempts[key] = attempt
            try:
                outcome = await self._try_once(run, slot, task, attempt, context)
            except Exception as error:
                # A world that cannot be opened, say: this trial's trouble, not that of the others.
                self._begin(run, slot, task, attempt, None)
                outcome = broken(task, context.cost, run.clock, f"{type(error).__name__}: {error}")
            broke = outcome.grading.status == "infra_error"
            final = outcome.grading.status not in _UNFINISHED and not (broke and left)
            self._end(run, slot, task, attempt, outcome, final=final)
            if final or self._control.stop_asked:
                return

    async def _try_once(self, run: LiveRun, slot: Slot, task: Task, attempt: int, context: TrialContext) -> EndedTrial:
        assert self._writer is not None
        initial = run.initial.of(task)
        uid, seed = self._begin(run, slot, task, attempt, initial.state)
        return await run_trial(uid, task, seed, context, initial, self._writer)

    def _begin(
        self, run: LiveRun, slot: Slot, task: Task, attempt: int, state: Mapping[str, Any] | None
    ) -> tuple[str, str]:
        """Make the trial's row appear; its uid and seed. `state` is None where its world could not be opened."""
        assert self._writer is not None
        uid = trial_uid(run.row.uid, slot.task_key, slot.repeat, attempt)
        seed = trial_seed(run.plan.base_seed, slot.task_key, slot.repeat)
        kind: StateKind = "none" if state is None else "exact"
        at, task_id = run.clock.now_ms(), run.plan.task_ids[task.key]
        self._writer.start_trial(TrialStart(uid, run.row.id, task_id, slot.repeat, attempt, seed, kind, at), state)
        return uid, seed

    def _end(self, run: LiveRun, slot: Slot, task: Task, attempt: int, outcome: EndedTrial, *, final: bool) -> None:
        assert self._writer is not None
        grading, end = outcome.grading, outcome.end
        if grading.status not in _UNFINISHED:
            run.tally.add(
                task.key,
                task.weight,
                slot.repeat,
                grading.status,
                end.tokens,
                end.cost,
                grading.mode,
                attempt=attempt,
                depth=grading.depth,
                depth_of=grading.depth_of,
                final=final,
                faults=end.faults,
            )
        if final:
            run.ended.add((slot.task_key, slot.repeat))
        uid = trial_uid(run.row.uid, task.key, slot.repeat, attempt)
        self._writer.end_trial(uid, end, grading, run.tally.totals(), final=final)


def interleaved(sequences: Sequence[Sequence[Slot]]) -> tuple[Slot, ...]:
    """The slots of several runs, those of one (repeat, task) side by side: a drift in time then hits all arms alike."""
    places: dict[tuple[int, str], list[Slot]] = {}
    for sequence in sequences:
        for slot in sequence:
            places.setdefault((slot.repeat, slot.task_key), []).append(slot)
    in_order = sorted(places.items(), key=lambda item: item[0][0])
    return tuple(slot for _, slots in in_order for slot in slots)


def can_be_made(setup: Setup, connection: Mapping[str, Any]) -> None:
    """UsageError where the agent of a setup cannot be made: said before anything is queued for it."""
    KINDS.find(setup.agent).check(setup, connection)
