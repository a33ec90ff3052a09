"""From a suite file and a few choices to a run that is queued in a store."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reach_tui.agents.kind import KINDS, AgentChoice, chosen
from reach_tui.core.condition import Setup
from reach_tui.core.errors import UsageError
from reach_tui.core.faults import Fault, overlapping
from reach_tui.core.records import from_json
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


def choice_of(suite: LoadedSuite) -> AgentChoice:
    """What a suite says of its own agent."""
    said = suite.agent
    return AgentChoice(
        kind=said.get("kind"),
        model=said.get("model"),
        base_url=said.get("base_url"),
        sampling=said.get("sampling") or {},
        options=said.get("options") or {},
    )


def setup_for(suite: LoadedSuite, agent: AgentChoice, prompt: str | None = None) -> Setup:
    """The setup of a run of a suite. UsageError for an agent that cannot be made or a sandbox that is not there."""
    if suite.sandbox is None:
        raise UsageError(
            "this suite names no sandbox, so there is no world to run it in",
            where=str(suite.path),
            hint="add `sandbox: commerce`, or another that is installed",
        )
    family = find_sandbox(suite.sandbox)
    kind, choice = chosen(agent, choice_of(suite))
    setup = Setup(
        agent=kind.name,
        model=kind.model(choice),
        prompt=suite.prompt if prompt is None else prompt,
        tools=tuple(spec.view for spec in family.specs()),
        sampling=choice.sampling,
        sandbox={"name": family.name, "digest": family.digest},
    )
    for name, texts in suite.tools.items():
        if "description" in texts:
            setup = setup.with_tool_description(name, texts["description"])
        for parameter, text in (texts.get("parameters") or {}).items():
            setup = setup.with_parameter_description(name, parameter, text)
    if suite.context and "context" in kind.facts(setup).evidence:
        # Agents that send no conversation of ours prove a suite all the same.
        setup = replace(setup, context=suite.context)
    setup = replace(setup, faults=suite.faults, stubs=suite.stubs)
    kind.check(setup, {})
    return setup


def check_tasks(tasks: Sequence[Task], setup: Setup) -> None:
    """UsageError naming every task that allows a tool, or starts from a state, that its world does not have."""
    known = {tool.name for tool in setup.tools}
    family = find_sandbox(str(setup.sandbox["name"]))
    if any(task.limits.cost is not None for task in tasks):
        raise UsageError("limits.cost cannot be kept: no prices are known yet", hint="limit tokens or steps instead")
    problems = list(KINDS.find(setup.agent).problems(setup, tasks))
    problems += [
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


def check_faults(suite: LoadedSuite, setup: Setup) -> None:
    """UsageError naming every fault or stub of a suite that could befall nothing, or of two the same call."""
    known = {tool.name for tool in setup.tools}
    faults = {name: from_json(Fault, body) for name, body in setup.faults.items()}
    keys = [task.key for task in suite.tasks]
    problems = [
        f"fault {name} befalls an unknown tool, {fault.tool}"
        for name, fault in faults.items()
        if fault.tool not in known
    ]
    problems += [f"stubs answer for an unknown tool, {tool}" for tool in setup.stubs if tool not in known]
    problems += [
        f"fault {name} concerns no task: none is called {' or '.join(fault.tasks)}"
        for name, fault in faults.items()
        if not any(map(fault.concerns, keys))
    ]
    if problems:
        raise UsageError(
            "; ".join(problems), where=str(suite.path), hint=f"tools: {', '.join(sorted(known))}; tasks: {keys[0]}, …"
        )
    both = overlapping(faults, keys)
    if both:
        raise UsageError(
            f"faults {both[0]} and {both[1]} could befall the same call",
            where=str(suite.path),
            hint="give them other `calls` or other `tasks`",
        )


def plan_run(suite: LoadedSuite, tasks: Sequence[Task], agent: AgentChoice, choice: RunChoice) -> RunPlan:
    """The plan of a run. UsageError where it could not run: unknown tools, bad initial state, no task left."""
    if not tasks:
        raise UsageError("no task is left to run", where=str(suite.path), hint="loosen --only")
    if choice.repeat is not None and not 1 <= choice.repeat <= 1000:
        raise UsageError(f"{choice.repeat} repeats cannot be run", hint="give a number from 1 to 1000")
    setup = setup_for(suite, agent, choice.prompt)
    connection = {"key_env": agent.key_env} if agent.key_env else {}
    kind = KINDS.find(setup.agent)
    kind.check(setup, connection)
    check_tasks(tasks, setup)
    check_faults(suite, setup)
    planned = tuple(PlannedTask(task, choice.repeat or task.repeat) for task in tasks)
    return RunPlan(
        suite=suite.name,
        setup=setup,
        tasks=planned,
        base_seed=choice.seed or os.urandom(8).hex(),
        concurrency=min(choice.concurrency, kind.most_at_once or choice.concurrency),
        connection=connection,
        fixed_now_ms=choice.now_ms,
        code=code_of(setup),
        facts=kind.facts(setup),
    )


def create(
    path: Path,
    plan: RunPlan,
    *,
    name: str,
    suite_digest: bytes,
    suite_source: str | None,
    choice: RunChoice | None = None,
    **more: Any,
) -> RunRow:
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
                name=name,
                suite_id=suite_id,
                planned=plan.planned,
                plan=whole.as_json(),
                setup=plan.setup,
                facts=plan.facts,
                base_seed=plan.base_seed,
                origin=choice.origin,
                exec={"concurrency": plan.concurrency},
                tasks=len(plan.tasks),
                repeats=max((planned.repeats for planned in plan.tasks), default=0),
                uid=choice.uid,
                created_at=choice.now_ms,
                code=str(plan.setup.sandbox.get("digest") or ""),
                **more,
            ),
        )
