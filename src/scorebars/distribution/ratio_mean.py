"""The distribution of a ratio of sums: unequal clusters, weighted items, cost per success."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.contracts import How
from scorebars.distribution.discrete import Discrete, point
from scorebars.distribution.steps import DENSITY, compute
from scorebars.errors import ArgumentError
from scorebars.kernels import binomial, compositions, fourier, ratio_rows
from scorebars.kernels import ratio as ratios
from scorebars.kernels.law import EPS, FloatArray, Total, atoms, dot

if TYPE_CHECKING:
    from scorebars.contracts import Distribution

CLOSE: Final = 1e-6
"""How close to a quantile the search stops, in standard deviations, where a grid tells the CDF."""
PART_WAYS: Final = 1 << 14
"""Ways to fall of a ratio that is one of several parts, up to which they are listed."""
PART_CELLS: Final = 1 << 15
"""Cells of its joint lattice, up to which that is inverted."""


@dataclass(frozen=True, eq=False)
class RatioMean:
    """The distribution of Σ s* / Σ n* where outcomes are too many to hold: one transform for each x that is asked."""

    units: ratios.Pairs
    ends: tuple[float, float]
    spread: float
    """Standard deviation by linearisation, to start searches from."""
    step: str = "ratio"
    how: How = How.COMPUTED
    n_boot: None = None

    @cached_property
    def error(self) -> float:
        """That of the series in a quantile; of the grid, where the series does not converge at the value."""
        converged = ratios.cdf(self.units, self.units.value, look=True)[2]
        return self.spread * (fourier.DEAD / DENSITY if converged else 1e-3)

    @cached_property
    def mean(self) -> float:
        """E[R*], from the CDF."""
        return self._moments[0]

    @cached_property
    def std(self) -> float:
        """Standard deviation of R*, from the CDF."""
        return math.sqrt(max(self._moments[1] - self._moments[0] ** 2, 0.0)) or self.spread

    @cached_property
    def _moments(self) -> tuple[float, float]:
        """E[R*] and E[R*²] by the trapezoid rule; about the data's ratio, so that nothing cancels."""
        centre, width = self.units.value, 10.0 * self.spread
        away = np.linspace(max(self.ends[0] - centre, -width), min(self.ends[1] - centre, width), 121)
        sums = self.cdfs(centre + away)[0]
        first = away[-1] * sums[-1] - away[0] * sums[0] - float(np.trapezoid(sums, away))
        second = away[-1] ** 2 * sums[-1] - away[0] ** 2 * sums[0] - float(np.trapezoid(2 * away * sums, away))
        return centre + first, second - first**2 + (centre + first) ** 2

    def cdfs(self, x: FloatArray) -> tuple[FloatArray, float]:
        """P(R* ≤ x) at many x, read as its middle where it has steps, and how loud a transform was where it was cut."""
        found = (x >= self.ends[1]).astype(np.float64)
        inside = (x > self.ends[0]) & (x < self.ends[1])
        found[inside], left = ratio_rows.cdf(self.units, x[inside])
        return found, left

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """The smallest x with P(R* ≤ x) ≥ p, or with ``upper`` the largest x with P(R* ≥ x) ≥ 1 − p."""
        if p <= 0.0 or p >= 1.0:
            return self.ends[0 if p <= 0.0 else 1]
        target = p + binomial.slack(1.0 - p) if upper else p - binomial.slack(p)

        def rising(x: float) -> float:
            below, upto, _ = ratios.cdf(self.units, x)
            return below - target if upper else upto - target

        # On a grid, F is a staircase: only a step at the ratio of a single pair is worth climbing up to.
        close = 0.0 if self._converges else CLOSE * self.spread
        low, high = ratios.root(rising, *self.ends, near=self.units.value, width=6.0 * self.spread, close=close)
        known = self.units.ratios
        if close and np.any((known >= low) & (known <= high)):
            low, high = ratios.root(rising, low, high, near=0.5 * (low + high), width=high - low)
        return self._snapped(low if upper else high)

    @cached_property
    def _converges(self) -> bool:
        return ratios.cdf(self.units, self.units.value)[2]

    def _snapped(self, x: float) -> float:
        """The ratio of one pair, on which many resamples fall, if x found nothing but that."""
        known = np.append(self.units.ratios, 0.0)
        nearest = float(known[np.argmin(np.abs(known - x))])
        return nearest if abs(nearest - x) <= 1e-11 * max(abs(end) for end in self.ends) else x

    def cdf(self, x: float) -> float:
        """P(R* ≤ x)."""
        if x >= self.ends[1]:
            return 1.0
        return 0.0 if x < self.ends[0] else ratios.cdf(self.units, x)[1]

    def below(self, x: float) -> float:
        """P(R* < x)."""
        if x <= self.ends[0]:
            return 0.0
        return 1.0 if x > self.ends[1] else ratios.cdf(self.units, x)[0]


def ratio(sums: FloatArray, sizes: FloatArray, draws: int | None = None, *, part: bool = False) -> Distribution:
    """The distribution of Σ s* / Σ n* for units redrawn with replacement; shapes (units,), sizes positive.

    ``draws`` units are drawn, by default as many as there are. A ``part`` of a sum is listed only where that is quick.

    Equal sizes make it a mean; else all outcomes are listed, or a joint lattice is inverted, or each x is computed.

    Raises:
        ArgumentError: shapes that differ, or a size that is not positive.
    """
    sums, sizes = np.asarray(sums, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    if sums.shape != sizes.shape or sums.ndim != 1 or not len(sums) or not np.all(sizes > 0.0):
        raise ArgumentError(f"a ratio needs one positive size for each sum; got shapes {sums.shape} and {sizes.shape}")
    if float(sizes.min()) == float(sizes.max()):
        drawn = len(sums) if draws is None else draws
        return compute(Total(((atoms(sums / sizes[0] / drawn), drawn),)))
    return ratio_of(ratios.pairs(sums, sizes, draws), part=part)


def ratio_of(units: ratios.Pairs, *, part: bool = False) -> Distribution:
    """The same from pairs of sums and sizes, which are not all of one size."""
    ends = (float(units.ratios.min()), float(units.ratios.max()))
    if ends[1] - ends[0] <= 64.0 * EPS * max(abs(ends[0]), abs(ends[1])):
        return point(units.value)
    limits = (PART_WAYS, PART_CELLS) if part else (compositions.LIMIT, ratios.MAX_CELLS)
    solved = ratios.listed(units, limits[0]) or ratios.joint(units, limits[1])
    if solved is None:
        return RatioMean(units, ends, units.spread)
    centre = dot(solved.probs, solved.values)
    spread = math.sqrt(dot(solved.probs, (solved.values - centre) ** 2))
    return Discrete(solved, "ratio", ends, centre, spread)
