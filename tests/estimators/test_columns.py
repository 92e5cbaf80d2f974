"""Statistics of several columns against scikit-learn, arch-like hand computations and enumeration."""

from itertools import product

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.estimators.drawn_by_hand import drawn, problem, value

import scorebars as sb
from scorebars.errors import ArgumentError, MethodError

few = settings(max_examples=40, deadline=None)
rows = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 4)), min_size=1, max_size=20)
resampled = st.lists(rows, min_size=1, max_size=4)


def columns(resamples):
    flat = np.array([row for each in resamples for row in each], dtype=float)
    return drawn(*resamples_of(resamples), label=flat[:, 0], prediction=flat[:, 1], score=flat[:, 2] / 4)


def resamples_of(resamples):
    return [[0.0] * len(each) for each in resamples]


COUNTS = {
    sb.Precision(undefined=0.0): sklearn.metrics.precision_score,
    sb.Recall(undefined=0.0): sklearn.metrics.recall_score,
    sb.F1(undefined=0.0): sklearn.metrics.f1_score,
}


@pytest.mark.parametrize("estimator", COUNTS, ids=lambda each: each.name)
@few
@given(resampled)
def test_precision_recall_and_f1_are_those_of_scikit_learn(estimator, resamples):
    tables = [np.array(each) for each in resamples]
    expected = [COUNTS[estimator](each[:, 0], each[:, 1], zero_division=0) for each in tables]
    assert estimator.statistic(columns(resamples)) == pytest.approx(expected, abs=1e-12)


@few
@given(resampled)
def test_auroc_is_that_of_scikit_learn(resamples):
    tables = [np.array(each) for each in resamples]
    expected = [
        sklearn.metrics.roc_auc_score(each[:, 0], each[:, 2]) if len(set(each[:, 0])) == 2 else np.nan
        for each in tables
    ]
    assert sb.AUROC().statistic(columns(resamples)) == pytest.approx(expected, abs=1e-12, nan_ok=True)


RNG = np.random.default_rng(8)
N = 40
TABLE = {
    "item": list(range(N)),
    "label": (RNG.random(N) < 0.4).astype(float).tolist(),
    "weight": RNG.integers(1, 5, N).astype(float).tolist(),
}
TABLE["prediction"] = [float(y if RNG.random() < 0.7 else 1 - y) for y in TABLE["label"]]
TABLE["p"] = [round(float(np.clip(0.3 * y + RNG.random(), 0, 1.2)), 1) for y in TABLE["label"]]
VALUES = {"label": "label", "prediction": "prediction", "score": "p"}
EVERY = [sb.Precision(), sb.Recall(), sb.F1(), sb.AUROC(), sb.Ratio("prediction", "label")]


def scored(table, estimator):
    return problem(sb.Scores(table, values=VALUES), estimator).value


def test_weights_count_as_those_of_scikit_learn():
    y, guess, p, w = (np.array(TABLE[name]) for name in ("label", "prediction", "p", "weight"))
    assert scored(TABLE, sb.F1()) == pytest.approx(sklearn.metrics.f1_score(y, guess, sample_weight=w), abs=1e-12)
    assert scored(TABLE, sb.AUROC()) == pytest.approx(sklearn.metrics.roc_auc_score(y, p, sample_weight=w), abs=1e-12)
    assert scored(TABLE, sb.Ratio("prediction", "label")) == pytest.approx((w * guess).sum() / (w * y).sum(), abs=1e-12)


@pytest.mark.parametrize("estimator", EVERY, ids=lambda each: each.name)
def test_neither_order_nor_doubling_changes_the_value(estimator):
    order = np.random.default_rng(2).permutation(N)
    shuffled = {name: np.array(column)[order] for name, column in TABLE.items()}
    assert scored(shuffled, estimator) == scored({n: np.array(c) for n, c in TABLE.items()}, estimator)
    twin = {name: 2 * column for name, column in TABLE.items()} | {"item": list(range(2 * N))}
    assert scored(twin, estimator) == pytest.approx(scored(TABLE, estimator), abs=1e-12)


@pytest.mark.parametrize("estimator", EVERY, ids=lambda each: each.name)
def test_drawn_distribution_is_that_of_an_index_bootstrap(estimator):
    plain = {name: column for name, column in TABLE.items() if name != "weight"}
    found = problem(sb.Scores(plain, values=VALUES), estimator, "item").distribution(4000)
    index = np.random.default_rng(5).integers(0, N, size=(4000, N))
    table = {name: np.array(plain[VALUES.get(name, name)])[index].ravel() for name in VALUES}
    by_hand = estimator.statistic(drawn(*[[0.0] * N] * 4000, **table))
    # Two drawn distributions of 4,000: means differ by chance with SD spread · √(2/4000) = .022 spread; five of them
    assert found.mean == pytest.approx(by_hand.mean(), abs=0.11 * by_hand.std())
    assert found.std == pytest.approx(by_hand.std(), rel=0.1)


