"""The loop over resamples that a reader would write with NumPy, for scores (tasks, items, runs)."""

from __future__ import annotations

import numpy as np

ENDS = (0.025, 0.975)
REPS, FEWER = 10_000, 2_000


def _loop(value, one, reps):
    def side(data):
        def run(x):
            rng = np.random.default_rng(1)
            return [[value(x), *np.quantile([one(x, rng) for _ in range(reps)], ENDS)]]

        return lambda: data["x"], run

    return side


def _items_and_runs(x, rng, tasks):
    n, items, runs = x.shape
    item, run = rng.integers(0, items, (n, items)), rng.integers(0, runs, x.shape)
    return x[tasks[:, None, None], item[:, :, None], run]


def _tasks(x, rng):
    return x[rng.integers(0, len(x), len(x))].mean()


def _levels(x, rng):
    return _items_and_runs(x, rng, rng.integers(0, len(x), len(x))).mean()


def _pass_at_2(x):
    passed, runs = x.sum(axis=2), x.shape[2]
    return 1.0 - ((runs - passed) * (runs - passed - 1.0) / (runs * (runs - 1.0))).mean()


def _passes(x, rng):
    return _pass_at_2(_items_and_runs(x, rng, np.arange(len(x))))


def _custom(x, rng):
    tasks, items, _ = x.shape
    return np.median(x[np.arange(tasks)[:, None], rng.integers(0, items, (tasks, items))])


tasks = _loop(np.mean, _tasks, REPS)
levels = _loop(np.mean, _levels, REPS)
passes = _loop(_pass_at_2, _passes, REPS)
custom = _loop(np.median, _custom, FEWER)
