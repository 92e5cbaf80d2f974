"""What each redrawn unit contributes, from the jackknife: one rule for any statistic, one sample or two.

With t the statistic, t_(−j) its value without unit j of a stratum of n and d_j = mean(t_(−·)) − t_(−j), the stratum's
part of the variance is estimated by V = (n − 1)/n · Σ d_j² (for a mean W²s²/n, with the divisor n − 1 in s²). Redrawing
n of n understates it by (n − 1)/n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scorebars.contracts import Problem
    from scorebars.sample import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Influence:
    """Centred jackknife values. ``away`` and ``stratum`` have one entry a unit, ``count`` one a stratum with units."""

    away: FloatArray
    """d_j, which is positive where a unit pulls the statistic up."""
    stratum: IntArray
    count: FloatArray

    @property
    def acceleration(self) -> float:
        """Efron's a: Σ l³/n³ / (6 (Σ l²/n²)^{3/2}), l = (n − 1) d (Davison and Hinkley 1997, eq. 5.26)."""
        part = self.away * ((self.count - 1.0) / self.count)[self.stratum]
        scale = float(np.max(np.abs(part), initial=0.0))
        if scale == 0.0:
            return 0.0
        part = part / scale
        return float(np.sum(part**3)) / (6.0 * float(np.sum(part**2) ** 1.5))

    @property
    def variances(self) -> FloatArray:
        """V of each stratum, shape (n_strata,)."""
        squares = np.bincount(self.stratum, self.away**2, len(self.count))
        return np.asarray((self.count - 1.0) / self.count * squares)

    @property
    def degrees(self) -> float:
        """Degrees of freedom of ΣV (Satterthwaite 1946); n − 1 with one stratum."""
        variances = self.variances
        total = float(variances.sum())
        if len(self.count) == 1 or total == 0.0:
            return float(np.sum(self.count - 1.0))
        return 1.0 / float(np.sum((variances / total) ** 2 / (self.count - 1.0)))

    def spread_ratio(self, draws: FloatArray) -> float:
        """√(ΣV / variance that redrawing ``draws`` units a stratum gives): √(n/(n − 1)) for n of n, one stratum."""
        return self._root_ratio((self.count - 1.0) / draws)

    def size_ratio(self, draws: FloatArray) -> float:
        """√(m/n) for ``draws`` = m of n units; over several strata weighted by their variances."""
        return self._root_ratio(self.count / draws)

    def _root_ratio(self, factor: FloatArray) -> float:
        """√(ΣV / ΣV·factor); with V = 1 where all are 0."""
        variances = self.variances
        if not float(variances.sum()) > 0.0:
            variances = np.ones(len(self.count))
        return math.sqrt(float(variances.sum()) / float(np.sum(variances * factor)))


def influence_of(problem: Problem) -> Influence | None:
    """The influence of every redrawn unit; None where no unit can be left out."""
    values, stratum = problem.jackknife()
    if len(values) == 0:
        return None
    number = np.unique(stratum, return_inverse=True)[1]
    count = np.bincount(number).astype(np.float64)
    mean = np.bincount(number, values) / count
    return Influence(mean[number] - values, number, count)
