"""Statistics of which no resample differs although the attempts do: no width is made up for them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import scorebars as sb


def confusion(n, found):
    """n items, ten of them positive, of which ``found`` are found, and twenty false alarms."""
    label = (np.arange(n) < 10).astype(float)
    prediction = ((np.arange(n) < found) | (np.arange(n) >= n - 20)).astype(float)
    return sb.Scores({"item": np.arange(n), "y": label, "p": prediction}, values={"label": "y", "prediction": "p"})


def test_ten_positives_all_found_are_no_certainty():
    (found,) = sb.estimate(confusion(1000, 10), estimator=sb.Recall())
    assert found.value == 1
    assert math.isnan(found.low)
    assert "no-width" in {note.code for note in found.notes}
    assert "all-equal" not in {note.code for note in found.notes}


def test_the_interval_by_name_keeps_its_bounds():
    (found,) = sb.estimate(confusion(1000, 10), estimator=sb.Recall(undefined=0.0), interval=sb.Percentile())
    assert (found.low, found.high) == (1, 1)
    assert "no-width" in {note.code for note in found.notes}


def test_one_positive_missed_has_an_interval():
    (found,) = sb.estimate(confusion(1000, 9), estimator=sb.Recall())
    assert found.low < 0.9 < found.high


@pytest.mark.parametrize("scores", [[2.0] * 6 + [3.0] * 48 + [4.0] * 6, [0.0] * 9 + [1.0] * 51])
def test_a_median_of_ties_is_not_called_all_equal(scores):
    table = sb.Scores({"item": np.arange(60), "score": scores})
    (found,) = sb.estimate(table, estimator=sb.Median(plain=True), interval=sb.Percentile(n_boot=200))
    assert "all-equal" not in " ".join(note.code for note in found.notes)


def test_equal_scores_still_have_the_rule():
    table = sb.Scores({"item": np.arange(30), "score": np.ones(30)}, range=(0, 1))
    (found,) = sb.estimate(table, estimator=sb.Median(plain=True))
    assert 0 < found.shown.low < 1 == found.shown.high
