"""The m-out-of-n bootstrap: m of the n units of every stratum are redrawn (Bickel, Götze and van Zwet 1997).

Two different things go by the name, and ``rescale`` says which:

* rescaled, an interval for the n units at hand: √m (T*_m − t) stands for √n (t − θ), so the bounds are
  t − √(m/n) (q − t) with q the quantiles of T*_m from the other side. It is for statistics whose ordinary bootstrap
  fails (the median over tasks, a maximum, a mean at the edge of its range), and gives up some accuracy elsewhere.
* not rescaled, the percentile interval of T*_m: where the score of a *study of m* units would fall, as the papers on
  reinforcement learning draw medians of N < 100 of 100 runs (Agarwal et al. 2021, Figure 2); nothing about n units.

m is given, or nᵖ, or chosen from the data: of m = ⌈n·.75ʲ⌉ down to √n the one whose law of √m (T*_m − t) lies closest
to its neighbour's in Kolmogorov distance, the larger one at ties (Bickel and Sakov 2008, section 2, q = .75).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.errors import ArgumentError
from scorebars.intervals.bootstrap_law import (
    ALL_RUNS,
    check_n_boot,
    needs_all_runs,
    nothing_redrawn,
    read_bounds,
    reflected,
    two_sided,
)
from scorebars.intervals.influence import influence_of
from scorebars.intervals.wald import NOTHING, missing, refused, single_unit_note

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Distribution, Problem, Side
    from scorebars.sample import FloatArray

_SHRINK: Final = 0.75
_PLACES: Final = 401
"""Places at which two laws are compared."""


@dataclass(frozen=True, slots=True)
class MOutOfN:
    """Redraws m of n: for n units, rescaled, or for a study of m units, not rescaled."""

    m: int | None = None
    """How many units of every stratum are drawn."""
    power: float | None = None
    """m = nᵖ, rounded up, n the units of the smallest stratum. Neither m nor power: chosen from the data."""
    rescale: bool = True
    """Whether the interval is for the n units at hand (× √(m/n)), or the law of a study of m units."""
    n_boot: int | None = None
    """None: computed where possible, else the default number of resamples. A number forces Monte Carlo."""

    def __post_init__(self) -> None:
        check_n_boot(self.n_boot)
        if self.m is not None and self.power is not None:
            raise ArgumentError(f"m={self.m} and power={self.power:g}: give one of them, or neither (automatic)")
        if self.m is not None and self.m < 1:
            raise ArgumentError(f"m={self.m}: at least 1 unit must be drawn")
        if self.power is not None and not 0.0 < self.power <= 1.0:
            raise ArgumentError(f"power={self.power:g}: must lie above 0 and be at most 1; m = n^power, such as 0.7")

    @property
    def name(self) -> str:
        """As cited; results add m and n."""
        return "m-out-of-n bootstrap" if self.rescale else "m-out-of-n percentile bootstrap"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses where nothing can be redrawn, and m runs under pass@k and pass^k."""
        if not problem.top:
            return NOTHING
        return ALL_RUNS if needs_all_runs(problem) else None

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds whose method says m, n and whether they are rescaled."""
        if not problem.top:
            return nothing_redrawn(self.name)
        reason = self.refuses(problem)
        if reason is not None:
            return refused(self.name, reason)
        drawn = self._drawn(problem)
        if drawn is None:
            return missing(self.name, single_unit_note(problem))
        law, name = drawn.law, f"{self.name}, {drawn.words}"

        def ends(below: float, above: float) -> tuple[float, float]:
            if not self.rescale:
                return law.quantile(below), law.quantile(1.0 - above, upper=True)
            far = law.quantile(1.0 - below, upper=True), law.quantile(above)
            return reflected(problem, far[0], drawn.scale), reflected(problem, far[1], drawn.scale)

        return read_bounds(problem, law, name, (level, side), ends)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value, by the level at which the interval ends there."""
        drawn = self._drawn(problem) if self.refuses(problem) is None else None
        if drawn is None:
            return math.nan
        away = problem.value - problem.null
        return two_sided(drawn.law, problem.value + away / drawn.scale if self.rescale else problem.null)

    def _drawn(self, problem: Problem) -> _Drawn | None:
        """The law of T*_m with its m; None where there are no two units to redraw."""
        influence = influence_of(problem)
        if influence is None:
            return None
        n = int(influence.count.min())
        how = ""
        if self.m is not None:
            m = self.m
        elif self.power is not None:
            m = power_of(n, self.power)
        else:
            m, how = automatic_m(problem, n, self.n_boot), " (automatic)"
        many = "" if n == int(influence.count.max()) else f" to {int(influence.count.max())}"
        sort = f"rescaled by √(m/n) for n = {n}{many}" if self.rescale else f"law of a study of {m}"
        scale = influence.size_ratio(np.full(len(influence.count), float(m)))
        return _Drawn(problem.distribution(self.n_boot, draws=m), f"m = {m}{how}, {sort}", scale)


@dataclass(frozen=True, slots=True)
class _Drawn:
    law: Distribution
    words: str
    scale: float
    """√(m/n)."""


def power_of(n: int, power: float) -> int:
    """⌈nᵖ⌉, without the step that rounding adds to whole powers."""
    return max(math.ceil(math.pow(n, power) - 1e-9), 1)


def candidates(n: int) -> list[int]:
    """⌈n·.75ʲ⌉ from n down to √n, largest first."""
    found: list[int] = []
    size = float(n)
    while math.ceil(size) >= max(math.sqrt(n), 2.0):
        if not found or math.ceil(size) < found[-1]:
            found.append(math.ceil(size))
        size *= _SHRINK
    return found or [n]


def automatic_m(problem: Problem, n: int, n_boot: int | None) -> int:
    """The m whose law of √m (T*_m − t) lies closest to that of the next smaller candidate."""
    sizes = candidates(n)
    spread = problem.distribution(n_boot, draws=n).std * math.sqrt(n)
    if len(sizes) < 3 or not spread > 0.0:
        return n
    places = np.linspace(-4.0, 4.0, _PLACES) * spread
    laws = [_root_law(problem, m, n_boot, places) for m in sizes]
    distances = [float(np.max(np.abs(one - other))) for one, other in pairwise(laws)]
    return sizes[int(np.argmin(distances))]


def _root_law(problem: Problem, m: int, n_boot: int | None, places: FloatArray) -> FloatArray:
    """P(√m (T*_m − t) ≤ x), half of ties counted, at each of the places."""
    law = problem.distribution(n_boot, draws=m)
    points = problem.value + places / math.sqrt(m)
    return np.array([(law.cdf(float(x)) + law.below(float(x))) / 2.0 for x in points])
