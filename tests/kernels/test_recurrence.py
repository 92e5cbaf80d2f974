"""Transforms that come back after they have died out, against laws that can be computed another way."""

import math

import numpy as np
import pytest
from scipy import stats

from scorebars.distribution import compute
from scorebars.kernels import fourier, recurrence
from scorebars.kernels.law import Total, atoms, mean, simplify
from scorebars.kernels.transform import log_transform


def trinomial_cdf(x, n, ones, share):
    """P(T ≤ x), T the mean of n draws from `ones` ones, one score of `share`, and zeros: by conditioning."""
    m = np.arange(0, 40)
    many = stats.binom.pmf(m, n, 1 / n)
    return float(np.sum(many * stats.binom.cdf(np.floor(n * x - share * m + 1e-9), n - m, ones / (n - 1))))


def zeros_and_ones_with(share, n, ones):
    return Total(((atoms(np.array([0.0, 1.0, share]) / n, [n - ones - 1, ones, 1]), n),))


@pytest.mark.parametrize("share", [0.333321345671, 1 / 3 + 1e-8, 0.5 + 1e-7])
def test_steps_of_scores_near_a_lattice_are_kept(share):
    n, ones = 3001, 1500
    found = compute(zeros_and_ones_with(share, n, ones))
    for p in (0.025, 0.3, 0.9):
        x = found.quantile(p)
        slip = found.error + 1e-9
        assert trinomial_cdf(x + slip, n, ones, share) >= p - 1e-9
        assert trinomial_cdf(x - slip, n, ones, share) <= p + 1e-9


def test_a_series_cut_too_early_is_refused():
    law = zeros_and_ones_with(0.333321345671, 3001, 1500)
    blind = fourier.solve(law, look=False)
    assert blind is not None
    x = blind.quantile(0.025)
    step = 1 / 3001
    missed = max(abs(blind.cdf(y) - trinomial_cdf(y, 3001, 1500, 0.333321345671)) for y in x + step * np.arange(9) / 9)
    assert missed > 1e-4
    assert fourier.solve(law) is None


def test_the_last_frequency_alone_misleads():
    law = zeros_and_ones_with(0.3333, 200, 100)
    series = fourier.solve(law, look=False)
    sizes = np.exp(log_transform(law, 2 * math.pi / series.period * np.arange(1, 2**14)).real)
    dead = [64 * 2**k for k in range(8) if sizes[64 * 2**k - 1] < 1e-10]
    assert any(sizes[terms - 1 : 64 * terms].max() > 0.1 for terms in dead)


def test_the_bound_is_never_below_the_transform():
    rng = np.random.default_rng(1)
    values = np.concatenate([rng.integers(0, 2, 40), rng.random(10)])
    law = simplify(Total(((atoms(values / 50), 50), (atoms(rng.random(5) / 50), 3))))
    spread = np.linspace(400.0, 4000.0, 7)
    for beyond in spread:
        seen = recurrence.look(law, 1e-3, beyond)
        t = np.linspace(seen.last, seen.t, 20_001)[1:]
        assert np.exp(log_transform(law, t).real).max() < 1e-3 or seen.last == seen.t


def test_random_scores_are_seen_to_be_smooth():
    values = np.random.default_rng(2).random(1000)
    law = Total(((atoms(values / 1000), 1000),))
    series = fourier.solve(law)
    assert series is not None
    assert 0.0 < series.unseen < 1e-3 * values.std() / math.sqrt(1000)
    assert series.cdf(mean(law)) == pytest.approx(0.5, abs=0.01)
