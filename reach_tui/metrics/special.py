"""The special functions that the statistics need, in `math` alone: tails and quantiles of four laws.

A tail is computed as the small number it is, never as one less a number near one, and a density by its distance from
its own peak: differences of log-gammas would lose seven digits at parameters of 1e5. A parameter outside 1e-3 to 1e9,
an argument outside its domain, or nan, gives nan. The errors given are relative, the largest seen against scipy and
against sixty digits for parameters to 1e6 and results to 1e-290; to 1e9 the beta law's are below 1e-10.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count
from statistics import NormalDist

_EPSILON = 3e-16  # A term that changes nothing, give or take the last bit.
_STIRLING = (1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
_ODD = tuple(1 / k for k in range(23, 1, -2))


def normal_cdf(z: float) -> float:
    """Chance that a standard normal value is at most z; 0 and 1 at -inf and inf. By `math.erfc`; error 2e-13."""
    return math.erfc(-z / math.sqrt(2)) / 2


def beta_cdf(a: float, b: float, x: float) -> float:
    """Chance that a Beta(a, b) value is at most x in [0, 1]: the regularised incomplete beta function.

    Error 2e-12, and 2e-11 where a parameter is below 0.01. Source: see `_log_beta`.
    """
    if not (_usable(a) and _usable(b) and 0 <= x <= 1):
        return math.nan
    return math.exp(_log_beta(a, b, x, 1 - x, _log_peak(a, b))[0])


def beta_quantile(a: float, b: float, p: float) -> float:
    """The x below which a Beta(a, b) value lies with chance p: 0 at p = 0, 1 at p = 1, 0 too where x underflows.

    Error 1e-12, and 1e-11 where a parameter is below 0.01. Source: see `_beta_logit`.
    """
    if not (_usable(a) and _usable(b) and 0 <= p <= 1):
        return math.nan
    if p in (0, 1):
        return float(p)
    logit = _beta_logit(a, b, p, 1 - p)
    odds = math.exp(-abs(logit))
    return (odds if logit < 0 else 1) / (1 + odds)


def student_cdf(df: float, t: float) -> float:
    """Chance that a Student's t value is at most t: 0 and 1 at -inf and inf; the normal law's where df is inf.

    Error 3e-13. Source: an incomplete beta function of df / (df + t^2), Abramowitz and Stegun 26.7.1.
    """
    if df == math.inf:
        return normal_cdf(t)
    if not _usable(df) or math.isnan(t):
        return math.nan
    if math.isinf(t):
        return float(t > 0)
    a, square, peak = df / 2, t * t, _log_peak(df / 2, 0.5)
    if square > 1e280 * max(1.0, df):  # Here the first term is the whole tail, and the square may overflow.
        log = a * (math.log(df) - 2 * math.log(abs(t))) + _log_first(a, 0.5, peak)
    else:
        log = _log_beta(a, 0.5, df / (df + square), square / (df + square), peak)[0]
    tail = math.exp(log) / 2
    return tail if t < 0 else 1 - tail


def student_quantile(df: float, p: float) -> float:
    """The t below which a Student's t value lies with chance p: -inf, 0 and inf at p = 0, 1/2 and 1.

    Where df is inf it is the normal law's. Error 1e-13. Source: see `_beta_logit`.
    """
    if not (_usable(df) or df == math.inf) or not 0 <= p <= 1:
        return math.nan
    tail = min(p, 1 - p)
    if tail in (0, 0.5):
        return 0.0 if tail else math.copysign(math.inf, p - 0.5)
    if df == math.inf:
        return NormalDist().inv_cdf(p)
    log = (math.log(df) - _beta_logit(df / 2, 0.5, 2 * tail, 1 - 2 * tail)) / 2
    return math.copysign(math.exp(log) if log < 709 else math.inf, p - 0.5)


def chi_square_tail(df: float, x: float) -> float:
    """Chance that a chi-square value of `df` degrees of freedom exceeds x: 1 at x = 0, 0 at x = inf.

    Error 2e-13, and 3e-12 where df is below 1. Near x = df it takes a few times sqrt(df) terms. Source: the series and
    the continued fraction of the incomplete gamma function, Abramowitz and Stegun 6.5.29 and 6.5.31, each on its own
    side of the mean.
    """
    if not (_usable(df) and x >= 0):
        return math.nan
    a, x = df / 2, x / 2
    if x in (0, math.inf):
        return float(x == 0)
    density = math.sqrt(a / math.tau) * math.exp(a * _log_excess((x - a) / a, x / a) - _stirling_error(a))
    if x >= a + 1:
        return density / _lentz(x + 1 - a, ((n * (a - n), x + 1 - a + 2 * n) for n in count(1)))
    term = total = 1 / a
    for n in count(1):
        term *= x / (a + n)
        total += term
        if not term > total * _EPSILON:
            break
    return 1 - density * total


def _usable(parameter: float) -> bool:
    return 1e-3 <= parameter <= 1e9


def _log_beta(a: float, b: float, x: float, y: float, peak: float) -> tuple[float, float]:
    """(log of the chance that a Beta(a, b) value is at most x, its slope by the logit of x); y is 1 - x.

    Source: the continued fraction of DiDonato and Morris, ACM TOMS 18 (1992), equation 9, on either side of the mean.
    Near it there are up to a few times sqrt(max(a, b)) terms.
    """
    if x == 0 or y == 0:
        return (-math.inf, a) if x == 0 else (0.0, 0.0)
    n, distance = a + b, a * y - b * x
    density = peak + a * _log_excess(-distance / a, x * n / a) + b * _log_excess(distance / b, y * n / b)
    if distance + y > x:
        slope = _lentz(a * (distance + 1) / (a + 1), _beta_terms(a, b, x, distance))
        return density - math.log(slope), slope
    above = math.exp(density) / _lentz(b * (1 - distance) / (b + 1), _beta_terms(b, a, y, -distance))
    return math.log1p(-above), math.exp(density) / (1 - above)


def _beta_terms(a: float, b: float, x: float, distance: float) -> Iterator[tuple[float, float]]:
    for n in count(1):
        below = 2 * n - 1 + a
        rise = n * (b - n) * x / below
        yield (
            (n - 1 + a) * (n - 1 + a + b) * x * rise / below,
            n + rise + (a + n) * (distance + 1 + n * (2 - x)) / (below + 2),
        )


def _lentz(value: float, terms: Iterator[tuple[float, float]]) -> float:
    """The continued fraction value + n1 / (d1 + n2 / (d2 + ...)). Source: the method of Lentz and Thompson."""
    above, below = value, 0.0
    for numerator, denominator in terms:
        below = 1 / (denominator + numerator * below)
        above = denominator + numerator / above
        value *= above * below
        if not abs(above * below - 1) > _EPSILON:
            break
    return value


def _beta_logit(a: float, b: float, p: float, q: float) -> float:
    """The logit of the x below which a Beta(a, b) value lies with chance p; q is 1 - p, and neither is 0.

    The logit of x has a log-concave density, hence log-concave tails: the smaller one is solved for by Halley's method,
    between the bounds that the asymptotes of both give, from Abramowitz and Stegun 26.5.22 if both parameters exceed 1.
    Ten steps were the most seen.
    """
    if q < p:
        return -_beta_logit(b, a, q, p)
    peak = _log_peak(a, b)
    goal, far = math.log(p), 40 + math.log1p(a + b)
    low, high = (goal - _log_first(a, b, peak)) / a, (_log_first(b, a, peak) - math.log1p(-p)) / b
    if low < -far or high > far:  # There the asymptotes are exact.
        return low if low < -far else high
    logit = math.log(a / b)
    if a > 1 and b > 1:
        z, term_a, term_b = -NormalDist().inv_cdf(p), 1 / (2 * a - 1), 1 / (2 * b - 1)
        h, bend = 2 / (term_a + term_b), (z * z - 3) / 6
        logit -= 2 * (z * math.sqrt(h + bend) / h - (term_b - term_a) * (bend + 5 / 6 - 2 / (3 * h)))
    logit = min(max(logit, low), high)
    for _ in range(100):
        x, y = 1 / (1 + math.exp(-logit)), 1 / (1 + math.exp(logit))
        log, slope = _log_beta(a, b, x, y, peak)
        newton = (log - goal) / (slope or 1e-300)
        step = newton / max(0.5, 1 - newton * (a * y - b * x - slope) / 2)
        logit = min(max(logit - step, low), high)
        if abs(step) < 1e-7:  # The next would be of the order of its cube.
            break
    return logit


def _log_peak(a: float, b: float) -> float:
    """The log of x^a (1 - x)^b / B(a, b) at its highest, x = a / (a + b)."""
    errors = _stirling_error(a + b) - _stirling_error(a) - _stirling_error(b)
    return math.log(a / (a + b) * b / math.tau) / 2 + errors


def _log_first(a: float, b: float, peak: float) -> float:
    """The log of 1 / (a B(a, b)): times x^a it is the first term of the tail at 0."""
    return a * math.log1p(b / a) + b * math.log1p(a / b) + peak - math.log(a)


def _log_excess(u: float, ratio: float) -> float:
    """log(1 + u) - u without cancellation; `ratio` is 1 + u, which u near -1 no longer tells."""
    if abs(u) > 0.3:
        return math.log(ratio) - u
    r = u / (2 + u)
    total = 0.0
    for odd in _ODD:
        total = total * r * r + odd
    return r * (2 * r * r * total - u)


def _stirling_error(z: float) -> float:
    """The log of gamma(z) less Stirling's formula for it."""
    if z < 12:
        return math.lgamma(z) - (z - 0.5) * math.log(z) + z - math.log(math.tau) / 2
    total = 0.0
    for coefficient in _STIRLING:
        total = total / (z * z) + coefficient
    return total / z
