"""One trial from start to grading: a fresh world, a fresh session, the agent, the end, the verdict."""

from __future__ import annotations

import asyncio
import copy
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reach_tui.core.brief import brief_of
from reach_tui.core.changes import StateDigest
from reach_tui.core.condition import Setup, tools_for
from reach_tui.core.grading import Grading
from reach_tui.core.ids import content_uid
from reach_tui.core.protocols import Agent, AgentSideError, SandboxFamily, StopTrial, ToolPort
from reach_tui.core.task import Limits, Task
from reach_tui.core.tools import ToolSpec
from reach_tui.core.trajectory import EndReason, Trajectory
from reach_tui.core.trial import TrialEnd
from reach_tui.grading import grade, grader_version
from reach_tui.harness.clock import Clock
from reach_tui.harness.session import Sink, TrialSession
from reach_tui.harness.user import ScriptedUser
from reach_tui.sandbox.faults import Interposed


@dataclass(frozen=True, slots=True)
class TrialContext:
    """What the trials of a run share. Nothing in it changes while they run."""

    setup: Setup
    agent: Agent
    family: SandboxFamily
    specs: Mapping[str, ToolSpec]
    clock: Clock
    cost: float | None = None
    """What a trial costs in USD, where that is known beforehand."""
    briefed: bool = False
    """Whether the agent is handed the tasks' reference."""

    @classmethod
    def of(
        cls,
        setup: Setup,
        agent: Agent,
        family: SandboxFamily,
        clock: Clock,
        *,
        cost: float | None = None,
        briefed: bool = False,
    ) -> TrialContext:
        """A context with the family's tools by name."""
        return cls(setup, agent, family, {spec.name: spec for spec in family.specs()}, clock, cost, briefed)


@dataclass(frozen=True, slots=True)
class EndedTrial:
    """A trial that ended, graded."""

    end: TrialEnd
    trajectory: Trajectory
    grading: Grading


def trial_uid(run_uid: str, task_key: str, repeat: int, attempt: int) -> str:
    """The uid of a trial: a function of its slot, so that a resumed or repeated write names the same one."""
    return content_uid("t", run_uid, task_key, str(repeat), str(attempt))


def limits_of(task: Task, setup: Setup) -> Limits:
    """The task's limits with the setup's own over them."""
    return Limits.of({**task.limits.as_json(), **setup.limits})


def prompt_for(setup: Setup, now: str | None) -> str:
    """The system prompt with the world's time, which the agent is told once."""
    if now is None:
        return setup.prompt
    return f"{setup.prompt}\n\nThe time is {now}.".lstrip()


def open_world(family: SandboxFamily, task: Task) -> ToolPort:
    """A fresh world for a task. Its ids are a function of the task alone, so that all repeats and arms share them."""
    return family.open(task.initial_state, task.now, task.key)


@dataclass(frozen=True, slots=True)
class InitialState:
    """A task's world before anything is called: the whole state, not to be changed, and its digest, to be copied."""

    state: Mapping[str, Any]
    digest: StateDigest


class InitialStates:
    """The initial state of each task's world, copied once: a world is a function of its task, trials share it."""

    def __init__(self, family: SandboxFamily) -> None:
        self.family = family
        self._known: dict[bytes, InitialState] = {}

    def of(self, task: Task) -> InitialState:
        """The state (and its digest) of a task's world before anything is called."""
        key = task.stimulus
        if key not in self._known:
            state = copy.deepcopy(dict(open_world(self.family, task).state))
            self._known[key] = InitialState(state, StateDigest(state))
        return self._known[key]


