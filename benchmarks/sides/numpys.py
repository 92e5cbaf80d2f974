"""A reader's own one-liners."""

from __future__ import annotations

import numpy as np

ENDS = (0.025, 0.975)


def counted_binomial(data):
    def run(x):
        return [_of(x.sum(), len(x))]

    return lambda: data["x"], run


def binomial(data):
    return lambda: (data["x"].sum(), len(data["x"])), lambda counted: [_of(*counted)]


def _of(k, n):
    return [k / n, *np.quantile(np.random.default_rng(1).binomial(n, k / n, 2000) / n, ENDS)]


def multinomial(data):
    def run(pair):
        difference = pair["a"] - pair["b"]
        values, counts = np.unique(np.round(difference, 9), return_counts=True)
        n = len(difference)
        means = np.random.default_rng(1).multinomial(n, counts / n, 10_000) @ values / n
        return [[difference.mean(), *np.quantile(means, ENDS)]]

    return lambda: data, run
