"""The statistics that need special functions, which `special` holds. Quantiles that come again are kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reach_tui.metrics.intervals import normal_quantile
from reach_tui.metrics.special import (
    beta_cdf,
    beta_quantile,
    chi_square_tail,
    normal_cdf,
    student_cdf,
    student_quantile,
)


@lru_cache(maxsize=1024)
def t_quantile(probability: float, df: float) -> float:
    """Quantile of Student's t; infinite where df is 0."""
    return math.inf if df <= 0 else student_quantile(df, probability)


def jeffreys(passes: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Equal-tailed posterior interval of a proportion under Jeffreys' prior Beta(1/2, 1/2)."""
    tail = (1 - level) / 2
    a, b = passes + 0.5, n - passes + 0.5
    return beta_quantile(a, b, tail), beta_quantile(a, b, 1 - tail)


def clopper_pearson(passes: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The exact (conservative) interval of a proportion."""
    tail = (1 - level) / 2
    low = 0.0 if passes == 0 else beta_quantile(passes, n - passes + 1, tail)
    high = 1.0 if passes == n else beta_quantile(passes + 1, n - passes, 1 - tail)
    return low, high


def jeffreys_share(passes: int, n: int, low: float, high: float) -> float:
    """Posterior probability, under Jeffreys' prior, that the chance to pass lies between `low` and `high`."""
    a, b = passes + 0.5, n - passes + 0.5
    return beta_cdf(a, b, high) - beta_cdf(a, b, low)


def padded_variance(differences: Sequence[float], repeats: float) -> float:
    """Variance of task differences and two more at +-1/sqrt(repeats): never zero, however alike the tasks are."""
    pad = 1 / math.sqrt(repeats)
    values = [*differences, pad, -pad]
    mean = math.fsum(values) / len(values)
    return math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)


def padded_t(differences: Sequence[float], repeats: float, level: float = 0.95) -> tuple[float, float]:
    """Interval of the mean of task differences in [-1, 1], each of `repeats` trials an arm, cut to [-1, 1].

    Centre: the mean; half-width t(n - 1) s / sqrt(n), s from `padded_variance`. With one task it is all of [-1, 1].
    """
    n = len(differences)
    if n < 2:
        return -1.0, 1.0
    mean = math.fsum(differences) / n
    half = t_quantile(0.5 + level / 2, n - 1) * math.sqrt(padded_variance(differences, repeats) / n)
    return max(-1.0, mean - half), min(1.0, mean + half)


@dataclass(frozen=True, slots=True)
class PairedT:
    """A paired t test: mean difference, its standard error, t, two-sided p and interval."""

    mean: float
    se: float
    t: float
    p: float
    low: float
    high: float


def paired_t(before: Sequence[float], after: Sequence[float], level: float = 0.95) -> PairedT:
    """The paired t test of task means, `after` - `before`, of at least two tasks whose differences vary."""
    differences = [b - a for a, b in zip(before, after, strict=True)]
    n = len(differences)
    mean = math.fsum(differences) / n
    se = math.sqrt(math.fsum((d - mean) ** 2 for d in differences) / (n - 1) / n)
    t = mean / se
    half = t_quantile(0.5 + level / 2, n - 1) * se
    return PairedT(mean, se, t, 2 * student_cdf(n - 1, -abs(t)), mean - half, mean + half)


def homogeneity(passes: Sequence[int], counts: Sequence[int]) -> tuple[float, int, float]:
    """Pearson's chi-square that tasks share one chance: (statistic, degrees of freedom, p). Tasks that all pass or all
    fail alike have none to differ by: (0, df, 1)."""
    total, n = sum(passes), sum(counts)
    df = len(counts) - 1
    if total in (0, n):
        return 0.0, df, 1.0
    share = total / n
    statistic = math.fsum(
        (k - c * share) ** 2 / (c * share) + (c - k - c * (1 - share)) ** 2 / (c * (1 - share))
        for k, c in zip(passes, counts, strict=True)
    )
    return statistic, df, chi_square_tail(df, statistic)


def clustered_errors(tasks: Sequence[Sequence[int]]) -> tuple[float, float]:
    """Standard error of the mean over tasks with equal repeats: (as if repeats were tasks, from task means).

    The second is the right one: it equals the clustered error with the small-sample correction.
    """
    flat = [value for task in tasks for value in task]
    return _standard_error(flat), _standard_error([sum(task) / len(task) for task in tasks])


def _standard_error(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))


def paired_power(effect: float, sd: float, n: int, alpha: float = 0.05) -> float:
    """Chance that a paired two-sided t test of n tasks sees a mean difference `effect` with task spread `sd`.

    The normal approximation of the non-central t, (ncp - t) / sqrt(1 + t^2 / (2 df)). Source: Johnson, Kotz,
    Balakrishnan, Continuous Univariate Distributions 2, section 31.
    """
    if n < 2:
        return 0.0
    t = t_quantile(1 - alpha / 2, n - 1)
    if sd <= 0:
        return 1.0 if effect > 0 else alpha / 2
    ncp = effect / (sd / math.sqrt(n))
    return normal_cdf((ncp - t) / math.sqrt(1 + t * t / (2 * (n - 1))))


def tasks_for(effect: float, variance: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Tasks needed to see a mean difference `effect` > 0 of that variance between tasks: (z + z)^2 variance / effect^2.

    Source: Miller, Adding Error Bars to Evals (2024), with the variance of the task differences as measured.
    """
    z = normal_quantile(1 - alpha) + normal_quantile(2 * power - 1)
    return math.ceil(z * z * variance / effect**2 - 1e-9)


def tasks_to_exclude(margin: float, variance: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """Tasks needed for the (1 - 2 alpha) interval of a true zero to lie inside +-margin with that power."""
    z = normal_quantile(1 - 2 * alpha) + normal_quantile(power)
    return math.ceil(z * z * variance / margin**2 - 1e-9)


@lru_cache(maxsize=1024)
def beta_points(a: float, b: float, points: int) -> tuple[float, ...]:
    """`points` equally likely values of a Beta(a, b) chance: the middles of its quantiles."""
    return tuple(beta_quantile(a, b, (i + 0.5) / points) for i in range(points))
