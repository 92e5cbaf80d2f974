"""The clustered interval of Miller (2024, eq. 4): value ± z × the root of SE² + (1/n²) Σ_c Σ_i Σ_{j≠i} r_i r_j.

SE is the plain standard error, with the divisor n(n − 1), while the cross products within clusters are divided by n².
So clusters of one item give exactly SE, and others neither the sandwich CR0 nor CR1: there to reproduce published bars.
``ClusterRobust`` corrects for few clusters and uses t. The sum under the root is
Σ r²/(n(n − 1)) − Σ r²/n² + Σ_c (Σ_i r_i)²/n², which is never negative.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from scorebars.intervals.moments import Moments, summed
from scorebars.intervals.wald import cluster_notes, refusal, refused, wald_bounds, wald_p_value

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Problem, Side, Units

_NEEDS_ONE_STRATUM = "Miller's equation 4 is for unweighted items of one stratum (one task, or pooled tasks)"


@dataclass(frozen=True, slots=True)
class MillerClustered:
    """Value ± z × Miller's clustered standard error."""

    @property
    def name(self) -> str:
        """As cited."""
        return "clustered normal (Miller 2024, eq. 4)"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses several strata and weighted items."""
        return None if _served(problem.units) else _reason(problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Symmetric bounds with z."""
        units = problem.units
        if units is None or not _served(units):
            return refused(self.name, _reason(problem))
        moments = miller_moments(units)
        bounds = wald_bounds(problem, moments, self.name, level, side, math.inf)
        return replace(bounds, notes=(*bounds.notes, *cluster_notes(units, moments.degrees)))

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value, by the z statistic."""
        units = problem.units
        if units is None or not _served(units):
            return math.nan
        return wald_p_value(problem, miller_moments(units), math.inf)


def _reason(problem: Problem) -> str:
    return refusal(_NEEDS_ONE_STRATUM, problem, None if problem.units is None else "ClusterRobust")


def _served(units: Units | None) -> bool:
    return units is not None and len(units.weights) == 1 and float(np.ptp(units.item_weights)) == 0.0


def miller_moments(units: Units) -> Moments:
    """Value and variance of equation 4 for unweighted items; the variance is NaN with a single cluster."""
    n, n_units = len(units.item_values), len(units.sums)
    value = float(np.mean(units.item_values))
    if n_units < 2:
        return Moments(value, math.nan, 0.0, n_units)
    residuals = units.item_values - value
    square = float(np.dot(residuals, residuals))
    crossed = float(np.sum(summed(units.item_unit, residuals, n_units) ** 2)) - square
    return Moments(value, square / (n - 1.0) / n + crossed / n**2, n_units - 1.0, n_units)
