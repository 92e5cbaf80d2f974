"""The normal interval for redrawn runs of a bounded mean: value ± z √(V + c²).

V = Σ wᵢ² sᵢ²/Kᵢ is the unbiased variance over runs with tasks and items fixed; c is what one attempt at most moves the
mean, the largest weight of an attempt times the score's range. c keeps a width where all runs agree and makes up for
the few runs behind each sᵢ²: of 0/1 attempts coverage is at least .949 at K ≥ 2 where a percentile bootstrap falls to
.61. Graded attempts that scatter little are far surer than c allows: 5 × 3 accuracies with a deviation of .01 have a
half-width of .13. It is right for them where a rare attempt may fail altogether, which few runs do not show.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.contracts import Bounds
from scorebars.intervals.quantiles import normal_tail
from scorebars.intervals.wald import missing, refusal, refused, symmetric, within
from scorebars.notes import note

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Side

_NEEDS_RUNS = "needs redrawn runs, a mean of runs and the score's range"
_WITHOUT = "Percentile, give the range (--range LOW,HIGH), or redraw items"


@dataclass(frozen=True, slots=True)
class RunNormal:
    """Value ± z √(V + c²), cut to the range."""

    @property
    def name(self) -> str:
        """As cited."""
        return "normal over runs, widened by one attempt"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses unless runs are redrawn and the mean is bounded."""
        given = problem.run_variance
        served = problem.top == "run" and given is not None and not math.isnan(given[1])
        return None if served else refusal(_NEEDS_RUNS, problem, _WITHOUT)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Symmetric bounds within the range; NaN with ``one-run`` where an item has one run."""
        given = problem.run_variance
        if given is None or self.refuses(problem) is not None:
            return refused(self.name, refusal(_NEEDS_RUNS, problem, _WITHOUT))
        variance, one_attempt = given
        if math.isnan(variance):
            return missing(self.name, note("one-run"))
        error = math.sqrt(variance + one_attempt**2)
        low, high = symmetric(problem.value, error, side.tails(level), math.inf)
        return within(Bounds(low, high, self.name, (), None, math.sqrt(variance)), problem.range)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value, by the same z."""
        given = problem.run_variance
        if given is None or not given[0] + given[1] ** 2 > 0.0:
            return math.nan
        return min(1.0, 2.0 * normal_tail(abs(problem.value - problem.null) / math.sqrt(given[0] + given[1] ** 2)))
