"""scorebars: from arrays, and from a Scores that is there already (``…_scores``, whose ``fresh`` builds it).

A Scores keeps what it once found out, so each run gets one that nobody has asked anything.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

import scorebars as sb

LOW, HIGH = 0.025, 0.975


def _row(answer):
    return [answer.value, answer.low, answer.high]


def _law(value, law):
    return [value, law.quantile(LOW), law.quantile(HIGH, upper=True)]


def binary_mean(data):
    from scorebars.distribution import binomial_mean
    from scorebars.kernels.dispatch import COLD, PLAIN_SECONDS
    from scorebars.kernels.ones import PLAIN_CELLS
    from scorebars.kernels.zeros_and_ones import SHARED, count_ones

    n = len(data["x"])
    for _ in range(2 * int(COLD.cached / (PLAIN_SECONDS * PLAIN_CELLS * n)) if n >= SHARED else 0):
        count_ones(data["x"])  # after half as much the compiled loops are loaded

    def run(x):
        ones = count_ones(x)
        assert ones is not None  # noqa: S101 - part of the work that is timed
        return [_law(ones / len(x), binomial_mean(ones, len(x)))]

    return lambda: data["x"], run


def binary_bounds(data):
    """The interval alone: how many are right is known, as it is to the one-liner."""
    from scorebars.distribution import binomial_mean

    def run(counted):
        ones, n = counted
        return [_law(ones / n, binomial_mean(ones, n))]

    return lambda: (int(data["x"].sum()), len(data["x"])), run


def binary_bounds_scores(data):
    """The verb on a Scores that has been asked before, and so knows how many are right."""
    asked, again = mean_scores(data)
    scores = asked()
    again(scores)
    return lambda: scores, again


def mean(data):
    from scorebars.distribution import compute
    from scorebars.kernels.law import redrawn

    return lambda: data["x"], lambda x: [_law(x.mean(), compute(redrawn(x)))]


def mean_scores(data):
    def run(scores):
        return [_row(sb.estimate(scores, interval=sb.Percentile())[0].answer)]

    return lambda: sb.Scores.from_arrays({"A": data["x"]}, axes=("item",)), run


def difference(data):
    from scorebars.distribution import compute
    from scorebars.kernels.law import redrawn

    def run(pair):
        differences = np.round(pair["a"] - pair["b"], 12)  # 0.3 − 0.2 and 0.2 − 0.1 are one value
        return [_law(differences.mean(), compute(redrawn(differences)))]

    return lambda: data, run


def difference_scores(data):
    def run(scores):
        return [_row(sb.compare(scores, "a", "b", interval=sb.Percentile()).answer)]

    return lambda: sb.Scores.from_arrays(data, axes=("item",)), run


def pairs(data):
    from scorebars.distribution.many import compute_many, together

    def run(board):
        scores = list(board.values())
        differences = [a - b for a, b in combinations(scores, 2)]
        size, rows = together(len(scores[0])), []
        for start in range(0, len(differences), size):
            some = differences[start : start + size]
            rows += [_law(x.mean(), law) for x, law in zip(some, compute_many(some, len(some[0])), strict=True)]
        return rows

    return lambda: data, run


def pairs_scores(data):
    def run(scores):
        return [_row(pair.answer) for pair in sb.compare_all(scores, interval=sb.Percentile())]

    return lambda: sb.Scores.from_arrays(data, axes=("item",)), run


def bca(data):
    from scorebars.distribution import compute
    from scorebars.intervals.quantiles import normal_deviate, normal_tail
    from scorebars.intervals.shifted_levels import bias_deviate
    from scorebars.kernels.law import redrawn

    def run(x):
        law, value = compute(redrawn(x)), float(x.mean())
        away, z0 = x - value, bias_deviate(law, value)
        a = float(np.sum(away**3) / (6.0 * np.sum(away**2) ** 1.5))  # Efron's, from the jackknife of a mean
        ends = [z0 + w / (1.0 - a * w) for w in (z0 - normal_deviate(LOW), z0 + normal_deviate(LOW))]
        low, high = (normal_tail(-end) for end in ends)
        return [[value, law.quantile(low), law.quantile(high, upper=True)]]

    return lambda: data["x"], run


def bca_scores(data):
    def run(scores):
        return [_row(sb.estimate(scores, interval=sb.BCa())[0].answer)]

    return lambda: sb.Scores.from_arrays({"A": data["x"]}, axes=("item",)), run
