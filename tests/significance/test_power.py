"""Power against published figures, all tables listed one by one, and SciPy's quantiles."""

import itertools
import math

import pytest
from scipy import stats

import scorebars as sb
from scorebars.errors import ArgumentError


def listed(n, p, q, alpha):
    """Power, type M and type S from every table of n items."""
    reject = size = wrong = 0.0
    for b, c in itertools.product(range(n + 1), repeat=2):
        if b + c > n or b + c == 0 or stats.binomtest(b, b + c).pvalue > alpha:
            continue
        at = stats.multinomial.pmf([b, c, n - b - c], n, [p, q, 1 - p - q])
        reject += at
        size += at * abs(b - c) / n
        wrong += at * ((b - c) * (p - q) < 0)
    return reject, size / reject / abs(p - q), wrong / reject


@pytest.mark.parametrize(("n", "p", "q", "alpha"), [(20, 0.4, 0.1, 0.05), (14, 0.2, 0.5, 0.2), (25, 0.3, 0.0, 0.01)])
def test_power_is_that_of_all_tables(n, p, q, alpha):
    found = sb.mcnemar_power(n, p, q, alpha)
    assert (found.power, found.type_m, found.type_s) == pytest.approx(listed(n, p, q, alpha), rel=1e-9)
    assert sb.mcnemar_power(n, q, p, alpha).power == pytest.approx(found.power, rel=1e-12)


def test_published_power():
    # Card et al. 2020 print the simulated .800 and 1.118, .119, 3.004 and .022.
    found = sb.mcnemar_power(500, 0.0225, 0.0025)
    assert (found.power, found.type_m) == pytest.approx((0.79758, 1.1158), abs=6e-5)
    found = sb.mcnemar_power(1_000, 0.30, 0.28)
    assert (found.power, found.type_m, found.type_s) == pytest.approx((0.12304, 2.9974, 0.0188), abs=6e-5)
    assert found.power * (1 - found.type_s) == pytest.approx(0.12073, abs=6e-6)
    assert sb.mcnemar_power(1_000, 0.02, 0.0).power == pytest.approx(0.99994, abs=6e-6)


def test_without_a_difference_power_is_the_error_rate():
    found = sb.mcnemar_power(200, 0.1, 0.1)
    assert 0.0 < found.power < 0.05
    assert math.isnan(found.type_m)
    assert math.isnan(found.type_s)
    never = sb.mcnemar_power(5, 0.9, 0.0)  # five of five has p = .0625
    assert never.power == 0.0
    assert math.isnan(never.type_m)
    assert sb.mcnemar_power(6, 1.0, 0.0).power == pytest.approx(1.0)
    assert sb.mcnemar_power(6, 0.0, 0.0).power == 0.0


def test_published_sample_sizes():
    assert sb.paired_sample_size(0.03, 1 / 9) == pytest.approx(968.9975, abs=6e-5)
    assert sb.paired_sample_size(-0.03, 1 / 9, 1 / 6, 1 / 6) == pytest.approx(3875.99, abs=6e-3)


@pytest.mark.parametrize(
    ("n", "expected"),
    [(198, (0.132733, 0.104935, 0.083948, 0.075670)), (200, (0.132068, 0.104409, 0.083527, 0.075290))],
)
def test_published_detectable_differences(n, expected):
    found = [sb.minimum_detectable_difference(n, 1 / 9, 1 / 6, 1 / 6, k, k) for k in (1, 2, 5, 10)]
    assert found == pytest.approx(expected, abs=6e-7)
    assert sb.paired_sample_size(found[1], 1 / 9, 1 / 6, 1 / 6, 2, 2) == pytest.approx(n, rel=1e-12)


@pytest.mark.parametrize("k", [1, 2, 4, 6])
def test_runs_divide_the_variance_of_attempts(k):
    # Miller's example: rates uniform on [0, 1] have variance 1/12, attempts at one item 1/6 on average: (1 + 2/K)/3.
    one, many = (sb.paired_sample_size(0.1, 1 / 12, 1 / 6, runs_a=runs) for runs in (1, k))
    assert many / one == pytest.approx({1: 1, 2: 2 / 3, 4: 1 / 2, 6: 4 / 9}[k])


def test_the_sides_may_differ():
    one = sb.paired_sample_size(0.1, 0.1, 0.2, 0.3, 2, 3, alpha=0.1, power=0.9)
    z = stats.norm.ppf
    assert one == pytest.approx((z(0.95) + z(0.9)) ** 2 * (0.1 + 0.1 + 0.1) / 0.01)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sb.mcnemar_power(0, 0.1, 0.1), "n = 0"),
        (lambda: sb.mcnemar_power(9, 0.6, 0.6), "sum is at most 1"),
        (lambda: sb.mcnemar_power(9, -0.1, 0.6), "p_a_only = -0.1"),
        (lambda: sb.mcnemar_power(9, math.nan, 0.6), "p_a_only = nan"),
        (lambda: sb.mcnemar_power(9, 0.1, 0.2, alpha=5), "did you mean 0.05"),
        (lambda: sb.paired_sample_size(0.0, 0.1), "difference = 0"),
        (lambda: sb.paired_sample_size(0.1, -0.1), "variance_of_means = -0.1"),
        (lambda: sb.paired_sample_size(0.1, 0.1, variance_b=math.inf), "variance_b = inf"),
        (lambda: sb.paired_sample_size(0.1, 0.1, runs_a=0), "runs_a = 0"),
        (lambda: sb.paired_sample_size(0.1, 0.1, power=80), "did you mean 0.8"),
        (lambda: sb.paired_sample_size(0.1, 0.1, alpha=0.5, power=0.2), "alpha / 2"),
        (lambda: sb.minimum_detectable_difference(0, 0.1), "n = 0"),
    ],
)
def test_what_cannot_be_asked(call, message):
    with pytest.raises(ArgumentError, match=message):
        call()
