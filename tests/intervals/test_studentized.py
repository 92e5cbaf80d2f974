"""The studentized bootstrap, against a plain loop, its symmetries, and the coverage that Auto counts on."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.intervals.interval_problems import graded, paired, unhurried, unpaired
from tests.intervals.test_bootstrap_intervals import SKEWED, Variance, ends, one
from tests.intervals.test_coverage import coverage

from scorebars.contracts import How, Side
from scorebars.errors import ArgumentError
from scorebars.intervals import Studentized, StudentT, p_value
from scorebars.intervals.studentized import share_without_spread


def plain(values, n_boot, tail):
    """The bounds by a loop over resamples, without infinities."""
    rng = np.random.default_rng(0)
    values = np.asarray(values)
    n = len(values)
    t = []
    for _ in range(n_boot):
        drawn = values[rng.integers(0, n, size=n)]
        t.append((drawn.mean() - values.mean()) / (drawn.std(ddof=1) / math.sqrt(n)))
    t.sort()
    rank = int((n_boot + 1) * tail)
    error = values.std(ddof=1) / math.sqrt(n)
    return values.mean() - error * t[-rank], values.mean() - error * t[rank - 1]


def test_against_a_plain_loop():
    bounds = Studentized(999).bounds(graded(SKEWED), 0.9, Side.TWO)
    assert (bounds.low, bounds.high) == pytest.approx(plain(SKEWED, 999, 0.05))
    assert bounds.standard_error == pytest.approx(np.std(SKEWED, ddof=1) / math.sqrt(len(SKEWED)))
    assert bounds.distribution.how is How.MONTE_CARLO


def test_skewed_scores_get_a_skewed_interval():
    low, high = ends(Studentized(), graded(SKEWED))
    value = float(np.mean(SKEWED))
    t_low, t_high = ends(StudentT(), graded(SKEWED))
    assert high - value > 2 * (value - low)
    assert low > t_low
    assert high > t_high


def test_symmetric_scores_get_about_students_t():
    values = np.random.default_rng(2).normal(size=200)
    # The standard error of a bound at 9,999 resamples is .03 standard errors of the mean, .002 here.
    assert ends(Studentized(), graded(values)) == pytest.approx(ends(StudentT(), graded(values)), abs=0.012)


def test_strata_are_drawn_in_turn():
    values = np.r_[np.linspace(0, 1, 8), np.linspace(0, 5, 8) ** 2]
    problem = graded(values, stratum=np.repeat([0, 1], 8))
    rng = np.random.default_rng(0)
    means, variances = [], []
    for part in (values[:8], values[8:]):
        drawn = part[rng.integers(0, 8, size=(999, 8))]
        means.append(drawn.mean(axis=1))
        variances.append(drawn.var(axis=1, ddof=1) / 8)
    t = np.sort((sum(means) / 2 - values.mean()) / np.sqrt(sum(variances) / 4))
    error = math.sqrt(sum(part.var(ddof=1) / 8 for part in (values[:8], values[8:])) / 4)
    assert ends(Studentized(999), problem, 0.9) == pytest.approx(
        (values.mean() - error * t[-50], values.mean() - error * t[49])
    )


@unhurried
@given(st.lists(st.floats(-5, 5), min_size=8, max_size=20, unique=True), st.floats(0.2, 0.98))
def test_shift_scale_and_mirror(values, level):
    values = np.array(values)
    low, high = ends(Studentized(499), graded(values), level)
    if math.isnan(low):
        return
    width = high - low
    assert ends(Studentized(499), graded(2 * values + 3), level) == pytest.approx(
        (2 * low + 3, 2 * high + 3), abs=1e-6 * (1 + width)
    )
    assert ends(Studentized(499), paired(-values), level) == pytest.approx((-high, -low), abs=1e-9 * (1 + width))
    assert ends(Studentized(499), graded(values), (1 + level) / 2, Side.LOWER) == pytest.approx((low, math.inf))
    wider = ends(Studentized(499), graded(values), (1 + level) / 2)
    assert math.isnan(wider[0]) or wider[0] <= low <= high <= wider[1]


def test_resamples_without_spread_count():
    # 3 of 4 equal: (3/4)^4 + (1/4)^4, a third, of the resamples have no spread.
    bounds = Studentized().bounds(graded([0.0, 0.0, 0.0, 1.0]), 0.95, Side.TWO)
    assert math.isnan(bounds.low)
    assert [note.code for note in bounds.notes] == ["no-spread"]
    assert "31.8%" in bounds.notes[0].message
    assert share_without_spread(graded([0.0, 0.0, 0.0, 1.0]).units) == pytest.approx(82 / 256)
    two = graded([0.0, 0.0, 0.0, 1.0, 2.0, 3.0], stratum=[0, 0, 0, 0, 1, 1])
    assert share_without_spread(two.units) == pytest.approx(82 / 256 / 2)
    # All of them lie at or below the estimate, save 1 in 256: the upper quantile of t* is finite.
    low, high = ends(Studentized(), graded([0.0, 0.0, 0.0, 1.0]), 0.9, Side.LOWER)
    assert math.isfinite(low)
    assert high == math.inf


def test_resamples_with_neither_spread_nor_distance_count_on_both_sides():
    problem = paired(np.r_[np.zeros(18), 0.5, -0.5])
    # (18/20)^20 = 12 % are all zeros: neither bound exists at 95 %, both do at 60 %.
    assert math.isnan(ends(Studentized(), problem)[0])
    low, high = ends(Studentized(), problem, 0.6)
    assert low == pytest.approx(-high, abs=0.02)
    assert p_value(Studentized(), problem) == 1.0


def test_the_p_value_is_where_the_interval_reaches_zero():
    problem = paired(np.array(SKEWED) - 0.25)
    p = p_value(Studentized(), problem)
    assert 0.005 < p < 0.5
    assert ends(Studentized(), problem, 1 - p * 1.02)[0] > 0 > ends(Studentized(), problem, 1 - p / 1.02)[0]
    far = p_value(Studentized(), paired(np.array(SKEWED) + 50))
    assert far == pytest.approx(2 / 10_000)


def test_edges():
    assert "BCa" in Studentized().refuses(one(*SKEWED, estimator=Variance()))
    assert "Mover" in Studentized().refuses(unpaired(graded(SKEWED), graded(SKEWED)))
    assert math.isnan(p_value(Studentized(), one(*SKEWED, estimator=Variance())))
    assert math.isnan(Studentized().bounds(graded([0.4]), 0.95, Side.TWO).low)
    flat = Studentized().bounds(graded(np.full(50, 0.8), (0.0, 1.0)), 0.95, Side.TWO)
    assert flat.low == flat.high == pytest.approx(0.8)
    assert flat.instead.low == pytest.approx(0.7431, abs=5e-5)
    lower = Studentized().bounds(graded(np.full(50, 0.8), (0.0, 1.0)), 0.95, Side.LOWER)
    assert (lower.low, lower.high) == (pytest.approx(0.8), np.inf)
    assert math.isnan(p_value(Studentized(), graded(np.full(50, 0.8))))
    with pytest.raises(ArgumentError, match="n_boot=0"):
        Studentized(0)


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 20, 50])
@pytest.mark.parametrize(
    ("draw", "truth", "least"),
    [(lambda rng, n: rng.exponential(size=n), 1.0, 0.94), (lambda rng, n: rng.lognormal(size=n), math.exp(0.5), 0.905)],
)
def test_skewed_scores_are_covered_where_t_does_not(n, draw, truth, least):
    found, slack = coverage(lambda rng: graded(draw(rng, n)), truth, Studentized(999))
    t_found, _ = coverage(lambda rng: graded(draw(rng, n)), truth, StudentT())
    assert found >= least - slack
    assert found > t_found
