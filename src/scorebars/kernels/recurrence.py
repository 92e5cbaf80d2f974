"""Where a transform comes back after it has died out.

Scores that nearly lie on a lattice (0 and 1, with a few at .3333 or in single precision) have a transform that dies out
and is large again far away, as that of a lattice is. A Fourier series cut before that is smooth where the law has
steps. So the transform is bounded on all frequencies up to a horizon: each leaf is put on a fine grid, one FFT gives
its transform at close frequencies, and what lies between them and what the grid blurs is added to the bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels.law import Atoms, FloatArray, Law, Mixture, Total, dot, leaves, size
from scorebars.kernels.transform import log_transform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

POINTS: Final = 2**18
"""FFT points of a lone leaf."""
ALL_POINTS: Final = 2**22
LEAST_POINTS: Final = 2**12
TERMS: Final = 64
"""Terms of a sum that are looked at: |φ| of the others is at most 1."""
PADDING: Final = 16
"""Frequencies looked at within one turn of the widest leaf."""
BLUR: Final = 0.3
"""Largest phase across one grid cell: the grid changes |φ| of a leaf by at most its square over 8."""
COARSER: Final = 4
"""How many times coarser, in frequencies and in cells, the first look is: a sixteenth of the points."""
CLOSE_WORK: Final = 1 << 22
"""Values × frequencies that may be spent on a closer look."""


@dataclass(frozen=True, slots=True)
class Horizon:
    """How far a transform was looked at, and the last frequency there at which it may not be dead."""

    t: float
    last: float


def look(law: Law, dead: float, beyond: float, until: float = math.inf) -> Horizon:
    """Look for frequencies in (beyond, until] where |φ| may exceed ``dead``; ``last`` is ``beyond`` if there are none.

    Bounds may be too large, never too small.
    """
    few = _some_terms(law)
    widest = max(float(leaf.values[-1] - leaf.values[0]) for leaf in leaves(few))
    points = min(POINTS, max(ALL_POINTS // len(leaves(few)), LEAST_POINTS))
    points = 1 << (points.bit_length() - 1)
    grid = _Grid(PADDING * widest / points, points, BLUR)
    horizon = min(BLUR / grid.step, until)
    quiet = _quiet_until(few, dead, beyond, widest)
    if horizon <= quiet:
        return Horizon(quiet, beyond)
    # Most laws are dead by so much that bounds of a quarter of the sharpness say so, at a sixteenth of the cost.
    rough = _Grid(COARSER * grid.step, points // COARSER**2, COARSER * BLUR)
    if not len(rough.loud(few, dead, quiet, horizon)):
        return Horizon(horizon, beyond)
    suspects = _confirmed(law, dead, grid.loud(few, dead, quiet, horizon), grid.spacing)
    return Horizon(horizon, max(beyond, float(suspects[-1]) if len(suspects) else beyond))


@dataclass(frozen=True, slots=True)
class _Grid:
    """A grid of cells of width ``step`` and the frequencies of its DFT."""

    step: float
    points: int
    blur: float
    """Largest phase across a cell at the frequencies that are asked about."""

    def loud(self, law: Law, dead: float, first: float, last: float) -> NDArray[np.int64]:
        """Numbers of the frequencies from ``first`` to ``last`` about which |φ| may exceed ``dead``."""
        start = math.floor(first / self.spacing)
        bound = self.bound(law, start, math.ceil(last / self.spacing))
        return np.asarray(start + np.flatnonzero(bound > dead))

    @property
    def spacing(self) -> float:
        """Distance of neighbouring frequencies."""
        return 2.0 * math.pi / (self.points * self.step)

    def bound(self, law: Law, first: int, last: int) -> FloatArray:
        """An upper bound of |φ| within half a spacing of each frequency first … last."""
        if isinstance(law, Total):
            logs = [count * np.log(self.bound(term, first, last)) for term, count in law.terms]
            return np.asarray(np.exp(np.add.reduce(logs)), dtype=np.float64)
        if isinstance(law, Mixture):
            terms = zip(law.parts, law.weights.tolist(), strict=True)
            return np.asarray(sum(weight * self.bound(part, first, last) for part, weight in terms), dtype=np.float64)
        return self._leaf(law, first, last)

    def _leaf(self, law: Atoms, first: int, last: int) -> FloatArray:
        index = (law.values - law.values[0]) / self.step
        cell = np.floor(index).astype(np.int64)
        share = index - cell
        sums = np.bincount(cell, weights=law.probs * (1.0 - share), minlength=self.points)
        sums += np.bincount(cell + 1, weights=law.probs * share, minlength=self.points)
        sampled = np.abs(np.fft.rfft(sums)[first : last + 1])
        between = 0.5 * self.spacing * _mean_distance(law)
        return np.asarray(np.minimum(sampled + between + self.blur * self.blur / 8.0, 1.0), dtype=np.float64)


def _quiet_until(law: Law, dead: float, beyond: float, widest: float) -> float:
    """A frequency up to which |φ| is dead from ``beyond`` on, because the scores of a window spread inside it.

    |φ|² = E cos(tD), D the difference of two draws, and 1 − cos x ≥ 2x²/π² for |x| ≤ π; so the pairs of a window of
    width w give |φ|² ≤ 1 − (4/π²) t² q² var_w for t ≤ π/w, q the probability of the window.
    """
    terms = law.terms if isinstance(law, Total) else ((law, 1),)
    leaves_of = [(term, count, _median(term)) for term, count in terms if isinstance(term, Atoms)]
    quiet = beyond
    for halving in range(16):
        width = 2.0 * widest / 2.0**halving
        power = sum(count * _inner_variance(leaf, width, middle) for leaf, count, middle in leaves_of)
        if 2.0 / math.pi**2 * power * quiet * quiet < -math.log(dead):
            break
        quiet = max(quiet, math.pi / width)
    return quiet


def _inner_variance(law: Atoms, width: float, middle: float) -> float:
    """Variance of the scores within half of ``width`` of the middle, times their squared probability."""
    first, last = np.searchsorted(law.values, (middle - 0.5 * width, middle + 0.5 * width))
    values, probs = law.values[first:last] - middle, law.probs[first:last]
    return float(probs.sum() * dot(probs, values * values) - dot(probs, values) ** 2)


def _mean_distance(law: Atoms) -> float:
    """Mean distance from the median: the steepest that |φ| can change."""
    return dot(law.probs, np.abs(law.values - _median(law)))


def _median(law: Atoms) -> float:
    return float(law.values[min(int(np.searchsorted(np.cumsum(law.probs), 0.5)), len(law.values) - 1)])


def _some_terms(law: Law) -> Law:
    """The part of a sum that is looked at: the terms of most draws and most values."""
    if not isinstance(law, Total):
        return law
    terms = [term for term in law.terms if size(term[0]) > 1]
    terms.sort(key=lambda term: (term[1], size(term[0])), reverse=True)
    return Total(tuple(terms[:TERMS]))


def _confirmed(law: Law, dead: float, index: NDArray[np.int64], spacing: float) -> FloatArray:
    """The suspects that remain after a closer look, at frequencies so close that nothing hides between them."""
    suspects = np.asarray(index * spacing, dtype=np.float64)
    if not len(suspects):
        return suspects
    slope = sum(count * distance for distance, count in _slopes(law))
    closeness = max(2, math.ceil(spacing * slope / 2.0))
    if len(suspects) * closeness * size(law) > CLOSE_WORK:
        return suspects
    offsets = (np.arange(closeness) + 0.5) / closeness - 0.5
    t = suspects[:, np.newaxis] + offsets * spacing
    logs = log_transform(law, t.ravel()).real.reshape(t.shape)
    # Between neighbours log|φ| of a sum of n draws changes by n · slope · distance / |φ of one draw| at most, and that
    # |φ| is above a quarter wherever its n-th power is not dead, for n ≥ 10.
    slack = slope * 0.5 * spacing / closeness * 4.0
    return np.asarray(suspects[logs.max(axis=1) + slack > math.log(dead)], dtype=np.float64)


def _slopes(law: Law) -> Iterator[tuple[float, int]]:
    """Largest slope of |φ| of each independent draw, and how often it is drawn."""
    if isinstance(law, Total):
        for term, count in law.terms:
            yield sum(slope * copies for slope, copies in _slopes(term)), count
    elif isinstance(law, Mixture):
        low = min(leaf.values[0] for leaf in leaves(law))
        yield float(max(leaf.values[-1] for leaf in leaves(law)) - low), 1
    else:
        yield _mean_distance(law), 1
