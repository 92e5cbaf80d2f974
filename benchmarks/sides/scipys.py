"""``scipy.stats.bootstrap``."""

from __future__ import annotations

import numpy as np
from scipy import stats


def mean_2000(data):
    def run(x):
        options = {"n_resamples": 2000, "batch": 200, "method": "percentile", "rng": np.random.default_rng(1)}
        found = stats.bootstrap((x,), np.mean, **options).confidence_interval
        return [[x.mean(), found.low, found.high]]

    return lambda: data["x"], run


def paired_difference(data):
    def difference(a, b, axis):
        return a.mean(axis=axis) - b.mean(axis=axis)

    def run(pair):
        options = {"n_resamples": 10_000, "batch": 200, "method": "percentile", "rng": np.random.default_rng(1)}
        found = stats.bootstrap((pair["a"], pair["b"]), difference, paired=True, **options).confidence_interval
        return [[pair["a"].mean() - pair["b"].mean(), found.low, found.high]]

    return lambda: data, run


def first_pair(data):
    pair = dict(zip("ab", list(data.values())[:2], strict=True))
    return paired_difference(pair)


def bca(data):
    def run(x):
        options = {"n_resamples": 10_000, "batch": 200, "method": "BCa", "rng": np.random.default_rng(1)}
        found = stats.bootstrap((x,), np.mean, **options).confidence_interval
        return [[x.mean(), found.low, found.high]]

    return lambda: data["x"], run
