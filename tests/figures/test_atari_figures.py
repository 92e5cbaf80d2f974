"""Atari 100k: the evaluation protocol that takes the best of ten, other bootstrap intervals, differences of medians."""

import json

import numpy as np
import pytest
from tests.estimators.atari import FOLDER, needs_atari, scores
from tests.estimators.drawn_by_hand import problem

import scorebars as sb

pytestmark = [pytest.mark.shared_data, needs_atari]
RUNS = sb.Resample("run")


def sides(**tables):
    return sb.Scores.from_arrays(tables)


def test_best_of_ten_evaluations():
    rows = json.loads((FOLDER / "CURL_10_evals.json").read_text(encoding="utf-8"))
    games = sorted({row["game"] for row in rows})
    best = sides(CURL=np.array([[row["Max HNS"] for row in rows if row["game"] == game] for game in games]).T)
    found = [sb.estimate(best, estimator=each, resample=RUNS)[0].value for each in (sb.Median(), sb.Mean())]
    assert found == pytest.approx([0.15117693067850002, 0.3226518632387308], abs=1e-12)


@pytest.mark.parametrize(("name", "mean", "gap"), [("SPR", 0.009703, 0.003556), ("DER", 0.003564, 0.002525)])
def test_exact_standard_errors_of_a_hundred_runs(name, mean, gap):
    table = sides(A=scores(name))
    found = [problem(table, each, "run").distribution().std for each in (sb.Mean(), sb.OptimalityGap())]
    assert found == pytest.approx([mean, gap], abs=6e-7)


@pytest.mark.parametrize(
    ("method", "low", "high"),
    [(sb.Percentile, 0.3443, 0.4107), (sb.Basic, 0.3401, 0.4065), (sb.BiasCorrected, 0.3431, 0.4092)],
)
def test_intervals_of_rliable(method, low, high):
    # 5,000 resamples there; a bound moves by .001 from seed to seed.
    table = sides(SPR=scores("SPR")[:10])
    [found] = sb.estimate(table, estimator=sb.IQM(), resample=RUNS, interval=method(20_000), rng=1)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.004)


@pytest.mark.parametrize(("levels", "low", "high"), [(("task", "run"), 0.2010, 0.6667), (("task",), 0.2027, 0.6616)])
def test_interquartile_mean_of_other_games(levels, low, high):
    table = sides(SPR=scores("SPR")[:10])
    [found] = sb.estimate(
        table, estimator=sb.IQM(), resample=sb.Resample(*levels), interval=sb.Percentile(40_000), rng=2
    )
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.005)


def test_difference_of_medians_at_a_hundred_runs():
    table = sides(SPR=scores("SPR"), other=scores("DrQ(eps)"))
    found = sb.compare(table, "SPR", "other", estimator=sb.Median(), resample=RUNS, interval=sb.Percentile(100))
    assert found.value == pytest.approx(0.0827, abs=6e-5)
