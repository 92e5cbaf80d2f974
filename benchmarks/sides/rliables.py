"""rliable. It takes NumPy's global seed, whatever random_state it is given."""

from __future__ import annotations

import numpy as np
from rliable import library, metrics

THRESHOLDS = np.linspace(0.0, 8.0, 81)


def _intervals(scores, function, reps):
    np.random.seed(1)  # noqa: NPY002 - the one it uses
    values, bounds = library.get_interval_estimates(scores, function, reps=reps)
    return np.concatenate([np.column_stack([np.atleast_1d(values[name]), bounds[name].T]) for name in scores])


def iqm(data):
    def run(scores):
        return _intervals(scores, lambda x: np.array([metrics.aggregate_iqm(x)]), 50_000)

    return lambda: data, run


def aggregates(data):
    def four(x):
        return np.array(
            [
                metrics.aggregate_iqm(x),
                metrics.aggregate_median(x),
                metrics.aggregate_mean(x),
                metrics.aggregate_optimality_gap(x),
            ]
        )

    return lambda: data, lambda scores: _intervals(scores, four, 50_000)


def improvement(data):
    def run(scores):
        a, b = scores.values()
        return _intervals({"a,b": (a, b)}, metrics.probability_of_improvement, 2000)

    return lambda: data, run


def profiles(data):
    def run(scores):
        np.random.seed(1)  # noqa: NPY002 - the one it uses
        shares, bounds = library.create_performance_profile(scores, THRESHOLDS, reps=2000)
        return np.concatenate([np.column_stack([shares[name], bounds[name].T]) for name in scores])

    return lambda: data, run
