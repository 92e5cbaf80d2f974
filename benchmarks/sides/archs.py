"""``arch.bootstrap.IIDBootstrap``."""

from __future__ import annotations

from arch.bootstrap import IIDBootstrap


def mean(data):
    def run(x):
        bootstrap = IIDBootstrap(x, seed=1)
        low, high = bootstrap.conf_int(lambda y: y.mean(), reps=10_000, method="percentile").ravel()
        return [[x.mean(), low, high]]

    return lambda: data["x"], run
