"""m out of n: the law of a study of m, the interval for n, and how m is chosen."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from tests.intervals.interval_problems import binary, graded, paired, unpaired
from tests.intervals.test_bootstrap_intervals import OTHER, SKEWED, apart, ends, one
from tests.resample.reference import sample_of

from scorebars.contracts import How, Side
from scorebars.errors import ArgumentError
from scorebars.estimators import Mean, Median
from scorebars.intervals import Basic, MOutOfN, Percentile, p_value
from scorebars.intervals.m_out_of_n import automatic_m, candidates, power_of
from scorebars.problem import Setting, score_problem


def test_a_study_of_m_is_binomial_of_m():
    problem = one(*[1.0] * 12, *[0.0] * 8, range=(0.0, 1.0))
    law = stats.binom(10, 0.6)
    bounds = MOutOfN(m=10, rescale=False).bounds(problem, 0.95, Side.TWO)
    assert (bounds.low, bounds.high) == pytest.approx((law.ppf(0.025) / 10, law.isf(0.025) / 10))
    assert bounds.method == "m-out-of-n percentile bootstrap, m = 10, law of a study of 10"
    assert bounds.distribution.how is How.COMPUTED


def test_rescaled_bounds_are_reflected_and_shrunk():
    problem = one(*[1.0] * 12, *[0.0] * 8, range=(0.0, 1.0))
    law = stats.binom(5, 0.6)
    low = 0.6 - math.sqrt(5 / 20) * (law.isf(0.025) / 5 - 0.6)
    high = 0.6 - math.sqrt(5 / 20) * (law.ppf(0.025) / 5 - 0.6)
    assert ends(MOutOfN(m=5), problem) == pytest.approx((low, high))
    assert MOutOfN(m=5).bounds(problem, 0.95, Side.TWO).method.endswith("rescaled by √(m/n) for n = 20")


def test_m_equal_to_n_is_the_ordinary_bootstrap():
    problem = one(*SKEWED)
    assert ends(MOutOfN(m=12), problem) == pytest.approx(ends(Basic(), problem))
    assert ends(MOutOfN(power=1.0, rescale=False), problem) == pytest.approx(ends(Percentile(), problem))
    assert p_value(MOutOfN(m=12), paired(np.array(SKEWED) - 0.25)) == pytest.approx(
        p_value(Basic(), paired(np.array(SKEWED) - 0.25))
    )


def test_rescaled_spread_is_that_of_n_units():
    # Normal limits: 1,000 units, m of them 100; both spreads are s/√n.
    scores = np.random.default_rng(1).random(1000)
    low, high = ends(MOutOfN(m=100), graded(scores))
    wide = ends(Percentile(), graded(scores))
    assert high - low == pytest.approx(wide[1] - wide[0], rel=0.02)


def test_strata_of_unequal_sizes_are_weighted_by_their_variances():
    values = np.r_[np.linspace(0, 1, 10), np.linspace(0, 1, 40)]
    stratum = np.repeat([0, 1], [10, 40])
    problem = graded(values, stratum=stratum)
    bounds = MOutOfN(m=5).bounds(problem, 0.95, Side.TWO)
    parts = [np.var(values[stratum == t], ddof=1) / 4 for t in (0, 1)]
    whole = math.sqrt(parts[0] / 10 + parts[1] / 40)
    wide = ends(MOutOfN(m=5, rescale=False), problem)
    scale = whole / math.sqrt(sum(parts) / 5)
    assert bounds.high - bounds.low == pytest.approx(scale * (wide[1] - wide[0]), rel=1e-6)
    assert "n = 10 to 40" in bounds.method


def test_two_samples_and_statistics_are_served():
    low, high = ends(MOutOfN(m=6), apart(SKEWED, OTHER))
    assert low < apart(SKEWED, OTHER).value < high
    assert ends(MOutOfN(m=6), unpaired(binary(9, 20), binary(4, 20)))[0] < 0.25
    tasks = {f"t{t}": {"": {"": [float(x) for x in row]}} for t, row in enumerate(np.arange(30).reshape(5, 6) % 7)}
    problem = score_problem(sample_of(tasks), Setting(Median(), ("run",), lambda: np.random.default_rng(0)))
    bounds = MOutOfN(power=0.6).bounds(problem, 0.9, Side.TWO)
    assert bounds.low <= problem.value <= bounds.high
    assert bounds.distribution.how is How.MONTE_CARLO


@pytest.mark.parametrize(("n", "power", "m"), [(100, 0.5, 10), (1000, 2 / 3, 100), (50, 0.7, 16), (1, 0.5, 1)])
def test_powers(n, power, m):
    assert power_of(n, power) == m


def test_candidates_shrink_to_the_root():
    assert candidates(100) == [100, 75, 57, 43, 32, 24, 18, 14, 11]
    assert candidates(2) == [2]
    assert candidates(1) == [1]


def test_the_chosen_m_is_one_of_them_and_large_for_a_smooth_mean():
    problem = graded(np.random.default_rng(0).random(100))
    m = automatic_m(problem, 100, None)
    assert m in candidates(100)
    assert m >= 32
    bounds = MOutOfN().bounds(problem, 0.95, Side.TWO)
    assert f"m = {m} (automatic)" in bounds.method
    assert automatic_m(graded([0.1, 0.2, 0.4]), 3, None) == 3


def test_level_side_and_mirror():
    a, b = ends(MOutOfN(m=6), apart(SKEWED, OTHER), 0.9), ends(MOutOfN(m=6), apart(OTHER, SKEWED), 0.9)
    assert b == pytest.approx((-a[1], -a[0]), abs=1e-12)
    assert ends(MOutOfN(m=6), apart(SKEWED, OTHER), 0.95, Side.LOWER) == (a[0], math.inf)
    wide = ends(MOutOfN(m=6), apart(SKEWED, OTHER), 0.99)
    assert wide[0] <= a[0] < a[1] <= wide[1]


def test_equal_scores_and_a_single_one():
    bounds = MOutOfN().bounds(one(*[1.0] * 20, range=(0.0, 1.0)), 0.95, Side.TWO)
    assert bounds.low == bounds.high == 1.0
    assert bounds.instead.low == pytest.approx(0.8316, abs=5e-5)
    assert math.isnan(MOutOfN().bounds(one(0.4), 0.95, Side.TWO).low)
    assert math.isnan(p_value(MOutOfN(), one(0.4)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"m": 0}, "at least 1"),
        ({"power": 0.0}, "above 0"),
        ({"power": 1.5}, "at most 1"),
        ({"m": 3, "power": 0.5}, "one of"),
    ],
)
def test_impossible_options_are_refused(options, message):
    with pytest.raises(ArgumentError, match=message):
        MOutOfN(**options)


def test_clusters_that_cross_tasks_draw_m_too():
    rng = np.random.default_rng(4)
    table = {t: {f"c{c}": {f"{t}{c}": [float(rng.random())]} for c in range(9)} for t in ("a", "b")}
    sample = sample_of(table, cluster_crosses_tasks=True)
    problem = score_problem(sample, Setting(Mean(), ("cluster",), lambda: np.random.default_rng(0)))
    whole, third = problem.distribution(20_000), problem.distribution(20_000, draws=3)
    assert third.std / whole.std == pytest.approx(math.sqrt(3), rel=0.03)
