"""Special functions against scipy 1.17, and against fifty digits where scipy itself goes wrong.

Found wrong in scipy 1.17, and left to the fifty digits: `betainc` below 1e-250 (by 2e-4), `betaincinv` of p below 1e-15
(nan), `stdtr` of t within 1e-5 of 0 (by 2e-9), `stdtrit` of p below 1e-100 (inf) and, with 4 degrees of freedom, near
1/2 (all digits).
"""

import math
import subprocess
import sys
from decimal import MIN_EMIN, Context, Decimal, localcontext

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from scipy import special as scipy

from reach_tui.metrics.special import (
    beta_cdf,
    beta_quantile,
    chi_square_tail,
    normal_cdf,
    student_cdf,
    student_quantile,
)

MANY = settings(max_examples=200, derandomize=True, suppress_health_check=list(HealthCheck))
FEW = settings(MANY, max_examples=40)
DIGITS = Context(prec=50, Emin=MIN_EMIN)
STIRLING = [(1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156), (-3617, 122400)]
INF, NAN = math.inf, math.nan


def powers(low, high):
    return st.floats(low, high).map(lambda exponent: 10**exponent)


shapes = st.integers(1, 200).map(float) | powers(-3, 5)
halves = st.integers(0, 100).map(lambda passes: passes + 0.5)
freedom = st.integers(1, 200).map(float) | powers(0, 6)
shares = st.floats(0, 1) | powers(-300, 0) | powers(-16, 0).map(lambda rest: 1 - rest)
signs = st.sampled_from([-1.0, 1.0])
deviates = st.floats(-6, 6)


def near(value):
    return pytest.approx(value, rel=1e-10, abs=1e-290)


def log_gamma(z):
    shift = Decimal(1)
    while z < 80:
        shift, z = shift * z, z + 1
    terms = sum(Decimal(n) / (d * z ** (2 * k + 1)) for k, (n, d) in enumerate(STIRLING))
    half_log_tau = Decimal("0.91893853320467274178032973640561763986139747363778")
    return (z - Decimal("0.5")) * z.ln() - z + half_log_tau + terms - shift.ln()


def exact_beta(a, b, x, y):
    """Beta(a, b) at x = 1 - y, all Decimal: the power series with positive terms, from the nearer end."""
    if (a + b + 2) * x > a + 1:
        return 1 - exact_beta(b, a, y, x)
    term = total = (a * x.ln() + b * y.ln() + log_gamma(a + b) - log_gamma(a + 1) - log_gamma(b)).exp()
    n = 0
    while term > total * Decimal("1e-40"):
        term *= (a + b + n) / (a + 1 + n) * x
        total += term
        n += 1
    return total


def exact_share(a, b, x):
    return exact_beta(Decimal(a), Decimal(b), Decimal(x), 1 - Decimal(x))


def exact_student_tail(df, t):
    df, square = Decimal(df), Decimal(t) ** 2
    return exact_beta(df / 2, Decimal("0.5"), df / (df + square), square / (df + square)) / 2


def is_quantile(law, quantile, p):
    """Whether a rising `law` passes p within 1e-10 of the value found."""
    margin = abs(Decimal(quantile)) * Decimal("1e-10")
    return law(Decimal(quantile) - margin) <= Decimal(p) <= law(Decimal(quantile) + margin)


@given(shapes | halves, shapes | halves, shares)
@MANY
@example(79459.21481360034, 0.0010040465762742833, 0.9999878561076139)
def test_the_chance_below_x_under_a_beta_law_agrees_with_scipy(a, b, x):
    expected = scipy.betainc(a, b, x)
    if expected > 1e-250:
        assert beta_cdf(a, b, x) == near(expected)


@given(shapes, shapes, deviates)
@MANY
@example(1e5, 1e5, 0.0)
@example(1e5, 1e-3, 0.0)
def test_so_it_does_around_the_mean(a, b, deviate):
    x = min(1.0, max(0.0, (a + deviate * math.sqrt(a * b / (a + b + 1))) / (a + b)))
    assert beta_cdf(a, b, x) == near(scipy.betainc(a, b, x))
    assert beta_cdf(a, b, x) + beta_cdf(b, a, 1 - x) == near(1) or 1 - x == 1


