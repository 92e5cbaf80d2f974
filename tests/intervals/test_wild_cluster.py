"""The wild cluster bootstrap, against items given their signs one by one."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tests.intervals.interval_problems import clustered, graded
from tests.intervals.test_coverage import coverage

from scorebars.contracts import How, Side
from scorebars.errors import ArgumentError
from scorebars.intervals import StudentT, Weights, WildCluster, p_value

UNIT = np.repeat(np.arange(7), [3, 1, 4, 2, 5, 2, 3])
VALUES = np.random.default_rng(6).random(20).round(2) + 0.1 * UNIT


def statistic(values, unit, mu):
    n = len(values)
    residuals = values - values.mean()
    error = math.sqrt(np.sum(np.bincount(unit, residuals) ** 2)) / n
    return (values.mean() - mu) / error if error > 1e-12 else math.copysign(math.inf, values.mean() - mu)


def plain_p(values, unit, mu, points):
    """P(|t*| ≥ |t|) over all choices of a weight for each cluster."""
    t = abs(statistic(values, unit, mu))
    found = [
        abs(statistic(mu + np.array(v)[unit] * (values - mu), unit, mu)) >= t * (1 - 1e-9)
        for v in product(points, repeat=int(unit.max()) + 1)
    ]
    return np.mean(found)


def ends(method, problem, level=0.95, side=Side.TWO):
    bounds = method.bounds(problem, level, side)
    return bounds.low, bounds.high


@pytest.mark.parametrize("null", [0.3, 0.6, 0.8, 1.4])
def test_rademacher_p_value_goes_through_all_signs(null):
    problem = replace(clustered(VALUES, UNIT), null=null)
    expected = plain_p(VALUES, UNIT, null, (-1, 1))
    assert p_value(WildCluster(Weights.RADEMACHER), problem) == pytest.approx(expected)


def test_webb_p_value_goes_through_all_choices():
    values, unit = VALUES[:10], UNIT[:10]
    points = [sign * math.sqrt(x) for sign in (-1, 1) for x in (0.5, 1, 1.5)]
    problem = replace(clustered(values, unit), null=0.2)
    assert p_value(WildCluster(Weights.WEBB), problem) == pytest.approx(plain_p(values, unit, 0.2, points))


def test_the_interval_ends_where_the_p_value_falls_below_alpha():
    method = WildCluster(Weights.RADEMACHER)
    low, high = ends(method, clustered(VALUES, UNIT), 0.9)
    for inside, outside in ((low + 1e-6, low - 1e-6), (high - 1e-6, high + 1e-6)):
        assert plain_p(VALUES, UNIT, inside, (-1, 1)) >= 0.1 > plain_p(VALUES, UNIT, outside, (-1, 1))
    assert "all 128 choices" in method.bounds(clustered(VALUES, UNIT), 0.9, Side.TWO).method


@pytest.mark.parametrize(("n", "smallest"), [(5, 0.0625), (6, 0.03125)])
def test_smallest_rademacher_p_value(n, smallest):
    values = np.arange(n) / 10 + 50
    problem = clustered(values, np.arange(n))
    method = WildCluster(Weights.RADEMACHER)
    assert p_value(method, problem) == smallest
    assert math.isnan(ends(method, problem)[0]) == (n == 5)
    assert math.isfinite(ends(method, problem, 0.9)[0])
    if n == 5:
        [note] = method.bounds(problem, 0.95, Side.TWO).notes
        assert note.code == "nan-interval"
        assert "Webb" in note.message


def test_webb_serves_five_clusters():
    problem = clustered(np.arange(5) / 10 + 50, np.arange(5))
    assert p_value(WildCluster(), problem) == pytest.approx(6 / 6**5)
    low, high = ends(WildCluster(), problem)
    assert 49 < low < 50.2 < high < 52
    assert math.isnan(ends(WildCluster(), clustered([1.0, 2.0], [0, 1]))[0])


def test_the_default_is_webb_for_few_clusters():
    few, many = (clustered(np.arange(n) % 3, np.arange(n)) for n in (11, 12))
    assert "Webb weights, 9,999 draws" in WildCluster().bounds(few, 0.95, Side.TWO).method
    assert "Rademacher weights, all 4,096" in WildCluster().bounds(many, 0.95, Side.TWO).method


def test_many_clusters_are_drawn_and_near_students_t():
    values = np.random.default_rng(1).random(60)
    bounds = WildCluster().bounds(clustered(values, np.arange(60)), 0.95, Side.TWO)
    assert bounds.distribution.how is How.MONTE_CARLO
    # A bound moves by some .02 standard errors of .037 at 9,999 draws.
    assert (bounds.low, bounds.high) == pytest.approx(ends(StudentT(), graded(values)), abs=0.006)
    assert ends(WildCluster(n_boot=9_999), clustered(values, np.arange(60))) == (bounds.low, bounds.high)


@pytest.mark.parametrize("method", [WildCluster(Weights.RADEMACHER), WildCluster(Weights.WEBB, 499)])
def test_symmetries(method):
    low, high = ends(method, clustered(VALUES, UNIT), 0.9)
    assert ends(method, clustered(3 * VALUES - 5, UNIT), 0.9) == pytest.approx((3 * low - 5, 3 * high - 5), abs=1e-7)
    assert ends(method, clustered(-VALUES, UNIT), 0.9) == pytest.approx((-high, -low), abs=1e-7)
    wider = ends(method, clustered(VALUES, UNIT), 0.96)
    assert wider[0] <= low < high <= wider[1]


def test_one_sided_bounds_have_half_the_smallest_p_value():
    problem = clustered(np.arange(5) / 10 + 50, np.arange(5))
    method = WildCluster(Weights.RADEMACHER)
    low, nothing = ends(method, problem, 0.95, Side.LOWER)
    assert 49 < low < 50.2
    assert nothing == math.inf
    assert ends(method, problem, 0.95, Side.UPPER)[1] == pytest.approx(100.4 - low)


def test_edges():
    assert "ClusterRobust" in WildCluster().refuses(graded([0, 1, 1, 0], stratum=[0, 0, 1, 1]))
    assert math.isnan(p_value(WildCluster(), graded([0, 1, 1, 0], stratum=[0, 0, 1, 1])))
    assert [note.code for note in WildCluster().bounds(clustered([1, 0], [0, 0]), 0.95, Side.TWO).notes] == [
        "one-cluster"
    ]
    flat = WildCluster().bounds(clustered(np.ones(50), np.repeat(np.arange(10), 5), (0.0, 1.0)), 0.95, Side.TWO)
    assert flat.low == flat.high == 1.0
    assert flat.instead.low == pytest.approx(0.6915, abs=5e-5)
    assert math.isnan(p_value(WildCluster(), clustered(np.ones(6), np.arange(6))))
    assert "few-clusters" in [note.code for note in WildCluster().bounds(clustered(VALUES, UNIT), 0.9, Side.TWO).notes]
    with pytest.raises(ArgumentError, match="n_boot=0"):
        WildCluster(n_boot=0)


@pytest.mark.slow
@pytest.mark.parametrize("n", [6, 10])
def test_clusters_with_a_shared_part_are_covered(n):
    def make(rng):
        unit = np.repeat(np.arange(n), rng.integers(2, 12, size=n))
        return clustered(rng.normal(size=n)[unit] + rng.normal(size=len(unit)), unit)

    found, slack = coverage(make, 0.0, WildCluster(n_boot=999), sets=1_500)
    assert found >= 0.93 - slack
