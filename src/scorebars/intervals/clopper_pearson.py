"""The Clopper-Pearson interval for one 0/1 score: two one-sided exact tests (Clopper and Pearson 1934)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.contracts import Bounds
from scorebars.intervals.exact_limits import lower_limit
from scorebars.intervals.wald import NEEDS_COUNTS, refusal, refused

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Side


@dataclass(frozen=True, slots=True)
class ClopperPearson:
    """Never below its level at any rate and n, each side on its own; the price is width."""

    @property
    def name(self) -> str:
        """As cited."""
        return "Clopper-Pearson"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but plain 0/1 counts."""
        return None if problem.counts is not None else refusal(NEEDS_COUNTS, problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds from the counts."""
        if problem.counts is None:
            return refused(self.name, refusal(NEEDS_COUNTS, problem))
        below, above = side.tails(level)
        k, n = problem.counts
        low = lower_limit(k, n, below) if below else -math.inf
        high = 1.0 - lower_limit(n - k, n, above) if above else math.inf
        return Bounds(low, high, self.name)
