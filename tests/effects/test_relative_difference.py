"""A/B − 1: against all resamples, mirrored, and where it does not exist."""

import itertools
import math

import numpy as np
import pytest

import scorebars as sb
from scorebars.contracts import How
from scorebars.distribution import ratio

RELATIVE = sb.RelativeDifference()


def scores_of(a, b, axes=("item",), **options):
    return sb.Scores.from_arrays({"A": a, "B": b}, axes=axes, **options)


def quantiles(every):
    every = np.sort(every)
    n = len(every)
    return every[math.ceil(0.025 * n - 1e-9) - 1], every[n - math.ceil(0.025 * n - 1e-9)]


def test_equal_to_every_resample_of_shared_items():
    a, b = np.array([0.9, 0.4, 0.7, 0.2, 0.5]), np.array([0.5, 0.45, 0.3, 0.25, 0.8])
    found = sb.compare(scores_of(a, b), effect=RELATIVE, interval=sb.Percentile())
    every = [a[list(p)].sum() / b[list(p)].sum() - 1 for p in itertools.product(range(5), repeat=5)]
    assert found.value == pytest.approx(a.sum() / b.sum() - 1, abs=1e-15)
    assert found.answer.distribution is How.COMPUTED
    assert (found.low, found.high) == pytest.approx(quantiles(every), abs=1e-12)


@pytest.mark.parametrize("whole", [False, True])
def test_one_draw_less_than_items(whole):
    a, b = np.array([0.9, 0.4, 0.7, 0.2, 0.5, 0.6]), np.array([0.5, 0.45, 0.3, 0.25, 0.8, 0.6])
    if whole:
        a, b = np.ceil(a * 4), np.ceil(b * 4)
    found = sb.compare(scores_of(a, b), effect=RELATIVE)  # Auto redraws n - 1 of n
    every = [a[list(p)].sum() / b[list(p)].sum() - 1 for p in itertools.product(range(6), repeat=5)]
    assert found.answer.distribution is How.COMPUTED
    assert (found.low, found.high) == pytest.approx(quantiles(every), abs=1e-12)


def test_every_step_of_the_ratio_draws_as_many_as_it_is_told():
    rng = np.random.default_rng(7)
    whole = rng.integers(0, 5, 60).astype(float), rng.integers(1, 5, 60).astype(float)
    fine = rng.uniform(0, 1, 60), rng.uniform(0.5, 1, 60)
    for sums, sizes in (whole, fine):
        law = ratio(sums, sizes, 25)
        idx = rng.integers(0, 60, (100_000, 25))
        drawn = sums[idx].sum(axis=1) / sizes[idx].sum(axis=1)
        # 100,000 draws: five standard errors of a probability are .008 or less
        for x in np.quantile(drawn, [0.025, 0.3, 0.975]) + 1e-9:
            assert law.cdf(float(x)) == pytest.approx(np.mean(drawn <= x), abs=0.008)
        assert law.std == pytest.approx(drawn.std(), rel=0.02)


def test_clusters_of_unequal_size():
    table = {"model": ["A"] * 6 + ["B"] * 6, "item": [*"123456"] * 2, "cluster": [*"aabccc"] * 2,
             "score": [0.9, 0.4, 0.7, 0.2, 0.5, 0.6, 0.5, 0.45, 0.3, 0.25, 0.8, 0.7]}  # fmt: skip
    found = sb.compare(sb.Scores(table), effect=RELATIVE, interval=sb.Percentile())
    a, b = np.array([1.3, 0.7, 1.3]), np.array([0.95, 0.3, 1.75])
    every = [a[list(p)].sum() / b[list(p)].sum() - 1 for p in itertools.product(range(3), repeat=3)]
    assert found.answer.distribution is How.COMPUTED
    assert (found.low, found.high) == pytest.approx(quantiles(every), abs=1e-12)


def test_tasks_redrawn():
    rng = np.random.default_rng(1)
    a, b = rng.uniform(0.5, 1.0, (4, 6)), rng.uniform(0.3, 0.6, (4, 6))
    scores = scores_of(a, b, axes=("item", "task"))
    found = sb.compare(scores, effect=RELATIVE, resample=sb.Resample("task"), interval=sb.Percentile())
    top, bottom = a.mean(axis=0), b.mean(axis=0)
    every = [top[list(p)].sum() / bottom[list(p)].sum() - 1 for p in itertools.product(range(6), repeat=6)]
    assert found.answer.distribution is How.COMPUTED
    assert (found.low, found.high) == pytest.approx(quantiles(every), abs=1e-9)


def test_drawn_where_a_unit_of_b_is_zero_or_sides_are_strangers():
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 2, 60), rng.integers(0, 2, 60)
    found = sb.compare(scores_of(a, b), effect=RELATIVE, interval=sb.Percentile())
    assert found.answer.distribution is How.MONTE_CARLO
    # linearisation: SE of log ratio of two paired rates
    influence = a / a.mean() - b / b.mean()
    error = influence.std(ddof=1) / math.sqrt(60)
    expected = (found.value + 1) * np.exp(np.array([-1.96, 1.96]) * error) - 1
    assert (found.low, found.high) == pytest.approx(expected, abs=0.12)
    runs = scores_of(rng.uniform(0.5, 1, (8, 3)), rng.uniform(0.5, 1, (8, 3)), axes=("run", "task"))
    assert sb.compare(runs, effect=RELATIVE).answer.distribution is How.MONTE_CARLO


def test_swapping_the_sides_gives_the_reciprocal():
    rng = np.random.default_rng(3)
    a, b = rng.uniform(0.2, 1.0, 30), rng.uniform(0.2, 1.0, 30)
    there = sb.compare(scores_of(a, b), "A", "B", effect=RELATIVE, interval=sb.Percentile())
    back = sb.compare(scores_of(a, b), "B", "A", effect=RELATIVE, interval=sb.Percentile())
    assert (1 + there.low) * (1 + back.high) == pytest.approx(1.0, abs=1e-9)
    assert (1 + there.value) * (1 + back.value) == pytest.approx(1.0, abs=1e-12)
    assert there.p_value == pytest.approx(back.p_value, abs=1e-9)


def test_b_of_zero_has_no_relative_difference():
    found = sb.compare(scores_of([1, 0, 1], [0, 0, 0]), effect=RELATIVE)
    assert math.isnan(found.value)
    assert math.isnan(found.low)
    assert math.isnan(found.p_value)
    assert "undefined" in [n.code for n in found.notes]
    assert "needs a positive B" in str(found)


def test_b_of_zero_in_some_resample_has_no_interval():
    found = sb.compare(scores_of([1, 0, 1, 1], [1, 0, 0, 0]), effect=RELATIVE)
    assert found.value == 2.0
    assert math.isnan(found.low)
    assert "undefined" in [n.code for n in found.notes]


def test_words_and_units():
    rng = np.random.default_rng(5)
    b = rng.uniform(0.4, 0.6, 100)
    found = sb.compare(scores_of(b * 1.1, b, range=(0, 1)), effect=RELATIVE, interval=sb.Percentile())
    assert "A scores 10.0 % higher than B" in str(found).replace("10.00", "10.0")
    noisy = sb.compare(scores_of(b + rng.normal(0.05, 0.1, 100), b), effect=RELATIVE, interval=sb.Percentile())
    text = str(noisy)
    assert "relative difference, %" in text
    assert f"{noisy.value_a:.3f}"[:4] in text
