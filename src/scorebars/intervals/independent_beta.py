"""Independent Beta posteriors of two unrelated 0/1 scores (Bowyer, Aitchison and Ivanova 2025, section 4).

A ~ Beta(a + k_A, b + n_A − k_A) and B likewise, unrelated; the interval is the equal-tailed one of A − B. Its
distribution P(A − B ≤ d) = ∫ F_A(x + d) f_B(x) dx is integrated by Gauss-Legendre, where the paper draws 10,000.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.contracts import Bounds
from scorebars.intervals.beta import check_prior
from scorebars.intervals.newcombe import two_counts
from scorebars.intervals.wald import refusal, refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts import Problem, Side
    from scorebars.sample import FloatArray

_NEEDS_TWO = "needs an unpaired difference of two 0/1 scores of unrelated items in one stratum, one run each"
_NODES: Final = 200
_CUT: Final = 1e-15
"""Probability that is left out at each end of B."""


@dataclass(frozen=True, slots=True)
class IndependentBeta:
    """Equal-tailed credible interval of the difference of two Beta posteriors. The default prior is uniform."""

    a: float = 1.0
    b: float = 1.0

    def __post_init__(self) -> None:
        check_prior(self.a, self.b)

    @property
    def name(self) -> str:
        """As cited."""
        return f"independent Beta({self.a:g}, {self.b:g}) posteriors"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but two unrelated 0/1 samples."""
        return None if two_counts(problem) is not None else _reason(problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds from the counts of both sides."""
        counts = two_counts(problem)
        if counts is None:
            return refused(self.name, _reason(problem))
        below, above = side.tails(level)
        law = self._law(counts)
        low = quantile_of(law, below) if below else -math.inf
        # Each bound from its own tail, so that A−B mirrors B−A.
        high = -quantile_of(self._law(counts[::-1]), above) if above else math.inf
        return Bounds(low, high, self.name)

    def p_value(self, problem: Problem) -> float:
        """Twice the smaller of the posterior probabilities that A is below and above B."""
        counts = two_counts(problem)
        if counts is None:
            return math.nan
        return min(1.0, 2.0 * min(self._law(counts)(0.0), self._law(counts[::-1])(0.0)))

    def _law(self, counts: tuple[tuple[int, int], ...]) -> Callable[[float], float]:
        first, second = ((self.a + k, self.b + n - k) for k, n in counts)
        return difference_law(first, second)


def _reason(problem: Problem) -> str:
    return refusal(_NEEDS_TWO, problem, None if problem.table_2x2 is None else "PairedBayes or Tango")


def difference_law(first: tuple[float, float], second: tuple[float, float]) -> Callable[[float], float]:
    """P(X − Y ≤ d) as a function of d, for X ~ Beta(first) and Y ~ Beta(second), unrelated."""
    from scipy.special import betainc, betaincinv, betaln

    a, b = second
    lowest, highest = float(betaincinv(a, b, _CUT)), 1.0 - float(betaincinv(b, a, _CUT))
    share, weight = _crowded()

    def cdf(d: float) -> float:
        # F(x + d) is 0 below x = −d and 1 from x = 1 − d on; between these kinks the integrand is smooth.
        start, end = max(lowest, -d), min(highest, 1.0 - d)
        whole = 1.0 - float(betainc(a, b, max(end, 0.0))) if end < highest else 0.0
        if start >= end:
            return whole
        x = start + (end - start) * share
        density = np.exp((a - 1.0) * np.log(x) + (b - 1.0) * np.log1p(-x) - betaln(a, b))
        return whole + (end - start) * float(np.sum(weight * density * betainc(*first, np.minimum(x + d, 1.0))))

    return cdf


@cache
def _crowded() -> tuple[FloatArray, FloatArray]:
    """Nodes and weights on (0, 1), crowded towards its ends, where a Beta density may be infinite."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    s = (nodes + 1.0) / 2.0
    return s**3 * (10.0 - 15.0 * s + 6.0 * s * s), weights * 15.0 * s**2 * (1.0 - s) ** 2


def quantile_of(cdf: Callable[[float], float], p: float) -> float:
    """The d in [−1, 1] with cdf(d) = p, by bisection."""
    low, high = -1.0, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2.0
        if cdf(middle) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0
