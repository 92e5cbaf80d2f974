"""Functions of sums: the same as the function of every value, for plain, weighted and drawn data."""

import numpy as np
import pytest
from tests.estimators.drawn_by_hand import problem, value

import scorebars as sb
from scorebars.errors import ArgumentError, MethodError
from scorebars.estimators import Custom, OfSums, Ratio

RNG = np.random.default_rng(2)
TABLE = {
    "item": [f"{i:02d}" for i in range(40)],
    "a": RNG.integers(0, 9, 40),
    "b": RNG.integers(1, 9, 40),
    "c": RNG.random(40),
}


def scores(**more):
    return sb.Scores(TABLE | more, values={"a": "a", "b": "b", "c": "c"}, **{k: k for k in more})


def harmonic(a, b, c):
    return 2 * a * b / (a + b) + np.sqrt(c)


def of_values(a, b, c, axis):
    return harmonic(a.sum(axis=axis), b.sum(axis=axis), c.sum(axis=axis))


def test_it_is_the_function_of_all_values():
    columns = ("a", "b", "c")
    quick, slow = OfSums(harmonic, columns), Custom(of_values, columns=columns)
    ours, other = (sb.estimate(scores(), estimator=one, rng=4, interval=sb.Percentile(500))[0] for one in (quick, slow))
    assert (ours.value, ours.low, ours.high) == pytest.approx((other.value, other.low, other.high), rel=1e-12)
    assert (quick.name, OfSums(lambda a: a, ("a",)).name, OfSums(np.sqrt, ("a",), name="x").name) == (
        "harmonic", "of sums", "x",
    )  # fmt: skip


def test_weights_are_used_as_by_a_ratio():
    table = scores(weight=RNG.random(40))
    found, expected = (value_of(table, one) for one in (OfSums(np.divide, ("a", "b")), Ratio("a", "b")))
    assert found == pytest.approx(expected, rel=1e-14)


def value_of(table, estimator):
    return sb.estimate(table, estimator=estimator, interval=sb.Percentile(50))[0].value


def test_two_systems_on_the_same_items_are_drawn_together():
    both = {name: np.concatenate([TABLE[name], TABLE[name]]) for name in ("item", "a", "b", "c")}
    both["a"] = np.concatenate([TABLE["a"], TABLE["a"] * 2])
    table = sb.Scores(both | {"model": ["x"] * 40 + ["y"] * 40}, values={"a": "a", "b": "b"})
    found = sb.compare(table, "y", "x", estimator=OfSums(np.divide, ("a", "b")), interval=sb.Percentile(2000), rng=1)
    idx = np.random.default_rng(1).integers(0, 40, size=(2000, 40))
    ratio = TABLE["a"][idx].sum(axis=1) / TABLE["b"][idx].sum(axis=1)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(ratio, [0.025, 0.975])), rel=1e-12)


@pytest.mark.parametrize(
    ("fn", "message"),
    [
        (float, "float raised TypeError"),
        (lambda a: a.reshape(-1, 1), r"of sums returned shape \(\d+, 1\) for sums of shape"),
    ],
)
def test_a_function_that_fails_is_named_with_the_sums(fn, message):
    table = {"item": TABLE["item"], "score": TABLE["a"]}
    with pytest.raises(MethodError, match=message):
        problem(sb.Scores(table), OfSums(fn, ("score",)), "item").distribution(50)


def test_a_sum_that_gives_no_number_is_refused():
    table = {"item": TABLE["item"], "score": TABLE["a"] * 0.0}
    with pytest.raises(MethodError, match="is nan in resample 1 of 20"), np.errstate(invalid="ignore"):
        problem(sb.Scores(table), OfSums(lambda a: a / a, ("score",)), "item").distribution(20)
    assert value({"item": [1, 2], "score": [2.0, 3.0]}, OfSums(np.square, ("score",))) == 25.0


@pytest.mark.parametrize(("fn", "columns"), [("bleu", ("a",)), (np.sqrt, ()), (np.sqrt, "a")])
def test_what_cannot_be_called_is_refused(fn, columns):
    with pytest.raises(ArgumentError):
        OfSums(fn, columns)
