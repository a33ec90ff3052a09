"""What an experiment could find, said before it runs: approximations, and which ones."""

from __future__ import annotations

import math
from collections.abc import Sequence

from reach_tui.metrics.exact import minimum_informative, stratified
from reach_tui.metrics.intervals import normal_quantile

SPREAD = 1.0
"""a + b of the Beta law that tasks' chances are taken to follow: most tasks nearly always or nearly never pass."""
POWER = 0.8
_POINTS = 40
_STEPS = 24


def power_over_tasks(
    outcomes: Sequence[tuple[int, int]], repeats: int, gain: float, mean: float = 0.58, alpha: float = 0.05
) -> float:
    """Chance of *cause* on tasks like these if every task's chance rises by `gain` (cut at 1).

    `outcomes` holds (passes, trials) of each task in the run that chose it: given them its chance follows
    Beta(a + passes, b + fails), a + b = SPREAD, a / (a + b) = `mean`, the reach of that run. The mean and variance of
    the task differences under that law go into the power of a paired t test, times the chance that enough tasks move
    at all. Against simulations of the exact test it errs by 7 points at most (10 x 3, 20 x 3, 20 x 5, 40 x 3 tasks).
    """
    from reach_tui.metrics.stats import beta_points, paired_power

    n = len(outcomes)
    if n < minimum_informative(alpha=alpha):
        return 0.0
    a = SPREAD * min(0.95, max(0.05, mean))
    b = SPREAD - min(0.95 * SPREAD, a)
    means, seconds, still = [], [], []
    for passes, trials in outcomes:
        for chance in beta_points(a + passes, b + trials - passes, _POINTS):
            risen = min(1.0, chance + gain)
            noise = (chance * (1 - chance) + risen * (1 - risen)) / repeats
            means.append(risen - chance)
            seconds.append((risen - chance) ** 2 + noise)
            still.append(_stands_still(chance, risen, repeats))
    mean_gain = math.fsum(means) / len(means)
    variance = math.fsum(seconds) / len(seconds) - mean_gain**2
    moves = 1 - math.fsum(still) / len(still)
    enough = at_least(minimum_informative(alpha=alpha), n, moves)
    return enough * paired_power(mean_gain, math.sqrt(max(0.0, variance)), n, alpha)


def _stands_still(before: float, after: float, repeats: int) -> float:
    """Chance that a task passes equally often in both arms."""
    return math.fsum(_binomial(k, repeats, before) * _binomial(k, repeats, after) for k in range(repeats + 1))


def _binomial(k: int, n: int, chance: float) -> float:
    return float(math.comb(n, k) * chance**k * (1 - chance) ** (n - k))


def at_least(k: int, n: int, chance: float) -> float:
    """Chance of at least k successes in n independent tries."""
    return math.fsum(_binomial(i, n, chance) for i in range(k, n + 1))


def smallest_effect(
    outcomes: Sequence[tuple[int, int]], repeats: int, mean: float = 0.58, alpha: float = 0.05
) -> float | None:
    """The smallest rise of every task's chance found with 80 % power on tasks like these; None if none is."""
    if power_over_tasks(outcomes, repeats, 1.0, mean, alpha) < POWER:
        return None
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        sufficient = power_over_tasks(outcomes, repeats, middle, mean, alpha) >= POWER
        low, high = (low, middle) if sufficient else (middle, high)
    return high


def noticeable_breakage(n: int, spread: float = 0.0, alpha: float = 0.05) -> float | None:
    """The smallest share of n passing tasks whose breakage for good is noticed with 80 % chance; None if none is.

    Noticed: enough tasks fall, all one way, for the exact test to reach alpha (no noise: a binomial count); and, with
    noise, the fall exceeds what tasks of that `spread` (standard deviation of their differences) hide.
    """
    fewest = minimum_informative(alpha=alpha)
    if n < fewest:
        return None
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if at_least(fewest, n, middle) >= POWER else (middle, high)
    hidden = (normal_quantile(1 - alpha) + normal_quantile(2 * POWER - 1)) * spread / math.sqrt(n)
    return min(1.0, max(high, hidden))


def smallest_change_within(tasks: int, repeats: int, alpha: float = 0.05) -> float | None:
    """The smallest effect on *these* tasks that could be told from noise, if none passes in control; None if none is.

    The extra passes are taken to gather in as few tasks as can hold them, the easiest case.
    """
    for passes in range(1, tasks * repeats + 1):
        whole, rest = divmod(passes, repeats)
        branch = [repeats] * whole + ([rest] if rest else [])
        strata = [([0] * repeats, [1] * k + [0] * (repeats - k)) for k in branch]
        if stratified(strata) <= alpha:
            return passes / (tasks * repeats)
    return None
