"""scorebars where tasks, several levels or a function of the user's are redrawn: from arrays, and from a Scores."""

from __future__ import annotations

import numpy as np

import scorebars as sb

REPS, FEWER = 10_000, 2_000
TASKS = sb.Resample("task")
LEVELS = sb.Resample("task", "item", "run")
RUNS = sb.Resample("item", "run")


def _built(data):
    return sb.Scores.from_arrays({"A": data["x"]}, axes=("task", "item", "run"))


def _sides(estimator, resample, n_boot):
    def run(scores):
        way = {"estimator": estimator, "resample": resample, "interval": sb.Percentile(n_boot=n_boot)}
        answer = sb.estimate(scores, **way, rng=1)[0].answer
        return [[answer.value, answer.low, answer.high]]

    def arrays(data):
        return lambda: data, lambda arrays: run(_built(arrays))

    def scores(data):
        return lambda: _built(data), run

    return arrays, scores


tasks, tasks_scores = _sides(sb.Mean(), TASKS, REPS)
levels, levels_scores = _sides(sb.Mean(), LEVELS, REPS)
passes, passes_scores = _sides(sb.PassAtK(2), RUNS, REPS)
custom, custom_scores = _sides(sb.Custom(np.median), sb.Resample("item"), FEWER)
