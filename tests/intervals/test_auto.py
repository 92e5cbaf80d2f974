"""Auto: every row of its table and every edge of it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.intervals.interval_problems import (
    FakeProblem,
    binary,
    clustered,
    graded,
    paired,
    paired_table,
    runs_redrawn,
    unhurried,
    unpaired,
)

from scorebars.contracts import Side
from scorebars.errors import MethodError
from scorebars.intervals import (
    INTERVALS,
    AgrestiCoull,
    Auto,
    Blaker,
    ClopperPearson,
    ClusterRobust,
    Mover,
    PairedT,
    Percentile,
    RunNormal,
    Studentized,
    StudentT,
    Tango,
    interval_named,
    p_value,
)

UNIT = (0.0, 1.0)


def ends(problem, level=0.95, side=Side.TWO):
    bounds = Auto().bounds(problem, level, side)
    return bounds.low, bounds.high


def rounded(problem, digits=4):
    return tuple(round(end, digits) for end in ends(problem))


def codes(problem):
    return [note.code for note in Auto().bounds(problem, 0.95, Side.TWO).notes]


def assert_missing(problem, *expected):
    low, high = ends(problem)
    assert math.isnan(low)
    assert math.isnan(high)
    assert codes(problem) == list(expected)


FIFTY = np.linspace(0.1, 0.9, 50)
IN_TWO_TASKS = {"stratum": np.repeat([0, 1], 25)}
IN_TEN_CLUSTERS = np.repeat(np.arange(10), 5)


@pytest.mark.parametrize(
    ("problem", "method"),
    [
        (binary(30, 50), Blaker()),
        (binary(50, 50), ClopperPearson()),
        (graded(FIFTY, UNIT), AgrestiCoull()),
        (graded(FIFTY), Studentized()),
        (graded(np.linspace(0, 1, 2_000)), Studentized(1_999)),
        (graded(np.linspace(0, 1, 10_001)), StudentT()),
        (graded(FIFTY[:9]), StudentT()),
        (graded(np.r_[np.full(19, 0.3), 0.7]), StudentT()),
        (graded(FIFTY, **IN_TWO_TASKS), Studentized()),
        (graded(FIFTY, UNIT, **IN_TWO_TASKS), AgrestiCoull()),
        (paired_table(20, 8, 3, 19), Tango()),
        (paired(FIFTY - 0.4, (-1.0, 1.0)), PairedT()),
        (unpaired(binary(9, 20), binary(4, 20)), Mover()),
        (clustered(FIFTY, IN_TEN_CLUSTERS, UNIT), AgrestiCoull()),
        (clustered(FIFTY, IN_TEN_CLUSTERS), ClusterRobust()),
        (
            replace(clustered(FIFTY, IN_TEN_CLUSTERS, (-1.0, 1.0)), is_difference=True, is_paired=True),
            ClusterRobust(),
        ),
        (runs_redrawn(np.arange(12).reshape(4, 3) % 2, UNIT), RunNormal()),
        (runs_redrawn(np.arange(12).reshape(4, 3) % 5), StudentT()),
        (runs_redrawn(np.arange(12).reshape(4, 3) / 12, UNIT), AgrestiCoull()),
        (runs_redrawn(np.repeat([[0.3], [0.8]], 3, axis=1), UNIT), RunNormal()),
        (runs_redrawn([[0.1, 0.4, 0.3]], UNIT), AgrestiCoull()),
        (graded(FIFTY, UNIT, name="task"), StudentT()),
        (replace(graded(FIFTY, UNIT), more_levels=("run",)), Percentile()),
    ],
)
def test_the_rows_of_the_table(problem, method):
    assert Auto().choose(problem) == method
    assert Auto().refuses(problem) is None


def test_the_result_names_what_was_chosen():
    assert Auto().bounds(binary(30, 50), 0.95, Side.TWO).method == "Blaker"
    method = Auto().bounds(graded(FIFTY, UNIT), 0.95, Side.TWO).method
    prefix, size = method.rsplit(" ", 1)
    assert prefix == "Agresti-Coull on an effective n of"
    variance = FIFTY.var(ddof=1) / 50
    expected = 0.25 / variance * (stats.norm.isf(0.025) / stats.t.isf(0.025, 49)) ** 2
    assert float(size) == pytest.approx(expected, abs=0.05)


def test_an_effective_size_near_nothing_is_not_said_to_be_0():
    method = Auto().bounds(graded(np.array([0.0, 1.0]), UNIT), 0.95, Side.TWO).method
    size = float(method.partition(" n of ")[2].partition(",")[0])
    assert 0 < size < 0.1


def test_effective_size_of_binary_attempts_is_at_most_their_number():
    # Three runs of 40 items whose rates are all alike: the items' means vary less than 120 unrelated attempts would.
    means = np.tile([1 / 3, 2 / 3], 20)
    bounds = Auto().bounds(graded(means, UNIT, is_binary=True, k=3), 0.95, Side.TWO)
    assert bounds.method == "Agresti-Coull on an effective n of 120.0"


def test_effective_size_of_plain_binary_items_is_about_their_number():
    problem = replace(graded(np.r_[np.ones(60), np.zeros(40)], UNIT, is_binary=True), counts=None)
    size = float(Auto().bounds(problem, 0.95, Side.TWO).method.rsplit(" ", 1)[1])
    assert 94.0 < size <= 100.0


def test_effective_agresti_coull_in_the_limit_of_many_items():
    values = np.random.default_rng(5).beta(3, 2, 20_000)
    normal = stats.norm.interval(0.95, values.mean(), stats.sem(values))
    assert ends(graded(values, UNIT)) == pytest.approx(normal, abs=2e-5)


def test_scores_in_another_range_give_the_same_interval_there():
    low, high = ends(graded(FIFTY, UNIT))
    assert ends(graded(1 + 9 * FIFTY, (1.0, 10.0))) == pytest.approx((1 + 9 * low, 1 + 9 * high))


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (binary(0, 75), (0.0, 0.0480)),
        (binary(50, 50), (0.9289, 1.0)),
        (binary(1, 1), (0.025, 1.0)),
        (binary(0, 1), (0.0, 0.975)),
        (graded(np.full(50, 0.8), UNIT), (0.7431, 0.8142)),
        (graded([0.8], UNIT), (0.02, 0.995)),
        (paired_table(50, 0, 0, 0), (-0.0713, 0.0713)),
        (paired(np.full(50, 0.1), (-1.0, 1.0)), (0.0218, 0.1640)),
        (clustered(np.ones(50), IN_TEN_CLUSTERS, UNIT, is_binary=True), (0.6915, 1.0)),
    ],
)
def test_edges_of_all_equal_scores(problem, expected):
    assert rounded(problem) == expected
    assert codes(problem) in ([], ["all-equal"], ["few-items"])


def test_nearly_equal_scores_keep_half_the_width_of_equal_ones():
    low, high = ends(graded(np.r_[np.full(49, 0.8), 0.8001], UNIT))
    equal_low, equal_high = ends(graded(np.full(50, 0.8), UNIT))
    assert (low, high) == pytest.approx(((0.8 + equal_low) / 2, (0.8 + equal_high) / 2), abs=1e-5)
    mirrored = ends(graded(np.r_[np.full(49, 0.2), 0.1999], UNIT))
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)
    method = Auto().bounds(graded(np.r_[np.full(9, 0.8), 0.8001], UNIT), 0.95, Side.TWO).method
    assert method.endswith("at least half the all-equal rule")


def test_scores_of_which_several_differ_are_left_alone():
    assert (
        "all-equal" not in Auto().bounds(graded(np.r_[np.full(47, 0.8), 0.7, 0.9, 0.75], UNIT), 0.95, Side.TWO).method
    )
    assert "all-equal" not in Auto().bounds(graded(np.linspace(0.8, 0.8001, 50), UNIT), 0.95, Side.TWO).method


def test_all_equal_strata_count_by_their_weights():
    # Two tasks, 5 and 15 items, macro: n_u = 1/Σ w² = 15; 1 − .025^(1/15) = .2181.
    problem = graded(np.ones(20), UNIT, is_binary=True, stratum=np.repeat([0, 1], [5, 15]))
    assert ends(problem)[0] == pytest.approx(0.025 ** (1 / 15))


@pytest.mark.parametrize(
    ("problem", "code"),
    [
        (graded(np.full(50, 0.8)), "all-equal-no-range"),
        (paired(np.full(50, 0.1)), "all-equal-no-range"),
        (clustered(np.full(50, 0.8), IN_TEN_CLUSTERS), "all-equal-no-range"),
        (graded(np.full(8, 0.3), name="task"), "all-equal-no-range"),
        (runs_redrawn(np.full((4, 3), 2.5)), "all-equal-no-range"),
        (graded([0.8]), "few-items"),
        (clustered([1, 0, 1], [0, 0, 0], UNIT), "one-cluster"),
        (graded([0.4], UNIT, name="task"), "one-unit"),
        (runs_redrawn([[1], [0]], UNIT), "one-run"),
        (FakeProblem(0.5, top="", range=UNIT), "nothing-to-redraw"),
    ],
)
def test_where_no_interval_exists(problem, code):
    assert_missing(problem, code)
    assert math.isnan(p_value(Auto(), problem))


def test_two_clusters_are_shown_and_said_to_be_few():
    problem = clustered([1, 1, 0, 1, 0, 0, 0, 1], np.repeat([0, 1], 4), UNIT, is_binary=True)
    low, high = ends(problem)
    assert high - low > 0.8
    assert codes(problem) == ["few-clusters"]


def test_few_units_are_said():
    assert codes(graded([0.1, 0.5, 0.3])) == ["few-items"]
    assert codes(graded([0.1, 0.5, 0.3], UNIT)) == ["few-items"]
    assert codes(graded([0.1, 0.5, 0.3] * 3, UNIT)) == ["few-items"]
    assert codes(graded([0.1, 0.5, 0.3] * 3 + [0.4], UNIT)) == []
    assert codes(binary(2, 3)) == []
    assert codes(graded([0.1, 0.5, 0.3, 0.4], UNIT, name="task")) == ["few-tasks"]
    assert codes(graded(FIFTY)) == []
    assert codes(graded(np.r_[np.full(19, 0.3), 0.7])) == ["no-spread"]


def test_a_level_that_the_studentized_bootstrap_cannot_reach_falls_back_to_t():
    problem = graded(np.r_[np.full(14, 0.3), np.full(6, 0.7)])
    assert Auto().choose(problem) == Studentized()
    assert ends(problem, 1 - 1e-5) == ends_of_t(problem, 1 - 1e-5)
    assert ends(problem, 0.95) != ends_of_t(problem, 0.95)


def ends_of_t(problem, level):
    bounds = StudentT().bounds(problem, level, Side.TWO)
    return bounds.low, bounds.high


@pytest.mark.parametrize("levels", [("run", ()), ("item", ("run",))])
def test_redrawn_runs_of_a_nonlinear_estimator_are_refused(levels):
    top, more = levels
    problem = replace(binary(12, 20), top=top, more_levels=more, linear_in_runs=False)
    assert "Percentile" in Auto().refuses(problem)
    assert_missing(problem, "nan-interval")
    assert Auto().refuses(replace(problem, top="item", more_levels=())) is None


def test_statistics_that_are_no_means_fall_back_to_the_percentile_interval():
    problem = replace(binary(12, 20), units=None, n_items=20)
    assert Auto().choose(problem).name == "percentile bootstrap, n−1 draws"
    assert rounded(problem) == (0.4, 0.8)
    flat = replace(binary(20, 20), units=None)
    assert rounded(flat) == (0.8316, 1.0)


def test_unpaired_and_both_all_right():
    problem = unpaired(binary(50, 50), binary(40, 40))
    low, high = ends(problem)
    assert -0.12 < low < 0.0 < high < 0.12
    assert Auto().bounds(problem, 0.95, Side.TWO).method == "MOVER of two Agresti-Coull"


def test_p_values_are_those_of_the_chosen_family():
    table = paired_table(20, 9, 2, 19)
    assert p_value(Auto(), table) == p_value(Tango(), table)
    differences = paired(FIFTY - 0.4, (-1.0, 1.0))
    assert p_value(Auto(), differences) == p_value(PairedT(), differences)


BINARY = st.integers(1, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))).map(lambda kn: binary(*kn))
VALUES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, 0.3333]), min_size=1, max_size=12)
GRADED = VALUES.map(lambda xs: graded(xs, UNIT))
PAIRED = VALUES.filter(lambda xs: len(xs) > 1).map(lambda xs: paired(np.array(xs) * 2 - 1, (-1.0, 1.0)))
TABLES = st.tuples(*[st.integers(0, 9)] * 4).filter(any).map(lambda table: paired_table(*table))
CLUSTERED = st.lists(st.sampled_from([0.0, 1.0]), min_size=4, max_size=20).map(
    lambda xs: clustered(xs, np.sort(np.arange(len(xs)) % 4), UNIT, is_binary=True)
)
STRATA = st.lists(st.sampled_from([0.0, 1.0, 0.5]), min_size=4, max_size=12).map(
    lambda xs: graded(xs, UNIT, stratum=np.sort(np.arange(len(xs)) % 2), task_weights=[0.3, 0.7])
)
RUNS = st.lists(st.sampled_from([0.0, 1.0]), min_size=6, max_size=6).map(
    lambda xs: runs_redrawn(np.reshape(xs, (3, 2)), UNIT)
)
UNPAIRED = st.tuples(BINARY, GRADED).map(lambda sides: unpaired(*sides))
PROBLEMS = st.one_of(BINARY, GRADED, PAIRED, TABLES, CLUSTERED, STRATA, RUNS, UNPAIRED)


@settings(unhurried, max_examples=300)
@given(PROBLEMS, st.floats(0.02, 0.9999))
def test_bounds_have_a_width_and_stay_in_the_range(problem, level):
    low, high = ends(problem, level)
    assert problem.range[0] <= low < high <= problem.range[1]
    assert low - 1e-9 <= problem.value <= high + 1e-9


@settings(unhurried, max_examples=200)
@given(PROBLEMS, st.sampled_from([0.1, 0.5, 0.8, 0.95, 0.999]))
def test_higher_levels_contain_lower_ones(problem, level):
    inner, outer = ends(problem, level), ends(problem, (1 + level) / 2)
    assert outer[0] <= inner[0] + 1e-9
    assert inner[1] <= outer[1] + 1e-9


@settings(unhurried, max_examples=200)
@given(PROBLEMS, st.floats(0.02, 0.9999))
def test_one_sided_bounds(problem, level):
    low, none = ends(problem, level, Side.LOWER)
    nothing, high = ends(problem, level, Side.UPPER)
    assert (none, nothing) == (math.inf, -math.inf)
    assert problem.range[0] <= low <= problem.range[1]
    assert problem.range[0] <= high <= problem.range[1]
    if level > 0.5:
        assert low - 1e-9 <= problem.value <= high + 1e-9


@settings(unhurried, max_examples=200)
@given(st.one_of(BINARY, GRADED), st.floats(0.02, 0.9999))
def test_right_and_wrong_swapped_mirror_the_interval(problem, level):
    low, high = ends(problem, level)
    mirrored = graded(1 - problem.units.item_values, UNIT)
    if problem.counts is not None:
        mirrored = binary(problem.counts[1] - problem.counts[0], problem.counts[1])
    assert ends(mirrored, level) == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_every_spelling_is_a_method_with_a_name_of_its_own():
    methods = [interval_named(spelling)() for spelling in INTERVALS]
    assert len({method.name for method in methods}) == len(methods)
    for method in methods:
        reason = method.refuses(FakeProblem(0.5, top=""))
        assert method == Auto() or "use " in reason or "collect " in reason or "give " in reason


def test_an_unknown_spelling_names_the_nearest():
    with pytest.raises(MethodError, match="did you mean 'wilson'"):
        interval_named("wilsn")


def test_every_method_serves_what_it_does_not_refuse():
    problems = [
        binary(7, 20),
        binary(20, 20),
        graded(FIFTY, UNIT),
        graded(FIFTY),
        paired_table(20, 8, 3, 19),
        paired(FIFTY - 0.4, (-1.0, 1.0)),
        unpaired(binary(9, 20), binary(4, 20)),
        clustered(FIFTY, IN_TEN_CLUSTERS, UNIT),
        runs_redrawn(np.arange(12).reshape(4, 3) % 2, UNIT),
    ]
    alone = {"odds-ratio-score": [FakeProblem(2.25, null=1.0, odds_tables=((9, 20), (4, 20)))]}
    for spelling in INTERVALS:
        method = interval_named(spelling)()
        served = [each for each in (*problems, *alone.get(spelling, ())) if method.refuses(each) is None]
        assert served
        for problem in served:
            bounds = method.bounds(problem, 0.9, Side.TWO)
            assert bounds.low <= bounds.high
            assert bounds.low < bounds.high or bounds.instead is not None
            assert bounds.method


def test_one_paired_item_falls_to_the_all_equal_rule():
    assert rounded(paired([0.2], (-1.0, 1.0))) == (-0.97, 0.98)
    assert_missing(paired([0.2]), "few-items")
