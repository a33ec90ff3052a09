"""Intervals against values computed elsewhere (scipy 1.17, statsmodels 0.15)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.metrics.intervals import newcombe, tango, wilson
from reach_tui.metrics.stats import clopper_pearson, jeffreys, jeffreys_share, padded_t, padded_variance

near = pytest.approx


@pytest.mark.parametrize(
    ("passes", "n", "low", "high"),
    [
        (3, 5, 0.230724, 0.882379), (2, 3, 0.207660, 0.938508), (3, 3, 0.438503, 1), (0, 3, 0, 0.561497),
        (8, 10, 0.490162, 0.943318), (0, 10, 0, 0.277533), (29, 50, 0.442334, 0.706250), (41, 50, 0.692039, 0.902298),
    ],
)  # fmt: skip
def test_wilson_agrees_with_the_oracle(passes, n, low, high):
    assert wilson(passes, n) == near((low, high), abs=1e-6)


@pytest.mark.parametrize(
    ("passes", "n", "low", "high"),
    [(3, 5, 0.209417, 0.905610), (0, 3, 0.000151, 0.535583), (8, 10, 0.497226, 0.955941)],
)
def test_jeffreys_agrees_with_the_oracle(passes, n, low, high):
    assert jeffreys(passes, n) == near((low, high), abs=1e-6)


@pytest.mark.parametrize(
    ("passes", "n", "low", "high"), [(3, 5, 0.146633, 0.947255), (0, 3, 0, 0.707598), (8, 10, 0.443905, 0.974789)]
)
def test_clopper_pearson_agrees_with_the_oracle(passes, n, low, high):
    assert clopper_pearson(passes, n) == near((low, high), abs=1e-6)


def test_clopper_pearson_mirrors_at_all_passes():
    low, high = clopper_pearson(3, 3)
    assert (low, high) == near((1 - 0.707598, 1.0), abs=1e-6)


@pytest.mark.parametrize(
    ("gained", "lost", "n", "low", "high"),
    [
        (12, 0, 50, 0.142974, 0.374127), (9, 1, 50, 0.044509, 0.292936), (0, 0, 6, -0.390334, 0.390334),
        (6, 0, 6, 0.219331, 1),
    ],
)  # fmt: skip
def test_tango_agrees_with_the_oracle(gained, lost, n, low, high):
    assert tango(gained, lost, n) == near((low, high), abs=1e-6)


def test_newcombe_agrees_with_the_oracle():
    assert newcombe(29, 50, 41, 50) == near((0.060242, 0.400389), abs=1e-6)


def test_padded_t_agrees_with_the_oracle():
    mixed = [d / 3 for d in (3, 2, 0, 1, 3, -1, 2, 3)]
    assert padded_t(mixed, 3) == near((0.067103, 1), abs=1e-6)
    assert padded_t(mixed, 3, 0.90) == near((0.161438, 0.921896), abs=1e-6)
    assert padded_t([0] * 6, 3) == near((-0.323864, 0.323864), abs=2e-6)
    assert padded_t([1.0] * 6, 3) == near((0.416148, 1), abs=1e-6)


def test_the_jeffreys_posterior_agrees_with_the_oracle():
    assert jeffreys_share(2, 3, 0.05, 0.95) == near(0.962614, abs=1e-6)
    assert jeffreys_share(0, 3, 0, 0.05) == near(0.436972, abs=1e-6)
    assert jeffreys_share(0, 10, 0, 0.05) == near(0.694938, abs=1e-6)


def test_a_single_task_bounds_nothing():
    assert padded_t([1.0], 3) == (-1.0, 1.0)


@pytest.mark.parametrize("n", [0, -1])
def test_no_observation_has_no_interval(n):
    with pytest.raises(ValueError):
        wilson(0, n)
    with pytest.raises(ValueError):
        tango(0, 0, n)


counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts, st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_proportion_intervals_hold_their_estimate_and_mirror(case, level):
    passes, n = case
    for method in (wilson, jeffreys, clopper_pearson):
        low, high = method(passes, n, level)
        assert 0 <= low < high <= 1
        assert low == near(1 - method(n - passes, n, level)[1], abs=1e-9)
    low, high = wilson(passes, n, level)
    assert low <= passes / n <= high


@given(counts, st.data())
def test_tango_holds_its_estimate_mirrors_and_has_width(case, data):
    gained, n = case
    lost = data.draw(st.integers(0, n - gained))
    low, high = tango(gained, lost, n)
    assert -1 <= low < high <= 1
    assert low - 1e-12 <= (gained - lost) / n <= high + 1e-12
    assert tango(lost, gained, n) == near((-high, -low), abs=1e-9)


repeats = st.integers(2, 10)


@given(repeats.flatmap(lambda k: st.tuples(st.just(k), st.lists(st.integers(-k, k), min_size=2, max_size=40))))
def test_padded_t_holds_its_mean_mirrors_and_has_width(case):
    k, passes = case
    differences = [d / k for d in passes]
    low, high = padded_t(differences, k)
    mean = math.fsum(differences) / len(differences)
    assert low < high
    assert low - 1e-12 <= mean <= high + 1e-12
    assert padded_t([-d for d in differences], k) == near((-high, -low), abs=1e-12)
    inner = padded_t(differences, k, 0.90)
    assert low <= inner[0]
    assert inner[1] <= high
    assert padded_variance(differences, k) > 0
