"""Intervals of proportions in closed form (or by bisection), light enough for a list of runs."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

_BISECTIONS = 100


@cache
def normal_quantile(level: float) -> float:
    """z for a two-sided interval of that level: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def wilson(passes: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval for `passes` out of `n` > 0, both in [0, 1].

    Both may be fractions: a mean of task means over n tasks counts as n * mean passes (wider than needed, never
    narrower), a weighted one has its effective number of tasks as n. Source: Wilson, JASA 22 (1927).
    """
    if n <= 0:
        raise ValueError("an interval needs at least one observation")
    z = normal_quantile(level)
    share = passes / n
    centre = (passes + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(max(0.0, n * share * (1 - share)) + z * z / 4)
    low = 0.0 if passes <= 0 else max(0.0, centre - half)
    high = 1.0 if passes >= n else min(1.0, centre + half)
    return low, high


def newcombe(passes_a: int, n_a: int, passes_b: int, n_b: int, level: float = 0.95) -> tuple[float, float]:
    """Interval of the difference b - a of two proportions of *different* tasks: a hybrid of two Wilson intervals.

    Source: Newcombe, Statistics in Medicine 17 (1998), method 10.
    """
    a, b = passes_a / n_a, passes_b / n_b
    low_a, high_a = wilson(passes_a, n_a, level)
    low_b, high_b = wilson(passes_b, n_b, level)
    return b - a - math.hypot(b - low_b, high_a - a), b - a + math.hypot(high_b - b, a - low_a)


def tango(gained: int, lost: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Score interval of (gained - lost)/n, the difference of two proportions on the same n > 0 tasks, one trial each.

    Bounds are the differences whose score statistic is z in size; never of zero width.
    Source: Tango, Statistics in Medicine 17 (1998).
    """
    if n <= 0 or gained < 0 or lost < 0 or gained + lost > n:
        raise ValueError("gained and lost tasks must be among the n")
    z = normal_quantile(level)
    return -_tango_upper(lost, gained, n, z), _tango_upper(gained, lost, n, z)


def _tango_upper(gained: int, lost: int, n: int, z: float) -> float:
    low, high = (gained - lost) / n, 1.0
    if _tango_score(gained, lost, n, high) > -z:
        return high
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if _tango_score(gained, lost, n, middle) > -z else (low, middle)
    return (low + high) / 2


def _tango_score(gained: int, lost: int, n: int, delta: float) -> float:
    """The standardised distance of the data from `delta`, with the likeliest share of lost tasks given `delta`."""
    b = (2 * n - gained + lost) * delta - gained - lost
    share = (math.sqrt(max(0.0, b * b + 8 * n * lost * delta * (1 - delta))) - b) / (4 * n)
    variance = n * (2 * share + delta * (1 - delta))
    distance = gained - lost - n * delta
    if variance <= 0:
        return math.copysign(math.inf, distance) if distance else 0.0
    return distance / math.sqrt(variance)