def test_ratio_of_every_resample():
    cost, resolved = np.array([2.5, 1.0, 4.0]), np.array([1.0, 0.0, 2.0])
    index = np.array(list(product(range(3), repeat=3)))
    table = {"cost": cost[index].ravel(), "resolved": resolved[index].ravel()}
    found = sb.Ratio("cost", "resolved").statistic(drawn(*[[0.0] * 3] * 27, **table))
    with np.errstate(divide="ignore"):
        expected = cost[index].sum(axis=1) / resolved[index].sum(axis=1)
    assert found == pytest.approx(np.where(np.isinf(expected), np.nan, expected), nan_ok=True)


@pytest.mark.parametrize("level", ["item", "cluster", "task"])
def test_a_ratio_with_positive_denominators_is_computed(level):
    table = {
        "task": list("aaabbb") if level == "task" else ["a"] * 6,
        "cluster": list("xxyyyz"),
        "item": [1, 2, 3, 4, 5, 6],
        "weight": [1, 1, 2, 1, 3, 1],
        "tokens": [10.0, 3.0, 7.0, 12.0, 1.0, 4.0],
        "right": [6.0, 3.0, 0.0, 11.0, 1.0, 2.5],
    }
    scores = sb.Scores(table, values={"right": "right", "tokens": "tokens"})
    found = problem(scores, sb.Ratio("right", "tokens"), level).distribution()
    unit = np.array([1, 2, 3, 4, 5, 6] if level == "item" else [ord(x) for x in table[level]])
    weight = np.array(table["weight"])
    sums, sizes = (
        np.array([(weight * np.array(table[name]))[unit == u].sum() for u in np.unique(unit)])
        for name in ("right", "tokens")
    )
    index = np.array(list(product(range(len(sums)), repeat=len(sums))))
    every = sums[index].sum(axis=1) / sizes[index].sum(axis=1)
    assert found.how.value == "computed"
    assert (found.mean, found.std) == pytest.approx((every.mean(), every.std()), abs=1e-9)
    assert [found.cdf(x + 1e-9) for x in np.unique(every)[::50]] == pytest.approx(
        [np.mean(every <= x + 1e-9) for x in np.unique(every)[::50]], abs=1e-9
    )


def test_a_denominator_of_0_or_several_strata_are_drawn():
    table = {"task": list("aabb"), "item": [1, 2, 3, 4], "cost": [1.0, 2.0, 3.0, 1.0], "steps": [1.0, 2.0, 2.0, 4.0]}
    values = {"cost": "cost", "steps": "steps"}
    per_step = sb.Ratio("cost", "steps")
    assert problem(sb.Scores(table, values=values), per_step, "item").distribution().how.value == "monte-carlo"
    assert problem(sb.Scores(table, values=values).pooled(), per_step, "item").distribution().how.value == "computed"
    zero = sb.Scores(table | {"steps": [1.0, 2.0, 2.0, 0.0]}, values=values).pooled()
    assert problem(zero, sb.Ratio("steps", "cost"), "item").distribution().how.value == "computed"
    with pytest.raises(MethodError, match="is nan in resample"):
        problem(zero, per_step, "item").distribution()


def test_a_resample_without_a_ratio_is_an_error():
    table = {"item": [1, 2, 3], "cost": [1.0, 2.0, 3.0], "resolved": [0, 0, 1]}
    scores = sb.Scores(table, values={"cost": "cost", "resolved": "resolved"})
    with pytest.raises(MethodError, match=r"cost / resolved is nan in resample \d+ of 500"):
        problem(scores, sb.Ratio("cost", "resolved"), "item").distribution(500)


def test_classes_other_than_0_and_1_name_the_item():
    table = {"item": ["x", "y"], "label": [0, 2], "prediction": [0, 1], "p": [0.1, 0.2]}
    with pytest.raises(MethodError, match=r"F1 needs 0 or 1 in the column 'label', and item 'y' of 'model' has 2"):
        sb.estimate(sb.Scores(table, values=VALUES), estimator=sb.F1())
    with pytest.raises(MethodError, match="AUROC needs 0 or 1"):
        sb.estimate(sb.Scores(table, values=VALUES), estimator=sb.AUROC())


def test_one_class_has_no_auroc():
    table = {"item": [1, 2], "label": [1, 1], "prediction": [0, 1], "p": [0.1, 0.2]}
    with pytest.raises(MethodError, match=r"AUROC needs positives and negatives, and every label of 'model' is 1"):
        scored(table, sb.AUROC())


