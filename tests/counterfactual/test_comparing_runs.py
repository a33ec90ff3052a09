"""Comparing runs: paired by task, shared tasks only, and never a cause without an experiment."""

import pytest

from reach_tui.core.errors import UsageError
from reach_tui.core.reasons import Reason
from reach_tui.counterfactual import compare as module
from reach_tui.counterfactual.compare import compare
from reach_tui.present.comparison import comparison_json, comparison_text, lines
from reach_tui.store.store import Store
from tests.counterfactual.experiment_bench import TOOL, keys

near = pytest.approx


def compared(bench, *uids):
    with Store(bench.path) as store:
        return compare(store, uids)


def test_runs_of_different_tasks_in_another_order_are_compared_like_with_like(bench_of):
    passes = {"one": {"t1", "t4", "t5"}, "two": {"t5", "t3", "t2", "t6"}}
    now = "one"
    bench = bench_of(lambda key, prompt, description, model: float(key in passes[now]))
    a = bench.run(["t1", "t2", "t3", "t4", "t5"], 1, name="baseline")
    now = "two"
    b = bench.run(["t5", "t4", "t3", "t2", "t6"], 1, name="candidate")
    pair = compared(bench, a, b).pairs[0]
    assert sorted(pair.shared) == ["t2", "t3", "t4", "t5"]
    assert (pair.rate_a, pair.rate_b) == (2 / 4, 3 / 4)
    assert sorted(pair.flips.fixed) == ["t2", "t3"]
    assert pair.flips.broken == ("t4",)
    assert pair.flips.unchanged == ("t5",)
    assert (pair.only_a, pair.only_b) == (("t1",), ("t6",))
    assert pair.effect.p == 1.0
    assert pair.effect.estimate == near(0.25)
    assert pair.notes[0].code == "no_difference"
    assert list(pair.flips.broken) == ["t4"]


def test_no_shared_task_is_a_message(bench_of):
    bench = bench_of(lambda *seen: 1.0)
    pair = compared(bench, bench.run(["a1"], 1), bench.run(["b1"], 1)).pairs[0]
    assert pair.effect is None
    assert pair.rate_a is None
    assert [note.code for note in pair.notes] == ["nothing_shared"]


def test_trials_are_averaged_by_task_and_counted_on_both_sides(bench_of):
    bench = bench_of(lambda *seen: 1.0)
    pair = compared(bench, bench.run(keys(4), 3), bench.run(keys(4), 2)).pairs[0]
    assert (pair.trials_a, pair.trials_b) == (12, 8)
    assert pair.metrics[0].name == "pass rate"


def test_a_task_of_the_same_name_that_is_another_task_is_not_paired(bench_of):
    bench = bench_of(lambda *seen: 1.0)
    a = bench.run(["a1", "a2"], 1)
    b = bench.run(["a1", "a2"], 1, allowed={"a2": [TOOL]})
    comparison = compared(bench, a, b)
    pair = comparison.pairs[0]
    assert pair.shared == ("a1",)
    (changed,) = pair.changed
    assert (changed.key, changed.before["allowed_tools"], changed.after["allowed_tools"]) == ("a2", None, [TOOL])
    text, value = comparison_text(comparison), comparison_json(comparison)["pairs"][0]
    assert f'a2 /allowed_tools: null -> ["{TOOL}"]' in text
    place = {"pointer": "/allowed_tools", "before": None, "after": [TOOL]}
    assert value["changed_tasks"] == [{"task": "a2", "places": [place]}]
    assert value["changed"] == ["a2"]
    app_lines = ["".join(text for text, _ in line) for line in lines(comparison, 80)]
    assert f'  a2 /allowed_tools: null -> ["{TOOL}"]' in app_lines


def test_a_rerun_of_failures_alone_is_said_to_be_noise_for_all_one_knows(bench_of):
    passes = False
    bench = bench_of(lambda key, *seen: float(passes and key < "f07"))
    a = bench.run(keys(12), 1)
    passes = True
    b = bench.run(keys(12), 1)
    assert Reason("all_had_failed", {"gained": 6}) in compared(bench, a, b).pairs[0].notes


def test_runs_graded_by_different_graders_are_refused(bench_of, monkeypatch):
    bench = bench_of(lambda *seen: 1.0)
    a, b = bench.run(["a1"], 1), bench.run(["a1"], 1)
    versions = iter(["7", "8"])
    monkeypatch.setattr(module, "current_grading", lambda db, trial: type("G", (), {"version": next(versions)})())
    with pytest.raises(UsageError, match=f"version 7: {a}; version 8: {b}"):
        compared(bench, a, b)


def test_one_run_or_the_same_twice_is_no_comparison(bench_of):
    bench = bench_of(lambda *seen: 1.0)
    a = bench.run(["a1"], 1)
    for wish in ((a,), (a, a)):
        with pytest.raises(UsageError):
            compared(bench, *wish)
