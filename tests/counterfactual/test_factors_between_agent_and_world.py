"""A fault taken away and another context strategy as the one factor: causes where they are, and never unseen."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reach_tui.agents.kind import AgentChoice
from reach_tui.core.context import strategy_of
from reach_tui.core.errors import UsageError
from reach_tui.core.experiment import ExperimentPlan, ExperimentResult
from reach_tui.core.records import from_json, to_json
from reach_tui.counterfactual.conduct import conduct
from reach_tui.counterfactual.edits import Context, Edit, FaultOff, Prompt
from reach_tui.counterfactual.plan import BranchRequest, plan_branch
from reach_tui.counterfactual.start import start_experiment
from reach_tui.harness.execute import Execution
from reach_tui.harness.start import RunChoice, create, plan_run
from reach_tui.present.verdict import factor_words
from reach_tui.store.store import Store
from reach_tui.suites.load import load_suite

SUITE = load_suite(Path(__file__).parents[2] / "suites" / "commerce-aftersales.yaml")
DOWN = {"down": {"tool": "get_order", "kind": "status"}, "idle": {"tool": "reship_lost_parcel", "kind": "timeout"}}

Branch = Callable[..., tuple[ExperimentPlan, ExperimentResult]]


@pytest.fixture
def branch(tmp_path: Path) -> Branch:
    """Run tasks whose ids begin so against a subject under these faults, then branch from it with these edits."""

    def go(
        model: str, begin: str, *edits: Edit, faults: dict[str, Any] | None = None, context: str = "full", **more: Any
    ) -> Any:
        path, choice = tmp_path / "runs.db", RunChoice(seed="s", name=model, repeat=1)
        suite = replace(SUITE, faults=faults or {}, context=strategy_of(context))
        tasks = [task for task in suite.tasks if task.key.startswith(begin)]
        plan = plan_run(suite, tasks, AgentChoice("simulated", model), choice)
        row = create(path, plan, name=model, suite_digest=suite.digest, suite_source="", choice=choice)
        with Execution(path, [row.uid]) as execution:
            execution.run()
            execution.finish()
        with Store(path) as store:
            branched = plan_branch(store, BranchRequest(row.uid, edits, seed="e", **more))
        return branched, conduct(path, start_experiment(path, branched))

    return go


def test_a_fault_taken_away_is_the_cause_of_what_it_broke(branch: Branch) -> None:
    plan, result = branch("careful-1", "RF-", FaultOff("down"), faults=DOWN, only="*", passing=0)
    assert factor_words(plan.factor) == "fault down taken away"
    assert result.verdict is not None
    assert result.verdict.word == "cause"
    assert result.manipulation is not None
    assert result.manipulation.status == "seen"
    again = from_json(ExperimentPlan, json.loads(json.dumps(to_json(plan))))
    assert again.factor == plan.factor


def test_a_summary_is_the_cause_for_an_agent_that_forgets(branch: Branch) -> None:
    plan, result = branch("forgetful-1", "TR-", Context("summary"), failing=True)
    assert factor_words(plan.factor) == "context full -> summary"
    assert result.verdict is not None
    assert result.verdict.word == "cause"


@pytest.mark.parametrize(
    ("edit", "faults", "code"),
    [(FaultOff("idle"), DOWN, "fault_never_fired"), (Context("window:400"), None, "context_never_cut")],
)
def test_a_change_that_nothing_could_see_is_no_experiment(
    branch: Branch, edit: Edit, faults: dict[str, Any] | None, code: str
) -> None:
    _, result = branch("careful-1", "CA-", edit, faults=faults, only="*", passing=0)
    assert result.manipulation is not None
    assert (result.manipulation.status, result.manipulation.reason and result.manipulation.reason.code) == (
        "failed",
        code,
    )
    assert result.verdict is not None
    assert result.verdict.word == "inconclusive"


def test_it_is_enough_that_one_arm_leaves_something_out(branch: Branch) -> None:
    more: dict[str, Any] = {"context": "window:1", "only": "*", "passing": 0, "repeat": 1}
    _, result = branch("careful-1", "RF-", Context("window:400"), **more)
    assert result.manipulation is not None
    assert result.manipulation.status == "seen"


def test_a_fault_that_the_chosen_tasks_cannot_see_is_refused_and_one_that_few_see_is_said(branch: Branch) -> None:
    elsewhere = {"down": {**DOWN["down"], "tasks": ["RF-*"]}, "idle": DOWN["idle"]}
    with pytest.raises(UsageError, match="none of the"):
        branch("careful-1", "CA-0", FaultOff("down"), faults=elsewhere, only="CA-*")
    plan, _ = branch("careful-1", "", FaultOff("down"), faults=elsewhere, only="RF-0* or CA-0*", passing=0, repeat=1)
    assert [reason.code for reason in plan.warnings if reason.code == "fault_elsewhere"]


def test_two_of_them_at_once_are_refused_with_both_named(branch: Branch) -> None:
    with pytest.raises(UsageError, match=r"/context.*/faults/down"):
        branch("careful-1", "CA-", FaultOff("down"), Context("summary"), faults=DOWN, only="*")


def test_an_unknown_fault_is_refused_with_those_there_are(branch: Branch) -> None:
    with pytest.raises(UsageError, match=r"no fault 'dwn'.*down, idle"):
        branch("careful-1", "CA-", FaultOff("dwn"), Prompt("x"), faults=DOWN, only="*")
