"""Bonett-Price, independent Beta posteriors and Miller's equation 4, against published figures and exact sums."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.intervals.interval_problems import (
    binary,
    clustered,
    graded,
    paired,
    paired_table,
    unhurried,
    unpaired,
)

from scorebars.contracts import Side
from scorebars.errors import ArgumentError
from scorebars.intervals import BonettPrice, ClusterRobust, IndependentBeta, Kind, MillerClustered, Normal, p_value
from scorebars.intervals.independent_beta import difference_law, quantile_of

TOY = [1, 1, 0, 1, 0, 0, 1, 1, 1, 0]
TOY_CLUSTERS = [0, 0, 0, 1, 1, 1, 2, 2, 3, 3]


def ends(method, problem, level=0.95, side=Side.TWO):
    bounds = method.bounds(problem, level, side)
    return bounds.low, bounds.high


def test_bonett_price_of_airway_reactivity():
    # Fagerland, Lydersen and Laake (2014), Table 7: 1 and 7 discordant pairs of 21.
    assert ends(BonettPrice(), paired_table(1, 1, 7, 12)) == pytest.approx((-0.508, -0.013), abs=5e-4)


@unhurried
@given(st.tuples(*[st.integers(0, 30)] * 4).filter(any), st.floats(0.05, 0.999))
def test_bonett_price_mirrors_and_stays_inside(table, level):
    both, b, c, neither = table
    low, high = ends(BonettPrice(), paired_table(*table), level)
    assert -1.0 <= low < high <= 1.0
    assert ends(BonettPrice(), paired_table(both, c, b, neither), level) == pytest.approx((-high, -low), abs=1e-12)
    assert ends(BonettPrice(), paired_table(*table), (1 + level) / 2, Side.LOWER) == pytest.approx((low, math.inf))


def test_bonett_price_p_value_is_where_the_interval_reaches_zero():
    problem = paired_table(20, 11, 3, 16)
    p = p_value(BonettPrice(), problem)
    assert ends(BonettPrice(), problem, 1 - p)[0] == pytest.approx(0.0, abs=1e-9)
    assert "PairedT" in BonettPrice().refuses(paired([0.1, 0.4]))
    assert math.isnan(BonettPrice().bounds(paired([0.1, 0.4]), 0.95, Side.TWO).low)


@pytest.mark.parametrize(
    ("a", "b", "published"),
    [(20, 18, 0.88415), (20, 12, 0.99934), (12, 10, 0.73205), (10, 8, 0.73205), (8, 5, 0.83679), (5, 2, 0.88104),
     (2, 1, 0.69700), (1, 0, 0.75610), (12, 8, 0.89164), (18, 12, 0.98377)],
)  # fmt: skip
def test_independent_beta_probability(a, b, published):
    law = difference_law((1 + a, 21 - a), (1 + b, 21 - b))
    assert 1 - law(0.0) == pytest.approx(published, abs=5e-6)
    assert 1 - law(0.0) == pytest.approx(float(probability_above(1 + a, 21 - a, 1 + b, 21 - b)), abs=1e-12)
    problem = unpaired(binary(a, 20), binary(b, 20))
    assert p_value(IndependentBeta(), problem) == pytest.approx(2 * (1 - published), abs=2e-5)


def probability_above(a, b, c, d):
    """P(X > Y), X ~ Beta(a, b), Y ~ Beta(c, d), whole numbers: Σ_{i<a} B(c+i, b+d) / ((b+i) B(1+i, b) B(c, d))."""

    def beta(x, y):
        return Fraction(math.factorial(x - 1) * math.factorial(y - 1), math.factorial(x + y - 1))

    return sum(beta(c + i, b + d) / ((b + i) * beta(1 + i, b) * beta(c, d)) for i in range(a))


def test_independent_beta_against_draws():
    rng = np.random.default_rng(3)
    draws = rng.beta(0.5, 30.5, 1_000_000) - rng.beta(3.5, 10.5, 1_000_000)
    law = difference_law((0.5, 30.5), (3.5, 10.5))
    for p in (0.025, 0.5, 0.975):
        # The standard error of these quantiles is below 3e-4.
        assert quantile_of(law, p) == pytest.approx(np.quantile(draws, p), abs=1e-3)


@pytest.mark.parametrize("prior", [(1.0, 1.0), (0.5, 0.5)])
def test_independent_beta_mirrors_and_has_a_width(prior):
    method = IndependentBeta(*prior)
    low, high = ends(method, unpaired(binary(50, 50), binary(38, 40)), 0.9)
    assert ends(method, unpaired(binary(38, 40), binary(50, 50)), 0.9) == (-high, -low)
    assert ends(method, unpaired(binary(50, 50), binary(38, 40)), 0.95, Side.LOWER) == (low, math.inf)
    tied = ends(method, unpaired(binary(50, 50), binary(50, 50)))
    assert tied[0] == -tied[1] < -0.03
    assert p_value(method, unpaired(binary(50, 50), binary(50, 50))) == pytest.approx(1.0)


def test_independent_beta_refuses():
    assert "PairedBayes" in IndependentBeta().refuses(paired_table(3, 1, 2, 4))
    assert math.isnan(p_value(IndependentBeta(), graded([0.1, 0.2])))
    with pytest.raises(ArgumentError, match="above 0"):
        IndependentBeta(0.0, 1.0)


def test_clustered_toy_of_miller():
    bounds = MillerClustered().bounds(clustered(TOY, TOY_CLUSTERS), 0.95, Side.TWO)
    assert bounds.standard_error == pytest.approx(0.127541, abs=5e-7)
    z = stats.norm.isf(0.025)
    assert (bounds.low, bounds.high) == pytest.approx((0.6 - z * 0.127541, 0.6 + z * 0.127541), abs=2e-6)
    assert "few-clusters" in [note.code for note in bounds.notes]


def test_clusters_of_one_item_give_the_plain_standard_error():
    apart = clustered(TOY, np.arange(10))
    assert ends(MillerClustered(), apart) == pytest.approx(ends(Normal(), graded(TOY)))
    assert p_value(MillerClustered(), apart) == pytest.approx(p_value(Normal(), graded(TOY)))


def test_miller_lies_beside_the_sandwich_and_not_on_it():
    values, unit = np.random.default_rng(2).random(40), np.repeat(np.arange(10), 4)
    problem = clustered(values, unit)
    plain = ClusterRobust(Kind.CR0).bounds(problem, 0.95, Side.TWO).standard_error
    within = values.var() / 40 / 39  # the first term alone has n − 1 for n
    miller = MillerClustered().bounds(problem, 0.95, Side.TWO).standard_error
    assert miller == pytest.approx(math.sqrt(plain**2 + within))


def test_the_sum_under_the_root_is_positive_where_residuals_cancel_in_every_cluster():
    problem = clustered([1, 0, 1, 0, 1, 0.0], [0, 0, 1, 1, 2, 2])
    assert MillerClustered().bounds(problem, 0.95, Side.TWO).standard_error == pytest.approx(math.sqrt(1.5 / 180))


def test_miller_refuses_what_the_equation_does_not_cover():
    assert "ClusterRobust" in MillerClustered().refuses(graded([0, 1, 1, 0], stratum=[0, 0, 1, 1]))
    assert "ClusterRobust" in MillerClustered().refuses(graded([0, 1, 1, 0], weights=[1, 2, 1, 1]))
    assert math.isnan(p_value(MillerClustered(), graded([0, 1, 1, 0], weights=[1, 2, 1, 1])))
    assert math.isnan(MillerClustered().bounds(clustered([0, 1, 1], [0, 0, 0]), 0.95, Side.TWO).low)
