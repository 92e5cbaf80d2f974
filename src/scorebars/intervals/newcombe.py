"""Newcombe's intervals for a difference of 0/1 scores: Wilson's bounds of the two sides, squared and added.

Unpaired: method 10 of Newcombe (1998, Statistics in Medicine 17, 873-890). Paired: method 10 of the companion paper
(17, 2635-2650), which subtracts 2φ times the product, φ the correlation of the table with a continuity correction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.contracts import Bounds, Side
from scorebars.intervals.inversion import inverted_p_value
from scorebars.intervals.mover import square_and_add
from scorebars.intervals.quantiles import normal_deviate
from scorebars.intervals.wald import refusal, refused
from scorebars.intervals.wilson import Wilson, wilson_lower

if TYPE_CHECKING:
    from scorebars.contracts import Problem

_NEEDS_TWO = "needs a difference of two 0/1 scores of unrelated items in one stratum, one run each"


@dataclass(frozen=True, slots=True)
class Newcombe:
    """Square-and-add of two Wilson intervals, paired or not."""

    @property
    def name(self) -> str:
        """As cited."""
        return "Newcombe"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but two 0/1 samples."""
        served = problem.table_2x2 is not None or two_counts(problem) is not None
        return None if served else refusal(_NEEDS_TWO, problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds from the table, or from the counts of both sides."""
        if problem.table_2x2 is not None:
            low, high = newcombe_paired(problem.table_2x2, level, side)
            return Bounds(low, high, f"{self.name}, paired")
        counts = two_counts(problem)
        if counts is None:
            return refused(self.name, refusal(_NEEDS_TWO, problem))
        (ka, na), (kb, nb) = counts
        low, high = square_and_add(ka / na, kb / nb, *_ends(ka, na, kb, nb, level, side), side)
        return Bounds(low, high, self.name)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of no difference: the smallest α at which the interval excludes 0."""
        return inverted_p_value(self, problem)


def two_counts(problem: Problem) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """(successes, n) of both sides of an unpaired difference of plain 0/1 scores; None for anything else."""
    if problem.is_paired or problem.sides is None or not problem.is_difference:
        return None
    a, b = (side.counts if Wilson().refuses(side) is None else None for side in problem.sides)
    return None if a is None or b is None else (a, b)


def _ends(
    ka: int, na: int, kb: int, nb: int, level: float, side: Side
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Wilson bounds of A and of B; for one side the bound of each that matters is at the same tail."""
    tail = max(side.tails(level))
    z = normal_deviate(tail)
    return (
        (wilson_lower(ka, na, z), 1.0 - wilson_lower(na - ka, na, z)),
        (wilson_lower(kb, nb, z), 1.0 - wilson_lower(nb - kb, nb, z)),
    )


def newcombe_paired(table: tuple[int, int, int, int], level: float, side: Side) -> tuple[float, float]:
    """Bounds for the paired difference of a table (both right, only A, only B, neither)."""
    both, only_a, only_b, neither = table
    n = both + only_a + only_b + neither
    ka, kb = both + only_a, both + only_b
    ends_a, ends_b = _ends(ka, n, kb, n, level, side)
    return square_and_add(ka / n, kb / n, ends_a, ends_b, side, correlation(table))


def correlation(table: tuple[int, int, int, int]) -> float:
    """Newcombe's φ: 0 where a margin is empty, the numerator reduced by n/2 (not below 0) where it is positive."""
    both, only_a, only_b, neither = table
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    if margins == 0:
        return 0.0
    numerator: float = both * neither - only_a * only_b
    if numerator > 0:
        numerator = max(numerator - sum(table) / 2.0, 0.0)
    return numerator / math.sqrt(margins)
