"""Wilcoxon's signed-rank test (Wilcoxon 1945; Pratt 1959 for zeros).

Differences are ranked by size, equal ones sharing the mean of their ranks, and the ranks of A's wins are added up. With
up to 50 differences the law of that sum is that of ranks with fair signs, ties and all, and the p-value is exact; with
more it is the normal one, whose variance Σ r²/4 counts ties, without continuity correction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.significance.differences import unit_differences, why_unpaired
from scorebars.significance.sign_flip import flip_p_value

if TYPE_CHECKING:
    from scorebars.contracts import Problem
    from scorebars.sample import FloatArray

ROUNDING: Final = 1e-12
"""Of the largest difference: two that are so near each other are equal."""
EXACT: Final = 50
"""Up to this many differences that are not zero the p-value is exact."""


class Zeros(Enum):
    """What becomes of units on which the sides are equal."""

    DROPPED = "dropped"
    """They are left out before ranking (Wilcoxon)."""
    RANKED = "ranked"
    """They take the lowest ranks, which are left out afterwards (Pratt)."""


@dataclass(frozen=True, slots=True)
class Wilcoxon:
    """Two-sided p-value of differences that are symmetric about zero; large ones count more, by rank."""

    zeros: Zeros = Zeros.DROPPED

    @property
    def name(self) -> str:
        """As cited."""
        return "Wilcoxon signed-rank test" + (", zeros ranked" if self.zeros is Zeros.RANKED else "")

    def refuses(self, problem: Problem) -> str | None:
        """Refuses what has no paired units, or several tasks."""
        return why_unpaired(problem, one_stratum=True)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of no difference; 1.0 where no unit differs."""
        if problem.units is None or self.refuses(problem) is not None:
            return math.nan
        return self.of_differences(unit_differences(problem.units))

    def of_differences(self, found: FloatArray) -> float:
        """Two-sided p from the differences, shape (n,)."""
        if self.zeros is Zeros.DROPPED:
            found = found[found != 0.0]
        signed = np.sign(found) * mean_ranks(_rounded(np.abs(found)))
        signed = signed[signed != 0.0]
        if len(signed) <= EXACT:
            return flip_p_value(signed)
        deviate = abs(float(signed.sum())) / math.sqrt(float(np.sum(signed**2)))
        return math.erfc(deviate / math.sqrt(2.0))


def _rounded(sizes: FloatArray) -> FloatArray:
    """Sizes that differ by no more than rounding as equal: .8 − .7 and .3 − .2 tie. In chains they tie as well."""
    order = np.argsort(sizes, kind="stable")
    ordered = sizes[order]
    if not len(ordered):
        return sizes
    apart = np.diff(ordered) > ROUNDING * ordered[-1]
    result = np.empty_like(sizes)
    result[order] = ordered[np.concatenate(([0], np.flatnonzero(apart) + 1))][np.concatenate(([0], np.cumsum(apart)))]
    return result


def mean_ranks(sizes: FloatArray) -> FloatArray:
    """Ranks from 1; equal values share the mean of theirs. Shape (n,)."""
    _, place, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2.0)[place], dtype=np.float64)
