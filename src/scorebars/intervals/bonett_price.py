"""The Bonett-Price interval for a paired 0/1 difference (Bonett and Price 2012, eq. 4): Wald after adding two pairs.

With b items that only A gets right, c that only B does, of n: p = (b + 1)/(n + 2), q = (c + 1)/(n + 2) and
p − q ± z √((p + q − (p − q)²)/(n + 2)). A closed form that comes close to Tango's score interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.contracts import Bounds
from scorebars.intervals.inversion import inverted_p_value
from scorebars.intervals.quantiles import normal_deviate
from scorebars.intervals.wald import NEEDS_TABLE, inside, refusal, refused

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Side


@dataclass(frozen=True, slots=True)
class BonettPrice:
    """The adjusted Wald interval of the paired 2 × 2 table."""

    @property
    def name(self) -> str:
        """As cited."""
        return "Bonett-Price"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but a paired 2 × 2 table."""
        return None if problem.table_2x2 is not None else refusal(NEEDS_TABLE, problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds from the 2 × 2 table, cut to [−1, 1]."""
        if problem.table_2x2 is None:
            return refused(self.name, refusal(NEEDS_TABLE, problem))
        low, high = bonett_price_bounds(problem.table_2x2, side.tails(level))
        return Bounds(*inside(low, high, (-1.0, 1.0)), self.name)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of no difference: the smallest α at which the interval excludes 0."""
        return inverted_p_value(self, problem)


def bonett_price_bounds(table: tuple[int, int, int, int], tails: tuple[float, float]) -> tuple[float, float]:
    """Bounds for a table (both right, only A, only B, neither), not cut; infinite on a side whose tail is 0."""
    _, b, c, _ = table
    n = sum(table) + 2
    p, q = (b + 1) / n, (c + 1) / n
    error = math.sqrt((p + q - (p - q) ** 2) / n)
    low, high = (normal_deviate(tail) * error for tail in tails)
    return p - q - low, p - q + high
