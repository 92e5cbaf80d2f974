"""A reader's own one-liners."""

from __future__ import annotations

import numpy as np

ENDS = (0.025, 0.975)


def binomial(data):
    def run(x):
        n, k = len(x), x.sum()
        return [[k / n, *np.quantile(np.random.default_rng(1).binomial(n, k / n, 2000) / n, ENDS)]]

    return lambda: data["x"], run


def multinomial(data):
    def run(pair):
        difference = pair["a"] - pair["b"]
        values, counts = np.unique(np.round(difference, 9), return_counts=True)
        n = len(difference)
        means = np.random.default_rng(1).multinomial(n, counts / n, 10_000) @ values / n
        return [[difference.mean(), *np.quantile(means, ENDS)]]

    return lambda: data, run
