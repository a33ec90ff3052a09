"""When an experiment may stop, and what it says beforehand of what it can find."""

import pytest

from reach_tui.counterfactual.interim import spread, stops
from reach_tui.counterfactual.power import (
    noticeable_breakage,
    power_over_tasks,
    smallest_change_within,
    smallest_effect,
)

near = pytest.approx


def test_three_looks_from_three_repeats_on():
    assert [(look.repeats_done, round(look.level, 6)) for look in spread(3)] == [(1, 0.0005), (2, 0.014), (3, 0.045)]
    assert [look.repeats_done for look in spread(5)] == [2, 3, 5]
    assert [look.repeats_done for look in spread(10)] == [3, 7, 10]
    assert [(look.repeats_done, look.level, look.last) for look in spread(2)] == [(2, 0.05, True)]
    assert [look.level for look in spread(3, factors=2)] == near([0.00025, 0.007, 0.0225])


@pytest.mark.parametrize("repeats", range(1, 40))
def test_waves_rise_to_the_last_repeat(repeats):
    waves = [look.repeats_done for look in spread(repeats)]
    assert waves == sorted(set(waves))
    assert waves[-1] == repeats
    assert [look.last for look in spread(repeats)] == [False] * (len(waves) - 1) + [True]


def test_an_early_look_stops_for_a_sure_effect_or_no_sign_of_one():
    first, second, last = spread(3)
    assert stops(first, decided=True, estimate=0.9) == "effect"
    assert stops(second, decided=False, estimate=0.05) is None
    assert stops(first, decided=False, estimate=0.0) == "no_sign_of_help"
    assert stops(first, decided=True, estimate=-0.9) == "effect"
    assert stops(first, decided=False, estimate=0.0, harm_asked=True) is None
    assert stops(first, decided=False, estimate=None) is None
    assert stops(last, decided=False, estimate=0.0) == "complete"


@pytest.mark.parametrize(
    ("n", "repeats", "gain", "simulated"),
    [
        (10, 3, 0.2, 0.24),
        (10, 3, 0.4, 0.80),
        (20, 3, 0.2, 0.64),
        (20, 5, 0.2, 0.86),
        (40, 3, 0.2, 0.93),
        (40, 3, 0.4, 1),
    ],
)
def test_the_power_said_beforehand_is_near_the_simulated_one(n, repeats, gain, simulated):
    assert power_over_tasks([(0, 1)] * n, repeats, gain) == near(simulated, abs=0.07)


def test_the_smallest_effect_shrinks_with_tasks_and_repeats_and_ends_below_six_tasks():
    assert smallest_effect([(0, 1)] * 5, 10) is None
    sizes = [smallest_effect([(0, 1)] * n, k) for n, k in ((10, 3), (20, 3), (20, 5), (40, 5))]
    assert sizes == sorted(sizes, reverse=True)


def test_a_small_passing_sample_sees_only_large_breakage():
    assert noticeable_breakage(5) is None
    assert noticeable_breakage(20) == near(0.366, abs=0.01)
    assert noticeable_breakage(80) == near(0.10, abs=0.01)
    assert noticeable_breakage(80, spread=0.5) > noticeable_breakage(80)


def test_few_tasks_with_repeats_can_be_told_from_noise():
    assert smallest_change_within(3, 10) == near(5 / 30)
    assert smallest_change_within(1, 2) is None
