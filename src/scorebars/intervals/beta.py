"""The Bayesian interval for one 0/1 score with a Beta prior (Bowyer, Aitchison and Ivanova 2025)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.contracts import Bounds
from scorebars.errors import ArgumentError
from scorebars.intervals.quantiles import beta_quantile
from scorebars.intervals.wald import NEEDS_COUNTS, refusal, refused

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Side


@dataclass(frozen=True, slots=True)
class Beta:
    """Equal-tailed credible interval of Beta(a + successes, b + failures). The default prior is uniform."""

    a: float = 1.0
    b: float = 1.0

    def __post_init__(self) -> None:
        check_prior(self.a, self.b)

    @property
    def name(self) -> str:
        """As cited."""
        return f"Beta({self.a:g}, {self.b:g}) posterior"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but plain 0/1 counts."""
        return None if problem.counts is not None else refusal(NEEDS_COUNTS, problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds from the counts."""
        if problem.counts is None:
            return refused(self.name, refusal(NEEDS_COUNTS, problem))
        below, above = side.tails(level)
        k, n = problem.counts
        a, b = self.a + k, self.b + n - k
        low = beta_quantile(below, a, b) if below else -math.inf
        high = 1.0 - beta_quantile(above, b, a) if above else math.inf
        return Bounds(low, high, self.name)


def check_prior(a: float, b: float) -> None:
    """Raise ArgumentError for a prior that is none."""
    if not (a > 0.0 and b > 0.0):
        raise ArgumentError(f"Beta(a={a:g}, b={b:g}): both must be above 0; uniform is Beta(1, 1)")
