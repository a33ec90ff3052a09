"""Experiments: planned, started in a process of their own, resumed, waited for, conducted here."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reach_tui.agents.chat_kind import host_of
from reach_tui.core.config import trust
from reach_tui.core.errors import UsageError
from reach_tui.core.experiment import ExperimentPlan, ExperimentResult
from reach_tui.counterfactual.conduct import conduct
from reach_tui.counterfactual.plan import BranchRequest, plan_branch, plan_of
from reach_tui.counterfactual.start import start_experiment
from reach_tui.counterfactual.watch import wait_for_experiment
from reach_tui.harness.launch import launch_experiment, tidy
from reach_tui.harness.watch import make_ready
from reach_tui.store.experiments import experiment, runs_of
from reach_tui.store.runs import find_run
from reach_tui.store.store import Store

OnChange = Callable[[int, int, ExperimentResult | None], None]
"""Told (trials done, planned, result so far)."""


@dataclass(frozen=True, slots=True)
class StartedExperiment:
    """An experiment whose process was launched, the store that it writes to, and what a status line should say."""

    uid: str
    store: Path
    note: str
    process: subprocess.Popen[bytes]


def plan(path: Path, request: BranchRequest, key_env: str | None = None) -> ExperimentPlan:
    """The plan of a branch; nothing is written but, with `key_env`, that the run's endpoint may be sent that key.

    UsageError as `plan_branch` raises it.
    """
    with Store(path) as store:
        if key_env:
            base_url = plan_of(store, find_run(store, request.parent)).setup.model.get("base_url")
            if base_url:
                trust(host_of(str(base_url)), key_env)
        return plan_branch(store, request)


def start(path: Path, plan: ExperimentPlan) -> StartedExperiment:
    """Store this very plan and launch its process."""
    with Store(path, write=True) as store:
        target, note = store.path, store.note
    uid = start_experiment(target, plan)
    return StartedExperiment(uid, target, note, launch_experiment(target, uid))


def resume(path: Path, uid: str) -> StartedExperiment:
    """Go on with an experiment that was interrupted, paused or cancelled. UsageError for one that has ended."""
    with Store(path) as store:
        row = experiment(store, uid)
        arms = runs_of(store, row.id)
        target, note = store.path, store.note
    if row.result is not None and row.result.status == "ended":
        raise UsageError(f"experiment {uid} has ended", hint=f"see reach show {uid}")
    make_ready(target, [arm.uid for arm in arms if arm.status != "ended"])
    return StartedExperiment(row.uid, target, note, launch_experiment(target, row.uid))


def wait(started: StartedExperiment, on_change: OnChange) -> tuple[ExperimentPlan, ExperimentResult]:
    """Wait until a started experiment has ended: its plan and its result. Errors as `wait_for_experiment` has them."""
    result = wait_for_experiment(started.store, started.uid, started.process, on_change)
    with Store(started.store) as store:
        return experiment(store, started.uid).plan, result


def conduct_here(path: Path, uid: str) -> ExperimentResult:
    """Conduct an experiment in this process, as the one that `start` launches does."""
    result = conduct(path, uid)
    tidy(path, uid)
    return result
