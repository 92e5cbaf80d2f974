"""Resamples written down by hand, and the value of an estimator for a table."""

import numpy as np

from scorebars.problem import Setting, score_problem
from scorebars.resample.drawn import Drawn
from scorebars.scores import Scores


def drawn(*resamples, **columns):
    """One task, one item an attempt; each resample is a list of scores (or of rows of the given columns)."""
    sizes = [len(each) for each in resamples]
    flat = np.array([x for each in resamples for x in each], dtype=float)
    n = len(flat)
    return Drawn(
        n=len(resamples),
        owner=np.repeat(np.arange(len(resamples)), sizes),
        task=np.zeros(n, dtype=np.int64),
        item=np.arange(n),
        position=np.arange(n),
        weight=np.ones(n),
        n_tasks=1,
        columns={name: np.asarray(column, dtype=float) for name, column in columns.items()} or {"score": flat},
    )


def fresh():
    return np.random.default_rng(0)


def problem(scores, estimator, *levels):
    """The problem of the only model of a table, checked as the verbs do."""
    [cut] = scores.cuts(columns=estimator.columns).cuts if estimator.columns != ("score",) else scores.cuts().cuts
    estimator.check(cut.sample, str)
    return score_problem(cut.sample, Setting(estimator, levels, fresh))


def value(table, estimator):
    """The estimator of a dict of columns."""
    return problem(Scores(table), estimator).value
