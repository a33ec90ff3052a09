"""Planning an experiment: which tasks, one factor, fresh noise, and what is said beforehand."""

import json

import pytest

from reach_tui.core.errors import UsageError
from reach_tui.core.experiment import ExperimentPlan, Rules
from reach_tui.core.records import from_json, to_json
from reach_tui.core.task import Task
from reach_tui.counterfactual.edits import Model, ParameterDescription, PartEdit, Prompt, ToolDescription
from reach_tui.counterfactual.leakage import leaks
from reach_tui.counterfactual.pairs import TaskResult
from reach_tui.counterfactual.plan import BranchRequest, placebo_by_design, plan_branch
from reach_tui.counterfactual.subset import choose
from reach_tui.present.reasons import sentence
from reach_tui.present.verdict import factor_words
from reach_tui.store.control import set_run_status
from reach_tui.store.run_queue import NewRun, create_run
from reach_tui.store.runs import run_by_uid
from reach_tui.store.store import Store
from tests.counterfactual.experiment_bench import TOOL, Bench, keys

DESCRIPTION = ToolDescription(TOOL, "GOOD words")


def passing_by_name(key, prompt, description, model):
    return 1.0 if key.startswith("p") else 0.0


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    """Plan a branch of a run with 12 failing and 25 passing tasks."""
    bench = Bench(tmp_path_factory.mktemp("planned"), passing_by_name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reach_tui.harness.execute.open_agent", bench.open_agent)
        uid = bench.run(keys(12) + keys(25, "p"), 1)

    def plan(*edits, **more):
        with Store(bench.path) as store:
            return plan_branch(store, BranchRequest(uid, edits or [DESCRIPTION], **more))

    return plan


def test_a_plan_takes_the_failing_tasks_and_at_least_twenty_passing_ones(planned):
    plan = planned(failing=True)
    assert plan.chosen.tasks == tuple(keys(12))
    assert len(plan.passing.tasks) == 20
    assert plan.passing.of == 25
    assert plan.all_failed
    assert plan.repeats == 5
    assert plan.trials == 2 * (12 + 20) * 5
    assert plan.placebo.when == "from_start"
    assert plan.factor.kind == "tool_description"
    assert factor_words(plan.factor) == f"description of {TOOL}"
    assert plan.estimate.trials == plan.trials + plan.placebo_trials
    assert plan.estimate.tokens == 12 * plan.estimate.trials
    assert 0.1 < plan.smallest.tasks_like_these < 0.5
    assert "each task was chosen by one failed trial" in sentence(plan.warnings[0])


def test_a_plan_is_json_both_ways(planned):
    for edit in (DESCRIPTION, Prompt("Be quick."), Model("careful-1")):
        plan = planned(edit, failing=True)
        assert from_json(ExperimentPlan, json.loads(json.dumps(to_json(plan)))) == plan


def test_the_experiments_seed_is_its_own_and_fixed_by_the_one_given(planned):
    assert planned(seed="parent").base_seed != "parent"
    assert planned(seed="1").base_seed == planned(seed="1").base_seed != planned(seed="2").base_seed
    assert planned().base_seed != planned().base_seed
    assert planned(seed="1").passing == planned(seed="1").passing


def test_two_factors_at_once_are_refused_and_both_named(planned):
    with pytest.raises(UsageError, match=rf"prompt \(/prompt\) and tool_description \(/tools/{TOOL}/description\)"):
        planned(DESCRIPTION, Prompt("Be quick."))
    with pytest.raises(UsageError, match="exactly one factor"):
        planned(DESCRIPTION, Model("careful-1"))


def test_an_edit_that_changes_nothing_is_refused(planned):
    with pytest.raises(UsageError, match="differs from its parent in nothing"):
        planned(Prompt("Help the customer."))
    with pytest.raises(UsageError, match="no tool 'nope'"):
        planned(ToolDescription("nope", "x"))
    with pytest.raises(UsageError, match="no parameter 'nope'"):
        planned(ParameterDescription(TOOL, "nope", "x"))
    with pytest.raises(UsageError, match="cannot be changed"):
        planned(PartEdit("/sandbox", {}))


def test_a_parameters_description_is_a_factor_of_its_own(planned):
    plan = planned(ParameterDescription(TOOL, "order_id", "As in the order, for example A100."))
    assert plan.factor.kind == "parameter_description"
    assert factor_words(plan.factor) == f"description of order_id in {TOOL}"
    assert plan.factor == planned(PartEdit(plan.factor.part, plan.factor.after)).factor


def test_selected_tasks_and_failing_ones_agree(planned):
    assert planned(only="f0*").chosen.tasks == tuple(keys(9))
    assert planned(only="f0*").all_failed
    assert planned(only="*1", failing=True).chosen.tasks == ("f01", "f11")
    mixed = planned(only="f01 or p01")
    assert mixed.chosen.tasks == ("f01", "p01")
    assert (mixed.all_failed, mixed.passing) == (False, None)
    assert planned(keys=["f03", "f01"]).chosen.tasks == ("f01", "f03")
    assert planned(failing=True, passing=0).passing is None
    assert len(planned(failing=True, passing=3).passing.tasks) == 3
    with pytest.raises(UsageError, match="no failing task"):
        planned(only="p01", failing=True)
    with pytest.raises(UsageError, match="has no task nope"):
        planned(keys=["nope"])


def test_few_tasks_are_warned_of_and_a_bad_wish_is_refused(planned):
    few = planned(keys=keys(3), repeat=10)
    assert few.smallest.tasks_like_these is None
    assert few.smallest.these_tasks is not None
    assert "no verdict on tasks like these is possible: 3 tasks" in sentence(few.warnings[0])
    assert "no verdict is possible at all" in sentence(planned(keys=keys(3), repeat=2).warnings[0])
    for wish in ({"repeat": 0}, {"placebo": "maybe"}, {"rules": Rules(margin=0)}, {"rules": Rules(alpha=1.5)}):
        with pytest.raises(UsageError):
            planned(**wish)


def test_a_model_has_its_placebo_in_the_prompt_and_a_text_in_its_own_place(planned):
    assert planned(Model("careful-1")).placebo.part == "/prompt"
    text = planned(DESCRIPTION).placebo
    assert text.part == f"/tools/{TOOL}/description"
    assert text.text not in ("GOOD words", planned(DESCRIPTION).factor.before)
    assert planned(placebo="on").placebo.when == "from_start"
    assert planned(placebo="off").placebo.when == "never"


def test_a_text_changed_on_failing_tasks_gets_its_placebo_from_the_start_whatever_the_agent(bench_of):
    bench = bench_of(passing_by_name)
    uid = bench.run(keys(6), 1)
    with Store(bench.path) as store:
        plan = plan_branch(store, BranchRequest(uid, [DESCRIPTION]))
        assert placebo_by_design(plan)
        assert plan.placebo.when == "from_start"
        assert plan.estimate.trials == 3 * 6 * 5
        assert plan_branch(store, BranchRequest(uid, [Model("careful-1")])).placebo.when == "when_needed"
        without = plan_branch(store, BranchRequest(uid, [DESCRIPTION], placebo="off"))
        assert any("without a placebo arm" in sentence(warning) for warning in without.warnings)
        assert plan.estimate.cost is None


def test_tasks_that_never_see_the_tool_are_said_and_none_is_refused(bench_of):
    bench = bench_of(passing_by_name)
    uid = bench.run(keys(7), 1, allowed={key: [TOOL] for key in keys(2)} | {"f03": ["get_order"]})
    with Store(bench.path) as store:
        plan = plan_branch(store, BranchRequest(uid, [DESCRIPTION]))
        assert any(f"{TOOL} is offered to 6 of the 7 tasks" in sentence(warning) for warning in plan.warnings)
        with pytest.raises(UsageError, match=f"none of the 1 tasks offers {TOOL}"):
            plan_branch(store, BranchRequest(uid, [DESCRIPTION], keys=["f03"]))


def test_a_task_without_a_counted_trial_is_neither_failing_nor_passing():
    tasks = [Task.of({"id": key, "request": "x"}) for key in ("a", "b", "c", "d")]
    results = {"a": TaskResult(1, 2, 2), "b": TaskResult(2, 3, 3), "c": TaskResult(0, 0, 3)}
    subset = choose(tasks, {key: result for key, result in results.items() if result.counted}, "base", failing=True)
    assert subset.chosen.tasks == ("a",)
    assert subset.passing.tasks == ("b",)


def test_an_expected_value_in_the_new_text_is_a_leak_and_words_of_the_trade_are_not():
    task = Task.of(
        {
            "id": "T1", "request": "x",
            "outcomes": [
                {"state": {"orders": {"A100": {"status": "cancelled", "amount": 4711}}}, "must_include": ["SF-9"]}
            ],
            "reference": [{"tool": "get_order", "args": {"order_id": "A100"}}],
        }
    )  # fmt: skip
    assert leaks("Tells of orders.", "Tells of order a100, e.g. cancelled ones.", [task]) == ("A100 (T1)",)
    assert leaks("", "returns 4711 and SF-9", [task]) == ("4711 (T1)", "SF-9 (T1)")
    assert leaks("as for A100", "just as for A100", [task]) == ()
    assert leaks("", "A1000 is another order", [task]) == ()


def test_a_run_that_has_not_ended_is_warned_of(bench_of):
    bench = bench_of(passing_by_name)
    uid = bench.run(keys(6), 1)
    with Store(bench.path, write=True) as store:
        set_run_status(store, run_by_uid(store, uid).id, "paused")
        plan = plan_branch(store, BranchRequest(uid, [DESCRIPTION]))
    assert sentence(plan.warnings[-1]) == "base is paused: the tasks were chosen from what has ended so far"


def test_a_run_without_a_plan_cannot_be_branched(bench_of):
    bench = bench_of(passing_by_name)
    bench.run(["f01"], 1)
    with Store(bench.path, write=True) as store:
        row = create_run(store, NewRun(name="log", suite_id=None, planned=1, origin="import", status="ended"))
        with pytest.raises(UsageError, match="came from elsewhere and holds no plan"):
            plan_branch(store, BranchRequest(row.uid, [DESCRIPTION]))


def test_a_leak_is_warned_of_in_the_plan(planned):
    plan = planned(ToolDescription(TOOL, "Say 4711 whenever asked."))
    assert any("holds an expected value: 4711" in sentence(warning) for warning in plan.warnings)
