"""Experiments from plan to verdict, over the real harness and store, with an agent whose chances are known."""

import pytest

from reach_tui.core.draws import draw, trial_seed
from reach_tui.core.errors import ReachError
from reach_tui.counterfactual.conduct import conduct
from reach_tui.counterfactual.edits import Model, Prompt, ToolDescription
from reach_tui.counterfactual.evidence import manipulation_check
from reach_tui.counterfactual.plan import BranchRequest, plan_branch
from reach_tui.counterfactual.result import result_so_far
from reach_tui.counterfactual.start import start_experiment
from reach_tui.harness.execute import Execution
from reach_tui.present.experiment_text import experiment_json
from reach_tui.present.reasons import sentence
from reach_tui.store.experiments import experiment, runs_of
from reach_tui.store.runs import branches_of, run_by_uid
from reach_tui.store.store import Store
from reach_tui.store.trials import trials_of
from tests.counterfactual.experiment_bench import TOOL, keys

GOOD = ToolDescription(TOOL, "GOOD words about parcels")
SHAM = ToolDescription(TOOL, "Other words about parcels")


def repaired_by_good_words(key, prompt, description, model):
    if key.startswith("p"):
        return 0.95
    return 0.95 if "GOOD" in description else 0.0


def started(bench, uid, *edits, **more):
    # Without a seed an experiment draws a fresh one, and what is likely would now and then not come out.
    more.setdefault("seed", "1")
    with Store(bench.path) as store:
        plan = plan_branch(store, BranchRequest(uid, edits, **more))
    return start_experiment(bench.path, plan)


def conducted(bench, experiment_uid, on_analysis=None):
    """The experiment's JSON at its end, as `reach branch --json` prints it."""
    result = conduct(bench.path, experiment_uid, on_analysis)
    with Store(bench.path) as store:
        return experiment_json(experiment_uid, experiment(store, experiment_uid).plan, result)


def branched(bench, uid, *edits, **more):
    return conducted(bench, started(bench, uid, *edits, **more))


def words(result):
    return [(verdict["word"], verdict["scope"]) for verdict in result["verdicts"]]


def test_a_repair_is_a_cause_once_a_placebo_bears_it_out(bench_of):
    bench = bench_of(repaired_by_good_words)
    uid = bench.run(keys(12) + keys(21, "p"), 1)
    result = branched(bench, uid, GOOD, failing=True, seed="1")
    assert (result["verdict"], result["scope"]) == ("cause", "tasks_like_these")
    assert set(result["arms"]) == {"control", "branch", "placebo"}
    assert result["arms"]["control"]["passed"] == 0
    assert len(result["flips"]["fixed"]) >= 8
    assert result["flips"]["broken"] == []
    assert result["effect"]["low"] > 0.3
    assert result["effect"]["p"] < 0.05
    assert result["stop"] == "effect"
    assert result["placebo"]["needed"]
    assert result["placebo"]["ran"]
    assert result["manipulation_check"]["status"] == "seen"
    assert result["passing"]["tasks"] == 20
    assert result["suite_gain"]["low"] < result["suite_gain"]["estimate"] < result["effect"]["estimate"]
    metrics = {row["name"]: row for row in result["metrics"]}
    assert metrics["pass rate"]["change"] == result["effect"]["estimate"]
    assert [name for name, row in metrics.items() if row["p"] is not None] == ["pass rate"]
    assert metrics["tokens"]["control"] == 12
    assert metrics["milestones reached"]["tasks"] == 0
    assert result["cost_per_pass"]["branch"]["tokens_per_pass"] >= 12
    assert "Verdict: cause on tasks like these" in result["sentence"]
    assert result["next"].startswith(("Keep the change", "Look at what it broke"))


def test_the_arms_are_runs_of_the_store_nested_under_their_parent_with_the_experiments_own_noise(bench_of):
    bench = bench_of(repaired_by_good_words)
    uid = bench.run(keys(8), 3, seed="parent")
    result = branched(bench, uid, GOOD, seed="parent")
    with Store(bench.path) as store:
        row = experiment(store, result["experiment"])
        parent = run_by_uid(store, uid)
        arms = {run.arm: run for run in runs_of(store, row.id)}
        assert {run.id for run in branches_of(store, parent.id)} == {run.id for run in arms.values()}
        assert {run.status for run in arms.values()} == {"ended"}
        assert (arms["branch"].factor, arms["branch"].factor_part) == ("tool_description", f"/tools/{TOOL}/description")
        assert arms["control"].factor is None
        assert (row.verdict, row.result.verdict.word) == ("cause", "cause")
        seeds = {
            arm: {(t.task.key, t.start.repeat): t.start.seed for t in trials_of(store, run.id)}
            for arm, run in arms.items()
        }
        assert seeds["control"] == seeds["branch"] == seeds["placebo"]
        assert seeds["control"]["f01", 1] == trial_seed(row.base_seed, "f01", 1)
        assert not set(seeds["control"].values()) & {t.start.seed for t in trials_of(store, parent.id)}
        assert experiment_json(row.uid, row.plan, result_so_far(store, row)) == result


