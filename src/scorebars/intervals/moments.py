"""The variance of a weighted mean over its redrawn units, with its degrees of freedom.

The statistic is Σ_t W_t r_t, r_t = Σ sums / Σ sizes over the units of stratum t. Its variance is Σ_t W_t² V_t with

    V_t = n_t/(n_t − 1) · Σ_u (sums_u − r_t sizes_u)² / (Σ_u sizes_u)²,

which is s_t²/n_t for units of size 1, and the linearised variance of a ratio for others (Cochran 1977, eq. 6.9).
Degrees of freedom follow Satterthwaite (1946): n − 1 with one stratum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

import numpy as np

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Units
    from scorebars.sample import FloatArray, IntArray


ROUNDING: Final = 8.0 * float(np.finfo(np.float64).eps)
"""Part of a unit's sum that is rounding."""


@dataclass(frozen=True, slots=True)
class Moments:
    """Point value, variance of the estimate and degrees of freedom of that variance."""

    value: float
    variance: float
    """NaN where one unit is all there is."""
    degrees: float
    n_units: int

    @property
    def standard_error(self) -> float:
        """√variance."""
        return math.sqrt(self.variance) if self.variance >= 0.0 else math.nan


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Per-stratum sums. Arrays have length n_strata."""

    count: FloatArray
    size: FloatArray
    ratio: FloatArray
    residuals: FloatArray
    """sums − ratio · sizes, one a unit."""


def summed(group: IntArray, values: FloatArray, n: int) -> FloatArray:
    """Sum of the values of each group, shape (n,); added one after the other."""
    return np.bincount(group, values, n).astype(np.float64, copy=False)


def strata_of(units: Units) -> Strata:
    """Counts, sizes and ratios of the strata, and the residual of every unit from the ratio of its stratum."""
    n = len(units.weights)
    count = np.bincount(units.stratum, minlength=n).astype(np.float64)
    size = summed(units.stratum, units.sizes, n)
    # Sums of what is left after one unit's ratio is taken off: nothing cancels, and equal units leave exactly nothing.
    first = float(units.sums[0] / units.sizes[0]) if units.sizes[0] else 0.0  # an item without weight has no ratio
    away = units.sums - first * units.sizes
    away[np.abs(away) <= ROUNDING * np.abs(units.sums)] = 0.0
    shift = summed(units.stratum, away, n) / size
    return Strata(count, size, first + shift, away - shift[units.stratum] * units.sizes)


_KNOWN: Final[WeakKeyDictionary[Units, Moments]] = WeakKeyDictionary()
"""Moments of units that live: a p-value asks an interval for its bounds at fifty levels, one call each, and several
steps of each call ask for the moments of the same units."""


def unit_moments(units: Units, strata: Strata | None = None) -> Moments:
    """Moments over the redrawn units with the divisor n − 1 in every stratum; ``strata`` where they are known."""
    known = _KNOWN.get(units)
    if known is None:
        known = _KNOWN[units] = _over_units(units, strata or strata_of(units))
    return known


def _over_units(units: Units, strata: Strata) -> Moments:
    squares = summed(units.stratum, strata.residuals**2, len(units.weights))
    with np.errstate(invalid="ignore", divide="ignore"):
        variances = strata.count / (strata.count - 1.0) * squares / strata.size**2
    return combine(units.weights, strata, variances, strata.count - 1.0)


def count_moments(successes: int, n: int) -> Moments:
    """Moments over n items of 0 and 1, of which two numbers say everything."""
    share = successes / n
    return Moments(share, share * (n - successes) / n / (n - 1.0) if n > 1 else math.nan, float(n - 1), n)


def table_moments(only_a: int, only_b: int, n: int) -> Moments:
    """Moments of the paired difference of two sides of 0 and 1, over n items."""
    value, differing = (only_a - only_b) / n, only_a + only_b
    squares = differing - (only_a - only_b) ** 2 / n
    return Moments(value, squares / n / (n - 1.0) if n > 1 else math.nan, float(n - 1), n)


def combine(weights: FloatArray, strata: Strata, variances: FloatArray, degrees: FloatArray) -> Moments:
    """Moments of Σ_t W_t r_t from the variance and the degrees of freedom of every stratum."""
    value = float(np.dot(weights, strata.ratio))
    n_units = int(strata.count.sum())
    lonely = strata.count < 2.0
    if lonely.all():
        return _all_lonely(weights, strata, value)
    if lonely.any():
        variances = np.where(lonely, _lonely_variance(strata, variances, value), variances)
        degrees = np.where(lonely, 1.0, degrees)
    terms = weights**2 * variances
    total = float(terms.sum())
    if total <= 0.0:
        return Moments(value, 0.0, float(degrees[~lonely].sum()), n_units)
    if len(terms) == 1:
        return Moments(value, total, float(degrees[0]), n_units)
    return Moments(value, total, 1.0 / float(((terms / total) ** 2 / degrees).sum()), n_units)


def _lonely_variance(strata: Strata, variances: FloatArray, value: float) -> FloatArray:
    # One unit says nothing of its own stratum's variance, and counting it as 0 is what makes such intervals fail.
    # It gets the larger of the other strata's variance of a unit and its own squared distance from the whole.
    others = strata.count >= 2.0
    typical = float((strata.count[others] * variances[others]).mean())
    return np.maximum((strata.ratio - value) ** 2, typical)


def _all_lonely(weights: FloatArray, strata: Strata, value: float) -> Moments:
    n = len(weights)
    if n == 1:
        return Moments(value, math.nan, 0.0, 1)
    variance = n / (n - 1.0) * float((weights**2 * (strata.ratio - value) ** 2).sum())
    return Moments(value, variance, n - 1.0, n)


def moments_of(problem: Problem) -> Moments | None:
    """Moments of a problem: over its units, or of the two sides of a difference drawn apart (Welch 1938).

    Sides are drawn apart when they share no items, and when runs are redrawn, which the sides never share.
    """
    if problem.counts is not None:
        return count_moments(*problem.counts)
    if problem.table_2x2 is not None:
        return table_moments(*problem.table_2x2[1:3], sum(problem.table_2x2))
    if problem.units is not None:
        return unit_moments(problem.units)
    if problem.sides is None or not problem.is_difference or (problem.is_paired and problem.top != "run"):
        return None
    sides = [moments_of(side) for side in problem.sides]
    if sides[0] is None or sides[1] is None:
        return None
    return _difference(sides[0], sides[1])


def _difference(a: Moments, b: Moments) -> Moments:
    total = a.variance + b.variance
    n_units = a.n_units + b.n_units
    if not total > 0.0:
        return Moments(a.value - b.value, total, a.degrees + b.degrees, n_units)
    weight = sum(side.variance**2 / side.degrees for side in (a, b) if side.variance > 0.0)
    return Moments(a.value - b.value, total, total**2 / weight, n_units)


def effective_units(units: Units) -> float:
    """n_u: the number of equally weighted units with the same Σ w²; the number of clusters with one stratum."""
    strata = strata_of(units)
    if units.name == "item":
        shares = units.weights[units.stratum] * units.sizes / strata.size[units.stratum]
        return 1.0 / float((shares**2).sum())
    return 1.0 / float((units.weights**2 / strata.count).sum())
