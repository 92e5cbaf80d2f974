"""The score interval of an odds ratio of two unrelated 0/1 samples (Miettinen and Nurminen 1985, eq. 12 and 13).

It holds the ψ with |z(ψ)| ≤ z, z(ψ) = (x_A − n_A p_A) √(1/(n_A p_A q_A) + 1/(n_B p_B q_B)), p_A and p_B the rates that
are likeliest under the odds ratio ψ; p_B is a root of n_B(ψ − 1)p² + (n_A ψ + n_B − m(ψ − 1))p − m = 0, m = x_A + x_B.
Without the factor √((N − 1)/N) of that paper, so that the test of ψ = 1 is Pearson's χ². A sample without a success, or
without a failure, leaves one end at 0 or ∞; the other end exists.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scorebars.contracts import Bounds
from scorebars.intervals.quantiles import normal_deviate, normal_tail
from scorebars.intervals.wald import refusal, refused

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Side

_NEEDS_TABLES = "needs the odds ratio of two unrelated 0/1 samples in one stratum, one run each"
_FURTHEST: Final = 100.0
"""log ψ is looked for up to here."""


@dataclass(frozen=True, slots=True)
class OddsRatioScore:
    """The odds ratios that a score test of two independent samples does not reject."""

    @property
    def name(self) -> str:
        """As cited."""
        return "odds-ratio score"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but the odds ratio of two unrelated tables."""
        return None if problem.odds_tables is not None else refusal(_NEEDS_TABLES, problem, "Percentile")

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds from the counts of both sides."""
        if problem.odds_tables is None:
            return refused(self.name, refusal(_NEEDS_TABLES, problem, "Percentile"))
        low, high = odds_ratio_bounds(*problem.odds_tables, side.tails(level))
        return Bounds(low, high, self.name)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of equal odds: Pearson's χ² without correction; 1.0 where all or none succeed."""
        if problem.odds_tables is None:
            return math.nan
        return min(1.0, 2.0 * normal_tail(abs(_deviate(*problem.odds_tables, 0.0))))


def odds_ratio_bounds(a: tuple[int, int], b: tuple[int, int], tails: tuple[float, float]) -> tuple[float, float]:
    """Bounds from (successes, n) of A and of B; 0 or ∞ where a side gives no end, or its tail is 0."""
    low, high = 0.0 if tails[0] else -math.inf, math.inf
    if tails[0] and a[0] > 0 and b[0] < b[1]:
        low = math.exp(_crossing(a, b, normal_deviate(tails[0])))
    if tails[1] and a[0] < a[1] and b[0] > 0:
        high = math.exp(_crossing(a, b, -normal_deviate(tails[1])))
    return low, high


def _crossing(a: tuple[int, int], b: tuple[int, int], target: float) -> float:
    """The log ψ at which z(ψ), which falls, passes the target; by bisection."""
    low, high = -_FURTHEST, _FURTHEST
    while high - low > 1e-13 * max(abs(low), abs(high), 1.0):
        middle = (low + high) / 2.0
        if _deviate(a, b, middle) > target:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def _deviate(a: tuple[int, int], b: tuple[int, int], log_ratio: float) -> float:
    """z(ψ); 0.0 where all or none succeed, whatever ψ."""
    (x_a, n_a), (x_b, n_b) = a, b
    total = x_a + x_b
    if total in {0, n_a + n_b}:
        return 0.0
    ratio = math.exp(log_ratio)
    p_b = _constrained_rate(n_a, n_b, total, ratio)
    # The expected successes add up to the observed ones: no quotient of two vanishing numbers at the ends.
    excess = n_b * p_b - x_b
    p_a = (x_a - excess) / n_a
    spread_a, spread_b = n_a * p_a * (1.0 - p_a), n_b * p_b * (1.0 - p_b)
    if spread_a <= 0.0 or spread_b <= 0.0:
        return math.copysign(math.inf, excess)
    return excess * math.sqrt(1.0 / spread_a + 1.0 / spread_b)


def _constrained_rate(n_a: int, n_b: int, total: int, ratio: float) -> float:
    """The likeliest rate of B under the odds ratio, by the form of the root in which nothing cancels."""
    square = n_b * (ratio - 1.0)
    linear = n_a * ratio + n_b - total * (ratio - 1.0)
    root = math.sqrt(linear * linear + 4.0 * square * total)
    found = 2.0 * total / (linear + root) if linear >= 0.0 else (root - linear) / (2.0 * square)
    return min(max(found, 0.0), 1.0)
