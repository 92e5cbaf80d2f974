"""Whole runs over all items, scored 0 or 1: they are as many attempts as there are, and not runs times runs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import scorebars as sb

LEVEL_TAIL = 0.025


def agresti_coull(table):
    """AC(nₑ) over the means of whole runs, of a table of shape (runs, items); nₑ at most the number of attempts."""
    means = table.mean(axis=1)
    value, variance = means.mean(), means.var(ddof=1) / len(means)
    z, t = stats.norm.isf(LEVEL_TAIL), stats.t.isf(LEVEL_TAIL, len(means) - 1)
    size = min(value * (1 - value) / variance * (z / t) ** 2, table.size)
    total = size + z * z
    centre = (size * value + z * z / 2) / total
    half = z * math.sqrt(centre * (1 - centre) / total)
    return max(centre - half, 0.0), min(centre + half, 1.0)


def scored(table):
    runs, items = table.shape
    return sb.Scores(
        {
            "model": ["m"] * table.size,
            "run": np.repeat(np.arange(runs), items),
            "item": np.tile(np.arange(items), runs),
            "score": table.ravel().astype(float),
        }
    ).with_options(run_crosses_items=True)


@pytest.mark.parametrize("seed", range(12))
def test_bounds_are_those_of_independent_lines(seed):
    rng = np.random.default_rng(seed)
    runs, items = int(rng.integers(2, 12)), int(rng.integers(2, 400))
    table = rng.random((runs, items)) < rng.uniform(0.5, 0.9)
    [row] = sb.estimate(scored(table), resample=sb.Resample("run"))
    if table.mean(axis=1).std() > 0:
        assert (row.low, row.high) == pytest.approx(agresti_coull(table), abs=1e-12)


def test_five_seeds_of_a_thousand_items_are_as_sure_as_student_says():
    correct = (803, 815, 791, 800, 808)
    table = np.array([np.arange(1000) < n for n in correct])
    [row] = sb.estimate(scored(table), resample=sb.Resample("run"))
    half = stats.t.isf(LEVEL_TAIL, 4) * np.std(correct, ddof=1) / 1000 / math.sqrt(5)
    assert row.high - row.low == pytest.approx(2 * half, rel=0.02)
