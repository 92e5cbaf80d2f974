"""The sign-flip permutation test of a paired mean (Fisher 1935): exchange the two sides of each unit, all ways.

Where A and B are exchangeable within units, each unit's contribution to the difference has either sign with probability
½, so the difference is a sum of independent two-point draws. With up to 20 units that are not tied all sign patterns
are listed; beyond, the same law is computed as the bootstrap is, by convolution, without random draws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.distribution import compute
from scorebars.kernels.law import EPS, Total, atoms
from scorebars.significance.differences import contributions, why_unpaired

if TYPE_CHECKING:
    from scorebars.contracts import Problem
    from scorebars.sample import FloatArray

LISTED: Final = 20
"""Up to this many units all 2^n sign patterns are listed."""


@dataclass(frozen=True, slots=True)
class SignFlip:
    """Two-sided p-value of the difference under exchanged sides; the statistic is the reported difference itself."""

    @property
    def name(self) -> str:
        """As cited."""
        return "sign-flip permutation test"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses what has no paired units."""
        return why_unpaired(problem)

    def p_value(self, problem: Problem) -> float:
        """Share of sign patterns whose difference is at least as far from zero."""
        if problem.units is None or self.refuses(problem) is not None:
            return math.nan
        return flip_p_value(contributions(problem.units))


def flip_p_value(signed: FloatArray) -> float:
    """P(|Σ ± x_i| ≥ |Σ x_i|) with fair and independent signs; shape (n,). Ties count as at least as far."""
    sizes = np.abs(signed[signed != 0.0])
    if not len(sizes):
        return 1.0
    tie = 64.0 * EPS * float(sizes.sum())
    target = abs(math.fsum(signed.tolist())) - tie
    found = _listed(sizes, target) if len(sizes) <= LISTED else _computed(sizes, target)
    # The data and their mirror image are patterns themselves.
    return min(1.0, max(found, 2.0 ** (1 - len(sizes))))


def _listed(sizes: FloatArray, target: float) -> float:
    """From all patterns; the sign of the first unit is kept, because the mirror image is as far from zero."""
    sums = sizes[:1]
    for size in sizes[1:]:
        sums = np.concatenate([sums - size, sums + size])
    return float(np.mean(np.abs(sums) >= target))


def _computed(sizes: FloatArray, target: float) -> float:
    distinct, counts = np.unique(sizes, return_counts=True)
    law = Total(tuple((atoms([-size, size]), int(n)) for size, n in zip(distinct, counts, strict=True)))
    return 2.0 * compute(law).cdf(-target) if target > 0.0 else 1.0
