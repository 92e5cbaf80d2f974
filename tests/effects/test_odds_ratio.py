"""The odds ratio: its value, where it does not exist, what it refuses."""

import math

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from statsmodels.stats.proportion import confint_proportions_2indep

import scorebars as sb
from scorebars.errors import MethodError

ODDS = sb.OddsRatio()


def scores_of(a, b):
    return sb.Scores.from_arrays({"A": a, "B": b}, axes=("item",))


def test_value_interval_and_words():
    rng = np.random.default_rng(0)
    a, b = (rng.random(200) < 0.7).astype(int), (rng.random(200) < 0.5).astype(int)
    found = sb.compare(scores_of(a, b), "A", "B", effect=ODDS)
    back = sb.compare(scores_of(a, b), "B", "A", effect=ODDS)
    expected = (a.sum() * (200 - b.sum())) / ((200 - a.sum()) * b.sum())
    assert found.value == pytest.approx(expected, rel=1e-12)
    assert found.value * back.value == pytest.approx(1.0, rel=1e-12)
    # delta method on the log scale for paired rates
    influence = (a - a.mean()) / a.var() - (b - b.mean()) / b.var()
    error = influence.std(ddof=1) / math.sqrt(200)
    assert np.log([found.low, found.high]) == pytest.approx(
        math.log(expected) + np.array([-1.96, 1.96]) * error, abs=0.1
    )
    assert found.null == 1.0
    assert "the odds of success of A are" in str(found)
    assert found.significant == (found.p_value < 0.05)


def unrelated(x_a, n_a, x_b, n_b):
    rows = [("A", f"a{i}", i < x_a) for i in range(n_a)] + [("B", f"b{i}", i < x_b) for i in range(n_b)]
    model, item, score = zip(*rows, strict=True)
    return sb.Scores({"model": model, "item": item, "score": [float(s) for s in score]})


@pytest.mark.parametrize(
    ("x_a", "n_a", "x_b", "n_b"), [(15, 20, 9, 22), (90, 100, 40, 50), (1, 30, 4, 25), (50, 60, 50, 61)]
)
def test_score_interval_of_unrelated_samples(x_a, n_a, x_b, n_b):
    found = sb.compare(unrelated(x_a, n_a, x_b, n_b), effect=ODDS)
    with np.errstate(all="ignore"):  # its search looks at rates that are not there
        expected = confint_proportions_2indep(
            x_a, n_a, x_b, n_b, compare="odds-ratio", method="score", correction=False
        )
    assert (found.low, found.high) == pytest.approx(expected, rel=1e-5)
    assert found.answer.interval == "odds-ratio score"
    table = [[x_a, n_a - x_a], [x_b, n_b - x_b]]
    assert found.p_value == pytest.approx(chi2_contingency(table, correction=False).pvalue, rel=1e-9)
    back = sb.compare(unrelated(x_b, n_b, x_a, n_a), effect=ODDS)
    assert (found.low * back.high, found.high * back.low) == pytest.approx((1.0, 1.0), rel=1e-9)


def test_a_that_never_succeeds_has_the_odds_ratio_zero():
    found = sb.compare(unrelated(0, 30, 10, 30), effect=ODDS)
    assert (found.value, found.low) == (0.0, 0.0)
    assert 0.0 < found.high < 0.5
    assert found.significant
    assert str(found)
    sides = [sb.compare(unrelated(3, 30, 10, 30), effect=ODDS, side=side) for side in (sb.Side.LOWER, sb.Side.UPPER)]
    assert (sides[0].high, sides[1].low) == (math.inf, -math.inf)
    assert sides[0].low < sides[0].value < sides[1].high


@pytest.mark.parametrize(("a", "b"), [([1, 1, 1], [1, 0, 1]), ([0, 0, 1], [0, 0, 0])])
def test_a_side_without_finite_odds(a, b):
    found = sb.compare(scores_of(a, b), effect=ODDS)
    assert math.isnan(found.value)
    assert math.isnan(found.low)
    assert "succeeds, so its odds are" in str(found)


def test_scores_of_zero_and_one_only():
    with pytest.raises(MethodError, match="0 and 1"):
        sb.compare(scores_of([0.5, 1], [0.2, 1]), effect=ODDS)
