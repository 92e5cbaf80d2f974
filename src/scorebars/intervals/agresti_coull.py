"""The Agresti-Coull interval, and the same on an effective number of items.

Plain (Agresti and Coull 1998): add z²/2 successes and z²/2 failures, then value ± z × standard error. With
ñ = n + z² and p̃ = (k + z²/2)/ñ the bounds are p̃ ± z √(p̃(1 − p̃)/ñ).

AC(nₑ): a mean m of scores in a known range, mapped to [0, 1], is as sure as nₑ = m(1 − m)/V · (z/t_ν)² items scored 0
or 1 would be; V is the variance of the estimate over the redrawn units and ν its degrees of freedom. For 0/1 attempts
nₑ is at most what as many unrelated attempts would give, 1/Σ w². Graded scores vary less than 0/1 ones, so nₑ may
exceed their number: limiting it there would make them as wide as 0/1 scores. The same device, with other intervals
inside, is Korn and Graubard's (1998) and Dean and Pagano's (2015) for survey data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from scorebars.contracts import Bounds, Side
from scorebars.intervals.all_equal import all_equal_bounds, flat_bounds, is_flat, is_nearly_flat
from scorebars.intervals.moments import Moments, effective_units, summed, unit_moments
from scorebars.intervals.quantiles import normal_deviate, t_deviate
from scorebars.intervals.sandwich import Kind, cluster_moments
from scorebars.intervals.wald import cluster_notes, inside, missing, refusal, refused

if TYPE_CHECKING:
    from scorebars.contracts import Problem

SMALL: Final = 0.1
"""An effective number from here on is shown with one decimal, below with two digits: it is not 0."""
_ONE_SCORE = "is an interval of one score, not of a difference"
_NEEDS_RANGE = "needs a mean over redrawn units whose range is known"
_WITHOUT = "StudentT (ClusterRobust for clusters), or give the range (--range LOW,HIGH)"


@dataclass(frozen=True, slots=True)
class AgrestiCoull:
    """Plain for 0/1 counts; for any other bounded mean on its effective number of items."""

    @property
    def name(self) -> str:
        """As cited."""
        return "Agresti-Coull"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses differences and means without a known range."""
        if problem.is_difference:
            return refusal(_ONE_SCORE, problem)
        if _plain(problem) is not None or (_is_bounded(problem) and not problem.is_difference):
            return None
        return refusal(_NEEDS_RANGE, problem, None if problem.units is None else _WITHOUT)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds within the range of the score."""
        reason = self.refuses(problem)
        if reason is not None:
            return refused(self.name, reason)
        counts = _plain(problem)
        if counts is None:
            return effective(problem, level, side)
        low, high = adjusted(counts[0] / counts[1], counts[1], side.tails(level))
        return Bounds(*inside(low, high, (0.0, 1.0)), self.name)


def _plain(problem: Problem) -> tuple[int, int] | None:
    return problem.counts if problem.top == "item" else None


def _is_bounded(problem: Problem) -> bool:
    return problem.units is not None and problem.range is not None


def adjusted(rate: float, n: float, tails: tuple[float, float]) -> tuple[float, float]:
    """Agresti-Coull bounds for a ``rate`` seen on ``n`` items, not cut to [0, 1]."""
    below, above = tails
    low = -_adjusted_upper(1.0 - rate, n, normal_deviate(below)) + 1.0 if below else -math.inf
    high = _adjusted_upper(rate, n, normal_deviate(above)) if above else math.inf
    return low, high


def _adjusted_upper(rate: float, n: float, z: float) -> float:
    total = n + z * z
    if total <= 0.0:
        return rate
    centre = (n * rate + z * z / 2.0) / total
    return centre + z * math.sqrt(centre * (1.0 - centre) / total)


def bounded_moments(problem: Problem) -> Moments | None:
    """Moments that AC(nₑ) rests on: CR2 for clusters, n − 1 divisors for anything else."""
    units = problem.units
    if units is None:
        return None
    return cluster_moments(units, Kind.CR2) if units.name == "cluster" else unit_moments(units)


def effective(problem: Problem, level: float, side: Side) -> Bounds:
    """AC(nₑ) of a bounded mean of redrawn units; the all-equal rule where its variance is zero or one unit is all."""
    units, limits, moments = problem.units, problem.range, bounded_moments(problem)
    if units is None or limits is None or moments is None:
        return refused("Agresti-Coull", refusal(_NEEDS_RANGE, problem))
    notes = cluster_notes(units, moments.degrees)
    if math.isnan(moments.variance) or is_flat(moments.variance, limits, problem.value):
        flat = flat_bounds(problem, level, side)
        return replace(flat, notes=notes) if flat is not None else missing("Agresti-Coull", *notes)
    cap = effective_attempts(problem) if problem.is_binary else math.inf
    width = limits[1] - limits[0]
    rate = min(max((problem.value - limits[0]) / width, 0.0), 1.0)
    size = [
        _effective_size(rate, moments.variance / width**2, moments.degrees, tail, cap) for tail in side.tails(level)
    ]
    below, above = side.tails(level)
    low = limits[0] + width * adjusted(rate, size[0], (below, 0.0))[0] if below else -math.inf
    high = limits[0] + width * adjusted(rate, size[1], (0.0, above))[1] if above else math.inf
    shown = size[0] if below else size[1]
    method = f"Agresti-Coull on an effective n of {shown:{'.1f' if shown >= SMALL else '.2g'}}"
    if not problem.is_binary and is_nearly_flat(units):
        least = all_equal_bounds(problem.value, limits, effective_units(units), level, side)
        low, high = min(low, (problem.value + least.low) / 2.0), max(high, (problem.value + least.high) / 2.0)
        method += ", at least half the all-equal rule"
    return Bounds(*inside(low, high, limits), method, notes, None, moments.standard_error, moments.degrees)


def _effective_size(rate: float, variance: float, degrees: float, tail: float, cap: float) -> float:
    if tail == 0.0:
        return math.nan
    z, t = normal_deviate(tail), t_deviate(tail, degrees)
    # At a one-sided level of one half both are 0 and the bound is the estimate, whatever the size.
    ratio = (z / t) ** 2 if t != 0.0 else 1.0
    return min(rate * (1.0 - rate) / variance * ratio, cap)


def effective_attempts(problem: Problem) -> float:
    """1/Σ w² over the attempts: their number where all weigh the same."""
    units = problem.units
    if units is None:
        return float(problem.n_attempts)
    return _items_of(problem) * problem.n_attempts / max(len(units.item_unit), 1)  # of whole runs, each is one "item"


def _items_of(problem: Problem) -> float:
    units = problem.units
    if units is None:
        return float(problem.n_items)
    stratum = units.stratum[units.item_unit]
    size = summed(units.stratum, units.sizes, len(units.weights))
    shares = units.weights[stratum] * units.item_weights / size[stratum]
    return 1.0 / float((shares**2).sum())
