"""Statistics of pooled attempts against SciPy, NumPy, enumeration and published figures."""

from itertools import product
from math import factorial, prod

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from tests.estimators.drawn_by_hand import drawn, problem, value

import scorebars as sb
from scorebars.errors import ArgumentError, MethodError

numbers = st.floats(-100, 100).map(lambda x: round(x, 3))
lists = st.lists(numbers, min_size=1, max_size=30)
several = st.lists(lists, min_size=1, max_size=5)
BY_HAND = {
    sb.IQM(): lambda x: scipy.stats.trim_mean(x, 0.25),
    sb.TrimmedMean(0.1): lambda x: scipy.stats.trim_mean(x, 0.1),
    sb.TrimmedMean(0.0): np.mean,
    sb.Quantile(0.9): lambda x: np.quantile(x, 0.9),
    sb.Quantile(0.0): np.min,
    sb.Quantile(1.0): np.max,
    sb.Median(plain=True): np.median,
    sb.DifficultyProgress(0.5): lambda x: np.mean(np.sort(x)[: max(len(x) // 2, 1)]),
}


@pytest.mark.parametrize("estimator", BY_HAND, ids=lambda each: each.name)
@given(several)
def test_each_resample_has_the_value_of_scipy(estimator, resamples):
    expected = [BY_HAND[estimator](np.array(each)) for each in resamples]
    assert estimator.statistic(drawn(*resamples)) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("estimator", [*BY_HAND, sb.IQM(sb.Middle.HALF)], ids=lambda each: each.name)
@given(lists, lists)
def test_equal_and_unequal_sizes_are_the_same_numbers(estimator, one, other):
    alone = estimator.statistic(drawn(one))[0]
    assert estimator.statistic(drawn(one, other))[0] == pytest.approx(alone, abs=1e-12)


@pytest.mark.parametrize("estimator", [*BY_HAND, sb.IQM(sb.Middle.HALF)], ids=lambda each: each.name)
@given(lists, numbers, st.floats(0.1, 10))
def test_shift_and_scale(estimator, scores, shift, scale):
    plain = estimator.statistic(drawn(scores))[0]
    moved = estimator.statistic(drawn([scale * x + shift for x in scores]))[0]
    assert moved == pytest.approx(scale * plain + shift, abs=1e-9)


@pytest.mark.parametrize("middle", sb.Middle)
@given(lists)
def test_the_iqm_treats_high_and_low_alike(middle, scores):
    up, down = sb.IQM(middle).statistic(drawn(scores, [-x for x in scores]))
    assert up == pytest.approx(-down, abs=1e-12)


@given(st.integers(1, 40))
def test_half_keeps_half(n):
    # With scores 0, 1, …, each kept score counts 1 and the two at the edges half, where n − ⌊n/2⌋ is odd.
    kept = max(n // 2, 1)
    share = np.clip(np.minimum(np.arange(n) + 1, (n + kept) / 2) - np.maximum(np.arange(n), (n - kept) / 2), 0, 1)
    squares = np.arange(n) ** 2.0
    assert share.sum() == pytest.approx(kept)
    assert sb.IQM(sb.Middle.HALF).statistic(drawn(squares))[0] == pytest.approx(squares @ share / kept, abs=1e-9)


def test_quarter_trimmed_mean_of_the_fibonacci_numbers():
    assert sb.TrimmedMean(0.25).statistic(drawn([0, 1, 2, 3, 5, 8, 13, 21])).tolist() == [4.5]


def every_resample(scores):
    """All different resamples (sorted), and the probability of each."""
    n = len(scores)
    counts = np.array([c for c in product(range(n + 1), repeat=n - 1) if sum(c) <= n])
    counts = np.column_stack((counts, n - counts.sum(axis=1)))
    ways = np.array([factorial(n) / prod(map(factorial, c)) for c in counts.tolist()])
    return [np.repeat(scores, c) for c in counts], ways / float(n) ** n


def moments(estimator, scores):
    resamples, chances = every_resample(scores)
    values = estimator.statistic(drawn(*resamples))
    mean = float(chances @ values)
    return mean, float(chances @ (values - mean) ** 2)


def test_order_statistics_of_hutson_and_ernst_2000():
    scores = [1, 2, 4, 8, 16]
    means = (1.52672, 2.81312, 5.04032, 8.57312, 13.04672)
    variances = (1.138246, 4.809876, 12.969894, 23.705133, 19.012217)
    for place, mean, variance in zip(range(5), means, variances, strict=True):
        assert moments(sb.Quantile(place / 4), scores) == pytest.approx((mean, variance), abs=5e-7)
    assert moments(sb.TrimmedMean(0.2), scores) == pytest.approx((5.47552, 9.043356), abs=5e-7)


RATS = {"treatment": [16, 23, 38, 94, 99, 141, 197], "control": [10, 27, 30, 40, 46, 51, 52, 104, 146]}


def test_ideal_bootstrap_of_the_median_of_the_rats():
    # Efron and Tibshirani 1993, tables 2.1 and 2.2: 37.83
    mean, variance = moments(sb.Median(plain=True), RATS["treatment"])
    assert (np.sqrt(variance), mean) == pytest.approx((37.8347, 79.7288), abs=5e-5)


@pytest.mark.parametrize(("group", "error"), [("treatment", 23.3635), ("control", 13.3489)])
def test_ideal_bootstrap_of_the_mean_of_the_rats(group, error):
    # Efron and Tibshirani 1993, table 2.1: 23.36
    table = {"item": list(range(len(RATS[group]))), "score": RATS[group]}
    law = problem(sb.Scores(table), sb.Mean(), "item").distribution()
    assert law.how.value != "monte-carlo"
    assert law.std == pytest.approx(error, abs=6e-5)


@pytest.mark.parametrize(("group", "error", "mean"), [("treatment", 37.8347, 79.7288), ("control", 13.0759, 45.8554)])
def test_drawn_bootstrap_of_the_median_of_the_rats(group, error, mean):
    table = {"item": list(range(len(RATS[group]))), "score": RATS[group]}
    found = problem(sb.Scores(table), sb.Median(plain=True), "item").distribution(200_000)
    # Monte Carlo: SD of the mean 37.8/√200,000 = .085; of the SD about .1
    assert (found.std, found.mean) == pytest.approx((error, mean), abs=0.5)


TABLE = {
    "task": list("aaaabbbbcc"),
    "item": [1, 1, 2, 3, 1, 2, 2, 4, 1, 2],
    "run": [0, 1, 0, 0, 0, 0, 1, 0, 0, 0],
    "score": [0.1, 0.5, 0.3, 1.2, 0.0, 2.0, 0.7, 0.4, 1.1, 0.9],
}


@pytest.mark.parametrize(
    "estimator",
    [*BY_HAND, sb.Median(), sb.OptimalityGap(), sb.SuperhumanProbability(0.6), sb.Mean()],
    ids=lambda each: each.name,
)
def test_the_order_of_rows_is_irrelevant(estimator):
    order = np.random.default_rng(3).permutation(10)
    shuffled = {name: np.array(column)[order] for name, column in TABLE.items()}
    assert value(shuffled, estimator) == value({name: np.array(c) for name, c in TABLE.items()}, estimator)


@pytest.mark.parametrize(
    "estimator",
    [sb.Median(), sb.Median(plain=True), sb.OptimalityGap(), sb.SuperhumanProbability(0.6), sb.DifficultyProgress(0.5)],
    ids=lambda each: each.name,
)
def test_each_item_doubled_under_a_new_id_changes_nothing(estimator):
    twin = {name: 2 * column for name, column in TABLE.items()}
    twin["item"] = [f"{item}" for item in TABLE["item"]] + [f"{item} again" for item in TABLE["item"]]
    assert value(twin, estimator) == pytest.approx(value(TABLE, estimator), abs=1e-12)


def test_the_iqm_of_a_multiple_of_four_scores_doubled():
    table = {"item": list(range(8)), "score": [3.0, 1.0, 4.0, 1.5, 5.0, 9.0, 2.0, 6.0]}
    twin = {"item": list(range(16)), "score": 2 * table["score"]}
    assert value(twin, sb.IQM()) == pytest.approx(value(table, sb.IQM()), abs=1e-12)


def test_median_of_task_means_weighs_items():
    table = TABLE | {"weight": [1, 1, 2, 3, 1, 1, 1, 1, 5, 1]}
    means = [(0.3 + 2 * 0.3 + 3 * 1.2) / 6, (0.0 + 1.35 + 0.4) / 3, (5 * 1.1 + 0.9) / 6]
    assert value(table, sb.Median()) == pytest.approx(np.median(means), abs=1e-12)


def test_leaving_tasks_out_leaves_medians():
    scores = sb.Scores(TABLE)
    means = [(0.3 + 0.3 + 1.2) / 3, (0.0 + 1.35 + 0.4) / 3, 1.0]
    values, _ = problem(scores, sb.Median(), "task").jackknife()
    expected = [np.mean([means[k] for k in range(3) if k != out]) for out in range(3)]
    assert values == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("estimator", [sb.IQM(), sb.Quantile(0.5), sb.Median(plain=True), sb.DifficultyProgress()])
def test_weights_are_refused_where_they_mean_nothing(estimator):
    weighted = TABLE | {"weight": [1, 1, 2, 3, 1, 1, 1, 1, 5, 1]}
    with pytest.raises(MethodError, match=r"counts every attempt of 'model' once, and its items weigh between 1 and 5"):
        value(weighted, estimator)
    assert value(TABLE | {"weight": [2] * 10}, estimator) == value(TABLE, estimator)


def test_one_task_has_no_median_of_task_means():
    with pytest.raises(MethodError, match=r"has one task, so its median of task means is the mean; ask for"):
        value({"item": [1, 2, 3], "score": [1, 0, 1]}, sb.Median())


def test_gap_and_superhuman_share_turn_scores_one_by_one():
    assert value({"item": [1, 2, 3], "score": [0.5, 3.0, 0.9]}, sb.OptimalityGap()) == pytest.approx(0.2, abs=1e-15)
    assert value({"item": [1, 2], "score": [0.5, 3.0]}, sb.OptimalityGap(2)) == pytest.approx(0.75, abs=1e-15)
    assert value({"item": [1, 2, 3], "score": [1.0, 3.0, 0.9]}, sb.SuperhumanProbability()) == 1 / 3


def test_a_gap_has_the_range_of_what_is_missing():
    found = problem(sb.Scores({"item": [1, 2], "score": [0.2, 0.6]}, range=(0, 3)), sb.OptimalityGap(2), "item")
    assert found.range == (0.0, 2.0)
    assert problem(sb.Scores({"item": [1, 2], "score": [2.5, 6.0]}), sb.OptimalityGap(), "item").range is None


@pytest.mark.parametrize("estimator", [sb.OptimalityGap(), sb.SuperhumanProbability(0.6)], ids=lambda each: each.name)
def test_bootstrap_of_turned_scores_is_computed(estimator):
    found = problem(sb.Scores(TABLE), estimator, "run").distribution()
    assert found.how.value == "computed"
    assert found.mean == pytest.approx(value(TABLE, estimator), abs=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sb.TrimmedMean(0.5), r"p = 0.5: the share cut at each end must be 0 or more and below 0.5$"),
        (lambda: sb.TrimmedMean(10), r"did you mean 0.1\?"),
        (lambda: sb.TrimmedMean(-0.1), r"must be 0 or more"),
        (lambda: sb.Quantile(90), r"q = 90: a quantile lies between 0 and 1.*did you mean 0.9\?"),
        (lambda: sb.Quantile(float("nan")), r"q = nan"),
        (lambda: sb.DifficultyProgress(0), r"share = 0: must be above 0 and at most 1"),
        (lambda: sb.DifficultyProgress(25), r"did you mean 0.25\?"),
        (lambda: sb.OptimalityGap(float("inf")), r"gamma = inf: the goal must be a finite number"),
        (lambda: sb.SuperhumanProbability(float("nan")), r"threshold = nan"),
    ],
)
def test_arguments_outside_their_rule(make, message):
    with pytest.raises(ArgumentError, match=message):
        make()


def codes(table, estimator, *levels):
    [found] = sb.estimate(sb.Scores(table), estimator=estimator, resample=sb.Resample(*levels), rng=1)
    return [note.code for note in found.answer.notes]


def test_unequal_runs_are_said_where_attempts_are_pooled():
    assert "pooled-attempts" in codes(TABLE, sb.IQM(), "item")
    assert "pooled-attempts" not in codes(TABLE, sb.Median(), "item")
    assert "unequal-runs" in codes(TABLE, sb.OptimalityGap(), "item")


def test_the_median_of_few_runs_is_said_to_cover_too_little():
    table = {"task": list("aaabbbccc"), "run": [1, 2, 3] * 3, "score": [0.1, 0.5, 0.3, 1.2, 0.0, 2.0, 0.7, 0.4, 1.1]}
    assert "few-runs-median" in codes(table, sb.Median(), "run")
    assert "few-runs-median" not in codes(table, sb.IQM(), "run")
