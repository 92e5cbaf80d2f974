"""Approximate randomization: exchange the two sides of random units (Noreen 1989; Riezler and Maxwell 2005).

The sign-flip test for statistics that are no means (F1, BLEU, medians): the outputs of both systems on a unit change
places with probability ½, both statistics are computed anew, and p = (r + 1)/(R + 1), r the number of R shuffles whose
difference is at least as large as the one seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars import notes
from scorebars.errors import ArgumentError
from scorebars.kernels.law import EPS
from scorebars.problem import StatisticProblem
from scorebars.resample.draws import block_sizes
from scorebars.resample.swapped import swapped_blocks, units_that_swap
from scorebars.significance.differences import contributions, why_unpaired

if TYPE_CHECKING:
    from scorebars.contracts import Problem
    from scorebars.problem import ScoreProblem
    from scorebars.sample import FloatArray

_NEEDS_UNITS = "needs two sides that share items, clusters or tasks to exchange; redraw one of these"


@dataclass(frozen=True, slots=True)
class ApproximateRandomization:
    """Two-sided p-value of a difference of any statistic, by shuffles; for means ``SignFlip`` needs none."""

    n_shuffles: int = notes.DEFAULT_N_BOOT

    def __post_init__(self) -> None:
        if self.n_shuffles < 1:
            raise ArgumentError(f"n_shuffles = {self.n_shuffles}: one shuffle or more, such as 10,000")

    @property
    def name(self) -> str:
        """As cited."""
        return f"approximate randomization, {self.n_shuffles:,} shuffles"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses what has no paired units."""
        if isinstance(problem, StatisticProblem):
            fits = problem.is_difference and problem.is_paired and units_that_swap(problem.design) is not None
            return None if fits else _NEEDS_UNITS
        return why_unpaired(problem)

    def p_value(self, problem: ScoreProblem | StatisticProblem) -> float:
        """(r + 1)/(R + 1)."""
        if self.refuses(problem) is not None:
            return math.nan
        shuffled = self._shuffled(problem)
        tie = 64.0 * EPS * max(float(np.max(np.abs(shuffled))), abs(problem.value))
        return (int(np.sum(np.abs(shuffled) >= abs(problem.value) - tie)) + 1) / (self.n_shuffles + 1)

    def _shuffled(self, problem: ScoreProblem | StatisticProblem) -> FloatArray:
        rng = problem.fresh_rng()
        if isinstance(problem, StatisticProblem):
            blocks = swapped_blocks(problem.design, self.n_shuffles, rng)
            return np.concatenate([problem.statistic_of(sides) for sides in blocks])
        if problem.units is None:
            return np.empty(0)
        own = contributions(problem.units)
        sizes = block_sizes(self.n_shuffles, len(own))
        signs = (rng.integers(0, 2, size=(size, len(own))) for size in sizes)
        return np.concatenate([np.einsum("ru,u->r", 1.0 - 2.0 * flips, own) for flips in signs])
