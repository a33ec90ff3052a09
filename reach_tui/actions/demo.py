"""The tour of `reach demo`: a run, a failing trial with its state, a branch that finds the cause, a sham that is none.

The same steps make the demo store, then with fixed seeds, uids and one fixed moment, so that it comes out the same.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from reach_tui.agents.kind import AgentChoice
from reach_tui.core.errors import ReachError
from reach_tui.core.experiment import ExperimentPlan, ExperimentResult
from reach_tui.core.ids import content_uid
from reach_tui.counterfactual.conduct import conduct
from reach_tui.counterfactual.edits import Edit, PartEdit, Prompt
from reach_tui.counterfactual.plan import BranchRequest, plan_branch
from reach_tui.counterfactual.start import start_experiment
from reach_tui.harness.execute import Execution
from reach_tui.harness.start import RunChoice, create, plan_run
from reach_tui.store.maintenance import compact, content_digest, mark_demo
from reach_tui.store.rows import RunRow
from reach_tui.store.runs import run_by_uid
from reach_tui.store.store import Store
from reach_tui.store.trials import trials_of
from reach_tui.suites.factors import FactorVariant, load_factors
from reach_tui.suites.load import LoadedSuite, load_suite

SUITE, FACTORS = "commerce-aftersales.yaml", "factors/commerce.yaml"
MOMENT_MS = 1_772_330_400_000
"""The moment of everything in the demo store: 2026-03-01T02:00:00Z, the hour of the suite's own world."""


def example_folder() -> Path:
    """Where the example suites are: beside the package in a checkout, inside it in an installed wheel."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package.parent / "suites", package / "_examples" / "suites"):
        if (folder / SUITE).is_file():
            return folder
    raise ReachError("the example suites are not installed", hint="run `reach demo` in a checkout")


def demo_store() -> Path | None:
    """The demo store that ships, if it is there."""
    path = example_folder().parent / "runs.db"
    return path if path.is_file() else None


class Tour:
    """Steps of the tour on one store. With `fixed`, everything in it is a function of the code and the suite."""

    def __init__(self, store: Path, *, fixed: bool = False) -> None:
        self.store = store
        self.fixed = fixed
        self.suite: LoadedSuite = load_suite(example_folder() / SUITE)
        variants = load_factors(example_folder() / FACTORS)
        self.factors: dict[str, FactorVariant] = {variant.name: variant for variant in variants}

    def run(self, model: str, repeat: int | None = None) -> RunRow:
        """Run the suite against a simulated agent."""
        uid = content_uid("r", "demo", model) if self.fixed else None
        choice = RunChoice(
            repeat=repeat,
            seed="demo" if self.fixed else None,
            uid=uid,
            now_ms=MOMENT_MS if self.fixed else None,
            concurrency=1 if self.fixed else 16,
            name=f"after-sales {model}",
        )
        plan = plan_run(self.suite, self.suite.tasks, AgentChoice(model=model), choice)
        row = create(
            self.store,
            plan,
            name=choice.name or self.suite.name,
            suite_digest=self.suite.digest,
            suite_source=self.suite.source,
            choice=choice,
        )
        with Execution(self.store, [row.uid]) as execution:
            execution.run()
            execution.finish()
        return self._row(row.uid)

    def variant(self, name: str) -> Edit:
        """The edit of a variant of the factor library."""
        variant = self.factors[name]
        return Prompt(str(variant.text)) if variant.kind == "prompt" else PartEdit(variant.part, variant.text)

    def plan(self, run: RunRow, variant: str, **more: Any) -> ExperimentPlan:
        """The plan of a branch of a run with one variant."""
        with Store(self.store) as store:
            seed = f"demo {variant}" if self.fixed else None
            return plan_branch(
                store, BranchRequest(parent=run.uid, edits=[self.variant(variant)], failing=True, seed=seed, **more)
            )

    def branch(self, plan: ExperimentPlan, variant: str) -> tuple[str, ExperimentResult]:
        """Conduct a plan to its end: the experiment's uid and its result."""
        uid = content_uid("x", "demo", plan.parent_uid, variant) if self.fixed else None
        experiment = start_experiment(self.store, plan, uid=uid, now_ms=MOMENT_MS if self.fixed else None)
        return experiment, conduct(self.store, experiment)

    def telling_trial(self, run: RunRow) -> int | None:
        """The id of a failing trial that claims what it did not do, on a task that changes state; None without any."""
        with Store(self.store) as store:
            rows = [
                row for row in trials_of(store, run.id) if row.final and row.grading.status in ("failed", "partial")
            ]
        rows.sort(
            key=lambda row: (
                row.task.kind != "action",
                not (row.grading.mode or "").startswith("hallucination"),
                row.id,
            )
        )
        return rows[0].id if rows else None

    def _row(self, uid: str) -> RunRow:
        with Store(self.store) as store:
            row = run_by_uid(store, uid)
        assert row is not None
        return row


def build_demo_store(target: Path) -> str:
    """Make the demo store at `target` anew, in place of what was there once it is whole; the digest of its content."""
    with tempfile.TemporaryDirectory(dir=target.resolve().parent) as folder:
        draft = Path(folder) / "demo.db"
        tour = Tour(draft, fixed=True)
        tour.run("careful-1", repeat=1)
        tour.run("hasty-1")
        literal = tour.run("literal-1")
        for variant in ("track-better", "track-sham"):
            tour.branch(tour.plan(literal, variant, only="tag.tool=track_shipment"), variant)
        with Store(draft, write=True) as store:
            mark_demo(store, True)
        made = compact(draft, Path(folder) / "compact.db")
        # Of the draft: at `target`, a copy that an earlier demo store left beside it would be in use.
        digest = content_digest(made)
        os.replace(made, target)
    return digest