def test_a_sham_without_effect_stops_early_and_is_inconclusive(bench_of):
    bench = bench_of(repaired_by_good_words)
    uid = bench.run(keys(12), 3)
    for seed in range(3):
        result = branched(bench, uid, SHAM, seed=str(seed))
        assert result["verdict"] == "inconclusive"
        assert result["stop"] == "no_sign_of_help"
        assert result["next"].startswith("Try another factor")


def test_flaky_failures_that_pass_on_a_rerun_are_no_credit_to_a_sham(bench_of):
    bench = bench_of(lambda key, prompt, description, model: 0.4)
    uid = bench.run(keys(24), 1)
    verdicts = [branched(bench, uid, SHAM, failing=True, seed=str(seed), passing=0)["verdict"] for seed in range(3)]
    assert verdicts.count("cause") == 0


def test_an_edit_that_redraws_which_tasks_are_hard_is_unmasked_by_the_placebo(bench_of):
    def redrawn(key, prompt, description, model):
        return float(
            draw(description, key) < (0.0 if description.startswith("Carrier") and len(description) < 30 else 0.5)
        )

    bench = bench_of(redrawn, noisy=False)
    uid = bench.run(keys(20), 3)
    result = branched(bench, uid, ToolDescription(TOOL, "Quite other words about all the parcels of an order"))
    assert result["arms"]["branch"]["rate"] > 0.3
    assert result["arms"]["placebo"]["rate"] > 0.3
    assert result["verdict"] == "inconclusive"
    assert "not than the placebo" in result["why"]


def test_three_repaired_tasks_with_many_repeats_are_a_cause_on_these_tasks_and_a_sham_is_not(bench_of):
    bench = bench_of(repaired_by_good_words)
    uid = bench.run(keys(3), 3)
    good = branched(bench, uid, GOOD, repeat=10)
    assert words(good) == [("cause", "these_tasks")]
    assert (good["verdict"], good["scope"]) == ("cause", "these_tasks")
    sham = branched(bench, uid, SHAM, repeat=10)
    assert sham["verdict"] == "inconclusive"


def test_an_agent_without_noise_is_told_by_its_transcripts_and_a_flip_is_reproduced(bench_of):
    bench = bench_of(repaired_by_good_words, noisy=False)
    uid = bench.run(keys(8), 3)
    result = branched(bench, uid, GOOD, repeat=3)
    assert result["reproduced"] == keys(8)
    assert words(result) == [("cause", "tasks_like_these")]
    assert any("copies" in reason for reason in result["reasons"])


def test_a_single_repeat_proves_no_copies(bench_of):
    bench = bench_of(repaired_by_good_words, noisy=False)
    uid = bench.run(keys(8), 1)
    result = branched(bench, uid, GOOD, repeat=1)
    assert result["reproduced"] is None
    assert words(result) == [("cause", "tasks_like_these")]


def test_harm_is_named(bench_of):
    bench = bench_of(lambda key, prompt, description, model: 0.0 if "BAD" in description else 0.95)
    uid = bench.run(keys(12, "p"), 3)
    result = branched(bench, uid, ToolDescription(TOOL, "BAD words"), keys=keys(12, "p"))
    assert result["verdict"] == "harmful"
    assert result["next"] == "Leave this part as it was."


def test_what_a_repair_breaks_shows_on_the_passing_tasks(bench_of):
    def swaps(key, prompt, description, model):
        return float(key.startswith("f") == ("GOOD" in description))

    bench = bench_of(swaps)
    uid = bench.run(keys(10) + keys(20, "p"), 1)
    result = branched(bench, uid, GOOD, failing=True)
    assert result["verdict"] == "cause"
    assert result["passing"]["harm"]
    assert len(result["passing"]["flips"]["broken"]) == 20
    assert result["suite_gain"]["estimate"] < 0
    assert result["next"].startswith("Look at what it broke first (p01, p02, p03)")


