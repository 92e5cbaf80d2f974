"""The normal ("CLT") interval: value ± z × standard error, divisor n − 1 (Miller 2024, eq. 1 and 3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.intervals.moments import moments_of
from scorebars.intervals.wald import NEEDS_UNITS, refusal, refused, wald_bounds, wald_p_value

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Problem, Side


@dataclass(frozen=True, slots=True)
class Normal:
    """Value ± z × standard error. Too narrow for few units, blind at 0 and 1: there to compare with published bars."""

    @property
    def name(self) -> str:
        """As cited."""
        return "normal"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses statistics that are no mean of units."""
        return None if moments_of(problem) is not None else refusal(NEEDS_UNITS, problem, "Percentile")

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Symmetric bounds."""
        moments = moments_of(problem)
        if moments is None:
            return refused(self.name, refusal(NEEDS_UNITS, problem, "Percentile"))
        return wald_bounds(problem, moments, self.name, level, side, math.inf)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value, by the z statistic."""
        moments = moments_of(problem)
        return wald_p_value(problem, moments, math.inf)
