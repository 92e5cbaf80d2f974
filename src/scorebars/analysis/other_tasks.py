"""Pairs of a table whose two sides share no task: each has NaN with the reason, so that the others are answered."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from scorebars.contracts import DrawnEffect, How
from scorebars.kernels.distinct import distinct
from scorebars.notes import note
from scorebars.problem import Setting, score_problem
from scorebars.results.later import NOT_THERE

if TYPE_CHECKING:
    from scorebars.analysis.compare import Way
    from scorebars.results import Comparison
    from scorebars.sample import Cut, Sample


def share_no_task(a: Cut, b: Cut, way: Way) -> bool:
    """Whether ``compare`` refuses two sides because they have no task in common."""
    of_a, of_b = _tasks(a.sample), _tasks(b.sample)
    if of_a & of_b:
        return False
    return isinstance(way.effect, DrawnEffect) or bool(of_a - {""} and of_b - {""})


def unanswered(a: Cut, b: Cut, way: Way, like: Comparison) -> Comparison:
    """The comparison of two sides without a common task: no number, and why; all else as in one that has numbers."""
    nan = math.nan
    told = f"'{min(_tasks(a.sample))}' of {a.sample.model}, '{min(_tasks(b.sample))}' of {b.sample.model}"
    detail = (
        f"the two sides have no task in common ({told}), so their scores measure different things; "
        "if it is one task under two names, pool the tasks (--pool-tasks)"
    )
    found = replace(
        like.answer,
        value=nan,
        low=nan,
        high=nan,
        standard_error=nan,
        n_items=0,
        n_clusters=None if like.answer.n_clusters is None else 0,
        n_tasks=0,
        n_attempts=0,
        resample=(),
        interval="",
        distribution=How.NONE,
        step="",
        n_boot=None,
        error=nan,
        redrawn="nothing",
        seed=None,
        instead=None,
        notes=(note("undefined", effect=way.effect.name, detail=detail),),
        dropped=(),
        variance_split=None,
        degrees=None,
        each=None,
        weights=None,
    )
    setting = Setting(way.estimator, (), way.seeded.fresh)
    return replace(
        like,
        a=a.sample.model,
        b=b.sample.model,
        answer=found,
        value_a=score_problem(a.sample, setting).value,
        value_b=score_problem(b.sample, setting).value,
        paired=False,
        n_shared=0,
        n_dropped=(0, 0),
        p_value=nan,
        decision="",
        unpaired=NOT_THERE,
        disagreements=(),
    )


def _tasks(sample: Sample) -> set[str]:
    return {sample.task_labels[code] for code in distinct(sample.task).tolist()}
