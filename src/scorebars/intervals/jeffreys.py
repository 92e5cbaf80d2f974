"""The Jeffreys interval for one 0/1 score: Beta(½, ½) prior, equal tails (Brown, Cai and DasGupta 2001, section 4.3).

At 0 of n the lower bound is the posterior quantile, slightly above 0, as statsmodels and R's binom have it; the paper's
variant sets it to 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scorebars.intervals.beta import Beta

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Problem, Side


@dataclass(frozen=True, slots=True)
class Jeffreys:
    """Equal-tailed credible interval under Jeffreys' prior, with good frequentist coverage on average."""

    @property
    def name(self) -> str:
        """As cited."""
        return "Jeffreys"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but plain 0/1 counts."""
        return Beta(0.5, 0.5).refuses(problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds from the counts."""
        return replace(Beta(0.5, 0.5).bounds(problem, level, side), method=self.name)
