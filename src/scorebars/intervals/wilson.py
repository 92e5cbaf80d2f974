"""Wilson's score interval for one 0/1 score (Wilson 1927; Brown, Cai and DasGupta 2001, eq. 4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.contracts import Bounds
from scorebars.intervals.quantiles import normal_deviate
from scorebars.intervals.wald import NEEDS_COUNTS, refusal, refused

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Side


@dataclass(frozen=True, slots=True)
class Wilson:
    """The rates that a score test does not reject."""

    @property
    def name(self) -> str:
        """As cited."""
        return "Wilson"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but plain 0/1 counts."""
        return None if problem.counts is not None else refusal(NEEDS_COUNTS, problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds from the counts."""
        if problem.counts is None:
            return refused(self.name, refusal(NEEDS_COUNTS, problem))
        below, above = side.tails(level)
        k, n = problem.counts
        low = wilson_lower(k, n, normal_deviate(below)) if below else -math.inf
        high = 1.0 - wilson_lower(n - k, n, normal_deviate(above)) if above else math.inf
        return Bounds(low, high, self.name)


def wilson_lower(k: float, n: float, z: float) -> float:
    """Lower bound for a rate of ``k`` of ``n``; the upper one is 1 − ``wilson_lower(n − k, n, z)``."""
    rate = k / n
    centre = rate + z * z / (2.0 * n)
    half = z * math.sqrt(rate * (1.0 - rate) / n + (z / (2.0 * n)) ** 2)
    if z > 0.0:
        # (centre − half)/(1 + z²/n) with the product of the two roots: no cancellation, and exactly 0 at k = 0.
        return rate * rate / (centre + half)
    return (centre - half) / (1.0 + z * z / n)
