"""Tail counts of sums of binomials against convolutions of ``scipy.stats.binom`` probabilities."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from scorebars.kernels.poisson_binomial import tail_counts, window


def by_convolution(chances, trials, below, above):
    probs = np.ones(1)
    for p, n in zip(chances, trials, strict=True):
        probs = np.convolve(probs, scipy.stats.binom.pmf(np.arange(n + 1), n, p))
    low = int(np.argmax(np.cumsum(probs) >= below - 1e-12))
    high = len(probs) - 1 - int(np.argmax(np.cumsum(probs[::-1]) >= above - 1e-12))
    return low, high


@settings(max_examples=80, deadline=None)
@given(
    strata=st.lists(
        st.tuples(st.integers(1, 40), st.sampled_from([0.0, 1.0, 0.5, 1 / 3, 0.9, 0.01])), min_size=1, max_size=8
    ),
    below=st.floats(0.001, 0.4),
    above=st.floats(0.001, 0.4),
)
def test_small_sums(strata, below, above):
    trials, chances = (np.array(part) for part in zip(*strata, strict=True))
    low, high = tail_counts(np.stack([chances, chances[::-1]], axis=1), trials, below, above)
    for column, order in ((0, chances), (1, chances[::-1])):
        assert (low[column], high[column]) == by_convolution(order, trials, below, above)


@pytest.mark.parametrize("n", [1, 50, 400, 3_000, 200_000])
def test_one_stratum_is_a_binomial(n):
    p = np.array([0.0, 1.0, 0.5, 0.003, 0.98, 0.7])
    low, high = tail_counts(p[np.newaxis], np.array([n]), 0.025, 0.025)
    assert low.tolist() == scipy.stats.binom.ppf(0.025, n, p).clip(0).tolist()
    assert high.tolist() == (n - scipy.stats.binom.ppf(0.025, n, 1 - p).clip(0)).tolist()


def test_the_window_of_large_sums_is_small():
    assert window(9) == 10
    assert window(1_000_000) < 10_000
