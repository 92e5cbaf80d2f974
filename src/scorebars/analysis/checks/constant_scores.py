"""Scores that never change: a model, a task or a metric that measures nothing here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.analysis.checks.evidence import named
from scorebars.results.diagnosis import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.analysis.checks.evidence import Evidence, Slice

FEWEST: Final = 5
"""Attempts from which on equal scores are worth a word."""
_CODE = "constant-scores"


def constant_scores(evidence: Evidence) -> Iterator[Finding]:
    """Slices, models and tasks whose scores are all equal."""
    for one in evidence.slices:
        where = evidence.where(one)
        constant = [model for model in one.models if _is_constant(model.sample.score)]
        values = {float(model.sample.score[0]) for model in constant}
        if constant and len(constant) == len(one.models) and len(values) == 1:
            model = constant[0]
            n = sum(each.sample.n_attempts for each in constant)
            yield Finding(
                _CODE,
                Severity.KNOW,
                f"all {n:,} scores are {model.shown(values.pop())}: nothing can be told apart",
                "check that this is a score, and that answers were extracted; all right or all wrong is no certainty, "
                "and the interval says how far",
                where,
            )
            continue
        for value in sorted(values):
            names = [model.name for model in constant if model.sample.score[0] == value]
            yield Finding(
                _CODE,
                Severity.KNOW,
                f"every score of {named(names)} is {constant[0].shown(value)}, while others vary",
                _remedy(value, max(float(each.sample.score.max()) for each in one.models)),
                where,
            )
        yield from _tasks(one, where)


def _remedy(value: float, highest: float) -> str:
    if value >= highest:
        return "all right is no certainty: the interval says how far it may be from it; harder items would tell more"
    return "look at some of its answers: nothing but failures often means that no answer could be extracted"


def _is_constant(scores: np.ndarray) -> bool:
    return len(scores) >= FEWEST and float(np.ptp(scores)) == 0.0


def _tasks(one: Slice, where: tuple[str, ...]) -> Iterator[Finding]:
    """Tasks in which every score of every model is the same, beside others."""
    if len(one.models) < 2 or len(one.models[0].sample.task_labels) < 2:
        return
    task = np.concatenate([model.sample.task for model in one.models])
    score = np.concatenate([model.sample.score for model in one.models])
    n_tasks = int(task.max()) + 1
    low, high, n = np.full(n_tasks, np.inf), np.full(n_tasks, -np.inf), np.bincount(task, minlength=n_tasks)
    np.minimum.at(low, task, score)
    np.maximum.at(high, task, score)
    labels = one.models[0].sample.task_labels
    same = [labels[code] for code in np.flatnonzero((low == high) & (n >= FEWEST * len(one.models)))]
    if same and len(same) < np.count_nonzero(n):
        several = f"{len(same):,} tasks" if len(same) > 1 else "a task"
        yield Finding(
            _CODE,
            Severity.KNOW,
            f"in {several} every score of every model is the same: {named(same)}",
            "such a task tells no models apart and pulls all means together; check its scorer",
            where,
        )