@pytest.mark.parametrize("edit", [Prompt("GOOD prompt"), Model("GOOD-2")])
def test_prompt_and_model_are_factors_too(bench_of, edit):
    bench = bench_of(lambda key, prompt, description, model: 0.95 if "GOOD" in prompt + model else 0.0)
    uid = bench.run(keys(10), 1)
    result = branched(bench, uid, edit)
    assert result["verdict"] == "cause"
    assert result["manipulation_check"]["status"] == "seen"


def test_an_experiment_left_in_the_middle_goes_on_to_the_same_result(bench_of, monkeypatch):
    bench = bench_of(lambda key, prompt, description, model: 0.2 + 0.5 * ("GOOD" in description))
    uid = bench.run(keys(8), 1)

    def without_names(result):
        kept = ("effect", "flips", "verdicts", "verdict", "looks", "per_task", "waves", "stop")
        return {key: result[key] for key in kept}

    whole = branched(bench, uid, GOOD, seed="7", repeat=3)
    assert whole["waves"] == 3
    broken = started(bench, uid, GOOD, seed="7", repeat=3)
    asked_before = bench.asked
    calls = 0
    real = Execution._try_slot

    async def dying(self, slot, context):
        nonlocal calls
        calls += 1
        if calls > 27:
            raise RuntimeError("killed")
        await real(self, slot, context)

    monkeypatch.setattr(Execution, "_try_slot", dying)
    with pytest.raises(RuntimeError):
        conduct(bench.path, broken)
    monkeypatch.setattr(Execution, "_try_slot", real)
    resumed = conducted(bench, broken)
    assert without_names(resumed) == without_names(whole)
    asked = bench.asked
    assert asked - asked_before >= sum(arm["trials"] for arm in resumed["arms"].values())
    assert conducted(bench, broken) == resumed
    assert bench.asked == asked


def test_each_look_is_told_and_stored(bench_of):
    bench = bench_of(lambda key, prompt, description, model: 0.35 + 0.3 * ("GOOD" in description))
    uid = bench.run(keys(20), 1)
    seen = []
    result = conduct(bench.path, started(bench, uid, GOOD, seed="3", repeat=3), seen.append)
    assert [so_far.status for so_far in seen] == ["running"] * (len(seen) - 1) + ["ended"]
    assert [so_far.verdict for so_far in seen[:-1]] == [None] * (len(seen) - 1)
    assert [look.repeats_done for look in result.interim] == [1, 2, 3][: len(seen)]


def test_an_experiment_held_by_another_process_is_not_conducted_twice(bench_of):
    bench = bench_of(repaired_by_good_words)
    uid = bench.run(keys(6), 1)
    held = started(bench, uid, GOOD)
    with Store(bench.path) as store:
        arm = runs_of(store, experiment(store, held).id)[0].uid
    with Execution(bench.path, [arm]), pytest.raises(ReachError, match="another process"):
        conduct(bench.path, held)


def test_before_it_has_run_the_result_says_so(bench_of):
    bench = bench_of(repaired_by_good_words)
    uid = bench.run(keys(6), 1)
    held = started(bench, uid, GOOD)
    with Store(bench.path) as store:
        result = result_so_far(store, experiment(store, held))
    assert (result.status, result.verdict, result.effect) == ("queued", None, None)
    assert set(result.arms) == {"control", "branch", "placebo"}


def test_a_request_that_held_something_else_fails_the_manipulation_check(bench_of):
    bench = bench_of(repaired_by_good_words)
    uid = bench.run(keys(6), 1)
    result = branched(bench, uid, GOOD)
    with Store(bench.path) as store:
        row = experiment(store, result["experiment"])
        from reach_tui.counterfactual.arms import load_arms

        arms = load_arms(store, row.id)
        tasks = arms["control"].tasks
        swapped = {"control": arms["branch"].setup, "branch": arms["branch"].setup, "placebo": arms["placebo"].setup}
        manipulation = manipulation_check(store, {name: arm.trials for name, arm in arms.items()}, swapped, tasks)
        assert manipulation.status == "failed"
        assert "in control was sent other tools than planned" in sentence(manipulation.reason)
        assert manipulation_check(store, {"control": (), "branch": ()}, swapped, tasks).status == "not_observable"