@given(shapes | halves, shapes | halves, st.floats(0, 1) | powers(-15, 0) | powers(-15, 0).map(lambda rest: 1 - rest))
@MANY
@example(0.028975026490927095, 95560.19964528925, 0.3497529062817122)
@example(0.0021, 95560.19964528925, 0.3497529062817122)
@example(56.21628890460377, 0.017830806894090508, 0.5)
def test_beta_quantiles_agree_with_scipy(a, b, p):
    if p == 0 or p > 1e-15:
        assert beta_quantile(a, b, p) == near(scipy.betaincinv(a, b, p))


@given(freedom, st.builds(float.__mul__, signs, st.just(0.0) | powers(-3, 1) | powers(-5, 100)))
@MANY
@example(1e6, -37.0)
@example(1.0, -1e100)
def test_students_law_agrees_with_scipy(df, t):
    assert student_cdf(df, t) == near(scipy.stdtr(df, t))


@given(freedom, st.floats(0.01, 0.49) | powers(-100, -2), st.booleans())
@MANY
@example(1e6, 0.025, True)
def test_quantiles_of_students_law_agree_with_scipy(df, p, upper):
    p = 1 - p if upper and p > 1e-16 else p
    assert student_quantile(df, p) == near(scipy.stdtrit(df, p))


@given(freedom, deviates, powers(-2, 1) | powers(-300, 4))
@MANY
@example(12119.0, 0.0, 1.5386)
def test_the_tail_of_chi_square_agrees_with_scipy(df, deviate, factor):
    for x in (max(0.0, df + deviate * math.sqrt(2 * df)), df * factor):
        assert chi_square_tail(df, x) == near(scipy.chdtrc(df, x))


@given(st.floats(-40, 40))
@MANY
def test_the_normal_law_agrees_with_scipy(z):
    assert normal_cdf(z) == near(scipy.ndtr(z))


@given(shapes, shapes, powers(-300, -12))
@FEW
@example(5521.255401019226, 19.349295011169282, 2.7e-285)
@example(6.641873720681727, 124.73140380756969, 1.42e-172)
@example(4.636923261181007, 0.002667924005364557, 5.93e-78)
def test_far_beta_quantiles_and_their_chances_agree_with_fifty_digits(a, b, p):
    quantile = beta_quantile(a, b, p)
    with localcontext(DIGITS):
        if 1e-290 < quantile < 1 - 1e-10:
            assert is_quantile(lambda x: exact_share(a, b, x), quantile, p)
            assert beta_cdf(a, b, quantile) == near(float(exact_share(a, b, quantile)))


@given(freedom, powers(-300, -50))
@FEW
@example(6.226227049533933, 8.4e-296)
@example(1.0, 1e-300)
def test_far_quantiles_of_students_law_agree_with_fifty_digits(df, p):
    quantile = student_quantile(df, p)
    with localcontext(DIGITS):
        assert is_quantile(lambda t: exact_student_tail(df, t), quantile, p)
        assert student_cdf(df, quantile) == near(float(exact_student_tail(df, quantile)))


@given(freedom, powers(-15, -2), signs)
@FEW
@example(4.0, 1e-8, 1.0)
def test_quantiles_of_students_law_agree_with_fifty_digits_near_one_half(df, distance, sign):
    p = 0.5 + sign * distance
    quantile = student_quantile(df, p)
    assert math.copysign(1, quantile) == sign
    with localcontext(DIGITS):
        upper = exact_student_tail(df, abs(quantile))
        assert is_quantile(lambda t: -exact_student_tail(df, t), abs(quantile), -min(p, 1 - p))
        assert student_cdf(df, quantile) == near(float(upper if sign < 0 else 1 - upper))


