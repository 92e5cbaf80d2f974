"""Figures of papers on evaluations of language models that follow from their rates and sizes alone."""

import math

import numpy as np
import pytest

import scorebars as sb


def rate_of(k, n, interval):
    [found] = sb.estimate(sb.Scores.from_arrays({"A": [1] * k + [0] * (n - k)}, axes=("item",)), interval=interval)
    return found


@pytest.mark.parametrize(
    ("k", "n", "error"),
    [
        (3_275, 5_000, 0.006723), (3_150, 5_000, 0.006828), (1_882, 2_500, 0.008625),  # Miller 2024
        (82, 164, 0.039043),  # Wang 2025: HumanEval at one half
    ],
)  # fmt: skip
def test_standard_errors_of_rates(k, n, error):
    # The papers have √(p(1 − p)/n); the divisor n − 1 of the sample differs by a factor √(n/(n − 1)).
    found = rate_of(k, n, sb.Normal()).standard_error * math.sqrt((n - 1) / n)
    assert found == pytest.approx(error, abs=1e-5 if k == 1_882 else 6e-7)


def test_unpaired_difference_of_two_halves_of_humaneval():
    table = {"model": ["A"] * 164 + ["B"] * 164, "item": list(range(328)), "score": [1, 0] * 164}
    found = sb.compare(sb.Scores(table), interval=sb.Mover(sb.Normal()))
    assert found.high - found.low == pytest.approx(2 * 1.959964 * 0.055216 * math.sqrt(164 / 163), abs=2e-6)


def test_published_wilson_interval_of_chi_bench():
    found = rate_of(63, 225, sb.Wilson())
    assert (found.low, found.high) == pytest.approx((0.225402, 0.341984), abs=6e-7)


def test_the_normal_interval_passes_the_range_and_has_no_width():
    # Bowyer, Aitchison and Ivanova 2025: 18 of 20, with the divisor n; the sample's n − 1 is wider by √(20/19).
    found = rate_of(18, 20, sb.Normal())
    wider = math.sqrt(20 / 19)
    assert (found.low, found.high) == pytest.approx((0.9 - 0.1315 * wider, 0.9 + 0.1315 * wider), abs=6e-5)
    assert {"past-range"} <= {note.code for note in found.notes}
    every = rate_of(20, 20, sb.Normal())
    assert (every.low, every.high) == (1.0, 1.0)


def test_independent_errors_and_correlation_of_a_paired_difference():
    a, b = [1, 1, 0, 1, 0, 1, 1, 0], [1, 0, 0, 1, 0, 0, 1, 1]
    errors = [rate_by_hand(each) for each in (a, b)]
    paired = sb.compare(sb.Scores.from_arrays({"A": a, "B": b}, axes=("item",)), interval=sb.StudentT())
    # SE² = SE_A² + SE_B² − 2 r SE_A SE_B
    r = (errors[0] ** 2 + errors[1] ** 2 - paired.standard_error**2) / (2 * errors[0] * errors[1])
    assert r == pytest.approx(0.258199, abs=6e-7)
    assert paired.standard_error == pytest.approx(0.226582, abs=6e-7)


def rate_by_hand(scores):
    [found] = sb.estimate(sb.Scores.from_arrays({"A": scores}, axes=("item",)), interval=sb.StudentT())
    assert found.standard_error == pytest.approx(float(np.std(scores, ddof=1)) / math.sqrt(len(scores)))
    return found.standard_error


def test_clt_standard_error_without_clusters():
    assert rate_by_hand([1, 1, 0, 1, 0, 0, 1, 1, 1, 0]) == pytest.approx(0.163299, abs=6e-7)


def test_toy_of_chi_bench():
    trials = [[1, 0, 1], [1, 0, 0], [0, 0, 1]]
    scores = sb.Scores.from_arrays({"A": trials}, axes=("run", "item"))
    values = [sb.estimate(scores, estimator=each)[0].value for each in (sb.Mean(), sb.PassAtK(3), sb.PassHatK(3))]
    assert values == pytest.approx([4 / 9, 2 / 3, 0.0], abs=1e-15)
