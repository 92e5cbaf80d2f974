"""Every resample, listed: the truth that the computed bootstrap is held against."""

import itertools

import numpy as np


def resampled_sums(values):
    """The sum of each of the n^n resamples of ``values``."""
    sums = np.zeros(1)
    for _ in range(len(values)):
        sums = np.add.outer(sums, values).ravel()
    return sums


def independent_sums(*parts):
    """All sums of one outcome from each part, every outcome equally likely within its part."""
    sums = np.zeros(1)
    for part in parts:
        sums = np.add.outer(sums, part).ravel()
    return sums


def two_stage_means(runs):
    """The statistic of each two-stage resample of an items × runs table: items, then runs inside them."""
    n, k = runs.shape
    item_means = [np.array([np.mean(draw) for draw in itertools.product(row, repeat=k)]) for row in runs]
    sums = [independent_sums(*(item_means[i] for i in drawn)) / n for drawn in itertools.product(range(n), repeat=n)]
    return np.concatenate(sums)


class Listed:
    """The distribution of equally likely outcomes, by the conventions of the computed bootstrap."""

    def __init__(self, outcomes):
        self.outcomes = np.sort(np.asarray(outcomes, dtype=float))
        self.tie = 1e-12 * np.max(np.abs(self.outcomes), initial=0.0)

    def quantile(self, p, *, upper=False):
        count = len(self.outcomes)
        if upper:
            return self.outcomes[count - max(int(np.ceil((1 - p - 1e-12) * count)), 1)]
        return self.outcomes[max(int(np.ceil((p - 1e-12) * count)), 1) - 1]

    def cdf(self, x):
        return np.mean(self.outcomes <= x + self.tie)

    def below(self, x):
        return np.mean(self.outcomes < x - self.tie)


def assert_same(found, outcomes, levels=(0.001, 0.025, 0.05, 0.3, 0.5, 0.8)):
    """The computed distribution equals the listed one: quantiles from both sides, CDF at the mean, mean and SD."""
    truth = Listed(outcomes)
    size = np.max(np.abs(truth.outcomes), initial=0.0)
    slip = found.error + 1e-12 * size
    for p in levels:
        assert abs(found.quantile(p) - truth.quantile(p)) <= slip, (found.step, p)
        assert abs(found.quantile(1 - p, upper=True) - truth.quantile(1 - p, upper=True)) <= slip, (found.step, p)
    np.testing.assert_allclose(found.mean, truth.outcomes.mean(), atol=slip)
    np.testing.assert_allclose(found.std, truth.outcomes.std(), atol=slip + 1e-7 * size * (size > 1e6))
    if found.error == 0.0:
        centre = found.mean
        assert abs(found.cdf(centre) - truth.cdf(centre)) < 1e-12
        assert abs(found.below(centre) - truth.below(centre)) < 1e-12
