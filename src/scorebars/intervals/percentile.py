"""The percentile interval: quantiles of the bootstrap distribution (Efron 1979; Efron and Tibshirani 1993, chapter 13).

The distribution is computed where it can be (n_boot → ∞, no random draws), else drawn. Drawing n of n understates the
variance of a stratum of n units by (n − 1)/n; drawing n − 1 of them (Rao and Wu 1988; McCarthy and Snowden 1985)
repairs that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from scorebars.contracts import Bounds, Side
from scorebars.intervals.bootstrap_law import (
    ALL_RUNS,
    check_n_boot,
    is_flat,
    needs_all_runs,
    nothing_redrawn,
    saying_no_width,
    two_sided,
    without_spread,
)
from scorebars.intervals.wald import NOTHING, refused

if TYPE_CHECKING:
    from scorebars.contracts import Distribution, Problem


class Draws(Enum):
    """How many of the n units of a stratum are drawn."""

    N = "n"
    """n of n, as papers do."""
    N_MINUS_1 = "n-1"
    """n − 1 of n, so that the variance of small strata comes out right."""


@dataclass(frozen=True, slots=True)
class Percentile:
    """The bootstrap interval of most papers."""

    n_boot: int | None = None
    """None: computed where possible, else the default number of resamples. A number forces Monte Carlo."""
    draws: Draws = Draws.N

    def __post_init__(self) -> None:
        check_n_boot(self.n_boot)

    @property
    def name(self) -> str:
        """As cited."""
        return "percentile bootstrap" if self.draws is Draws.N else "percentile bootstrap, n−1 draws"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses where nothing can be redrawn, and n − 1 runs under pass@k and pass^k."""
        if not problem.top:
            return NOTHING
        return ALL_RUNS if self.draws is Draws.N_MINUS_1 and needs_all_runs(problem) else None

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Quantiles of the bootstrap distribution; zero width with ``instead`` where all units are equal."""
        if not problem.top:
            return nothing_redrawn(self.name)
        reason = self.refuses(problem)
        if reason is not None:
            return refused(self.name, reason)
        law = self._law(problem)
        below, above = side.tails(level)
        low = law.quantile(below) if below else -math.inf
        high = law.quantile(1.0 - above, upper=True) if above else math.inf
        bounds = Bounds(low, high, self.name, distribution=law)
        return without_spread(bounds, problem, law, (level, side)) if is_flat(law) else saying_no_width(bounds)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value: twice the smaller of P(T* ≤ null) and P(T* ≥ null)."""
        return math.nan if self.refuses(problem) is not None else two_sided(self._law(problem), problem.null)

    def _law(self, problem: Problem) -> Distribution:
        return problem.distribution(self.n_boot, fewer=self.draws is Draws.N_MINUS_1)
