"""What repeats of a task tell: reach by several rules, and how little a few of them prove."""

from __future__ import annotations

import math
from collections.abc import Iterable


def pass_at_k(passes: int, n: int, k: int) -> float:
    """Chance that at least one of k trials drawn from the n passes. Unbiased; k <= n.

    Source: Chen et al., Evaluating Large Language Models Trained on Code (2021).
    """
    _check(passes, n, k)
    return 1 - math.comb(n - passes, k) / math.comb(n, k)


def pass_hat_k(passes: int, n: int, k: int) -> float:
    """Chance that all of k trials drawn from the n pass (written pass^k); k <= n. Source: tau-bench (2024)."""
    _check(passes, n, k)
    return math.comb(passes, k) / math.comb(n, k)


def _check(passes: int, n: int, k: int) -> None:
    if not 0 <= passes <= n or not 1 <= k <= n:
        raise ValueError(f"need 0 <= passes <= n and 1 <= k <= n, not passes={passes}, n={n}, k={k}")


def at_least_once(passes: int, n: int) -> bool:
    """Whether any of the n trials passed. Grows with n: never compare it between different n."""
    return n > 0 and passes > 0


def majority(passes: int, n: int) -> bool:
    """Whether more than half of the n trials passed: two of four are no majority."""
    return 2 * passes > n


def effective_n(weights: Iterable[float]) -> float:
    """Kish's effective number of tasks, (sum w)^2 / sum w^2; 0 where nothing weighs anything."""
    kept = list(weights)
    squares = math.fsum(w * w for w in kept)
    return math.fsum(kept) ** 2 / squares if squares else 0.0


def upper_bound_of_none(n: int, confidence: float = 0.95) -> float:
    """One-sided upper bound of the chance to pass after n trials that all failed."""
    return 1.0 if n == 0 else 1 - float((1 - confidence) ** (1 / n))


def failures_needed(chance: float, confidence: float = 0.95) -> int:
    """How many failures in a row it takes to claim that the chance to pass is at most `chance` in (0, 1)."""
    return math.ceil(math.log(1 - confidence) / math.log(1 - chance) - 1e-12)


def passes_by_chance(a: float, b: float) -> float:
    """Chance that a task which failed once passes when nothing changes, its chances being Beta(a, b) over tasks.

    This is the gain that re-running only failures shows without any repair (regression to the mean).
    """
    return a / (a + b + 1)
