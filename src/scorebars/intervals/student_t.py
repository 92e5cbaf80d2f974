"""Student's t: value ± t_ν × standard error, ν = n − 1 (Satterthwaite's with several strata, Welch's for two samples).

For redrawn tasks this is the t interval over task means.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.intervals.moments import moments_of
from scorebars.intervals.wald import NEEDS_UNITS, refusal, refused, wald_bounds, wald_p_value

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Problem, Side


@dataclass(frozen=True, slots=True)
class StudentT:
    """Value ± t × standard error. Right for scores near a bell shape; skewed ones need many items."""

    @property
    def name(self) -> str:
        """As cited."""
        return "Student t"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses statistics that are no mean of units."""
        return None if moments_of(problem) is not None else refusal(NEEDS_UNITS, problem, "Percentile")

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Symmetric bounds."""
        moments = moments_of(problem)
        if moments is None:
            return refused(self.name, refusal(NEEDS_UNITS, problem, "Percentile"))
        return wald_bounds(problem, moments, self.name, level, side, moments.degrees)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value, by the t statistic."""
        moments = moments_of(problem)
        return math.nan if moments is None else wald_p_value(problem, moments, moments.degrees)
