"""The odds ratio: its value, where it does not exist, what it refuses."""

import math

import numpy as np
import pytest

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


@pytest.mark.parametrize(("a", "b"), [([1, 1, 1], [1, 0, 1]), ([0, 0, 1], [0, 0, 0])])
def test_a_side_without_finite_odds(a, b):
    found = sb.compare(scores_of(a, b), effect=ODDS)
    assert math.isnan(found.value)
    assert math.isnan(found.low)
    assert "succeeds, so its odds are not finite" in str(found)


def test_scores_of_zero_and_one_only():
    with pytest.raises(MethodError, match="0 and 1"):
        sb.compare(scores_of([0.5, 1], [0.2, 1]), effect=ODDS)
