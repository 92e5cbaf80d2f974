"""The bias-corrected and accelerated bootstrap, BCa (Efron 1987; Davison and Hinkley 1997, section 5.3.2).

The acceleration is a sixth of the skewness of the jackknife over the uppermost redrawn units, centred inside each
stratum, for one sample or two (eq. 5.26; :mod:`~scorebars.intervals.influence`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.intervals.bootstrap_law import check_n_boot, nothing_redrawn
from scorebars.intervals.influence import influence_of
from scorebars.intervals.shifted_levels import shifted_bounds, shifted_p_value
from scorebars.intervals.wald import NOTHING

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Problem, Side


@dataclass(frozen=True, slots=True)
class BCa:
    """Quantiles of the bootstrap distribution at levels shifted for its median bias and its skewness.

    Right to second order for smooth statistics of many units; with few runs it does worse than the percentile interval
    (Agarwal et al. 2021, Figure 6), and at K units no level beyond 1/Kᴷ can be read at all.
    """

    n_boot: int | None = None
    """None: computed where possible, else the default number of resamples. A number forces Monte Carlo."""

    def __post_init__(self) -> None:
        check_n_boot(self.n_boot)

    @property
    def name(self) -> str:
        """As cited."""
        return "BCa bootstrap"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses only where nothing can be redrawn."""
        return None if problem.top else NOTHING

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Quantiles at shifted levels; zero width with ``instead`` where all units are equal."""
        if not problem.top:
            return nothing_redrawn(self.name)
        return shifted_bounds(problem, self.n_boot, (level, side), self.name, acceleration(problem))

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value, by the levels at which the interval ends there."""
        return shifted_p_value(problem, self.n_boot, acceleration(problem)) if problem.top else math.nan


def acceleration(problem: Problem) -> float:
    """Efron's a; 0 where no unit can be left out."""
    influence = influence_of(problem)
    return 0.0 if influence is None else influence.acceleration
