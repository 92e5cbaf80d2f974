"""The computed distributions of many problems at once, where each is the mean of equally many redrawn items."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from scorebars.problem.score import ScoreProblem
from scorebars.resample.children import ALL, Take

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.problem.statistic import StatisticProblem


def compute_together(problems: Sequence[ScoreProblem | StatisticProblem], take: Take = ALL) -> None:
    """Work out the distributions that these problems will be asked for; those that are no such means are left alone."""
    alike = [problem for problem in problems if isinstance(problem, ScoreProblem) and _is_plain(problem)]
    for n, group in groupby(alike, key=lambda problem: problem.n_items):
        some = list(group)
        from scorebars.distribution.many import together

        size = together(n)
        for start in range(0, len(some), size) if size and len(some) > 1 else ():
            _settle(some[start : start + size], n, take)


def _is_plain(problem: ScoreProblem) -> bool:
    """Whether it is the mean of plain items of one task, and no share of successes, which has a closed form."""
    blocks = problem.design.blocks
    plain = len(blocks) == 1 and blocks[0].is_plain and problem.design.levels == ("item",)
    return plain and problem.counts is None and not problem.design.run_crosses_items


def _settle(problems: list[ScoreProblem], n: int, take: Take) -> None:
    from scorebars.distribution.many import compute_many

    values = [problem.design.blocks[0].values for problem in problems]
    for problem, law in zip(problems, compute_many(values, int(take.of(np.array(n)))), strict=True):
        if law is not None:
            problem.settle(take, law)
