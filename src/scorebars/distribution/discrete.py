"""A distribution on listed points: a lattice, a list of outcomes, a grid, a joint lattice of ratios."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scorebars.contracts import How
from scorebars.kernels import binomial
from scorebars.kernels.law import EPS, Atoms, FloatArray


@dataclass(frozen=True, eq=False)
class Discrete:
    """A distribution on listed points."""

    atoms: Atoms
    step: str
    ends: tuple[float, float]
    """Smallest and largest possible value; the listed points may stop short of them where 1e-15 is left."""
    mean: float
    std: float
    error: float = 0.0
    how: How = How.COMPUTED
    n_boot: None = None

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """The smallest x with P(T* ≤ x) ≥ p, or with ``upper`` the largest x with P(T* ≥ x) ≥ 1 − p."""
        if (p >= 1.0) if upper else (p <= 0.0):
            return self.ends[int(upper)]
        place = -1 - _first(self._from_above, 1.0 - p) if upper else _first(self._from_below, p)
        return min(max(float(self.atoms.values[place]), self.ends[0]), self.ends[1])

    def cdf(self, x: float) -> float:
        """P(T* ≤ x); a point that differs from x by rounding alone counts as x."""
        return self._sum_of(int(np.searchsorted(self.atoms.values, x + self._tie, side="right")))

    def below(self, x: float) -> float:
        """P(T* < x)."""
        return self._sum_of(int(np.searchsorted(self.atoms.values, x - self._tie, side="left")))

    def _sum_of(self, place: int) -> float:
        return min(float(self._from_below[place - 1]), 1.0) if place else 0.0

    @cached_property
    def _tie(self) -> float:
        gap = float(np.min(np.diff(self.atoms.values), initial=np.inf))
        rounding = 64.0 * EPS * max(abs(self.ends[0]), abs(self.ends[1]))
        return min(max(rounding, 1e-6 * self.std / 1e3), 0.25 * gap) if math.isfinite(gap) else rounding

    @cached_property
    def _from_below(self) -> FloatArray:
        return np.cumsum(self.atoms.probs)

    @cached_property
    def _from_above(self) -> FloatArray:
        return np.cumsum(self.atoms.probs[::-1])


def point(value: float) -> Discrete:
    """The distribution that is ``value`` for certain; std 0."""
    return Discrete(Atoms(np.array([value]), np.ones(1)), "point", (value, value), value, 0.0)


def zeroed(atoms: Atoms, ends: tuple[float, float]) -> Atoms:
    """Points that differ from 0 by rounding alone are 0, so that no bound is 'just above' it."""
    tiny = 64.0 * EPS * max(abs(ends[0]), abs(ends[1]))
    return Atoms(np.where(np.abs(atoms.values) <= tiny, 0.0, atoms.values), atoms.probs)


def _first(sums: FloatArray, target: float) -> int:
    """Index at which the running sums reach ``target`` less the slack; the last one if never."""
    return min(int(np.searchsorted(sums, target - binomial.slack(target))), len(sums) - 1)
