"""Tango and Newcombe: against likelihoods maximised by brute force, McNemar, published examples, exact coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import confint_proportions_2indep
from tests.intervals.interval_problems import binary, graded, paired_table, unhurried, unpaired

from scorebars.contracts import Side
from scorebars.intervals import Mover, Newcombe, Tango, Wilson, p_value
from scorebars.intervals.tango import constrained_rate, tango_bounds, tango_bounds_of

tables = st.tuples(*[st.integers(0, 40)] * 4).filter(any)
levels = st.floats(0.01, 0.9999)


def ends(method, table, level=0.95, side=Side.TWO):
    bounds = method.bounds(paired_table(*table), level, side)
    return bounds.low, bounds.high


@pytest.mark.parametrize("n", [1, 5, 50, 189])
def test_all_pairs_agree(n):
    z2 = stats.norm.ppf(0.975) ** 2
    expected = z2 / (n + z2)
    assert ends(Tango(), (n, 0, 0, 0)) == pytest.approx((-expected, expected), abs=1e-12)
    if n == 50:
        assert round(expected, 4) == 0.0713


@pytest.mark.parametrize(("b", "c", "n"), [(5, 2, 30), (0, 3, 20), (12, 12, 40), (7, 1, 8), (1, 0, 1)])
@pytest.mark.parametrize("delta", [-0.4, -0.05, 0.0, 0.1, 0.6])
def test_constrained_rate_maximises_the_likelihood(b, c, n, delta):
    def minus_log_likelihood(q):
        p = q + delta
        return -(b * np.log(p) if b else 0) - (c * np.log(q) if c else 0) - (n - b - c) * np.log1p(-p - q)

    low, high = max(0.0, -delta) + 1e-12, (1 - delta) / 2 - 1e-12
    best = optimize.minimize_scalar(minus_log_likelihood, bounds=(low, high), options={"xatol": 1e-12})
    assert constrained_rate(b, c, n, delta) == pytest.approx(best.x, abs=2e-6)


@unhurried
@given(tables, levels)
def test_the_score_statistic_is_z_at_the_ends(table, level):
    _, b, c, _ = table
    n = sum(table)
    z = stats.norm.isf((1 - level) / 2)
    for end, sign in zip(ends(Tango(), table, level), (1, -1), strict=True):
        q = constrained_rate(b, c, n, end)
        variance = n * (2 * q + end * (1 - end))
        if abs(end) < 1 - 1e-9 and variance > 1e-9:
            assert (b - c - n * end) / math.sqrt(variance) == pytest.approx(sign * z, abs=1e-5)


@unhurried
@given(tables, levels, st.sampled_from([Tango(), Newcombe()]))
def test_swapping_the_sides_mirrors_the_interval(table, level, method):
    both, b, c, neither = table
    low, high = ends(method, table, level)
    mirrored = ends(method, (both, c, b, neither), level)
    assert (low, high) == pytest.approx((-mirrored[1], -mirrored[0]), abs=1e-12)
    assert -1 - 1e-12 <= low < high <= 1 + 1e-12
    assert low - 1e-9 <= (b - c) / sum(table) <= high + 1e-9


@unhurried
@given(tables, st.sampled_from([0.1, 0.5, 0.8, 0.95, 0.999]))
def test_higher_levels_contain_lower_ones(table, level):
    inner, outer = ends(Tango(), table, level), ends(Tango(), table, (1 + level) / 2)
    assert outer[0] <= inner[0]
    assert inner[1] <= outer[1]


@unhurried
@given(tables, st.floats(0.5001, 0.9999), st.sampled_from([Tango(), Newcombe()]))
def test_one_sided_bounds_are_the_ends_at_twice_the_error(table, level, method):
    low, none = ends(method, table, level, Side.LOWER)
    nothing, high = ends(method, table, level, Side.UPPER)
    assert (none, nothing) == (math.inf, -math.inf)
    assert (low, high) == pytest.approx(ends(method, table, 2 * level - 1), abs=1e-9)


@unhurried
@given(tables)
def test_p_value_is_mcnemars_and_agrees_with_the_interval(table):
    both, b, c, neither = table
    p = p_value(Tango(), paired_table(*table))
    theirs = mcnemar([[both, b], [c, neither]], exact=False, correction=False) if b + c else None
    assert p == pytest.approx(theirs.pvalue if theirs else 1.0, abs=1e-12)
    for level in (0.8, 0.95, 0.99):
        low, high = ends(Tango(), table, level)
        assert (low > 1e-9 or high < -1e-9) == (p < 1 - level - 1e-9)


def test_four_against_none_of_fifty():
    low, _ = ends(Tango(), (23, 4, 0, 23))
    assert round(low, 4) == 0.0029


def test_published_example_of_newcombe():
    # Altman, Machin, Bryant and Gardner (2000), table 6.2, which the R package biostatUZH repeats: 14, 5, 0, 22.
    low, high = ends(Newcombe(), (14, 5, 0, 22))
    assert (round(low, 3), round(high, 3)) == (0.011, 0.226)


def test_airway_hyper_responsiveness():
    # Bentur et al. (2009) as in Fagerland, Lydersen and Laake (2014), table 3: 1, 1, 7, 12.
    assert [round(x, 3) for x in ends(Tango(), (1, 1, 7, 12))] == [-0.517, -0.026]
    assert [round(x, 3) for x in ends(Newcombe(), (1, 1, 7, 12))] == [-0.507, -0.026]


@pytest.mark.parametrize(("ka", "na", "kb", "nb"), [(56, 70, 48, 80), (9, 10, 3, 10), (10, 10, 0, 20), (5, 56, 0, 29)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_unpaired_newcombe_agrees_with_statsmodels(ka, na, kb, nb, level):
    problem = unpaired(binary(ka, na), binary(kb, nb))
    bounds = Newcombe().bounds(problem, level, Side.TWO)
    theirs = confint_proportions_2indep(ka, na, kb, nb, method="newcomb", compare="diff", alpha=1 - level)
    assert (bounds.low, bounds.high) == pytest.approx(theirs, abs=1e-9)
    mover = Mover(Wilson()).bounds(problem, level, Side.TWO)
    assert (mover.low, mover.high) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("method", [Tango(), Newcombe()])
def test_graded_scores_are_refused(method):
    problem = graded([0.1, 0.4, 0.2])
    assert "use " in method.refuses(problem)
    assert math.isnan(method.bounds(problem, 0.95, Side.TWO).low)


def paired_coverage(intervals, n, discordance, split):
    """Exact coverage: (b, c) is trinomial with P(only A) = discordance·split, P(only B) = discordance·(1 − split)."""
    b, c, low, high = intervals
    p, q = discordance * split, discordance * (1 - split)
    mass = stats.multinomial.pmf(np.stack([b, c, n - b - c], axis=1), n, [p, q, 1 - p - q])
    return float(mass[(low - 1e-12 <= p - q) & (p - q <= high + 1e-12)].sum())


def all_tables(n):
    pairs = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    bounds = np.array([tango_bounds(b, c, n, (0.025, 0.025)) for b, c in pairs])
    return (*np.array(pairs).T, *bounds.T)


def coverages_of_tango(n):
    intervals = all_tables(n)
    rates, splits = np.linspace(0.02, 0.6, 30), np.linspace(0.5, 1.0, 11)
    return np.array([[paired_coverage(intervals, n, rate, split) for split in splits] for rate in rates])


@pytest.mark.parametrize(("n", "worst", "mean"), [(10, 0.9465, 0.985), (20, 0.942, 0.972)])
def test_coverage_of_tango(n, worst, mean):
    coverage = coverages_of_tango(n)
    assert coverage.min() >= 0.93
    assert coverage.min() == pytest.approx(worst, abs=3e-3)
    assert coverage.mean() <= mean


@pytest.mark.slow
@pytest.mark.parametrize(("n", "worst"), [(30, 0.9298), (50, 0.9336), (100, 0.9317)])
def test_coverage_of_tango_for_more_items(n, worst):
    coverage = coverages_of_tango(n)
    # The infimum over all rates is a little lower than over any grid of them.
    assert coverage.min() >= 0.93 - 1e-3
    assert coverage.min() == pytest.approx(worst, abs=6e-4)
    assert coverage.mean() <= 0.97


@pytest.mark.parametrize("n", [1, 2, 7, 50, 1000, 10**9])
@pytest.mark.parametrize("tails", [(0.025, 0.025), (0.25, 0.25), (0.0, 0.05), (1e-9, 0.0), (0.75, 0.6)])
def test_many_pairs_at_once_have_the_bounds_of_each_to_the_last_bit(n, tails):
    rng = np.random.default_rng(n)
    b = np.concatenate([[0, n, 0], rng.integers(0, n + 1, size=300)])
    c = np.concatenate([[0, 0, n], rng.integers(0, n + 1 - b[3:])])
    low, high = tango_bounds_of(b, c, n, tails)
    expected = [tango_bounds(*pair, n, tails) for pair in zip(b.tolist(), c.tolist(), strict=True)]
    assert np.stack([low, high], axis=1).tobytes() == np.array(expected).tobytes()
