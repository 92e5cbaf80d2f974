"""Many means at once, each of draws from equally likely values: their reach and the lattices they lie on.

All arrays have one row a mean. What is worked out is what ``transform.reach`` and ``lattice.common_step`` work out of
one law, in the same steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scorebars.kernels.lattice import MAX_POINTS, NEAR
from scorebars.kernels.law import EPS
from scorebars.kernels.transform import TAIL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.kernels.law import FloatArray


@dataclass(frozen=True, eq=False)
class Rows:
    """T = the sum of ``draws`` draws, for each row."""

    values: FloatArray
    """What one draw adds, shape (rows, n), each row in ascending order."""
    draws: int

    @cached_property
    def mean(self) -> FloatArray:
        """Of one draw."""
        low = self.values[:, :1]
        return np.asarray(low[:, 0] + np.add.reduce(self.values - low, axis=1) / self.values.shape[1])

    @cached_property
    def away(self) -> FloatArray:
        """Values less their mean."""
        return np.asarray(self.values - self.mean[:, np.newaxis])

    @cached_property
    def variance(self) -> FloatArray:
        """Of one draw."""
        return np.asarray(np.add.reduce(self.away * self.away, axis=1) / self.values.shape[1])

    @cached_property
    def gaps(self) -> FloatArray:
        """Distances of neighbouring values."""
        return np.diff(self.values, axis=1)

    @cached_property
    def distinct(self) -> NDArray[np.int64]:
        """How many different values there are."""
        return np.asarray(1 + np.count_nonzero(self.gaps, axis=1))

    @cached_property
    def noise(self) -> FloatArray:
        """How far off a value may be by rounding."""
        return np.asarray(4.0 * EPS * np.maximum(np.abs(self.values[:, 0]), np.abs(self.values[:, -1])))

    def of(self, which: NDArray[np.int64]) -> Rows:
        """Some of the rows."""
        return self if len(which) == len(self.values) else Rows(self.values[which], self.draws)


def reach(rows: Rows) -> tuple[FloatArray, FloatArray]:
    """How far below and above its mean T lies, as :func:`scorebars.kernels.transform.reach` says of one law."""
    budget = -math.log(TAIL)
    normal = np.sqrt(2.0 * budget * rows.draws * rows.variance)
    below, above = -rows.away[:, 0], rows.away[:, -1]
    down, up = (_one_sided(rows, normal, budget, *side) for side in ((below, -1.0), (above, 1.0)))
    return np.minimum(down, rows.draws * below), np.minimum(up, rows.draws * above)


def _one_sided(rows: Rows, normal: FloatArray, budget: float, largest: FloatArray, sign: float) -> FloatArray:
    """Bernstein's bound where it is near enough, else Chernoff's on 24 arguments."""
    linear = largest * budget / 3.0
    bound = linear + np.hypot(linear, normal)
    for row in np.flatnonzero(linear > 0.3 * normal).tolist():
        gauss = 2.0 * budget / normal[row]
        s = np.geomspace(min(gauss, 0.5 / largest[row]), 2.0 * gauss, 24)
        exponents = (sign * s)[:, np.newaxis] * rows.away[row]
        top = exponents.max(axis=1)
        grown = np.exp(exponents - top[:, np.newaxis])
        logs = np.log(np.add.reduce(grown, axis=1) / grown.shape[1]) + top
        bound[row] = np.min((rows.draws * logs + budget) / s)
    return np.asarray(bound)


def common_steps(rows: Rows) -> FloatArray:
    """Of each row what ``lattice.common_step`` finds; NaN where there is no step of use."""
    found = np.full(len(rows.values), np.nan)
    gaps, noise = rows.gaps, rows.noise
    counted = gaps > 2.0 * noise[:, np.newaxis]
    step = np.min(np.where(counted, gaps, np.inf), axis=1)
    least, doubt = gaps.max(axis=1) / MAX_POINTS, 2.0 * noise
    left = np.arange(len(gaps))
    while True:
        keep = (step > least) & (doubt < step / 8.0) & np.isfinite(step)
        if not keep.all():
            left, gaps, noise, counted = left[keep], gaps[keep], noise[keep], counted[keep]
            step, least, doubt = step[keep], least[keep], doubt[keep]
        if not len(left):
            return found
        quotients = np.rint(gaps / step[:, np.newaxis])
        remainders = np.abs(gaps - quotients * step[:, np.newaxis])
        doubts = 2.0 * noise[:, np.newaxis] + quotients * doubt[:, np.newaxis]
        live = counted & (remainders > np.maximum(2.0 * doubts, NEAR * step[:, np.newaxis]))
        on = ~live.any(axis=1)
        found[left[on]] = step[on]
        smallest = np.argmin(np.where(live, remainders, np.inf), axis=1)
        each = np.arange(len(left))
        step, doubt = np.where(on, 0.0, remainders[each, smallest]), doubts[each, smallest]
