"""Exact tests and corrections against values computed elsewhere, and against brute force."""

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reach_tui.metrics import stats
from reach_tui.metrics.exact import (
    any_false,
    benjamini_hochberg,
    bonferroni,
    fisher,
    holm,
    mcnemar,
    mcnemar_power,
    minimum_informative,
    sign_flip,
    stratified,
)
from reach_tui.metrics.repeats import (
    effective_n,
    failures_needed,
    majority,
    pass_at_k,
    pass_hat_k,
    passes_by_chance,
    upper_bound_of_none,
)

near = pytest.approx

A = [0.2, 0.4, 0, 0.6, 0.8, 0.2, 1, 0.4, 0.6, 0]
B = [0.6, 0.8, 0.2, 0.6, 1, 0.2, 1, 0.8, 1, 0.4]


@pytest.mark.parametrize(
    ("gained", "lost", "p"),
    [
        (9, 1, 0.021484375), (6, 0, 0.03125), (5, 0, 0.0625), (12, 5, 0.1434631348), (15, 3, 0.0075378418),
        (12, 0, 0.00048828125), (14, 2, 0.004180908203), (0, 0, 1.0),
    ],
)  # fmt: skip
def test_mcnemar_agrees_with_the_oracle_and_is_the_sign_flip_of_single_trials(gained, lost, p):
    assert mcnemar(gained, lost) == near(p, rel=1e-9)
    assert sign_flip([1] * gained + [-1] * lost + [0] * 7) == near(p, rel=1e-9)


def test_sign_flip_agrees_with_the_oracle():
    assert sign_flip([round(10 * (b - a)) for a, b in zip(A, B, strict=True)]) == 16 / 1024
    assert sign_flip([3, 2, 0, 1, 3, -1, 2, 3]) == 12 / 256
    assert sign_flip([0] * 6) == 1
    assert sign_flip([3] * 6) == 0.03125


def brute_sign_flip(differences):
    observed = abs(sum(differences))
    signs = list(itertools.product((1, -1), repeat=len(differences)))
    return sum(abs(sum(s * d for s, d in zip(row, differences, strict=True))) >= observed for row in signs) / len(signs)


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9))
def test_sign_flip_equals_enumeration_and_knows_neither_direction_nor_unit(differences):
    p = sign_flip(differences)
    assert p == near(brute_sign_flip(differences), abs=1e-12)
    assert sign_flip([-d for d in differences]) == p
    assert sign_flip([7 * d for d in differences]) == p
    assert 0 < p <= 1


