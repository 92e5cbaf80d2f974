"""A distribution given by its Fourier series."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import How

if TYPE_CHECKING:
    from scorebars.kernels import fourier, lattice


@dataclass(frozen=True, eq=False)
class Smooth:
    """A distribution given by its Fourier series, on a fine lattice perhaps."""

    series: fourier.Series
    ends: tuple[float, float]
    mean: float
    std: float
    error: float
    lattice: lattice.Lattice | None = None
    step: str = "fourier"
    how: How = How.COMPUTED
    n_boot: None = None

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """The x with P(T* ≤ x) = p; on a lattice the point that the two conventions for ties ask for."""
        if p <= 0.0 or p >= 1.0:
            return self.ends[0 if p <= 0.0 else 1]
        x = self.series.quantile(p)
        if self.lattice is not None:
            index = x / self.lattice.step - self.lattice.base
            k = math.floor(index + 0.5) if upper else math.ceil(index - 0.5)
            x = float(self.lattice.points(np.array([k]))[0])
        return min(max(x, self.ends[0]), self.ends[1])

    def cdf(self, x: float) -> float:
        """P(T* ≤ x)."""
        return 1.0 if x >= self.ends[1] else self.series.cdf(x + self._half)

    def below(self, x: float) -> float:
        """P(T* < x)."""
        return 0.0 if x <= self.ends[0] else self.series.cdf(x - self._half)

    @property
    def _half(self) -> float:
        return 0.5 * self.lattice.step if self.lattice is not None else 0.0
