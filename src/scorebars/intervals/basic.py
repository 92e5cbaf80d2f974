"""The basic bootstrap interval: the percentile interval reflected in the estimate (Davison and Hinkley 1997, eq. 5.6).

T* − t stands for t − θ, so the bounds are 2t − q(1 − α/2) and 2t − q(α/2): where resamples reach far up, the truth may
lie far down. It can leave the range of the score, which percentile intervals cannot.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.intervals.bootstrap_law import check_n_boot, nothing_redrawn, read_bounds, reflected, two_sided
from scorebars.intervals.wald import NOTHING

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Problem, Side


@dataclass(frozen=True, slots=True)
class Basic:
    """2 × value − the quantiles of the bootstrap distribution, swapped."""

    n_boot: int | None = None
    """None: computed where possible, else the default number of resamples. A number forces Monte Carlo."""

    def __post_init__(self) -> None:
        check_n_boot(self.n_boot)

    @property
    def name(self) -> str:
        """As cited."""
        return "basic bootstrap"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses only where nothing can be redrawn."""
        return None if problem.top else NOTHING

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Reflected quantiles; zero width with ``instead`` where all units are equal."""
        if not problem.top:
            return nothing_redrawn(self.name)
        law = problem.distribution(self.n_boot)

        def ends(below: float, above: float) -> tuple[float, float]:
            return reflected(problem, law.quantile(1.0 - below, upper=True)), reflected(problem, law.quantile(above))

        return read_bounds(problem, law, self.name, (level, side), ends)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value: twice the smaller tail of T* beyond its mirror image in the estimate."""
        if not problem.top:
            return math.nan
        return two_sided(problem.distribution(self.n_boot), 2.0 * problem.value - problem.null)
