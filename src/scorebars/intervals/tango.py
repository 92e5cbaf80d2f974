"""Tango's score interval for a paired 0/1 difference (Tango 1998, eq. 2 to 6).

With b items that only A gets right, c that only B does, of n: T(δ) = (b − c − nδ) / √(n(2q + δ(1 − δ))), q the
constrained maximum-likelihood estimate of P(only B right) given the difference δ, the larger root of

    2n q² − (b + c − (2n − b + c)δ) q − c δ(1 − δ) = 0.

The interval holds the δ with |T(δ)| ≤ z. Its test of δ = 0 is McNemar's, (b − c)/√(b + c), without correction.
It exists at any n ≥ 1, has a width when all pairs agree (± z²/(n + z²)) and never leaves [−1, 1].
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.contracts import Bounds
from scorebars.intervals.quantiles import normal_deviate, normal_tail
from scorebars.intervals.wald import NEEDS_TABLE, refusal, refused

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Side


@dataclass(frozen=True, slots=True)
class Tango:
    """The differences that a score test of the paired 2 × 2 table does not reject."""

    @property
    def name(self) -> str:
        """As cited."""
        return "Tango"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but a paired 2 × 2 table."""
        return None if problem.table_2x2 is not None else refusal(NEEDS_TABLE, problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds from the 2 × 2 table."""
        if problem.table_2x2 is None:
            return refused(self.name, refusal(NEEDS_TABLE, problem))
        both, only_a, only_b, neither = problem.table_2x2
        n = both + only_a + only_b + neither
        low, high = tango_bounds(only_a, only_b, n, side.tails(level))
        return Bounds(low, high, self.name)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of no difference: McNemar's score test; 1.0 where no item differs."""
        if problem.table_2x2 is None:
            return math.nan
        _, b, c, _ = problem.table_2x2
        return min(1.0, 2.0 * normal_tail(abs(b - c) / math.sqrt(b + c))) if b + c else 1.0


def tango_bounds(b: int, c: int, n: int, tails: tuple[float, float]) -> tuple[float, float]:
    """Bounds of (P(only A right) − P(only B right)); infinite on a side whose tail is 0."""
    low = -_upper(c, b, n, normal_deviate(tails[0])) if tails[0] else -math.inf
    high = _upper(b, c, n, normal_deviate(tails[1])) if tails[1] else math.inf
    return low, high


def _upper(b: int, c: int, n: int, z: float) -> float:
    """The δ at which T has fallen to −z, by bisection to the last bit but two."""
    low, high = -1.0, 1.0
    while high - low > 1e-15 * max(abs(low), abs(high), 1e-3):
        middle = (low + high) / 2.0
        if middle in {low, high}:
            break
        if _statistic(b, c, n, middle) > -z:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def _statistic(b: int, c: int, n: int, delta: float) -> float:
    excess = b - c - n * delta
    if excess == 0.0:
        return 0.0
    q = constrained_rate(b, c, n, delta)
    variance = n * (2.0 * q + delta * (1.0 - delta))
    return excess / math.sqrt(variance) if variance > 0.0 else math.copysign(math.inf, excess)


def constrained_rate(b: int, c: int, n: int, delta: float) -> float:
    """Maximum-likelihood estimate of P(only B right) under the difference ``delta``."""
    linear = b + c - (2 * n - b + c) * delta
    root = math.sqrt(linear * linear + 8.0 * n * c * delta * (1.0 - delta)) if delta * c > 0.0 else None
    if root is None:
        # δ ≤ 0 or c = 0: the discriminant may be a hair below zero by rounding.
        root = math.sqrt(max(linear * linear + 8.0 * n * c * delta * (1.0 - delta), 0.0))
    # The larger root without cancellation; P(only A right) = q + δ ≥ 0 bounds it from below.
    larger = (linear + root) / (4.0 * n) if linear >= 0.0 else _conjugate(linear, root, n, c, delta)
    return max(larger, 0.0, -delta)


def _conjugate(linear: float, root: float, n: int, c: int, delta: float) -> float:
    product = -c * delta * (1.0 - delta) / (2.0 * n)
    smaller = (linear - root) / (4.0 * n)
    return product / smaller if smaller != 0.0 else 0.0
