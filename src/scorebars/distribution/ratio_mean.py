"""The distribution of a ratio of sums: unequal clusters, weighted items, cost per success."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import How
from scorebars.distribution.discrete import Discrete, point
from scorebars.distribution.steps import DENSITY, compute
from scorebars.errors import ArgumentError
from scorebars.kernels import binomial, fourier
from scorebars.kernels import ratio as ratios
from scorebars.kernels.law import EPS, FloatArray, Total, atoms, dot

if TYPE_CHECKING:
    from scorebars.contracts import Distribution


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
        sums = np.array([self.cdf(centre + x) for x in away])
        first = away[-1] * sums[-1] - away[0] * sums[0] - float(np.trapezoid(sums, away))
        second = away[-1] ** 2 * sums[-1] - away[0] ** 2 * sums[0] - float(np.trapezoid(2 * away * sums, away))
        return centre + first, second - first**2 + (centre + first) ** 2

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """The smallest x with P(R* ≤ x) ≥ p, or with ``upper`` the largest x with P(R* ≥ x) ≥ 1 − p."""
        if p <= 0.0 or p >= 1.0:
            return self.ends[0 if p <= 0.0 else 1]
        target = p + binomial.slack(1.0 - p) if upper else p - binomial.slack(p)

        def rising(x: float) -> float:
            below, upto, _ = ratios.cdf(self.units, x)
            return below - target if upper else upto - target

        low, high = ratios.root(rising, *self.ends, near=self.units.value, width=6.0 * self.spread)
        return self._snapped(low if upper else high)

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


def ratio(sums: FloatArray, sizes: FloatArray, draws: int | None = None) -> Distribution:
    """The distribution of Σ s* / Σ n* for units redrawn with replacement; shapes (units,), sizes positive.

    ``draws`` units are drawn, by default as many as there are.

    Equal sizes make it a mean; else all outcomes are listed, or a joint lattice is inverted, or each x is computed.
    """
    sums, sizes = np.asarray(sums, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    if sums.shape != sizes.shape or sums.ndim != 1 or not len(sums) or not np.all(sizes > 0.0):
        raise ArgumentError(f"a ratio needs one positive size for each sum; got shapes {sums.shape} and {sizes.shape}")
    if float(sizes.min()) == float(sizes.max()):
        drawn = len(sums) if draws is None else draws
        return compute(Total(((atoms(sums / sizes[0] / drawn), drawn),)))
    units = ratios.pairs(sums, sizes, draws)
    ends = (float(units.ratios.min()), float(units.ratios.max()))
    if ends[1] - ends[0] <= 64.0 * EPS * max(abs(ends[0]), abs(ends[1])):
        return point(units.value)
    solved = ratios.listed(units) or ratios.joint(units)
    if solved is None:
        residuals = sums - units.value * sizes
        spread = math.sqrt(dot(residuals, residuals) * len(sums) / units.n) / float(sizes.sum())
        return RatioMean(units, ends, spread)
    centre = dot(solved.probs, solved.values)
    spread = math.sqrt(dot(solved.probs, (solved.values - centre) ** 2))
    return Discrete(solved, "ratio", ends, centre, spread)
