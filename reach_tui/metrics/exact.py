"""Exact tests in whole numbers, and corrections for many of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


def sign_flip(differences: Sequence[int]) -> float:
    """Two-sided p of the paired sign-flip test: under no effect every difference may as well be its negative.

    Differences are whole numbers in any common unit, zeros included. The law of the sum is enumerated for every n,
    by polynomial multiplication in one big integer: slot s holds the number of sign choices whose positive part is s.
    With differences in {-1, 0, 1} this is the exact McNemar test. Source: Fisher's randomization test.
    """
    sizes = [abs(d) for d in differences if d]
    observed = abs(sum(differences))
    if not observed:
        return 1.0
    unit = math.gcd(*sizes)
    sizes, observed = [size // unit for size in sizes], observed // unit
    slot = len(sizes) + 1
    law = 1
    for size in sizes:
        law += law << (slot * size)
    at_least = (sum(sizes) + observed + 1) // 2
    # The sum of the digits of a number in base B is its remainder modulo B - 1, as long as the sum is below B - 1.
    tail = (law >> (slot * at_least)) % ((1 << slot) - 1)
    return min(1.0, float(2 * tail / (1 << len(sizes))))


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided exact p for paired yes/no outcomes: `gained` and `lost` are the discordant pairs."""
    n = gained + lost
    tail = sum(math.comb(n, i) for i in range(min(gained, lost) + 1))
    return min(1.0, tail / (1 << n) * 2)


def stratified(strata: Sequence[tuple[Sequence[int], Sequence[int]]]) -> float:
    """Two-sided exact p that two arms differ *within* tasks: each stratum is (control's values, branch's values).

    Within a task the values of both arms are exchangeable; the statistic is the sum of the branch's values (with
    equal trials: the summed difference), its law the convolution of the tasks' own (hypergeometric for passes).
    Two-sided by probability, so that one task with passes is Fisher's exact test. Tasks without a value on either
    side say nothing. Values are whole numbers in one unit.
    """
    law: dict[int, int] = {0: 1}
    observed = 0
    for control, branch in strata:
        if not control or not branch:
            continue
        observed += sum(branch)
        own = _subset_sums([*control, *branch], len(branch))
        if len(own) == 1:
            shift, ways = next(iter(own.items()))
            law = {total + shift: count * ways for total, count in law.items()}
            continue
        convolved: Counter[int] = Counter()
        for total, count in law.items():
            for value, ways in own.items():
                convolved[total + value] += count * ways
        law = convolved
    limit = law[observed]
    extreme = sum(count for count in law.values() if count <= limit)
    return extreme / sum(law.values())


def _subset_sums(values: Sequence[int], size: int) -> dict[int, int]:
    """How many ways `size` of the values can be drawn, by their sum."""
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for value, times in Counter(values).items():
        grown: Counter[tuple[int, int]] = Counter()
        for (taken, total), count in ways.items():
            for more in range(min(times, size - taken) + 1):
                grown[taken + more, total + more * value] += count * math.comb(times, more)
        ways = grown
    return {total: count for (taken, total), count in ways.items() if taken == size}


def fisher(passes_a: int, n_a: int, passes_b: int, n_b: int) -> float:
    """Two-sided p of Fisher's exact test for two proportions of different trials."""
    return stratified([([1] * passes_a + [0] * (n_a - passes_a), [1] * passes_b + [0] * (n_b - passes_b))])


def mcnemar_power(n: int, gain: float, loss: float, alpha: float = 0.05) -> float:
    """Power of the exact McNemar test of n tasks, where a task is fixed with chance `gain` and broken with `loss`.

    By enumeration: the number of discordant tasks is binomial, the split among them too.
    """
    discordant = gain + loss
    power = 0.0
    for m in range(n + 1):
        weight = math.comb(n, m) * discordant**m * (1 - discordant) ** (n - m)
        if not m or not weight:
            continue
        share = gain / discordant
        power += weight * sum(
            math.comb(m, k) * share**k * (1 - share) ** (m - k) for k in range(m + 1) if mcnemar(k, m - k) <= alpha
        )
    return power


def minimum_informative(factors: int = 1, alpha: float = 0.05) -> int:
    """The fewest tasks that must move, all one way, for the sign-flip test to reach alpha under Holm over `factors`."""
    return math.ceil(1 + math.log2(factors / alpha) - 1e-12)


def any_false(tests: int, alpha: float = 0.05) -> float:
    """Chance that at least one of independent true null hypotheses is rejected without correction."""
    return 1 - (1 - alpha) ** tests


def holm(values: Sequence[float]) -> list[float]:
    """p values adjusted by Holm's step-down method, in the given order (family-wise error)."""
    adjusted = [0.0] * len(values)
    running = 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        running = max(running, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = running
    return adjusted


def bonferroni(values: Sequence[float]) -> list[float]:
    """p values multiplied by their number (family-wise error, more cautious than Holm)."""
    return [min(1.0, len(values) * value) for value in values]


def benjamini_hochberg(values: Sequence[float], *, dependent: bool = False) -> list[float]:
    """p values adjusted for the false discovery rate; `dependent` adds the factor of Benjamini and Yekutieli."""
    m = len(values)
    factor = sum(1 / i for i in range(1, m + 1)) if dependent else 1.0
    adjusted = [0.0] * m
    running = 1.0
    order = sorted(range(m), key=values.__getitem__)
    for rank in range(m, 0, -1):
        index = order[rank - 1]
        running = min(running, factor * m * values[index] / rank)
        adjusted[index] = running
    return adjusted