def test_classes_as_tasks_are_kept_in_every_resample():
    table = {"item": list(range(12)), "label": [1] * 2 + [0] * 10, "p": np.linspace(1, 0, 12).round(2).tolist()}
    values = {"label": "label", "score": "p"}
    [found] = sb.estimate(
        sb.Scores(table, task="label", values=values), estimator=sb.AUROC(), interval=sb.Percentile(2000)
    )
    assert (found.value, found.high) == (1.0, 1.0)
    with pytest.raises(MethodError, match="AUROC is nan in resample"):
        sb.estimate(sb.Scores(table, values=values), estimator=sb.AUROC(), interval=sb.Percentile(2000))


def test_two_models_are_compared_item_by_item():
    other = np.array(TABLE["prediction"])
    other[:5] = 1 - other[:5]
    table = {
        "model": ["a"] * N + ["b"] * N,
        "item": 2 * TABLE["item"],
        "label": 2 * TABLE["label"],
        "prediction": [*TABLE["prediction"], *other.tolist()],
    }
    values = {"label": "label", "prediction": "prediction"}
    found = sb.compare(sb.Scores(table, values=values), "a", "b", estimator=sb.F1(), interval=sb.Percentile(1000))
    y = np.array(TABLE["label"])
    expected = sklearn.metrics.f1_score(y, TABLE["prediction"]) - sklearn.metrics.f1_score(y, other)
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert found.paired
    assert "few-discordant" in [note.code for note in found.answer.notes]  # five items differ
    halves = [
        sb.Scores({k: v[rows] for k, v in {k: np.array(c) for k, c in table.items()}.items()}, values=values)
        for rows in (slice(0, N), slice(N, None))
    ]
    assert sb.compare(*halves, estimator=sb.F1(), interval=sb.Percentile(1000)).value == found.value


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sb.F1("y", "y"), "name two different columns"),
        (lambda: sb.AUROC("", "p"), "name two different columns"),
        (lambda: sb.Ratio("cost", "cost"), "name two different columns"),
    ],
)
def test_columns_have_two_names(make, message):
    with pytest.raises(ArgumentError, match=message):
        make()


def test_runs_and_tables_of_the_textbook_have_scores_alone():
    with pytest.raises(ArgumentError, match="asks for the column 'label', and runs × tasks have scores alone"):
        sb.stratified_bootstrap_ci([[1, 0], [0, 1]], sb.F1())


def test_value_of_a_plain_table():
    assert value({"item": [1, 2], "score": [1, 0]}, sb.Mean()) == 0.5


COSTS = {
    "model": list("aaabbbccc"),
    "item": list("xyzxyzxyz"),
    "cost": [1.0, 2, 3, 1, 2, 3, 4, 5, 6],
    "resolved": [0, 0, 0, 1, 1, 0, 1, 1, 1],
}
"""'a' resolves nothing, 'b' two of three, so that a resample of 1 in 27 has no success; 'c' resolves all."""


def undefined(notes):
    return [said.message for said in notes if said.code == "undefined"]


def test_a_ratio_without_a_denominator_is_nan_with_the_reason():
    scores = sb.Scores(COSTS, values={"cost": "cost", "resolved": "resolved"})
    ratio = sb.Ratio("cost", "resolved")
    a, b, c = sb.estimate(scores, estimator=ratio, rng=1)
    assert np.isnan([a.value, a.low, a.high, a.answer.standard_error]).all()
    [said] = undefined(a.answer.notes)
    assert "the ratio cost / resolved does not exist: 'resolved' adds up to 0 over the 3 attempts of 'a'" in said
    assert (b.value, c.value) == (6 / 2, 15 / 3)
    assert np.isnan([b.low, b.high]).all()
    assert "has no bootstrap interval" in undefined(b.answer.notes)[0]
    assert np.isfinite([c.low, c.high]).all()
    assert undefined(c.answer.notes) == []
    found = sb.compare(scores, "a", "c", estimator=ratio, rng=1)
    assert np.isnan([found.value, found.value_a, found.p_value]).all()
    assert found.value_b == 15 / 3
    assert undefined(found.notes) == [said]
    assert [np.isnan(pair.value) for pair in sb.compare_all(scores, estimator=ratio, rng=1)] == [True, True, False]


def test_weights_of_zero_take_a_denominator_away():
    columns = {**COSTS, "w": [0, 0, 1] * 3}
    scores = sb.Scores(columns, values={"cost": "cost", "resolved": "resolved"}, weight="w")
    _, b, c = sb.estimate(scores, estimator=sb.Ratio("cost", "resolved"))
    assert np.isnan(b.value)
    assert "'resolved' adds up to 0 over the 3 attempts of 'b'" in undefined(b.answer.notes)[0]
    assert c.value == 6.0
