"""The tally of a run: grouping, denominators, and independence of order."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.core.grading import COUNTED, NOT_COUNTED
from reach_tui.metrics.tally import BANDS, RunTally

near = pytest.approx


def tally_of(rows):
    tally = RunTally()
    for row in rows:
        tally.add(*row)
    return tally.totals()


def suite(passes, weights, n=5):
    return [
        (f"t{i}", weight, repeat, "passed" if repeat <= count else "failed", 10, 0.001, None)
        for i, (count, weight) in enumerate(zip(passes, weights, strict=True))
        for repeat in range(1, n + 1)
    ]


def test_reach_agrees_with_the_oracle_weighted_and_not():
    totals = tally_of(suite([5, 3, 1, 0], [8, 1, 1, 2]))
    assert totals.reach_mean == near(0.45)
    assert totals.reach_once == near(0.75)
    assert totals.reach_majority == near(0.5)
    assert totals.reach_weighted == near(0.733333, abs=1e-6)
    assert totals.summary["reach"]["at_least_once"]["weighted"] == near(0.833333, abs=1e-6)
    assert totals.summary["reach"]["majority"]["weighted"] == near(0.75)
    assert totals.summary["n_eff"] == near(2.057143, abs=1e-6)
    assert totals.summary["tasks"] == 4
    assert totals.summary["unstable"] == {"count": 1, "tasks": ["t2"]}


def test_repeats_are_grouped_by_task_and_not_by_the_slot_they_ran_in():
    totals = tally_of([("a", 1, 1, "passed"), ("a", 1, 2, "failed"), ("a", 1, 3, "failed")])
    assert (totals.reach_once, totals.reach_majority, totals.reach_mean) == (1.0, 0.0, near(1 / 3))
    assert totals.summary["tasks"] == 1


def test_partly_reached_is_counted_and_is_no_pass():
    totals = tally_of([("a", 1, 1, "partial", 5, 0.1, "planning"), ("a", 1, 2, "passed")])
    assert (totals.partial, totals.passed, totals.reach_mean) == (1, 1, 0.5)
    assert totals.summary["modes"] == {"planning": 1}
    assert not tally_of([("a", 1, 1, "partial")]).reach_once


def test_what_is_not_counted_leaves_the_denominator_and_is_shown():
    totals = tally_of([("a", 1, 1, "passed"), ("a", 1, 2, "infra_error"), ("b", 1, 1, "infra_error"),
                       ("b", 1, 2, "cancelled")])  # fmt: skip
    assert totals.reach_mean == 1.0
    assert totals.not_counted == 3
    assert totals.summary["not_counted"] == {"infra_error": 2, "cancelled": 1}
    assert totals.summary["tasks_not_counted"] == 1
    assert sum(totals.summary["bands"].values()) == 2


def test_a_later_attempt_speaks_for_its_slot_and_both_are_paid_for():
    tally = RunTally()
    tally.add("a", 1, 1, "infra_error", 7, 0.25)
    tally.add("a", 1, 1, "passed", 5, 0.5, attempt=2)
    totals = tally.totals()
    assert (totals.done, totals.passed, totals.not_counted) == (1, 1, 0)
    assert (totals.tokens, totals.cost) == (12, 0.75)
    tally.add("a", 1, 1, "infra_error", 7, 0.25)
    assert tally.totals() == totals


def test_the_same_attempt_again_replaces_what_it_said():
    tally = RunTally()
    tally.add("a", 1, 1, "failed", 7, 0.25, "tool")
    tally.add("a", 1, 1, "passed", 7, 0.25)
    assert tally.totals() == tally_of([("a", 1, 1, "passed", 7, 0.25)])


def test_an_unknown_cost_is_said_and_spoils_the_cost_per_pass():
    totals = tally_of([("a", 1, 1, "passed", 5, 0.5), ("a", 1, 2, "passed", 5, None)])
    assert (totals.cost, totals.unknown_cost) == (0.5, 1)
    assert totals.summary["cost_per_pass"] is None
    assert totals.summary["tokens_per_pass"] == 5
    assert tally_of([("a", 1, 1, "passed")]).cost is None


def test_before_any_trial_there_is_no_reach():
    totals = RunTally().totals()
    assert (totals.done, totals.reach_mean, totals.reach_weighted, totals.tokens) == (0, None, None, None)
    assert "intervals" not in totals.summary


def test_a_running_trial_is_no_end():
    with pytest.raises(ValueError, match="running"):
        RunTally().add("a", 1, 1, "running")


def test_bands_name_where_each_task_broke():
    tally = RunTally()
    for key, status, depth, of in [
        ("never", "failed", 0, 3), ("midway", "failed", 2, 3), ("wrong", "failed", 3, 3), ("unknown", "failed", 0, 0),
        ("partly", "partial", 0, 0), ("stable", "passed", 3, 3), ("lost", "infra_error", 0, 3),
    ]:  # fmt: skip
        tally.add(key, 1, 1, status, depth=depth, depth_of=of)
    tally.add("sometimes", 1, 1, "passed", depth=3, depth_of=3)
    tally.add("sometimes", 1, 2, "failed", depth=1, depth_of=3)
    assert tally.totals().summary["bands"] == {
        "never_started": 1,
        "broke_midway": 2,
        "ended_wrong": 2,
        "reached_sometimes": 1,
        "reached_stably": 1,
        "not_counted": 1,
    }


def test_the_gap_is_read_only_when_it_is_clear():
    weak_head = tally_of(suite([0, 0, *[5] * 30], [50, 50, *[1] * 30]))
    assert weak_head.summary["gap"]["reading"] == "weighted_lower"
    weak_tail = tally_of(suite([5, 5, *[0] * 30], [50, 50, *[1] * 30]))
    assert weak_tail.summary["gap"]["reading"] == "weighted_higher"
    level = tally_of(suite([5, 0, 3, 1], [1, 1, 1, 1]))
    assert level.summary["gap"]["difference"] == near(0)
    assert level.summary["gap"]["reading"] == "no_clear_gap"


rows = st.lists(
    st.tuples(
        st.sampled_from("abcd"),
        st.just(2.5),
        st.integers(1, 4),
        st.sampled_from((*COUNTED, *NOT_COUNTED)),
        st.none() | st.integers(0, 1000),
        st.none() | st.sampled_from([0.1, 0.2, 0.0003]),
        st.none() | st.sampled_from(["tool", "planning"]),
    ),
    max_size=25,
    unique_by=lambda row: (row[0], row[2]),
)


@given(rows, st.randoms(use_true_random=False))
def test_totals_are_a_function_of_the_trials_and_not_of_their_order(trials, order: random.Random):
    once = tally_of(trials)
    shuffled = list(trials)
    order.shuffle(shuffled)
    assert tally_of(shuffled) == once
    assert once.done == len(trials) == once.passed + once.partial + once.failed + once.not_counted
    assert set(once.summary["bands"]) == set(BANDS)
    assert sum(once.summary["bands"].values()) == len({row[0] for row in trials})
    if once.reach_mean is not None:
        low, high = once.summary["intervals"]["mean"]["unweighted"]
        assert low <= once.reach_mean <= high
        assert once.reach_majority <= once.reach_once
