"""A distribution in two parts: listed values, and a smooth rest given by its Fourier series."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import How
from scorebars.kernels import binomial
from scorebars.kernels.law import EPS, Atoms

if TYPE_CHECKING:
    from scorebars.kernels import fourier
    from scorebars.kernels.law import FloatArray


@dataclass(frozen=True, eq=False)
class PartlyListed:
    """Listed values with probabilities that sum to less than 1, and a smooth law with what is left."""

    atoms: Atoms
    series: fourier.Series
    ends: tuple[float, float]
    mean: float
    std: float
    error: float
    step: str = "fourier"
    how: How = How.COMPUTED
    n_boot: None = None

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """The smallest x with P(T* ≤ x) ≥ p, or with ``upper`` the largest x with P(T* ≥ x) ≥ 1 − p."""
        if p <= 0.0 or p >= 1.0:
            return self.ends[0 if p <= 0.0 else 1]
        target = p + binomial.slack(1.0 - p) if upper else p - binomial.slack(p)
        # Of the values with P(T* ≤ value) past the target the first; the quantile is that or lies in the gap before it.
        place = self._first_past(target)
        before = float(self._sums[place])
        share = (target - before) / self._rest
        gap = self._gap(place)
        if share <= 0.0:
            return gap[0]
        if place < len(self.atoms.values) and before + self._rest * self.series.cdf(gap[1]) <= target:
            return gap[1]
        return min(max(self.series.quantile(min(share, 1.0)), gap[0]), gap[1])

    def cdf(self, x: float) -> float:
        """P(T* ≤ x); a listed value that differs from x by rounding alone counts as x."""
        if x >= self.ends[1]:
            return 1.0
        place = int(np.searchsorted(self.atoms.values, x + self._tie, side="right"))
        return min(float(self._sums[place]) + self._rest * self.series.cdf(x), 1.0)

    def below(self, x: float) -> float:
        """P(T* < x)."""
        if x <= self.ends[0]:
            return 0.0
        place = int(np.searchsorted(self.atoms.values, x - self._tie, side="left"))
        return min(float(self._sums[place]) + self._rest * self.series.cdf(x), 1.0)

    def _first_past(self, target: float) -> int:
        """Index of the first listed value with P(T* ≤ value) ≥ target; their number if there is none."""
        low, high = 0, len(self.atoms.values)
        while low < high:
            middle = (low + high) // 2
            upto = float(self._sums[middle + 1]) + self._rest * self.series.cdf(float(self.atoms.values[middle]))
            low, high = (low, middle) if upto >= target else (middle + 1, high)
        return low

    def _gap(self, place: int) -> tuple[float, float]:
        """The listed values around the gap before the one of this index; the ends where there is none."""
        values = self.atoms.values
        return (
            float(values[place - 1]) if place else self.ends[0],
            float(values[place]) if place < len(values) else self.ends[1],
        )

    @cached_property
    def _sums(self) -> FloatArray:
        """Probability of the first 0, 1, … of the listed values."""
        return np.concatenate([np.zeros(1), np.cumsum(self.atoms.probs)])

    @property
    def _rest(self) -> float:
        """Probability of the smooth part."""
        return 1.0 - float(self._sums[-1])

    @property
    def _tie(self) -> float:
        return 64.0 * EPS * max(abs(self.ends[0]), abs(self.ends[1]))
