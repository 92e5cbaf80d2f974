"""scorebars on runs × tasks: from arrays, and from a Scores that is there already."""

from __future__ import annotations

import numpy as np

import scorebars as sb

THRESHOLDS = np.linspace(0.0, 8.0, 81)
REPS = 50_000


def _row(answer):
    return [answer.value, answer.low, answer.high]


def _built(data):
    return lambda: sb.Scores.from_arrays(data, axes=("run", "task"))


def _from_arrays(data, run):
    """The same work with the building of the Scores in it."""
    return lambda: data, lambda arrays: run(_built(arrays)())


def iqm(data):
    def run(arrays):
        # The function tells the interval alone.
        return [[np.nan, *sb.stratified_bootstrap_ci(x, sb.IQM(), REPS, rng=1)] for x in arrays.values()]

    return lambda: data, run


def iqm_scores(data):
    def run(scores):
        found = sb.estimate(scores, estimator=sb.IQM(), interval=sb.Percentile(n_boot=REPS), rng=1)
        return [_row(each.answer) for each in found]

    return _built(data), run


def _aggregates(scores):
    drawn, computed = sb.Percentile(n_boot=REPS), sb.Percentile()
    wanted = ((sb.IQM(), drawn), (sb.Median(), drawn), (sb.Mean(), computed), (sb.OptimalityGap(), computed))
    found = [sb.estimate(scores, estimator=estimator, interval=how, rng=1) for estimator, how in wanted]
    return [_row(each.answer) for model in zip(*found, strict=True) for each in model]


def aggregates(data):
    return _from_arrays(data, _aggregates)


def aggregates_scores(data):
    return _built(data), _aggregates


def _improvement(scores):
    interval = sb.Percentile(n_boot=2000)
    a, b = scores.models
    return [_row(sb.compare(scores, a, b, effect=sb.ProbabilityOfImprovement(), interval=interval, rng=1).answer)]


def improvement(data):
    return _from_arrays(data, _improvement)


def improvement_scores(data):
    return _built(data), _improvement


def _profiles(scores):
    found = sb.performance_profile(scores, THRESHOLDS, n_boot=0)
    return [[point.value, point.low, point.high] for profile in found for point in profile.points]


def profiles(data):
    return _from_arrays(data, _profiles)


def profiles_scores(data):
    return _built(data), _profiles
