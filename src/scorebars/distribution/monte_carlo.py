"""The distribution of drawn replicates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.contracts import How
from scorebars.errors import ArgumentError

if TYPE_CHECKING:
    from scorebars.kernels.law import FloatArray

ENDS: Final = (0.025, 0.975)
"""Quantiles whose error is told: the bounds of a 95 % interval."""
EQUAL: Final = 1e-12
"""Replicates closer than this share of the largest are one value, rounded differently."""


@dataclass(frozen=True, eq=False)
class MonteCarlo:
    """The replicates of a statistic, shape (n_boot,)."""

    replicates: FloatArray
    how: How = How.MONTE_CARLO
    step: str = "monte-carlo"

    def __post_init__(self) -> None:
        if self.replicates.ndim != 1 or self.replicates.size == 0:
            raise ArgumentError(f"replicates must be one row of numbers, got shape {self.replicates.shape}")

    @property
    def n_boot(self) -> int:
        """Number of resamples."""
        return len(self.replicates)

    @cached_property
    def error(self) -> float:
        """Standard error of the 2.5 % or the 97.5 % quantile, whichever is larger; 0 where all replicates are equal."""
        return max(self._error_at(p) for p in ENDS)

    def _error_at(self, p: float) -> float:
        """Half the distance of the order statistics one SE of rank around the quantile.

        Replicates on a lattice tie, and that distance may then be 0, though another seed moves the bound by a step: it
        is never less than the distance to the nearest other replicate.
        """
        n = self.n_boot
        rank, spread = p * (n - 1), math.sqrt(p * (1.0 - p) * n)
        low, high = max(math.floor(rank - spread), 0), min(math.ceil(rank + spread), n - 1)
        return max(float(self._sorted[high] - self._sorted[low]) / 2.0, self._step_at(round(rank)))

    def _step_at(self, rank: int) -> float:
        """Distance of the replicate of this rank to the nearest one that differs; 0 where none does."""
        x = self._sorted[rank]
        slack = EQUAL * float(np.max(np.abs(self._sorted[[0, -1]])))
        below = int(np.searchsorted(self._sorted, x - slack, side="left"))
        above = int(np.searchsorted(self._sorted, x + slack, side="right"))
        steps = [float(x - self._sorted[below - 1])] if below else []
        steps += [float(self._sorted[above] - x)] if above < self.n_boot else []
        return min(steps, default=0.0)

    @cached_property
    def mean(self) -> float:
        """Mean of the replicates."""
        return float(np.mean(self.replicates))

    @cached_property
    def std(self) -> float:
        """Standard deviation of the replicates, divisor n_boot − 1."""
        return float(np.std(self.replicates, ddof=1)) if self.n_boot > 1 else math.nan

    def quantile(self, p: float, *, upper: bool = False) -> float:  # noqa: ARG002 the protocol's; no ties to settle here
        """``np.quantile`` of the replicates, to the last bit; they are put in order once, not for every quantile."""
        ordered, place = self._sorted, p * (self.n_boot - 1)
        if not 0.0 <= p <= 1.0 or math.isnan(ordered[-1]):
            return float(np.quantile(self.replicates, p))
        if p == 1.0:
            return float(ordered[-1])
        before = int(place)
        low, high = float(ordered[before]), float(ordered[min(before + 1, self.n_boot - 1)])
        share = place - before
        return low + (high - low) * share if share < 0.5 else high - (high - low) * (1.0 - share)

    def cdf(self, x: float) -> float:
        """Share of the replicates at or below x."""
        return int(np.searchsorted(self._sorted, x, side="right")) / self.n_boot

    def below(self, x: float) -> float:
        """Share of the replicates below x."""
        return int(np.searchsorted(self._sorted, x, side="left")) / self.n_boot

    @cached_property
    def _sorted(self) -> FloatArray:
        return np.sort(self.replicates)