async def run_trial(
    uid: str, task: Task, seed: str, context: TrialContext, initial: InitialState, sink: Sink
) -> EndedTrial:
    """Run one trial in a world of its own to its end, whatever that is, and grade it. `initial` is that world's.

    Never raises for what agent, tools or endpoint do. A cancelled trial is graded as cancelled and returned.
    """
    setup, clock = context.setup, context.clock
    limits = limits_of(task, setup)
    views = tools_for(setup, task.allowed_tools)
    world = open_world(context.family, task)
    session = TrialSession(
        trial_uid=uid,
        request=task.request,
        prompt=prompt_for(setup, task.now),
        tools=views,
        seed=seed,
        port=world,
        digest=initial.digest.copy(),
        specs=context.specs,
        limits=limits,
        user=ScriptedUser(task.turns),
        sink=sink,
        clock=clock,
        blocking=bool(getattr(context.family, "blocking", False)),
        brief=brief_of(task, context.specs) if context.briefed else None,
        context=setup.context,
        interposed=Interposed(setup.faults, setup.stubs, task.key, seed) if setup.faults or setup.stubs else None,
    )
    reason, detail = await _drive(session, context.agent, limits)
    trajectory = Trajectory(initial.state, tuple(session.steps), reason, detail, tuple(view.name for view in views))
    grading = graded(task, trajectory, context.specs)
    end = TrialEnd(
        ended_at=clock.now_ms(),
        end_reason=reason,
        end_text=detail,
        steps=len(session.steps),
        turns=session.turn,
        calls=session.calls,
        tokens_in=session.tokens_in,
        tokens_out=session.tokens_out,
        cost=context.cost,
        model_ms=session.model_ms,
        wall_ms=session.wall_ms,
        failed_requests=session.failed_requests,
        final_digest=session.state_digest,
        faults=session.faults,
    )
    return EndedTrial(end, trajectory, grading)


async def _drive(session: TrialSession, agent: Agent, limits: Limits) -> tuple[EndReason, str]:
    """(end reason, detail) of running the agent on the session."""
    try:
        async with asyncio.timeout(limits.task_seconds):
            await agent.run(session)
    except StopTrial as stop:
        if stop.reason == "infra_error":
            session.fail(stop.detail, stop.reason)
        return stop.reason, stop.detail
    except AgentSideError as error:
        session.fail(str(error), "infra_error")
        return "infra_error", str(error)
    except TimeoutError:
        if session.endpoint_trouble:
            why = f"still failing at the time limit of {limits.task_seconds:g} s: {session.endpoint_trouble}"
            session.fail(why, "infra_error")
            return "infra_error", why
        return "time_limit", f"more than {limits.task_seconds:g} s"
    except asyncio.CancelledError:
        # The one who cancelled waits for this trial to be written; the cancellation ends here.
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        return "cancelled", "cancelled while running"
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        session.fail(f"{type(error).__name__}: {error}", "infra_error")
        return "infra_error", f"the harness or the agent's loop broke: {type(error).__name__}: {error}"
    return "answered", ""


def graded(task: Task, trajectory: Trajectory, specs: Mapping[str, ToolSpec]) -> Grading:
    """The grading of a trajectory; a grader that breaks makes a `grader_error`, which is not counted."""
    try:
        return grade(task, trajectory, specs)
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        why = f"the grader broke: {type(error).__name__}: {error}"
        return Grading(grader_version(), task.oracle, "grader_error", why, owner="grader")


def broken(task: Task, cost: float | None, clock: Clock, why: str) -> EndedTrial:
    """The outcome of a trial that could not even begin."""
    traceback.print_exc(file=sys.stderr)
    grading = Grading(
        grader_version(), task.oracle, "infra_error", f"the trial could not begin: {why}", owner="infrastructure"
    )
    end = TrialEnd(
        ended_at=clock.now_ms(),
        end_reason="infra_error",
        end_text=why,
        steps=0,
        turns=0,
        calls=0,
        tokens_in=None,
        tokens_out=None,
        cost=cost,
        model_ms=0,
        wall_ms=None,
        failed_requests=0,
        final_digest=b"",
    )
    return EndedTrial(end, Trajectory(None, (), "infra_error", why), grading)