@given(powers(-3, 9), powers(-3, 9), shares, st.floats(-1e300, 1e300))
@FEW
@example(1e9, 1e9, 0.5, 1.0)
@example(1e-3, 1e-3, 0.5, 1e-300)
@example(1e9, 1e-3, 0.5, 1e300)
@example(1e-3, 1e9, 1 - 2**-53, 5e-324)
def test_nothing_fails_between_a_thousandth_and_a_thousand_millions(a, b, p, t):
    assert 0 <= beta_cdf(a, b, p) <= 1
    assert 0 <= beta_quantile(a, b, p) <= 1
    assert 0 <= student_cdf(a, t) <= 1
    assert 0 <= chi_square_tail(a, abs(t)) <= 1
    assert (student_quantile(a, p) > 0) == (p > 0.5)


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (beta_cdf, (2, 3, 0), 0), (beta_cdf, (2, 3, 1), 1), (beta_cdf, (1, 1, 1e-300), 1e-300),
        (beta_cdf, (2, 3, -0.1), NAN), (beta_cdf, (2, 3, 1.1), NAN), (beta_cdf, (2, 3, NAN), NAN),
        (beta_cdf, (0, 3, 0.5), NAN), (beta_cdf, (2, -1, 0.5), NAN), (beta_cdf, (INF, 1, 0.5), NAN),
        (beta_cdf, (NAN, 1, 0.5), NAN), (beta_cdf, (1, 9e-4, 0.5), NAN), (beta_cdf, (1, 2e9, 0.5), NAN),
        (beta_quantile, (2, 3, 0), 0), (beta_quantile, (2, 3, 1), 1), (beta_quantile, (0.001, 1, 0.1), 0),
        (beta_quantile, (1, 0.001, 0.9), 1), (beta_quantile, (2, 3, -0.1), NAN), (beta_quantile, (2, 3, NAN), NAN),
        (beta_quantile, (2, 0, 0.5), NAN), (beta_quantile, (NAN, 3, 0.5), NAN),
        (student_cdf, (5, 0), 0.5), (student_cdf, (5, -INF), 0), (student_cdf, (5, INF), 1),
        (student_cdf, (5, 5e-324), 0.5), (student_cdf, (1, -1e200), 1e-200 / math.pi), (student_cdf, (5, -1e200), 0),
        (student_cdf, (INF, 1), normal_cdf(1)), (student_cdf, (0, 1), NAN), (student_cdf, (-1, 1), NAN),
        (student_cdf, (NAN, 1), NAN), (student_cdf, (5, NAN), NAN), (student_cdf, (INF, NAN), NAN),
        (student_quantile, (5, 0), -INF), (student_quantile, (5, 0.5), 0), (student_quantile, (5, 1), INF),
        (student_quantile, (0.5, 1e-300), -INF), (student_quantile, (INF, normal_cdf(-1)), -1),
        (student_quantile, (INF, 0), -INF), (student_quantile, (5, 1.1), NAN), (student_quantile, (5, NAN), NAN),
        (student_quantile, (0, 0.3), NAN), (student_quantile, (NAN, 0.3), NAN),
        (chi_square_tail, (3, 0), 1), (chi_square_tail, (3, INF), 0), (chi_square_tail, (3, 1e300), 0),
        (chi_square_tail, (3, -1), NAN), (chi_square_tail, (3, NAN), NAN), (chi_square_tail, (0, 1), NAN),
        (chi_square_tail, (INF, 1), NAN), (chi_square_tail, (2, 2), math.exp(-1)),
        (normal_cdf, (-INF,), 0), (normal_cdf, (0,), 0.5), (normal_cdf, (INF,), 1), (normal_cdf, (NAN,), NAN),
    ],
)  # fmt: skip
def test_at_the_ends_of_its_domain_and_beyond_a_function_says_what_its_description_says(function, arguments, expected):
    assert function(*arguments) == pytest.approx(expected, rel=1e-13, abs=1e-320, nan_ok=True)


def test_the_whole_product_works_without_scipy_and_numpy():
    code = (
        "import importlib, pkgutil, sys\n"
        "sys.modules.update(dict.fromkeys(('scipy', 'numpy', 'pandas')))\n"
        "import reach_tui\n"
        "for module in pkgutil.walk_packages(reach_tui.__path__, 'reach_tui.'):\n"
        "    if not module.name.endswith('__main__'): importlib.import_module(module.name)\n"
        "from reach_tui.counterfactual.power import smallest_effect\n"
        "print(smallest_effect([(passes % 4, 3) for passes in range(10)], 3))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) == pytest.approx(0.6231046, abs=1e-6)
