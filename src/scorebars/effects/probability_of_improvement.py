"""The probability of improvement: all pairs of runs within tasks, mean over tasks (Agarwal et al. 2021, Eq. A.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import Reading
from scorebars.effects.decision import DecisionRule, check_gamma
from scorebars.errors import MethodError
from scorebars.resample.grouped import mean_of_groups
from scorebars.resample.pairing import Side, share_won

if TYPE_CHECKING:
    from scorebars.effects.decision import Decision
    from scorebars.kernels.drawing import Attempts, Counted
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class ProbabilityOfImprovement:
    """How likely a random run of A beats a random run of B: *every* run of A meets every run of B of the same task.

    It differs from :class:`~scorebars.ProbabilityOfOutperforming`, which compares only attempts that belong together
    (same task, item and run) and counts a tie as a loss: here runs are strangers, and a tie is half a win.

    Mean over tasks of U / (N K), U the Mann-Whitney count of A's N against B's K attempts (Agarwal et al. 2021,
    Eq. A.2). The paper reads it like a test: an interval that excludes 0.5 is "statistically significant", and an upper
    bound above 0.75 "statistically meaningful" (after Bouthillier et al.); ``compare`` prints that reading. The same
    paper advises against significance tests with few runs, and asks for the interval and the size of the effect
    instead: read the interval first.

    Example:
        >>> import scorebars as sb
        >>> scores = sb.Scores.from_arrays({"x": [[1, 2], [2, 2], [1, 1], [2, 1]], "y": [[1, 1], [2, 2], [3, 3]]},
        ...                                axes=("run", "task"))
        >>> round(sb.compare(scores, "x", "y", effect=ProbabilityOfImprovement()).value, 4)
        0.3333
    """

    gamma: float = 0.75
    """The smallest probability that matters, strictly between 0 and 1. The default was fitted on five case studies."""

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    @property
    def name(self) -> str:
        """As printed."""
        return "probability of improvement"

    @property
    def reading(self) -> Reading:
        """A probability."""
        return Reading.PROBABILITY

    @property
    def null(self) -> float:
        """Chance."""
        return 0.5

    @property
    def effect_range(self) -> tuple[float, float]:
        """Never and always."""
        return 0.0, 1.0

    def of_drawn(self, a: Drawn, b: Drawn) -> FloatArray:
        """Its value in each resample, shape (n,); mean over the task slots in which both sides have attempts."""
        _refuse_unfit(a, b)
        cells = a.n * a.n_tasks
        cell_a, cell_b = (side.owner * side.n_tasks + side.task for side in (a, b))
        n_a, n_b = np.bincount(cell_a, minlength=cells), np.bincount(cell_b, minlength=cells)
        wins = mann_whitney(cell_a, a.score, cell_b, b.score, cells)
        there = (n_a > 0) & (n_b > 0)
        share = np.divide(wins, n_a * n_b, out=np.zeros(cells), where=there).reshape(a.n, a.n_tasks)
        return np.asarray(share.sum(axis=1) / there.reshape(a.n, a.n_tasks).sum(axis=1))

    def counted(self, a: Attempts, b: Attempts) -> Counted:
        """Its value of counts."""
        _refuse_unfit(a, b)
        sides = (
            Side.of(side, np.ones(len(side.task), dtype=bool), side.values(), side.task, a.n_tasks) for side in (a, b)
        )
        return mean_of_groups(share_won(*sides))

    @property
    def rule(self) -> str:
        """What the decision "significant and meaningful" takes."""
        return DecisionRule(self.gamma).words

    def decision(self, low: float, high: float) -> Decision:
        """The paper's reading of the interval as a test."""
        return DecisionRule(self.gamma).of_bounds(low, high)


def mann_whitney(cell_a: IntArray, a: FloatArray, cell_b: IntArray, b: FloatArray, n_cells: int) -> FloatArray:
    """U of each cell: pairs of a score in ``a`` and one in ``b`` of the same cell that A wins, ties half; (n_cells,).

    Scores become ranks over both sides, and (cell, rank) one whole number: B's sorted once, A's looked up among them.
    That is the same for fixed and for redrawn tasks, and a hundred runs cost no hundred times ten thousand products.
    """
    levels, rank = np.unique(np.concatenate([a, b]), return_inverse=True)
    width = len(levels)
    keys_a = cell_a * width + rank[: len(a)]
    keys_b = np.sort(cell_b * width + rank[len(a) :])
    before = np.searchsorted(keys_b, cell_a * width)
    below, upto = np.searchsorted(keys_b, keys_a), np.searchsorted(keys_b, keys_a, side="right")
    # Twice the count stays a whole number: no order of summation can change it.
    twice = np.bincount(cell_a, (below - before) + (upto - before), n_cells)
    return np.asarray(twice / 2.0, dtype=np.float64)


def _refuse_unfit(a: Drawn | Attempts, b: Drawn | Attempts) -> None:
    if a.n_tasks != b.n_tasks:
        raise MethodError("the probability of improvement compares runs of the same task; the two sides share no task")
    for side in (a, b):
        if len(side.weight) and np.ptp(side.weight) > 0.0:
            raise MethodError("the probability of improvement counts every attempt once; drop the weights, or use Mean")
