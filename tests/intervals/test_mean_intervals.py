"""Student t, Normal, the pseudo-difference t, RunNormal, MOVER, the all-equal rule, Percentile, p-values."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.intervals.interval_problems import binary, graded, paired, paired_table, runs_redrawn, unhurried, unpaired

from scorebars.contracts import Side
from scorebars.errors import ArgumentError
from scorebars.intervals import (
    Mover,
    Normal,
    PairedT,
    Percentile,
    RunNormal,
    StudentT,
    Tango,
    Wilson,
    p_value,
)
from scorebars.intervals.all_equal import all_equal_bounds
from scorebars.intervals.inversion import inverted_p_value
from scorebars.intervals.moments import moments_of, unit_moments

scores = st.lists(st.floats(-5, 5), min_size=3, max_size=30).filter(lambda xs: np.ptp(xs) > 1e-3)


def ends(bounds):
    return bounds.low, bounds.high


def codes(bounds):
    return [note.code for note in bounds.notes]


@unhurried
@given(scores, st.floats(0.01, 0.999))
def test_student_t_agrees_with_scipy(values, level):
    theirs = stats.ttest_1samp(values, 0.0)
    bounds = StudentT().bounds(graded(values), level, Side.TWO)
    assert ends(bounds) == pytest.approx(tuple(theirs.confidence_interval(level)), abs=1e-8)
    assert p_value(StudentT(), graded(values)) == pytest.approx(theirs.pvalue, abs=1e-9)
    assert bounds.degrees == len(values) - 1


def test_welch_agrees_with_scipy():
    a, b = [0.2, 0.9, 0.4, 0.1, 0.7], [0.3, 0.2, 0.25, 0.5]
    theirs = stats.ttest_ind(a, b, equal_var=False)
    bounds = StudentT().bounds(unpaired(graded(a), graded(b)), 0.9, Side.TWO)
    assert ends(bounds) == pytest.approx(tuple(theirs.confidence_interval(0.9)), abs=1e-12)
    assert bounds.degrees == pytest.approx(theirs.df)
    assert p_value(StudentT(), unpaired(graded(a), graded(b))) == pytest.approx(theirs.pvalue)


def test_normal_is_the_bar_of_most_papers():
    values = [1, 0, 1, 1]
    bounds = Normal().bounds(graded(values), 0.95, Side.TWO)
    assert ends(bounds) == pytest.approx((0.75 - 1.959964 * 0.25, 0.75 + 1.959964 * 0.25), abs=1e-6)
    assert bounds.standard_error == 0.25
    assert p_value(Normal(), graded(values)) == pytest.approx(2 * stats.norm.sf(3.0))


def test_passing_the_range_is_said():
    bounds = Normal().bounds(graded([1, 1, 1, 0, 1, 1, 1, 1], (0.0, 1.0)), 0.95, Side.TWO)
    assert bounds.high > 1.0
    assert codes(bounds) == ["past-range"]


def test_paired_toy_of_miller():
    a, b = np.array([1, 1, 0, 1, 0, 1, 1, 0]), np.array([1, 0, 0, 1, 0, 0, 1, 1])
    bounds = StudentT().bounds(paired(a - b), 0.95, Side.TWO)
    assert bounds.standard_error == pytest.approx(0.226582, abs=5e-7)
    apart = moments_of(unpaired(graded(a), graded(b)))
    assert apart.value == 0.125
    assert apart.standard_error == pytest.approx(0.263052, abs=5e-7)


def test_strata_add_their_variances():
    one, two = [0.1, 0.5, 0.9], [0.3, 0.2, 0.6, 0.4]
    problem = graded(one + two, stratum=[0, 0, 0, 1, 1, 1, 1], task_weights=[0.25, 0.75])
    moments = unit_moments(problem.units)
    parts = 0.25**2 * stats.sem(one) ** 2, 0.75**2 * stats.sem(two) ** 2
    assert moments.variance == pytest.approx(sum(parts))
    assert moments.degrees == pytest.approx(sum(parts) ** 2 / (parts[0] ** 2 / 2 + parts[1] ** 2 / 3))
    assert moments.value == pytest.approx(0.25 * 0.5 + 0.75 * 0.375)


def test_unequal_units_get_the_variance_of_a_ratio():
    values, unit = np.array([1.0, 0, 1, 1, 0, 1]), [0, 0, 1, 1, 1, 2]
    moments = unit_moments(graded(values, unit=unit, name="task").units)
    ratio = values.mean()
    residuals = [sum(v - ratio for v, u in zip(values, unit, strict=True) if u == each) for each in range(3)]
    assert moments.variance == pytest.approx(3 / 2 * np.square(residuals).sum() / 36)


@pytest.mark.parametrize("method", [StudentT(), Normal()])
def test_one_item_has_no_symmetric_interval(method):
    bounds = method.bounds(graded([0.4]), 0.95, Side.TWO)
    assert math.isnan(bounds.low)
    assert codes(bounds) == ["few-items"]
    assert math.isnan(method.p_value(graded([0.4])))


@pytest.mark.parametrize("method", [StudentT(), Normal()])
def test_all_equal_scores_show_what_to_use_instead(method):
    bounds = method.bounds(graded(np.full(50, 0.8), (0.0, 1.0)), 0.95, Side.TWO)
    assert bounds.low == bounds.high == pytest.approx(0.8)
    assert (round(bounds.instead.low, 4), round(bounds.instead.high, 4)) == (0.7431, 0.8142)
    assert codes(bounds) == ["all-equal"]
    unknown = method.bounds(graded(np.full(50, 0.8)), 0.95, Side.TWO)
    assert unknown.instead is None
    assert codes(unknown) == ["all-equal-no-range"]


def test_statistics_that_are_no_means_are_refused():
    problem = replace(graded([0.1, 0.2]), units=None)
    assert "Percentile" in StudentT().refuses(problem)
    assert math.isnan(StudentT().bounds(problem, 0.95, Side.TWO).low)
    assert math.isnan(StudentT().p_value(problem))


def test_pseudo_differences_by_hand():
    differences = np.array([0.0, 0, 0, 0.5, -0.25, 0, 0, 0, 0, 0.1])
    extended = np.r_[differences, 0.5, -0.5]
    bounds = PairedT().bounds(paired(differences), 0.95, Side.TWO)
    error = extended.std(ddof=1) / math.sqrt(12)
    assert bounds.standard_error == pytest.approx(error)
    half = stats.t.isf(0.025, 9) * error
    assert ends(bounds) == pytest.approx((differences.mean() - half, differences.mean() + half))
    assert p_value(PairedT(), paired(differences)) == pytest.approx(2 * stats.t.sf(differences.mean() / error, 9))


def test_pseudo_differences_reduce_to_one_stratum():
    differences = np.array([0.0, 0.3, -0.2, 0.5, 0.1, 0.0, 0.4, 0.2])
    strata = graded(differences, stratum=[0, 0, 0, 0, 1, 1, 1, 1]).units
    plain = unit_moments(strata)
    from scorebars.intervals.paired_t import pseudo_moments

    assert pseudo_moments(strata).variance > plain.variance * (16 / (5 * 5)) / 1.5
    weighted = graded(differences, weights=np.full(8, 3.0)).units
    assert pseudo_moments(weighted).variance == pytest.approx(pseudo_moments(graded(differences).units).variance)


def test_all_differences_equal():
    problem = paired(np.full(50, 0.1), (-1.0, 1.0))
    bounds = PairedT().bounds(problem, 0.95, Side.TWO)
    assert bounds.low == bounds.high == pytest.approx(0.1)
    assert (round(bounds.instead.low, 4), round(bounds.instead.high, 4)) == (0.0218, 0.1640)
    p = p_value(PairedT(), problem)
    near = all_equal_bounds(0.1, (-1.0, 1.0), 50, 1 - p, Side.TWO)
    assert near.low == pytest.approx(0.0, abs=1e-12)
    assert p_value(PairedT(), paired(np.zeros(5), (-1.0, 1.0))) == 1.0
    assert math.isnan(p_value(PairedT(), paired(np.full(5, 0.1))))


@unhurried
@given(scores)
def test_pseudo_differences_mirror(values):
    low, high = ends(PairedT().bounds(paired(values), 0.95, Side.TWO))
    mirrored = ends(PairedT().bounds(paired(-np.array(values)), 0.95, Side.TWO))
    assert (low, high) == pytest.approx((-mirrored[1], -mirrored[0]), abs=1e-10)


@pytest.mark.parametrize(
    ("value", "limits", "n", "expected"),
    [
        (1.0, (0.0, 1.0), 50, (0.9289, 1.0)),
        (0.8, (0.0, 1.0), 50, (0.7431, 0.8142)),
        (0.0, (0.0, 1.0), 75, (0.0, 0.0480)),
        (1.0, (0.0, 1.0), 1, (0.025, 1.0)),
        (0.1, (-1.0, 1.0), 50, (0.0218, 0.1640)),
        (1.0, (0.0, 1.0), 10, (0.6915, 1.0)),
    ],
)
def test_all_equal_rule(value, limits, n, expected):
    bounds = all_equal_bounds(value, limits, n, 0.95, Side.TWO)
    assert (round(bounds.low, 4), round(bounds.high, 4)) == expected


def test_runs_redrawn():
    problem = runs_redrawn([[1, 0], [1, 1], [0, 0], [0, 1]], (0.0, 1.0))
    error = math.sqrt(2 * 0.5 / 2 / 16 + (1 / 8) ** 2)
    bounds = RunNormal().bounds(problem, 0.95, Side.TWO)
    assert ends(bounds) == pytest.approx((0.5 - 1.959964 * error, 0.5 + 1.959964 * error), abs=1e-6)
    assert p_value(RunNormal(), problem) == pytest.approx(2 * stats.norm.sf(0.5 / error))


def test_identical_runs_keep_a_width():
    low, high = ends(RunNormal().bounds(runs_redrawn(np.ones((20, 3)), (0.0, 1.0)), 0.95, Side.TWO))
    assert (low, high) == pytest.approx((1 - 1.959964 / 60, 1.0), abs=1e-6)


def test_runs_cannot_be_redrawn_from_one():
    problem = runs_redrawn([[1], [0]], (0.0, 1.0))
    assert codes(RunNormal().bounds(problem, 0.95, Side.TWO)) == ["one-run"]
    assert "range" in RunNormal().refuses(runs_redrawn([[1, 0]]))


def test_mover_uses_the_ends_that_lead_to_each_bound():
    a, b = binary(9, 10), binary(3, 10)
    low, high = ends(Mover(Wilson()).bounds(unpaired(a, b), 0.95, Side.TWO))
    la, ua = ends(Wilson().bounds(a, 0.95, Side.TWO))
    lb, ub = ends(Wilson().bounds(b, 0.95, Side.TWO))
    assert low == pytest.approx(0.6 - math.hypot(0.9 - la, ub - 0.3))
    assert high == pytest.approx(0.6 + math.hypot(ua - 0.9, 0.3 - lb))


@unhurried
@given(st.integers(0, 12), st.integers(0, 9), st.floats(0.02, 0.99))
def test_mover_mirrors_and_stays_in_range(ka, kb, level):
    low, high = ends(Mover().bounds(unpaired(binary(ka, 12), binary(kb, 9)), level, Side.TWO))
    back = ends(Mover().bounds(unpaired(binary(kb, 9), binary(ka, 12)), level, Side.TWO))
    assert (low, high) == pytest.approx((-back[1], -back[0]), abs=1e-12)
    assert -1 - 1e-12 <= low < high <= 1 + 1e-12


@pytest.mark.parametrize("level", [0.2, 0.5, 0.9])
def test_one_sided_mover(level):
    problem = unpaired(binary(9, 12), binary(3, 10))
    low = Mover(Wilson()).bounds(problem, level, Side.LOWER).low
    high = Mover(Wilson()).bounds(problem, level, Side.UPPER).high
    if level > 0.5:
        assert (low, high) == pytest.approx(ends(Mover(Wilson()).bounds(problem, 2 * level - 1, Side.TWO)))
    elif level < 0.5:
        assert low > problem.value > high
    else:
        assert low == pytest.approx(problem.value)


def test_mover_carries_the_notes_of_its_sides():
    bounds = Mover().bounds(unpaired(graded([0.4]), graded([0.1, 0.3])), 0.95, Side.TWO)
    assert math.isnan(bounds.low)
    assert codes(bounds) == ["few-items", "few-items"]
    assert [note.data["n"] for note in bounds.notes] == [1, 2]
    assert "PairedT" in Mover().refuses(paired([0.1, 0.2]))


def test_inverted_p_value_agrees_with_the_interval():
    problem = unpaired(binary(45, 60), binary(30, 60))
    p = p_value(Mover(), problem)
    assert (
        Mover().bounds(problem, 1 - p * 1.001, Side.TWO).low
        > 0.0
        > Mover().bounds(problem, 1 - p * 0.999, Side.TWO).low
    )
    assert inverted_p_value(Mover(), unpaired(binary(3, 6), binary(3, 6))) == 1.0
    assert inverted_p_value(Tango(), paired_table(5, 9, 1, 5)) == pytest.approx(
        p_value(Tango(), paired_table(5, 9, 1, 5)), rel=1e-6
    )
    assert inverted_p_value(Mover(Wilson()), unpaired(binary(9999, 10000), binary(1, 10000))) == 1e-12
    assert math.isnan(inverted_p_value(StudentT(), graded([0.4])))


def test_percentile_of_all_equal_scores():
    bounds = Percentile().bounds(binary(20, 20), 0.95, Side.TWO)
    assert ends(bounds) == (1.0, 1.0)
    assert codes(bounds) == ["all-equal"]
    assert bounds.instead.method == "Clopper-Pearson"
    assert (round(bounds.instead.low, 4), bounds.instead.high) == (0.8316, 1.0)


def test_percentile_one_sided_and_its_p_value():
    problem = binary(14, 20)
    bounds = Percentile().bounds(problem, 0.95, Side.LOWER)
    assert (bounds.low, bounds.high) == (stats.binom.ppf(0.05, 20, 0.7) / 20, math.inf)
    assert p_value(Percentile(), problem) == pytest.approx(2 * 0.3**20)


def test_percentile_without_anything_to_redraw():
    problem = replace(binary(12, 20), top="")
    assert "nothing" in Percentile().refuses(problem)
    assert codes(Percentile().bounds(problem, 0.95, Side.TWO)) == ["nothing-to-redraw"]


def test_no_resamples_are_refused():
    with pytest.raises(ArgumentError, match="n_boot=0"):
        Percentile(n_boot=0)
