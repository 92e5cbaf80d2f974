"""The studentized bootstrap, or bootstrap-t, of a mean (Efron 1982; Davison and Hinkley 1997, eq. 5.7).

Each resample gives t* = (T* − t)/se*, se* its own standard error; the bounds are t − se·q(1 − α/2) and t − se·q(α/2)
with q the quantiles of t*. Being a pivot, it learns from the data how skewed the t statistic is: exponential scores it
covers .94 to .95 of the time at n = 10 to 100, where Student's t covers .90 to .94, lognormal ones .90 to .94 against
.83 to .92 (4,000 sets each). The price is width, 1.2 times that of t in the median at n = 10. It can leave the range.

A resample without spread (se* = 0) has t* = ±∞ and stays: dropping it, as is often done, would drop the largest. Where
T* = t as well it counts on both sides. So bounds may not exist, when more than α/2 of the resamples have no spread.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.contracts import Bounds
from scorebars.errors import ArgumentError
from scorebars.intervals.all_equal import is_flat, with_instead
from scorebars.intervals.moments import moments_of
from scorebars.intervals.wald import missing, past_range, refusal, refused, single_unit_note, symmetric
from scorebars.notes import note

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Side, Units
    from scorebars.intervals.moments import Moments
    from scorebars.sample import FloatArray

DEFAULT_N_BOOT: Final = 9_999
"""(n_boot + 1)·α/2 is whole for the usual levels."""
_NEEDS_UNITS = "needs a mean over units of one redrawn level, whose standard error is known in closed form"
_WITHOUT = "BCa or Percentile (Mover for an unpaired difference)"
_USE_INSTEAD = "use StudentT, or give the score's range (--range LOW,HIGH)"


@dataclass(frozen=True, slots=True)
class Studentized:
    """Value − standard error × quantiles of the redrawn t statistic. Always drawn: the same seed, the same bounds."""

    n_boot: int = DEFAULT_N_BOOT

    def __post_init__(self) -> None:
        if self.n_boot < 1:
            raise ArgumentError(f"n_boot={self.n_boot}: the number of resamples must be at least 1")

    @property
    def name(self) -> str:
        """As cited."""
        return "studentized bootstrap"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses statistics that are no mean of units, and several redrawn levels."""
        served = problem.units is not None and len(problem.levels) == 1
        return None if served else refusal(_NEEDS_UNITS, problem, _WITHOUT)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds of the pivot; NaN where too many resamples have no spread."""
        moments = moments_of(problem)
        if moments is None or self.refuses(problem) is not None:
            return refused(self.name, refusal(_NEEDS_UNITS, problem, _WITHOUT))
        if math.isnan(moments.variance):
            return missing(self.name, single_unit_note(problem))
        if is_flat(moments.variance, problem.range, problem.value):
            low, high = symmetric(problem.value, 0.0, side.tails(level), math.inf)
            return with_instead(Bounds(low, high, self.name), problem, level, side)
        drawn = self._drawn(problem, moments)
        low, high = drawn.bounds(side.tails(level))
        if math.isnan(low) or math.isnan(high):
            return missing(self.name, note("no-spread", share=drawn.without_spread, instead=_USE_INSTEAD))
        from scorebars.distribution import MonteCarlo

        law = MonteCarlo(problem.value - moments.standard_error * drawn.finite)
        notes = past_range(problem, self.name, low, high)
        return Bounds(low, high, self.name, notes, None, moments.standard_error, None, law)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value: twice the smaller tail of t* beyond t, of n_boot + 1."""
        moments = moments_of(problem) if self.refuses(problem) is None else None
        if moments is None or not moments.variance > 0.0 or is_flat(moments.variance, problem.range, problem.value):
            return math.nan
        drawn = self._drawn(problem, moments)
        observed = (problem.value - problem.null) / moments.standard_error
        tail = min(int(np.sum(drawn.upper >= observed)), int(np.sum(drawn.lower <= observed)))
        return min(1.0, 2.0 * (tail + 1) / (self.n_boot + 1))

    def _drawn(self, problem: Problem, moments: Moments) -> _Drawn:
        values, errors = problem.studentized(self.n_boot)
        away = values - moments.value
        # What rounding leaves of no spread, and of no distance.
        away = np.where(np.abs(away) <= 1e-12 * moments.standard_error, 0.0, away)
        bare = errors <= 1e-12 * moments.standard_error
        infinite = np.where(away == 0.0, np.nan, np.copysign(np.inf, away))
        return _Drawn(np.where(bare, infinite, away / np.where(bare, 1.0, errors)), problem.value, moments)


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """The redrawn t statistics; NaN stands for a resample with neither spread nor distance."""

    statistics: FloatArray
    value: float
    moments: Moments

    @property
    def upper(self) -> FloatArray:
        """For the upper quantile: the undecided ones count as +∞."""
        return np.nan_to_num(self.statistics, nan=np.inf, posinf=np.inf, neginf=-np.inf)

    @property
    def lower(self) -> FloatArray:
        """For the lower quantile: the undecided ones count as −∞."""
        return np.nan_to_num(self.statistics, nan=-np.inf, posinf=np.inf, neginf=-np.inf)

    @property
    def finite(self) -> FloatArray:
        """Those that are numbers."""
        return self.statistics[np.isfinite(self.statistics)]

    @property
    def without_spread(self) -> float:
        """Share of the others."""
        return 1.0 - len(self.finite) / len(self.statistics)

    def bounds(self, tails: tuple[float, float]) -> tuple[float, float]:
        """The bounds; NaN where the quantile is infinite. The k-th of n_boot, k = (n_boot + 1)·tail rounded down."""
        below, above = tails
        error = self.moments.standard_error
        low = self.value - error * -_smallest(-self.upper, below) if below else -math.inf
        high = self.value - error * _smallest(self.lower, above) if above else math.inf
        return (low if below == 0.0 or math.isfinite(low) else math.nan), (
            high if above == 0.0 or math.isfinite(high) else math.nan
        )


def share_without_spread(units: Units) -> float:
    """The probability that a resample has no spread: Π_t Σ_v (c_v/n_t)^n_t over the values v of each stratum."""
    share = 1.0
    values = units.sums / units.sizes
    for stratum in range(len(units.weights)):
        counts = np.unique(values[units.stratum == stratum], return_counts=True)[1]
        share *= float(np.sum((counts / counts.sum()) ** float(counts.sum())))
    return share


def _smallest(values: FloatArray, tail: float) -> float:
    rank = math.floor((len(values) + 1) * tail + 1e-9)
    return float(np.partition(values, rank - 1)[rank - 1]) if rank >= 1 else -math.inf
