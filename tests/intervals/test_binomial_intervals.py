"""Intervals of one 0/1 score against statsmodels, enumeration and the literature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint
from tests.intervals.interval_problems import binary, graded, unhurried

from scorebars.contracts import Side
from scorebars.errors import ArgumentError
from scorebars.intervals import (
    AgrestiCoull,
    Beta,
    Blaker,
    ClopperPearson,
    Jeffreys,
    Normal,
    Percentile,
    Wilson,
)
from scorebars.intervals.agresti_coull import adjusted
from scorebars.intervals.exact_limits import _Window, blaker_lower_limit, lower_limit

METHODS = [Wilson(), ClopperPearson(), Blaker(), AgrestiCoull(), Jeffreys(), Beta(), Beta(2.0, 5.0)]
counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.floats(0.01, 0.9999)


def ends(method, k, n, level=0.95, side=Side.TWO):
    bounds = method.bounds(binary(k, n), level, side)
    return bounds.low, bounds.high


@pytest.mark.parametrize(
    ("method", "theirs"),
    [(Wilson(), "wilson"), (ClopperPearson(), "beta"), (Jeffreys(), "jeffreys"), (AgrestiCoull(), "agresti_coull")],
)
@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.999])
@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (0, 75), (3, 10), (124, 200), (199, 200), (30, 5000)])
def test_agrees_with_statsmodels(method, theirs, level, k, n):
    assert ends(method, k, n, level) == pytest.approx(proportion_confint(k, n, 1 - level, theirs), abs=1e-11)


@pytest.mark.parametrize(
    ("k", "uniform", "wilson", "exact", "percentile"),
    [
        (20, (0.838902, 0.998795), (0.8389, 1), (0.8316, 1), (1, 1)),
        (18, (0.696226, 0.969511), (0.6990, 0.9721), (0.6830, 0.9877), (0.75, 1)),
        (12, (0.384354, 0.781803), (0.3866, 0.7812), (0.3605, 0.8088), (0.4, 0.8)),
        (10, (0.297807, 0.702193), (0.2993, 0.7007), (0.2720, 0.7280), (0.3, 0.7)),
        (8, (0.218197, 0.615646), (0.2188, 0.6134), (0.1912, 0.6395), (0.2, 0.6)),
        (5, (0.112809, 0.471660), (0.1119, 0.4687), (0.0866, 0.4910), (0.1, 0.45)),
        (2, (0.030489, 0.303774), (0.0279, 0.3010), (0.0123, 0.3170), (0, 0.25)),
        (1, (0.011749, 0.238160), (0.0089, 0.2361), (0.0013, 0.2487), (0, 0.15)),
        (0, (0.001205, 0.161098), (0, 0.1611), (0, 0.1684), (0, 0)),
    ],
)
def test_twenty_questions_of_bowyer_et_al(k, uniform, wilson, exact, percentile):
    assert ends(Beta(), k, 20) == pytest.approx(uniform, abs=6e-7)
    assert ends(Wilson(), k, 20) == pytest.approx(wilson, abs=6e-5)
    assert ends(ClopperPearson(), k, 20) == pytest.approx(exact, abs=6e-5)
    assert ends(Percentile(), k, 20) == pytest.approx(percentile, abs=1e-12)


def coverage_under_uniform_rates(intervals, n):
    """Coverage with the rate drawn from U(0, 1): Σ_k ∫ Bin(k; n, p) 1[low ≤ p ≤ high] dp, exact by the Beta CDF."""
    k = np.arange(n + 1)
    low, high = np.array(intervals).T
    law = stats.beta(k + 1, n - k + 1)
    return float(np.sum(law.cdf(np.clip(high, 0, 1)) - law.cdf(np.clip(low, 0, 1))) / (n + 1))


@pytest.mark.parametrize(
    ("method", "published"),
    [
        (
            Wilson(),
            {
                3: (0.9560, 0.6462),
                10: (0.9541, 0.4354),
                30: (0.9524, 0.2708),
                100: (0.9511, 0.1523),
                300: (0.9505, 0.0886),
            },
        ),
        (
            ClopperPearson(),
            {
                3: (0.9946, 0.8024),
                10: (0.9838, 0.5085),
                30: (0.9734, 0.2990),
                100: (0.9646, 0.1614),
                300: (0.9591, 0.0917),
            },
        ),
        (
            Beta(),
            {
                3: (0.9500, 0.6672),
                10: (0.9500, 0.4403),
                30: (0.9500, 0.2714),
                100: (0.9500, 0.1523),
                300: (0.9500, 0.0886),
            },
        ),
        (
            Jeffreys(),
            {
                3: (0.9626, 0.6600),
                10: (0.9531, 0.4325),
                30: (0.9505, 0.2687),
                100: (0.9499, 0.1517),
                300: (0.9499, 0.0884),
            },
        ),
        (
            Percentile(),
            {
                3: (0.5000, 0.5000),
                10: (0.7798, 0.4182),
                30: (0.8790, 0.2624),
                100: (0.9259, 0.1521),
                300: (0.9410, 0.0886),
            },
        ),
    ],
)
def test_coverage_and_width_of_bowyer_et_al(method, published):
    for n, (coverage, width) in published.items():
        intervals = [ends(method, k, n) for k in range(n + 1)]
        assert coverage_under_uniform_rates(intervals, n) == pytest.approx(coverage, abs=6e-5)
        assert float(np.mean([high - low for low, high in intervals])) == pytest.approx(width, abs=6e-5)


def test_coverage_and_unclipped_width_of_agresti_coull():
    published = {
        3: (0.9664, 0.7074),
        10: (0.9645, 0.4651),
        30: (0.9601, 0.2807),
        100: (0.9555, 0.1545),
        300: (0.9527, 0.0890),
    }
    for n, (coverage, width) in published.items():
        intervals = [adjusted(k / n, n, (0.025, 0.025)) for k in range(n + 1)]
        assert coverage_under_uniform_rates(intervals, n) == pytest.approx(coverage, abs=6e-5)
        assert float(np.mean([high - low for low, high in intervals])) == pytest.approx(width, abs=6e-5)


def test_coverage_and_unclipped_width_of_the_central_limit_theorem():
    published = {3: (0.4957, 0.5334), 10: (0.7693, 0.4278), 30: (0.8749, 0.2702), 100: (0.9223, 0.1522),
                 300: (0.9391, 0.0886)}  # fmt: skip
    for n, (coverage, width) in published.items():
        # The paper divides the variance by n, Normal by n − 1.
        halves = [(high - low) / 2 * np.sqrt((n - 1) / n) for low, high in (ends(Normal(), k, n) for k in range(n + 1))]
        intervals = [(k / n - half, k / n + half) for k, half in enumerate(halves)]
        assert coverage_under_uniform_rates(intervals, n) == pytest.approx(coverage, abs=6e-5)
        assert 2 * float(np.mean(halves)) == pytest.approx(width, abs=6e-5)


@unhurried
@given(counts, levels, st.sampled_from(METHODS))
def test_reflection_and_range(count, level, method):
    k, n = count
    low, high = ends(method, k, n, level)
    assert 0.0 <= low < high <= 1.0
    if method != Beta(2.0, 5.0):
        mirrored = ends(method, n - k, n, level)
        assert (low, high) == pytest.approx((1 - mirrored[1], 1 - mirrored[0]), abs=1e-9)


@unhurried
@given(counts, st.sampled_from([0.05, 0.3, 0.5, 0.8, 0.95, 0.999]), st.sampled_from(METHODS))
def test_higher_levels_contain_lower_ones(count, level, method):
    inner = ends(method, *count, level)
    outer = ends(method, *count, level + (1 - level) / 3)
    assert outer[0] <= inner[0] + 1e-12
    assert inner[1] <= outer[1] + 1e-12


@unhurried
@given(counts, levels, st.sampled_from(METHODS))
def test_one_sided_bounds_are_the_ends_at_twice_the_error(count, level, method):
    k, n = count
    low, none = ends(method, k, n, level, Side.LOWER)
    assert none == math.inf
    nothing, high = ends(method, k, n, level, Side.UPPER)
    assert nothing == -math.inf
    if level > 0.5:
        equal_tailed = ClopperPearson() if isinstance(method, Blaker) else method
        assert (low, high) == pytest.approx(ends(equal_tailed, k, n, 2 * level - 1), abs=1e-9)


@unhurried
@given(counts, st.floats(0.02, 0.9999))
def test_exact_limits_leave_the_tail_they_say(count, tail):
    k, n = count
    limit = lower_limit(k, n, tail)
    if k:
        assert stats.binom.sf(k - 1, n, limit) == pytest.approx(tail, rel=1e-9)
    else:
        assert limit == 0.0


def acceptability(k, n, p):
    """Blaker (2000), as the smaller tail plus the largest opposite tail that does not exceed it."""
    upper, lower = stats.binom.sf(k - 1, n, p), stats.binom.cdf(k, n, p)
    below = np.cumsum(stats.binom.pmf(np.arange(n + 1), n, p))
    above = np.cumsum(stats.binom.pmf(np.arange(n + 1), n, p)[::-1])
    smaller, opposite = (upper, below) if upper < lower else (lower, above)
    return min(1.0, smaller + max([0.0, *opposite[opposite <= smaller]]))


@settings(unhurried, max_examples=40)
@given(counts, st.sampled_from([0.5, 0.8, 0.95, 0.99]))
def test_blaker_is_the_hull_of_the_confidence_set(count, level):
    k, n = count
    alpha = 1 - level
    low = blaker_lower_limit(k, n, alpha)
    if k == 0:
        assert low == 0.0
        return
    assert acceptability(k, n, low * (1 + 1e-7)) > alpha - 1e-6
    for p in np.linspace(0.0, low, 25)[1:-1]:
        assert acceptability(k, n, p) <= alpha + 1e-9


@unhurried
@given(counts, levels)
def test_blaker_lies_inside_clopper_pearson(count, level):
    inner, outer = ends(Blaker(), *count, level), ends(ClopperPearson(), *count, level)
    assert outer[0] - 1e-12 <= inner[0]
    assert inner[1] <= outer[1] + 1e-12


def worst_and_mean_coverage(intervals, n, low=0.02, high=0.98):
    """Infimum of the coverage over rates (it is reached beside an end of some interval), and its mean over a grid."""
    at = np.unique(np.array(intervals).ravel())
    at = at[(at >= low) & (at <= high)]
    beside = np.concatenate([at - 1e-9, at + 1e-9])
    grid = np.linspace(low, high, 481)
    lows, highs = np.array(intervals).T

    def coverage(p):
        inside = (lows <= p[:, None]) & (p[:, None] <= highs)
        return (stats.binom.pmf(np.arange(n + 1), n, p[:, None]) * inside).sum(axis=1)

    return float(coverage(beside).min()), float(coverage(grid).mean())


def test_blaker_never_covers_less_than_its_level():
    for n in range(5, 61):
        intervals = [ends(Blaker(), k, n) for k in range(n + 1)]
        worst, mean = worst_and_mean_coverage(intervals, n)
        assert worst >= 0.95 - 1e-7
        limits = {5: 0.981, 10: 0.975, 20: 0.967, 50: 0.960}
        assert mean <= limits.get(n, 1.0) + 5e-4


@pytest.mark.parametrize(("n", "width"), [(10, 0.4832), (20, 0.3518), (30, 0.2899), (50, 0.2264), (100, 0.1611)])
def test_mean_width_of_blaker(n, width):
    # Averaged over the rates .02 to .98, as the coverage is.
    widths = np.diff([ends(Blaker(), k, n) for k in range(n + 1)])[:, 0]
    rates = np.linspace(0.02, 0.98, 961)[:, None]
    assert float((stats.binom.pmf(np.arange(n + 1), n, rates) @ widths).mean()) == pytest.approx(width, abs=6e-5)


def test_blaker_of_a_published_example():
    # The example of the R package BlakerCI (Klaschka 2010): 3 of 10 at 95 %.
    assert ends(Blaker(), 3, 10) == pytest.approx((0.08726443, 0.61941066), abs=5e-9)


def test_two_million_items():
    low, high = ends(Blaker(), 1_240_000, 2_000_000)
    assert stats.binom.sf(1_239_999, 2_000_000, low) == pytest.approx(0.025, rel=2e-3)
    assert stats.binom.cdf(1_240_000, 2_000_000, high) == pytest.approx(0.025, rel=2e-3)


@pytest.mark.parametrize("method", [Wilson(), ClopperPearson(), Blaker(), Jeffreys(), Beta(), AgrestiCoull()])
def test_anything_but_counts_is_refused_with_what_can_serve(method):
    problem = graded([0.2, 0.4, 0.9])
    assert "use " in method.refuses(problem)
    bounds = method.bounds(problem, 0.95, Side.TWO)
    assert math.isnan(bounds.low)
    assert [note.code for note in bounds.notes] == ["nan-interval"]
    assert method.refuses(binary(3, 10)) is None


def test_a_prior_without_mass_is_refused():
    with pytest.raises(ArgumentError, match=r"a=0"):
        Beta(0.0, 1.0)


@pytest.mark.parametrize(("n", "theta"), [(20, -1.3), (1_000, 0.2), (50_000, 2.0)])
@pytest.mark.parametrize("away", [0.0, 1e-9, 1e-3, -0.02, 0.3, 5.0])
def test_probabilities_that_are_moved_are_those_of_the_other_place(n, theta, away):
    moved = _Window(n, theta, 0.05).at(theta + 0.5 * away).at(theta + away)
    for k in (int(n * moved.p * 0.9), int(n * moved.p) + 1):
        upper, lower = stats.binom.sf(k - 1, n, moved.p), stats.binom.cdf(k, n, moved.p)
        assert moved.at_least(k)[0] == pytest.approx(upper, rel=1e-10, abs=1e-15)
        assert moved.at_most(k)[0] == pytest.approx(lower, rel=1e-10, abs=1e-15)
