"""McNemar's test of a paired 2 × 2 table (McNemar 1947), exact or mid-p.

Only items on which the sides disagree count: given b + c of them, the number that A alone gets right is Bin(b + c, ½)
where there is no difference. The exact test doubles the smaller tail; the mid-p one (Fagerland, Lydersen and Laake
2013) counts the outcome itself half, which keeps the error rate near its level with few such items.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.kernels import binomial

if TYPE_CHECKING:
    from scorebars.contracts import Problem

_NEEDS_TABLE = "needs a paired difference of 0/1 scores in one task, one run each; use SignFlip"


@dataclass(frozen=True, slots=True)
class McNemar:
    """Two-sided p-value from the items that only one side gets right.

    Example:
        >>> McNemar().of_counts(4, 0)
        0.125
    """

    mid_p: bool = False
    """Count the outcome itself half."""

    @property
    def name(self) -> str:
        """As cited."""
        return "McNemar, mid-p" if self.mid_p else "McNemar, exact"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but a paired 2 × 2 table."""
        return None if problem.table_2x2 is not None else _NEEDS_TABLE

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of no difference."""
        if problem.table_2x2 is None:
            return math.nan
        _, only_a, only_b, _ = problem.table_2x2
        return self.of_counts(only_a, only_b)

    def of_counts(self, only_a: int, only_b: int) -> float:
        """Two-sided p from the two discordant counts; 1.0 where there are none."""
        smaller, n = min(only_a, only_b), only_a + only_b
        tail = binomial.cdf(smaller, n, 0.5)
        if self.mid_p:
            tail -= 0.5 * binomial.pmf(smaller, n, 0.5)
        return min(1.0, 2.0 * tail) if n else 1.0