def test_sign_flip_is_exact_for_many_tasks_in_large_units():
    differences = [2520 // k * (-1) ** (i % 3 == 0) for i, k in enumerate([1, 2, 3, 4, 5, 6, 7, 8, 9, 10] * 12)]
    assert 0 < sign_flip(differences) < 0.05


def test_stratified_agrees_with_the_oracles():
    def outcomes(passes, n):
        return [1] * passes + [0] * (n - passes)

    three = [(outcomes(c, 5), outcomes(b, 5)) for c, b in ((0, 3), (1, 4), (0, 4))]
    assert stratified(three) == near(0.0006, abs=5e-5)
    assert stratified([(outcomes(0, 10), outcomes(6, 10))]) == near(0.011, abs=5e-4)
    assert stratified([(outcomes(0, 3), outcomes(3, 3))] * 5) == near(6e-7, abs=5e-8)
    assert stratified([]) == 1
    assert stratified([([], [1, 1])]) == 1


def brute_stratified(strata):
    laws = []
    for control, branch in strata:
        pooled = [*control, *branch]
        laws.append(Counter(sum(pick) for pick in itertools.combinations(pooled, len(branch))))
    law = Counter({0: 1})
    for own in laws:
        grown = Counter()
        for (a, x), (b, y) in itertools.product(law.items(), own.items()):
            grown[a + b] += x * y
        law = grown
    observed = law[sum(sum(branch) for _, branch in strata)]
    return sum(w for w in law.values() if w <= observed) / sum(law.values())


values = st.lists(st.integers(0, 3), min_size=1, max_size=4)


@settings(max_examples=60)
@given(st.lists(st.tuples(values, values), min_size=1, max_size=3))
def test_stratified_equals_enumeration_for_any_scores_and_sizes(strata):
    assert stratified(strata) == near(brute_stratified(strata), abs=1e-12)


def test_fisher_agrees_with_the_oracle():
    assert fisher(29, 50, 41, 50) == near(0.0156170, abs=1e-7)


def test_corrections_agree_with_the_oracle():
    p = [0.001, 0.012, 0.021, 0.04, 0.30]
    assert bonferroni(p) == near([0.005, 0.06, 0.105, 0.2, 1])
    assert holm(p) == near([0.005, 0.048, 0.063, 0.08, 0.3])
    assert benjamini_hochberg(p) == near([0.005, 0.03, 0.035, 0.05, 0.3])
    by = [0.011417, 0.0685, 0.079917, 0.114167, 0.685]
    assert benjamini_hochberg(p, dependent=True) == near(by, abs=1e-6)
    assert holm([0.01, 0.04, 0.03]) == near([0.03, 0.06, 0.06])
    assert benjamini_hochberg([0.01, 0.04, 0.03]) == near([0.03, 0.04, 0.04])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_corrections_keep_the_order_and_never_help(p):
    for adjusted in (holm(p), bonferroni(p), benjamini_hochberg(p)):
        assert all(a >= b - 1e-12 for a, b in zip(adjusted, p, strict=True))
        assert max(adjusted) <= 1
        by_p = [a for _, a in sorted(zip(p, adjusted, strict=True))]
        assert by_p == sorted(by_p)


def test_mcnemar_power_agrees_with_the_oracle():
    assert mcnemar_power(50, 0.28, 0.04) == near(0.859931, abs=1e-6)
    assert mcnemar_power(30, 0.28, 0.04) == near(0.572093, abs=1e-6)
    assert mcnemar_power(20, 0.28, 0.04) == near(0.305440, abs=1e-6)


def test_the_fewest_informative_tasks_agree_with_the_oracle():
    assert [minimum_informative(m) for m in (1, 2, 3, 5, 10)] == [6, 7, 7, 8, 9]
    for m in (1, 2, 3, 5, 10):
        fewest = minimum_informative(m)
        assert mcnemar(fewest, 0) <= 0.05 / m < mcnemar(fewest - 1, 0)


def test_many_tests_without_correction_agree_with_the_oracle():
    assert any_false(5) == near(0.226219, abs=1e-6)
    assert any_false(10) == near(0.401263, abs=1e-6)


def test_pass_at_k_and_pass_hat_k_agree_with_the_oracle():
    assert [pass_at_k(3, 5, k) for k in (1, 2, 3)] == near([0.6, 0.9, 1.0])
    assert [pass_hat_k(3, 5, k) for k in (1, 2, 3)] == near([0.6, 0.3, 0.1])
    assert [pass_hat_k(7, 10, k) for k in (2, 3, 4)] == near([0.466667, 0.291667, 0.166667], abs=1e-6)
    suite = [5, 3, 1, 0]
    assert [sum(pass_at_k(c, 5, k) for c in suite) / 4 for k in (1, 2, 3, 5)] == near([0.45, 0.575, 0.65, 0.75])
    assert [sum(pass_hat_k(c, 5, k) for c in suite) / 4 for k in (1, 2, 3, 5)] == near([0.45, 0.325, 0.275, 0.25])
    with pytest.raises(ValueError):
        pass_at_k(3, 5, 6)


def test_two_of_four_are_no_majority():
    assert not majority(2, 4)
    assert majority(2, 3)
    assert not majority(0, 0)


def test_few_failures_prove_little():
    assert [upper_bound_of_none(n) for n in (3, 5, 10)] == near([0.631597, 0.450720, 0.258866], abs=1e-6)
    assert failures_needed(0.05) == 59


def test_failures_that_are_run_again_pass_by_chance():
    cases = [(1, 1, 1 / 3), (2, 1, 0.5), (0.5, 0.5, 0.25), (4, 2, 0.571429)]
    assert [passes_by_chance(a, b) for a, b, _ in cases] == near([c for _, _, c in cases], abs=1e-6)


def test_repeats_clustered_in_tasks_widen_the_error_as_the_oracle_says():
    runs = [[int(c) for c in word] for word in ["111", "101", "000", "110", "001", "111", "000", "100"]]
    naive, clustered = stats.clustered_errors(runs)
    assert clustered == near(0.140859, abs=1e-6)
    assert naive * math.sqrt(23 / 24) == near(0.102062, abs=1e-6)
    assert naive == near(0.104257, abs=1e-6)


def test_the_paired_t_test_agrees_with_the_oracle():
    paired = stats.paired_t(A, B)
    assert (paired.mean, paired.se, paired.t, paired.p) == near((0.24, 0.0581187, 4.129483, 0.0025615), abs=1e-6)
    assert (paired.low, paired.high) == near((0.108526, 0.371474), abs=1e-6)


def test_homogeneity_agrees_with_the_oracle():
    statistic, df, p = stats.homogeneity([5, 3, 1, 0], [5] * 4)
    assert (statistic, df, p) == near((11.919192, 3, 0.0076652), abs=1e-6)
    assert stats.homogeneity([0, 0], [3, 3]) == (0.0, 1, 1.0)


def test_the_effective_number_of_tasks_agrees_with_the_oracle():
    assert effective_n([8, 1, 1, 2]) == near(2.057143, abs=1e-6)
    assert effective_n([]) == 0


def test_tasks_needed_follow_the_formula():
    assert stats.tasks_for(0.1, 0.1) == math.ceil((1.959964 + 0.841621) ** 2 * 0.1 / 0.01)
    assert stats.tasks_to_exclude(0.1, 0.1) == math.ceil((1.644854 + 1.281552) ** 2 * 0.1 / 0.01)
