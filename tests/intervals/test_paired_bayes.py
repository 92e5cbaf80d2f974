"""The paired Bayesian model, against its published figures and SciPy's bivariate normal."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from tests.intervals.interval_problems import binary, paired_table, unpaired

from scorebars.contracts import Side
from scorebars.intervals import PairedBayes, Tango, p_value
from scorebars.intervals.paired_bayes import _both_below, posterior_of

FIGURES = [
    ((18, 2, 0, 0), 0.912),
    ((7, 5, 3, 5), 0.759),
    ((5, 5, 3, 7), 0.759),
    ((2, 6, 3, 9), 0.848),
    ((0, 2, 1, 17), 0.711),
    ((12, 8, 0, 0), 0.9997),
]
"""(both, only A, only B, neither) and P(A > B) from 2 million draws, ±.003."""


def ends(table, level=0.95, side=Side.TWO):
    bounds = PairedBayes().bounds(paired_table(*table), level, side)
    return bounds.low, bounds.high


@pytest.mark.parametrize(("table", "published"), FIGURES)
def test_published_probabilities(table, published):
    assert 1 - posterior_of(table).cdf(0.0) == pytest.approx(published, abs=0.003)
    assert p_value(PairedBayes(), paired_table(*table)) == pytest.approx(2 * (1 - published), abs=0.006)


def test_published_quantiles_of_the_difference():
    assert ends((18, 2, 0, 0)) == pytest.approx((-0.050, 0.278), abs=0.003)
    assert posterior_of((18, 2, 0, 0)).quantile(0.5) == pytest.approx(0.094, abs=0.003)


@pytest.mark.parametrize("correlation", [-0.95, -0.4, 0.0, 0.3, 0.9, 0.99])
def test_bivariate_normal_probability(correlation):
    h, k = np.array([-2.0, -0.3, 0.5, 1.5]), np.array([-1.9, 0.4, 0.5, -1.0])
    angles = np.array([math.asin(correlation), math.asin(correlation) + 0.01])
    law = stats.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]])
    expected = [law.cdf([x, y]) for x, y in zip(h, k, strict=True)]
    assert _both_below(h, k, angles)[:, 0] == pytest.approx(expected, abs=2e-7)


def test_sides_swapped_mirror():
    low, high = ends((20, 7, 3, 15))
    assert ends((20, 3, 7, 15)) == pytest.approx((-high, -low), abs=1e-12)
    assert posterior_of((9, 4, 4, 2)).cdf(0.0) == pytest.approx(0.5, abs=1e-12)


def test_right_and_wrong_swapped_change_nothing():
    assert ends((20, 7, 3, 15)) == pytest.approx(ends((15, 7, 3, 20)), abs=2e-3)


def test_levels_and_sides():
    wide, narrow = ends((20, 7, 3, 15), 0.99), ends((20, 7, 3, 15), 0.9)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    assert ends((20, 7, 3, 15), 0.95, Side.LOWER) == pytest.approx((narrow[0], math.inf))


def test_all_right_has_a_width():
    low, high = ends((50, 0, 0, 0))
    assert low == pytest.approx(-high, abs=1e-9)
    assert 0.04 < high < 0.08


def test_many_items_come_near_tango():
    table = (5000, 300, 250, 4450)
    tango = Tango().bounds(paired_table(*table), 0.95, Side.TWO)
    assert ends(table) == pytest.approx((tango.low, tango.high), abs=3e-4)


def test_other_problems_are_refused():
    problem = unpaired(binary(3, 5), binary(2, 5))
    assert "IndependentBeta" in PairedBayes().refuses(problem)
    assert math.isnan(PairedBayes().bounds(problem, 0.95, Side.TWO).low)
    assert math.isnan(p_value(PairedBayes(), problem))
