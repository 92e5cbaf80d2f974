"""The expanded percentile interval (Hesterberg 2015): percentile bounds at levels that repair small samples.

Percentile bounds of n units are too narrow twice over: the bootstrap's spread lacks the factor √(n/(n − 1)), and z
stands where t would. Each tail α/2 becomes Φ(−√(n/(n − 1)) · t_{n−1, α/2}): .0086 in place of .025 at n = 10. With
several strata or two samples the ratio of the spreads and Satterthwaite's degrees of freedom take the places of
√(n/(n − 1)) and n − 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.intervals.bootstrap_law import check_n_boot, is_flat, nothing_redrawn, read_bounds
from scorebars.intervals.influence import influence_of
from scorebars.intervals.quantiles import normal_deviate, normal_tail, t_deviate, t_tail
from scorebars.intervals.wald import NOTHING, missing, single_unit_note

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Problem, Side
    from scorebars.intervals.influence import Influence


@dataclass(frozen=True, slots=True)
class ExpandedPercentile:
    """Quantiles of the bootstrap distribution at levels widened to what t would give for a mean."""

    n_boot: int | None = None
    """None: computed where possible, else the default number of resamples. A number forces Monte Carlo."""

    def __post_init__(self) -> None:
        check_n_boot(self.n_boot)

    @property
    def name(self) -> str:
        """As cited."""
        return "expanded percentile bootstrap"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses only where nothing can be redrawn."""
        return None if problem.top else NOTHING

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Quantiles at widened levels; zero width with ``instead`` where all units are equal."""
        if not problem.top:
            return nothing_redrawn(self.name)
        influence = influence_of(problem)
        if influence is None:
            return missing(self.name, single_unit_note(problem))
        law = problem.distribution(self.n_boot)

        def ends(below: float, above: float) -> tuple[float, float]:
            low, high = (expanded_tail(tail, *_spread(influence)) for tail in (below, above))
            return law.quantile(low), law.quantile(1.0 - high, upper=True)

        return read_bounds(problem, law, self.name, (level, side), ends)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value: the tail that is expanded to that of T* there."""
        influence = influence_of(problem) if problem.top else None
        if influence is None:
            return math.nan
        law = problem.distribution(self.n_boot)
        tail = min(law.cdf(problem.null), 1.0 - law.below(problem.null))
        if is_flat(law) or tail == 0.0:
            return math.nan if is_flat(law) else 0.0
        ratio, degrees = _spread(influence)
        return min(1.0, 2.0 * t_tail(normal_deviate(tail) / ratio, degrees))


def _spread(influence: Influence) -> tuple[float, float]:
    return influence.spread_ratio(influence.count), influence.degrees


def expanded_tail(tail: float, ratio: float, degrees: float) -> float:
    """The level at which an end is read: P(Z > ratio · t), with t the deviate of ``tail``.

    Of one sample of n units the ratio is √(n/(n − 1)), with n − 1 degrees of freedom.
    """
    return normal_tail(ratio * t_deviate(tail, degrees))
