"""Watching an experiment from outside, through the store alone."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from reach_tui.core.experiment import ExperimentResult
from reach_tui.counterfactual.result import result_so_far
from reach_tui.harness.launch import tidy
from reach_tui.harness.watch import ENDED, asking, cancel, ended_early, until_gone, watching
from reach_tui.store.experiments import experiment, runs_of


def wait_for_experiment(
    path: Path,
    uid: str,
    process: subprocess.Popen[bytes],
    on_change: Callable[[int, int, ExperimentResult | None], None],
) -> ExperimentResult:
    """Wait until a launched experiment has ended; its result. `on_change` sees (trials done, planned, result so far).

    Ctrl-C or SIGTERM cancels it, a second one leaves. ReachError where its process ended before it did.
    """
    with watching(path) as store:
        row = experiment(store, uid)
        first = runs_of(store, row.id)[0].uid
        with asking(lambda: cancel(path, first, process)):
            seen = -1
            for _ in until_gone(process):
                arms = runs_of(store, row.id)
                done = sum(arm.totals.done for arm in arms)
                row = experiment(store, uid)
                if done != seen or process.returncode is not None:
                    seen = done
                    on_change(done, sum(arm.planned for arm in arms), row.result)
            cancelled = any(arm.status == "cancelled" for arm in arms)
            if (process.returncode != 0 and not cancelled) or any(arm.status not in ENDED for arm in arms):
                raise ended_early(path, uid, f"experiment {uid}", f"reach branch --resume {uid}")
            tidy(path, uid)
            return result_so_far(store, row)
