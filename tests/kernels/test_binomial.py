"""Binomial sums against scipy.stats and exact rational arithmetic."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scorebars.kernels import binomial


@pytest.mark.parametrize("n", [1, 2, 20, 97, 1000, 20_000, 2_000_000])
@pytest.mark.parametrize("p", [1e-6, 0.003, 0.25, 0.5, 0.81, 0.9999])
def test_probabilities_match_scipy(n, p):
    first, probs = binomial.pmf_window(n, p)
    k = np.arange(first, first + len(probs))
    expected = stats.binom.pmf(k, n, p)
    keep = expected > 1e-200
    np.testing.assert_allclose(probs[keep], expected[keep], rtol=2e-10)
    assert probs.sum() == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize(("n", "k"), [(7, 2), (20, 18), (200, 3)])
def test_probabilities_match_exact_fractions(n, k):
    first, probs = binomial.pmf_window(n, k / n)
    rate = Fraction(k, n)
    exact = [float(comb(n, j) * rate**j * (1 - rate) ** (n - j)) for j in range(first, first + len(probs))]
    np.testing.assert_allclose(probs, exact, rtol=1e-12, atol=1e-290)


def test_tails_keep_small_probabilities():
    low, high = binomial.tails(900, 1000, 0.5)
    assert low == 1.0
    assert high == pytest.approx(stats.binom.sf(899, 1000, 0.5), rel=1e-9)
    assert binomial.tails(3, 1000, 0.5)[0] == pytest.approx(stats.binom.cdf(3, 1000, 0.5), rel=1e-9)


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_certain_outcomes_are_points(p):
    assert binomial.pmf_window(10, p)[0] == 10 * p
    assert binomial.quantile(0.025, 10, p) == 10 * p
    assert binomial.quantile(0.975, 10, p, upper=True) == 10 * p
    assert binomial.tails(int(10 * p), 10, p) == (1.0, 1.0)


# n = 20: the exact percentile bootstrap, published figures reproduced by closed form.
@pytest.mark.parametrize(
    ("k", "low", "high"),
    [(20, 20, 20), (18, 15, 20), (12, 8, 16), (10, 6, 14), (8, 4, 12), (5, 2, 9), (2, 0, 5), (1, 0, 3), (0, 0, 0)],
)
def test_percentile_bounds_of_twenty(k, low, high):
    assert binomial.quantile(0.025, 20, k / 20) == low
    assert binomial.quantile(0.975, 20, k / 20, upper=True) == high


@given(n=st.integers(1, 3000), share=st.floats(0, 1), level=st.floats(1e-6, 1 - 1e-6))
def test_quantiles_meet_their_definition_and_mirror(n, share, level):
    k = round(n * share)
    low = binomial.quantile(level, n, k / n)
    high = binomial.quantile(1 - level, n, (n - k) / n, upper=True)
    assert low + high == n
    assert stats.binom.cdf(low, n, k / n) >= level - 2e-12
    if low > 0:
        assert stats.binom.cdf(low - 1, n, k / n) < level + 1e-11


LEVELS = [1e-13, 1e-9, 1e-3, 0.025, 0.3, 0.5, 0.95, 0.975, 1 - 1e-9]


@pytest.mark.parametrize(
    ("n", "k"), [(121_000, 60_500), (200_000, 150_001), (2_000_000, 1_240_000), (2_000_000, 31_000)]
)
@pytest.mark.parametrize("level", LEVELS)
def test_quantiles_of_a_large_variance_are_those_of_all_sums_and_of_scipy(n, k, level):
    p = k / n
    sums = binomial.running_sums(n, p)
    assert isinstance(sums, binomial.Tails)
    every = binomial.Weights(*binomial.pmf_window(n, p, binomial.NEAR))
    assert sums.quantile(level) == every.quantile(level)
    assert sums.quantile(level, upper=True) == every.quantile(level, upper=True)
    if 1e-9 <= level <= 0.5:
        found = sums.quantile(level)
        assert stats.binom.cdf(found - 1, n, p) < level < stats.binom.cdf(found, n, p) + 1e-12
        assert n - binomial.running_sums(n, 1 - p).quantile(1 - level, upper=True) == pytest.approx(found, abs=0)


def test_ends_are_the_possible_values():
    assert binomial.quantile(0.0, 50, 0.5) == 0
    assert binomial.quantile(1.0, 50, 0.5, upper=True) == 50
