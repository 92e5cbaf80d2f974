"""P(X > Y) over all pairs of runs: by loops, by SciPy's U, rliable's own test, the published Atari figures."""

import itertools
import time

import numpy as np
import pytest
from scipy.stats import mannwhitneyu
from tests.effects.atari_runs import needs_atari, runs_of

import scorebars as sb
from scorebars.effects.probability_of_improvement import mann_whitney
from scorebars.errors import MethodError

IMPROVEMENT = sb.ProbabilityOfImprovement()
PERCENTILE = sb.Percentile(n_boot=20_000)


def scores_of(**sides):
    return sb.Scores.from_arrays(sides, axes=("run", "task"))


def by_loops(x, y):
    won = [np.mean([(a > b) + 0.5 * (a == b) for a in u for b in v]) for u, v in zip(x.T, y.T, strict=True)]
    return float(np.mean(won))


def test_rliable_own_unit_test():
    x, y = [[1, 2], [2, 2], [1, 1], [2, 1]], [[1, 1], [2, 2], [3, 3]]
    found = sb.compare(scores_of(x=x, y=y), effect=IMPROVEMENT, interval=sb.Percentile(n_boot=100))
    assert found.value == pytest.approx(1 / 3, abs=1e-15)
    assert sb.compare(scores_of(x=x, y=y), "y", "x", effect=IMPROVEMENT, interval=sb.Percentile(100)).value == (
        pytest.approx(2 / 3, abs=1e-15)
    )


def test_u_is_that_of_scipy():
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 5, 40).astype(float), rng.integers(0, 5, 30).astype(float)
    cell_a, cell_b = rng.integers(0, 3, 40), rng.integers(0, 3, 30)
    found = mann_whitney(cell_a, a, cell_b, b, 3)
    expected = [mannwhitneyu(a[cell_a == c], b[cell_b == c]).statistic for c in range(3)]
    assert found.tolist() == expected


def test_redrawn_runs_have_the_distribution_of_all_resamples():
    x, y = np.array([[0.0], [1.0], [2.0]]), np.array([[1.0], [1.5]])
    found = sb.compare(scores_of(x=x, y=y), effect=IMPROVEMENT, interval=PERCENTILE, resample=sb.Resample("run"))
    every = np.sort([
        by_loops(np.array(p)[:, None], np.array(q)[:, None])
        for p in itertools.product(x[:, 0], repeat=3)
        for q in itertools.product(y[:, 0], repeat=2)
    ])  # fmt: skip
    assert found.value == by_loops(x, y)
    # 108 equally likely resamples; none of the two quantiles is near a jump that 20,000 draws could miss
    assert (found.low, found.high) == pytest.approx((every[2], every[105]), abs=0.06)


def test_a_task_drawn_twice_gets_runs_of_its_own():
    # one task is always won, the other always lost: with tasks alone redrawn the law is Bin(2, 1/2) / 2
    x, y = np.array([[1.0, 0.0]] * 3), np.array([[0.0, 1.0]] * 3)
    scores = scores_of(x=x, y=y)
    found = sb.compare(scores, effect=IMPROVEMENT, interval=PERCENTILE, resample=sb.Resample("task", "run"))
    assert (found.value, found.low, found.high) == (0.5, 0.0, 1.0)


def test_reading_and_advice():
    rng = np.random.default_rng(3)
    scores = scores_of(x=rng.normal(1.0, 1.0, (10, 4)), y=rng.normal(0.0, 1.0, (10, 4)))
    found = sb.compare(scores, effect=IMPROVEMENT, interval=PERCENTILE)
    assert found.decision == "significant and meaningful"
    assert "a run of x beats a run of y with a probability of" in str(found)
    assert "advises against significance tests" in " ".join(sb.ProbabilityOfImprovement.__doc__.split())


def test_sides_without_a_common_task_are_refused():
    scores = sb.Scores({"model": [*"AABB"], "task": [*"sstt"], "item": [*"1212"], "score": [1.0, 0.0, 0.0, 1.0]})
    with pytest.raises(MethodError, match="share none"):
        sb.compare(scores, effect=IMPROVEMENT)


def test_weights_are_refused():
    scores = sb.Scores(
        {"model": ["A", "A", "B", "B"], "item": ["1", "2"] * 2, "score": [1.0, 0.0, 0.0, 1.0], "w": [1.0, 2.0] * 2},
        weight="w",
    )
    with pytest.raises(MethodError, match="drop the weights"):
        sb.compare(scores, effect=IMPROVEMENT)


@pytest.mark.shared_data
@needs_atari
@pytest.mark.parametrize(
    ("name", "ten", "low", "high", "hundred"),
    [("SimPLe", 0.694615, 0.6481, 0.7415, 0.675923), ("DER", 0.744808, 0.7044, 0.7842, 0.685840),
     ("DrQ(eps)", 0.650962, 0.6088, 0.6923, 0.617012), ("OTRainbow", 0.854038, 0.823, 0.884, 0.818115),
     ("CURL_10_evals", 0.825769, 0.792, 0.860, 0.785331)],
)  # fmt: skip
def test_published_figures(name, ten, low, high, hundred):
    spr, other = runs_of("SPR"), runs_of(name)
    found = sb.compare(
        scores_of(SPR=spr[:10], other=other[:10]), "SPR", "other", effect=IMPROVEMENT, interval=PERCENTILE
    )
    assert found.value == pytest.approx(ten, abs=5e-7)
    # The paper's 2,000 resamples have a standard error of .0011 at a bound, its figures are rounded to .0005.
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.004)
    whole = sb.compare(scores_of(SPR=spr, other=other), "SPR", "other", effect=IMPROVEMENT, interval=sb.Percentile(10))
    assert whole.value == pytest.approx(hundred, abs=5e-7)


def test_two_thousand_resamples_take_well_under_a_second():
    rng = np.random.default_rng(4)
    scores = scores_of(x=rng.normal(size=(10, 26)), y=rng.normal(size=(10, 26)))
    start = time.process_time()
    sb.compare(scores, effect=IMPROVEMENT, interval=sb.Percentile(n_boot=2_000))
    assert time.process_time() - start < 2.0  # .3 s alone on a quiet machine
