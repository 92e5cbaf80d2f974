"""Basic, BC, BCa and the expanded percentile interval, against SciPy, published figures, and their own symmetries."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.intervals.interval_problems import binary, graded, paired, unhurried
from tests.resample.reference import plain, sample_of

from scorebars.contracts import Side
from scorebars.effects import Difference
from scorebars.errors import ArgumentError
from scorebars.estimators import Mean
from scorebars.intervals import Basic, BCa, BiasCorrected, ExpandedPercentile, Percentile, p_value
from scorebars.intervals.bca import acceleration
from scorebars.intervals.expanded_percentile import expanded_tail
from scorebars.intervals.shifted_levels import bias_deviate
from scorebars.problem import Setting, effect_problem, score_problem

ALL = [Basic(), BiasCorrected(), BCa(), ExpandedPercentile()]
WITHIN = [BiasCorrected(), BCa(), ExpandedPercentile()]
SPATIAL = [48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41]
SKEWED = [0.1, 0.3, 0.2, 0.9, 0.15, 0.22, 0.4, 0.05, 2.5, 0.31, 0.27, 1.2]
OTHER = [0.2, 0.1, 0.6, 0.3, 0.25, 0.4, 0.8, 0.05, 0.1]


class Variance:
    """Variance with the divisor n: a statistic that is no mean."""

    name = "variance"
    columns = ("score",)

    def check(self, sample, item_name):
        pass

    def prepare(self, sample):
        return sample

    def value_range(self, score_range):
        del score_range

    def statistic(self, drawn):
        n = drawn.sizes
        mean = np.bincount(drawn.owner, drawn.score, drawn.n) / n
        return np.bincount(drawn.owner, drawn.score**2, drawn.n) / n - mean**2


def fresh():
    return np.random.default_rng(11)


def one(*scores, estimator=None, **options):
    return score_problem(sample_of(plain(*scores), **options), Setting(estimator or Mean(), ("item",), fresh))


def apart(a, b, estimator=None):
    """Two samples that share no item."""
    first = sample_of({"t": {"": {f"a{i:02d}": [x] for i, x in enumerate(a)}}})
    table = {"t": {"": {f"b{i:02d}": [x] for i, x in enumerate(b)}}}
    second = sample_of(table, "B")
    object.__setattr__(second, "item", second.item + 1000)
    return effect_problem(first, second, Difference(), Setting(estimator or Mean(), ("item",), fresh))


def ends(method, problem, level=0.95, side=Side.TWO):
    bounds = method.bounds(problem, level, side)
    return bounds.low, bounds.high


@pytest.mark.parametrize(("method", "name"), [(Percentile(), "percentile"), (Basic(), "basic"), (BCa(), "BCa")])
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_one_sample_agrees_with_scipy(method, name, level):
    theirs = stats.bootstrap(
        (SKEWED,), np.mean, n_resamples=100_000, confidence_level=level, method=name, rng=np.random.default_rng(1)
    ).confidence_interval
    # Their ends move by about .003 at 100,000 resamples, ours not at all.
    assert ends(method, one(*SKEWED), level) == pytest.approx(tuple(theirs), abs=0.015)


@pytest.mark.parametrize(("method", "name"), [(Percentile(), "percentile"), (Basic(), "basic"), (BCa(), "BCa")])
def test_two_samples_agree_with_scipy(method, name):
    def difference(a, b, axis=-1):
        return np.mean(a, axis=axis) - np.mean(b, axis=axis)

    theirs = stats.bootstrap(
        (SKEWED, OTHER), difference, n_resamples=100_000, method=name, rng=np.random.default_rng(1)
    ).confidence_interval
    assert ends(method, apart(SKEWED, OTHER)) == pytest.approx(tuple(theirs), abs=0.015)


def test_acceleration_of_two_samples_is_that_of_davison_and_hinkley():
    influences = [(np.array(x) - np.mean(x)) / len(x) for x in (SKEWED, OTHER)]
    cubes = sum(sign * np.sum(part**3) for sign, part in zip((1, -1), influences, strict=True))
    squares = sum(np.sum(part**2) for part in influences)
    assert acceleration(apart(SKEWED, OTHER)) == pytest.approx(cubes / (6 * squares**1.5))


def test_spatial_data_of_efron_and_tibshirani():
    problem = one(*SPATIAL, estimator=Variance())
    law = problem.distribution(200_000)
    assert problem.value == pytest.approx(171.534024)
    assert acceleration(problem) == pytest.approx(0.061240, abs=5e-7)
    # Standard errors at 200,000 resamples: .003 of z0, .2 of a bound near 100 and .25 of one near 250.
    assert bias_deviate(law, problem.value) == pytest.approx(0.177, abs=0.012)
    assert ends(Percentile(200_000), problem, 0.9) == pytest.approx((97.70, 235.58), abs=1.0)
    assert ends(BCa(200_000), problem, 0.9) == pytest.approx((115.65, 261.16), abs=1.5)


@pytest.mark.parametrize(
    ("n", "tail"),
    [(5, 0.000954), (6, 0.002432), (10, 0.008551), (15, 0.013207), (20, 0.015881), (25, 0.017582), (30, 0.018754),
     (50, 0.021179), (100, 0.023064)],
)  # fmt: skip
def test_levels_of_hesterberg(n, tail):
    assert expanded_tail(0.025, math.sqrt(n / (n - 1)), n - 1) == pytest.approx(tail, abs=1e-6)
    scores = np.linspace(0, 1, n) ** 2
    law = one(*scores).distribution()
    expected = law.quantile(tail), law.quantile(1 - tail, upper=True)
    assert ends(ExpandedPercentile(), one(*scores)) == pytest.approx(expected, abs=1e-4)


def test_expansion_over_strata_is_that_of_their_spreads():
    # Ten tasks of three items alike: the factor is √(3/2), the degrees of freedom are 20.
    table = {f"t{t}": {"": {str(i): [float(x)] for i, x in enumerate((0.1, 0.4, 0.9))}} for t in range(10)}
    problem = score_problem(sample_of(table), Setting(Mean(), ("item",), fresh))
    tail = stats.norm.sf(math.sqrt(1.5) * stats.t.isf(0.025, 20))
    assert ends(ExpandedPercentile(), problem)[0] == pytest.approx(problem.distribution().quantile(tail), abs=1e-4)


def test_half_of_the_ties_count_below():
    assert ends(BiasCorrected(), binary(10, 20)) == pytest.approx((0.3, 0.7))
    assert ends(BCa(), binary(10, 20)) == pytest.approx((0.3, 0.7))
    drawn = one(*[1.0] * 10, *[0.0] * 10, range=(0.0, 1.0))
    assert bias_deviate(drawn.distribution(20_000), 0.5) == pytest.approx(0.0, abs=0.03)


def test_basic_is_the_reflected_percentile_interval():
    problem = one(*SKEWED)
    low, high = ends(Percentile(), problem)
    assert ends(Basic(), problem) == pytest.approx((2 * problem.value - high, 2 * problem.value - low))


def test_basic_can_leave_the_range_and_says_so():
    problem = one(*[1.0] * 18, 0.0, 0.0, range=(0.0, 1.0))
    assert ends(Basic(), problem) == pytest.approx((0.8, 1.05))
    assert [note.code for note in Basic().bounds(problem, 0.95, Side.TWO).notes] == ["past-range"]
    assert Percentile().bounds(problem, 0.95, Side.TWO).notes == ()


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.name)
class TestEach:
    def test_equal_scores_have_something_else_to_show(self, method):
        bounds = method.bounds(one(*[1.0] * 20, range=(0.0, 1.0)), 0.95, Side.TWO)
        assert (bounds.low, bounds.high) == (1.0, 1.0)
        assert bounds.instead.method == "Clopper-Pearson"
        assert bounds.instead.low == pytest.approx(0.8316, abs=5e-5)
        assert [note.code for note in bounds.notes] == ["all-equal"]
        assert math.isnan(p_value(method, one(*[1.0] * 20, range=(0.0, 1.0))))

    def test_shift_and_scale_go_through(self, method):
        low, high = ends(method, one(*SKEWED))
        moved = one(*[3 * x - 7 for x in SKEWED])
        assert ends(method, moved) == pytest.approx((3 * low - 7, 3 * high - 7), abs=2e-4)

    def test_a_minus_b_mirrors_b_minus_a(self, method):
        low, high = ends(method, apart(SKEWED, OTHER), 0.9)
        assert ends(method, apart(OTHER, SKEWED), 0.9) == pytest.approx((-high, -low), abs=1e-12)

    def test_higher_levels_are_wider(self, method):
        problem = one(*SKEWED)
        nested = [ends(method, problem, level) for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.9999)]
        assert [low for low, _ in nested] == sorted((low for low, _ in nested), reverse=True)
        assert [high for _, high in nested] == sorted(high for _, high in nested)

    def test_one_sided_bounds_spend_all_on_their_side(self, method):
        problem = one(*SKEWED)
        low, high = ends(method, problem, 0.9)
        assert ends(method, problem, 0.95, Side.LOWER) == (low, math.inf)
        assert ends(method, problem, 0.95, Side.UPPER) == (-math.inf, high)

    def test_the_p_value_is_where_the_interval_reaches_zero(self, method):
        problem = paired(np.array(SKEWED) - 0.2503)
        p = p_value(method, problem)
        assert 0.01 < p < 0.6
        assert ends(method, problem, 1 - p * 1.01)[0] > 0 > ends(method, problem, 1 - p / 1.01)[0]
        assert p_value(method, paired(0.2503 - np.array(SKEWED))) == pytest.approx(p, abs=1e-9)

    def test_without_anything_to_redraw(self, method):
        nothing = score_problem(sample_of(plain(1, 0)), Setting(Mean(), (), fresh))
        assert "nothing" in method.refuses(nothing)
        assert [note.code for note in method.bounds(nothing, 0.95, Side.TWO).notes] == ["nothing-to-redraw"]
        assert math.isnan(p_value(method, nothing))

    def test_no_resamples_are_refused(self, method):
        with pytest.raises(ArgumentError, match="n_boot=0"):
            type(method)(n_boot=0)

    def test_drawn_and_computed_agree(self, method):
        problem = one(*SKEWED)
        assert ends(type(method)(n_boot=50_000), problem) == pytest.approx(ends(method, problem), abs=0.03)


@unhurried
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=3, max_size=15), st.floats(0.3, 0.999))
def test_right_and_wrong_swapped_mirror_the_interval(scores, level):
    for method in ALL:
        low, high = ends(method, graded(scores, (0.0, 1.0)), level)
        mirrored = ends(method, graded(1 - np.array(scores), (0.0, 1.0)), level)
        assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


@unhurried
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=3, max_size=15))
def test_levels_stay_inside_what_was_seen(scores):
    for method in WITHIN:
        low, high = ends(method, graded(scores, (0.0, 1.0)), 0.9999)
        assert min(scores) - 1e-12 <= low <= high <= max(scores) + 1e-12


def test_an_estimate_outside_its_distribution_has_no_bias_correction():
    class Longest(Variance):
        """Largest score plus one, less the share of the largest: every resample lies below the estimate or at it."""

        name = "shifted"

        def statistic(self, drawn):
            first = drawn.n == 1
            return np.bincount(drawn.owner, drawn.score, drawn.n) / drawn.sizes + 10.0 * first

    bounds = BCa(500).bounds(one(*SKEWED, estimator=Longest()), 0.95, Side.TWO)
    assert math.isnan(bounds.low)
    assert [note.code for note in bounds.notes] == ["nan-interval"]


def test_a_law_all_on_one_side_of_the_null_value_has_a_p_value():
    import scorebars as sb

    scores = sb.Scores.from_arrays({"A": [0, 0, 0, 1] * 5, "B": [1, 1, 0, 1] * 5}, axes=("item",))
    for method in (sb.BiasCorrected(n_boot=200), sb.BCa(n_boot=200)):
        for pair in (("A", "B"), ("B", "A")):
            found = sb.compare(scores, *pair, interval=method)
            assert (found.p_value < 0.05) == found.significant
