"""Do the runs of a table behave as tasks, and its tasks as runs? A two-way analysis of variance of the ranks.

Runs that were started independently of each other differ by luck, which has nothing to do with the number of a run; and
tasks differ in how hard they are. Where it is the other way round (run 3 is low in every task, and the tasks are all
alike), an array of shape (tasks, runs) was taken for one of shape (runs, tasks). Ranks, because raw returns of games
differ by factors of a thousand.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from scorebars.sample import FloatArray

SHARE: Final = 0.3
"""Share of the variance that lies between runs, at least; of independent runs it is about zero."""
AS_MUCH: Final = 10.0
"""So many times the share that lies between items or tasks."""
CHANCE: Final = 1e-6
"""Largest p-value of the F test of the runs."""
FEWEST_RUNS: Final = 3
FEWEST_DEGREES: Final = 10
"""Degrees of freedom left, for ranks of so few cells follow no F distribution."""
EXACT_DEGREES: Final = 20
"""And where nothing is left over: rows of 0/1 scores that agree throughout, which fewer do by chance."""


def swapped_share(scores: FloatArray) -> float:
    """Share of the variance of the ranks between runs, where the axes look swapped; else 0.

    Args:
        scores: Scores of one model, shape (n_units, n_runs), a unit being an item or a task.
    """
    n, k = scores.shape
    if n < 2 or k < FEWEST_RUNS or (n - 1) * (k - 1) < FEWEST_DEGREES:
        return 0.0
    ranks = np.unique(scores, return_inverse=True)[1].reshape(n, k).astype(np.float64)
    ranks -= ranks.mean()
    total = float((ranks**2).sum())
    between_runs, between_units = (_sum_of_squares(ranks, axis) for axis in (0, 1))
    rest = max(total - between_runs - between_units, 0.0) / ((n - 1) * (k - 1))
    shares = [
        max(squares - df * rest, 0.0) / (total + rest) if total > 0.0 else 0.0
        for squares, df in ((between_runs, k - 1), (between_units, n - 1))
    ]
    if shares[0] < SHARE or shares[0] < AS_MUCH * shares[1]:
        return 0.0
    sure = _is_no_chance(between_runs / (k - 1), rest, k - 1, (n - 1) * (k - 1)) or _is_one_order(scores)
    return shares[0] if sure else 0.0


def _sum_of_squares(centred: FloatArray, axis: int) -> float:
    return float((centred.mean(axis=axis) ** 2).sum() * centred.shape[axis])


def _is_no_chance(between: float, within: float, df: int, rest: int) -> bool:
    if within <= 1e-12 * between:
        return rest >= EXACT_DEGREES
    from scipy.special import fdtrc

    return bool(fdtrc(df, rest, between / within) < CHANCE)


def _is_one_order(scores: FloatArray) -> bool:
    """Whether every unit puts its runs in the very same order, which so many do by chance too rarely.

    Of the k!/Π t! orders of k runs with ties of t, each unit but the first would have to meet the first one's.
    """
    orders = [np.unique(row, return_inverse=True)[1] for row in scores]
    if any(np.any(order != orders[0]) for order in orders[1:]):
        return False
    ties = np.bincount(orders[0]).tolist()
    log_orders = math.lgamma(scores.shape[1] + 1) - sum(math.lgamma(n + 1) for n in ties)
    return (len(orders) - 1) * log_orders > -math.log(CHANCE)
