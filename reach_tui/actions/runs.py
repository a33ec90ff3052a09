"""Runs: started in a process of their own, resumed, stopped, waited for, executed here."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from reach_tui.agents.chat_kind import host_of
from reach_tui.agents.kind import AgentChoice, chosen
from reach_tui.core.config import trust
from reach_tui.core.errors import UsageError
from reach_tui.harness.execute import Execution
from reach_tui.harness.launch import launch_run, tidy
from reach_tui.harness.start import RunChoice, choice_of, create, plan_run
from reach_tui.harness.watch import ENDED, ask, make_ready, wait_for_run, was_cancelled
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import find_run
from reach_tui.store.store import Store
from reach_tui.suites.load import LoadedSuite, load_suite
from reach_tui.suites.select import select

StopVerb = Literal["cancel", "pause"]


@dataclass(frozen=True, slots=True)
class StartedRun:
    """A run whose process was launched, and the store that it writes to."""

    row: RunRow
    store: Path
    process: subprocess.Popen[bytes]


def load(suite: Path, agent: AgentChoice, *, trusted: bool) -> LoadedSuite:
    """A suite that may be run with this agent. UsageError where it names an endpoint that nobody has trusted."""
    loaded = load_suite(suite)
    kind, choice = chosen(agent, choice_of(loaded))
    leave = kind.leave(choice)
    # What a person said themselves needs no leave: the rest is the suite's word.
    if leave and not trusted and leave != kind.leave(agent):
        raise UsageError(
            f"this suite would have the agent {leave}, and suites are not trusted by themselves",
            where=str(suite),
            hint="say it yourself (--base-url …), or --trust",
        )
    return loaded


def start(path: Path, suite: LoadedSuite, agent: AgentChoice, choice: RunChoice, only: str | None = None) -> StartedRun:
    """Plan a run of a suite (of the tasks that `only` selects), store it and launch its process.

    A key that the agent's variable holds may be sent to its endpoint from now on. UsageError where it could not run.
    """
    if agent.key_env and agent.base_url:
        trust(host_of(agent.base_url), agent.key_env)
    tasks = suite.tasks if only is None else select(suite.tasks, only)
    plan = plan_run(suite, tasks, agent, choice)
    with Store(path, write=True) as store:
        target = store.path
    row = create(
        target,
        plan,
        name=choice.name or suite.name,
        suite_digest=suite.digest,
        suite_source=suite.source,
        choice=choice,
    )
    return StartedRun(row, target, launch_run(target, row.uid))


def resume(path: Path, reference: str) -> StartedRun:
    """Go on with a run. UsageError for an arm of an experiment, an imported run, and one that has ended."""
    with Store(path) as store:
        row, target = find_run(store, reference), store.path
    if row.experiment_uid is not None:
        raise UsageError(
            f"run {row.uid} is an arm of experiment {row.experiment_uid}",
            hint=f"go on with the whole experiment: reach branch --resume {row.experiment_uid}",
        )
    if row.origin == "import":
        raise UsageError(f"run {row.uid} was imported; there is nothing to go on with")
    if row.status == "ended":
        raise UsageError(f"run {row.uid} has ended; there is nothing left to run", hint=f"see reach show {row.uid}")
    make_ready(target, [row.uid])
    return StartedRun(row, target, launch_run(target, row.uid))


def wait(started: StartedRun, on_row: Callable[[RunRow], None]) -> RunRow:
    """Wait until a started run has ended. Errors as `wait_for_run` has them."""
    return wait_for_run(started.store, started.row.uid, started.process, on_row)


def came_to_its_end(row: RunRow) -> bool:
    """Whether a run that was waited for did what it was asked: it ended, or was paused."""
    return row.status in ("ended", "paused")


def stop(path: Path, reference: str, verb: StopVerb = "cancel") -> tuple[RunRow, bool]:
    """Ask a run (by any reference) to stop; its row, and whether there was anything left to ask."""
    with Store(path) as store:
        row = find_run(store, reference)
    if row.status in ENDED:
        return row, False
    return ask(path, row.uid, verb), True


def execute_here(path: Path, run_uid: str) -> None:
    """Execute a queued or unfinished run in this process, as the one that `start` launches does."""
    if was_cancelled(path, run_uid):
        return
    with Execution(path, [run_uid]) as execution:
        execution.run()
        execution.finish()
    tidy(path, run_uid)
