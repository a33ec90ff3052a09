"""From a suite file and a few choices to a run that is queued in a store."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reach_tui.agents.make import make_agent
from reach_tui.core.condition import Setup
from reach_tui.core.errors import UsageError
from reach_tui.core.run import RunOrigin
from reach_tui.core.task import Task
from reach_tui.harness.code import code_of
from reach_tui.harness.plan import CONCURRENCY, PlannedTask, RunPlan, refuse_secrets
from reach_tui.sandbox.registry import find_sandbox
from reach_tui.store import run_queue
from reach_tui.store.rows import RunRow
from reach_tui.store.store import Store
from reach_tui.suites.load import LoadedSuite


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """What the command line or the form says of the agent; None leaves it to the suite.

    `key_env` names the environment variable with the key; the key itself goes nowhere.
    """

    kind: str | None = None
    model: str | None = None
    base_url: str | None = None
    key_env: str | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunChoice:
    """What else a run may be told. `repeat` None: as the tasks say. `uid` and `now_ms` fix what is else fresh."""

    name: str | None = None
    repeat: int | None = None
    concurrency: int = CONCURRENCY
    seed: str | None = None
    prompt: str | None = None
    uid: str | None = None
    now_ms: int | None = None
    origin: RunOrigin = "run"


def setup_for(suite: LoadedSuite, agent: AgentChoice, prompt: str | None = None) -> Setup:
    """The setup of a run of a suite. UsageError for an agent that cannot be made or a sandbox that is not there."""
    if suite.sandbox is None:
        raise UsageError(
            "this suite names no sandbox, so there is no world to run it in",
            where=str(suite.path),
            hint="add `sandbox: commerce`, or another that is installed",
        )
    family = find_sandbox(suite.sandbox)
    kind = agent.kind or ("chat" if agent.base_url else None) or suite.agent.get("kind") or "simulated"
    model = agent.model or suite.agent.get("model") or "hasty-1"
    provider: dict[str, Any] = {"provider": "simulated" if kind == "simulated" else "openai-compatible", "id": model}
    if kind == "chat":
        provider["base_url"] = agent.base_url or suite.agent.get("base_url")
    # What a suite says of its own agent belongs to that agent alone: another kind or model has options of its own.
    own = kind == suite.agent.get("kind") and model == suite.agent.get("model")
    if own and suite.agent.get("options"):
        provider["options"] = dict(suite.agent["options"])
    setup = Setup(
        agent=kind,
        model=provider,
        prompt=suite.prompt if prompt is None else prompt,
        tools=tuple(spec.view for spec in family.specs()),
        sampling={**((suite.agent.get("sampling") or {}) if own else {}), **agent.sampling},
        sandbox={"name": family.name, "digest": family.digest},
    )
    make_agent(setup, {})
    return setup


def check_tasks(tasks: Sequence[Task], setup: Setup) -> None:
    """UsageError naming every task that allows a tool, or starts from a state, that its world does not have."""
    known = {tool.name for tool in setup.tools}
    family = find_sandbox(str(setup.sandbox["name"]))
    if any(task.limits.cost is not None for task in tasks):
        raise UsageError("limits.cost cannot be kept: no prices are known yet", hint="limit tokens or steps instead")
    problems = [
        f"task {task.key} allows unknown tools: {', '.join(sorted(set(task.allowed_tools) - known))}"
        for task in tasks
        if task.allowed_tools is not None and set(task.allowed_tools) - known
    ]
    check = getattr(family, "check", None)
    if check is not None:
        for task in tasks:
            problems += [f"task {task.key}: {problem}" for problem in check(task.initial_state, task.now)]
    if problems:
        raise UsageError(
            "; ".join(problems), hint=f"the sandbox is {family.name}; its tools: {', '.join(sorted(known))}"
        )


def plan_run(suite: LoadedSuite, tasks: Sequence[Task], agent: AgentChoice, choice: RunChoice) -> RunPlan:
    """The plan of a run. UsageError where it could not run: unknown tools, bad initial state, no task left."""
    if not tasks:
        raise UsageError("no task is left to run", where=str(suite.path), hint="loosen --only")
    if choice.repeat is not None and not 1 <= choice.repeat <= 1000:
        raise UsageError(f"{choice.repeat} repeats cannot be run", hint="give a number from 1 to 1000")
    setup = setup_for(suite, agent, choice.prompt)
    connection = {"key_env": agent.key_env} if agent.key_env else {}
    make_agent(setup, connection)
    check_tasks(tasks, setup)
    planned = tuple(PlannedTask(task, choice.repeat or task.repeat) for task in tasks)
    return RunPlan(
        suite=suite.name,
        setup=setup,
        tasks=planned,
        base_seed=choice.seed or os.urandom(8).hex(),
        concurrency=choice.concurrency,
        connection=connection,
        fixed_now_ms=choice.now_ms,
        code=code_of(setup),
    )


def create(
    path: Path, plan: RunPlan, *, name: str, suite_digest: bytes, suite_source: str | None,
    choice: RunChoice | None = None, **more: Any,
) -> RunRow:  # fmt: skip
    """Write a plan into a store as a queued run; `more` goes to `NewRun` (parent, experiment, arm, factor)."""
    choice = choice or RunChoice()
    refuse_secrets(plan)
    with Store(path, write=True) as store:
        tasks = [planned.task for planned in plan.tasks]
        suite_id, task_ids = run_queue.add_suite(store, plan.suite, suite_digest, suite_source, tasks)
        whole = replace(plan, task_ids=task_ids)
        return run_queue.create_run(
            store,
            run_queue.NewRun(
                name=name, suite_id=suite_id, planned=plan.planned, plan=whole.as_json(), setup=plan.setup,
                base_seed=plan.base_seed, origin=choice.origin, exec={"concurrency": plan.concurrency},
                tasks=len(plan.tasks), repeats=max((planned.repeats for planned in plan.tasks), default=0),
                uid=choice.uid, created_at=choice.now_ms, code=str(plan.setup.sandbox.get("digest") or ""), **more,
            ),
        )  # fmt: skip
