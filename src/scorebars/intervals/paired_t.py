"""The pseudo-difference t interval for a paired graded difference.

The t interval of differences is blind where most pairs agree: with few non-zero differences its standard error is often
far too small, or zero. Two pseudo-differences, +r and −r with r the largest absolute difference seen, are added before
the standard error is taken: mean of the n ± t_{n−1} × standard error of the n + 2. (The idea of Agresti and Min 2005
for 0/1 pairs, at the scale of graded ones.) Several strata share the two in proportion to their units.

Where paired runs are redrawn in several items, the differences of an item scatter about its own difference, which stays
as it is: r is then the largest distance from that, and the pseudo-differences stand on either side of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.intervals.all_equal import is_flat
from scorebars.intervals.moments import Moments, combine, effective_units, strata_of, summed, unit_moments
from scorebars.intervals.wald import refusal, refused, wald_bounds, wald_p_value

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Problem, Side, Units
    from scorebars.intervals.moments import Strata

_NEEDS_PAIRS = "needs a paired difference that is a mean over shared units"


@dataclass(frozen=True, slots=True)
class PairedT:
    """Mean difference ± t × the standard error of the differences and two pseudo-differences ±r."""

    @property
    def name(self) -> str:
        """As cited."""
        return "paired t with two pseudo-differences"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses single samples and unpaired differences."""
        served = problem.is_paired and problem.is_difference and problem.units is not None
        return None if served else refusal(_NEEDS_PAIRS, problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Symmetric bounds; zero width with ``instead`` where all differences are equal."""
        units = problem.units
        if units is None or self.refuses(problem) is not None:
            return refused(self.name, refusal(_NEEDS_PAIRS, problem))
        moments = _moments(problem, units)
        return wald_bounds(problem, moments, self.name, level, side, moments.degrees)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of no difference by the same t; by the all-equal rule where all differences are equal."""
        units = problem.units
        if units is None:
            return math.nan
        moments = _moments(problem, units)
        if moments.variance > 0.0:
            return wald_p_value(problem, moments, moments.degrees)
        return _flat_p_value(problem, units)


def _moments(problem: Problem, units: Units) -> Moments:
    """Moments with the pseudo-differences; the plain ones where those are NaN or 0."""
    strata = strata_of(units)
    plain = unit_moments(units, strata)
    if math.isnan(plain.variance) or is_flat(plain.variance, problem.range, problem.value):
        return Moments(plain.value, math.nan if math.isnan(plain.variance) else 0.0, plain.degrees, plain.n_units)
    widened = pseudo_moments(units, strata)
    return Moments(plain.value, widened.variance, plain.degrees, plain.n_units)


def pseudo_moments(units: Units, strata: Strata | None = None) -> Moments:
    """Moments over the differences with h_t pairs of ±r added to stratum t, h_t = n_t/n.

    With one stratum V = s²/(n + 2), s² the sample variance of the n + 2 differences. Runs of several items are taken
    about the difference of their item.
    """
    strata = strata or strata_of(units)
    mean_size = (strata.size / strata.count)[units.stratum]
    squares = summed(units.stratum, (strata.residuals / mean_size) ** 2, len(units.weights))
    inside_items = units.name == "run" and len(units.weights) > 1
    away = strata.residuals if inside_items else units.sums
    largest = float(np.max(np.abs(away / units.sizes)))
    added = 2.0 * strata.count / strata.count.sum()
    total = strata.count + added
    # The pseudo-differences have mean 0, so they pull the centre: Σ(d − d̄')² = Σ(d − d̄)² + n·d̄²·added/total + added·r².
    pull = 0.0 if inside_items else strata.count * strata.ratio**2 * added / total
    sums = squares + pull + added * largest**2
    return combine(units.weights, strata, sums / ((total - 1.0) * total), strata.count - 1.0)


def _flat_p_value(problem: Problem, units: Units) -> float:
    if problem.value == 0.0:
        return 1.0
    if problem.range is None:
        return math.nan
    # The level at which the all-equal rule's near end reaches 0.
    end = problem.range[0] if problem.value > 0.0 else problem.range[1]
    missed = effective_units(units) * math.log1p(-problem.value / (problem.value - end))
    return min(1.0, 2.0 * math.exp(missed))
