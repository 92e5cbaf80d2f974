"""Blaker's exact interval for one 0/1 score (Blaker 2000, section 3; Klaschka 2010 on computing it).

It inverts a test that rejects a rate p when the tail probability of the data, plus the largest opposite tail that does
not exceed it, is at most 1 − level. Its coverage is never below the level, it lies inside the Clopper-Pearson interval
and it is nested in the level. The confidence set can have gaps; its convex hull is returned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.contracts import Bounds, Side
from scorebars.intervals.clopper_pearson import ClopperPearson
from scorebars.intervals.exact_limits import blaker_lower_limit
from scorebars.intervals.wald import NEEDS_COUNTS, refusal, refused

if TYPE_CHECKING:
    from scorebars.contracts import Problem


@dataclass(frozen=True, slots=True)
class Blaker:
    """Never below its level at any rate and n, and narrower than Clopper-Pearson.

    One-sided bounds are Clopper-Pearson's: with one tail there is nothing to share between two.
    """

    @property
    def name(self) -> str:
        """As cited."""
        return "Blaker"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but plain 0/1 counts."""
        return None if problem.counts is not None else refusal(NEEDS_COUNTS, problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds from the counts."""
        if problem.counts is None:
            return refused(self.name, refusal(NEEDS_COUNTS, problem))
        k, n = problem.counts
        if side is not Side.TWO:
            return ClopperPearson().bounds(problem, level, side)
        alpha = 1.0 - level
        return Bounds(blaker_lower_limit(k, n, alpha), 1.0 - blaker_lower_limit(n - k, n, alpha), self.name)
