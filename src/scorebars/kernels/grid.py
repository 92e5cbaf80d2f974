"""Step 4 of the computed bootstrap: any values, moved to a fine circular grid.

Each value is split between its two neighbours on the grid so that its mean is kept; the result is a law on a lattice.
Splitting adds f(1 − f)h² to the variance of each draw (f the place between the neighbours, h their distance), which is
what the stated error is made of.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from scorebars.kernels.lattice import Lattice, invert, window
from scorebars.kernels.law import Atoms, FloatArray, Law, Mixture, Total, dot, leaves, support
from scorebars.kernels.transform import reach

POINTS: Final = 2**20
LEAF_WORK: Final = 2**23
"""Grid points × leaves: many leaves get a coarser grid."""
LEAST_POINTS: Final = 2**12


def solve(law: Law, points: int = POINTS) -> tuple[Atoms, float]:
    """The law of T on a grid, and how far a quantile may be moved by the splitting."""
    down, up = reach(law)
    points = max(min(points, LEAF_WORK // len(leaves(law))), LEAST_POINTS)
    step = _step(law, 1.02 * (down + up) / (points - 8))
    moved = split(law, step)
    low = support(moved)[0]
    lattice = Lattice(float(round(low / step)), step, None, 0.0)
    first, last = window(moved, lattice)
    probs = invert(moved, step, first, last, low, rough=True)
    error = step + 4.0 * math.sqrt(added_variance(law, step))
    return Atoms(lattice.points(np.arange(first, last + 1)), probs), error


def _step(law: Law, step: float) -> float:
    """A step no smaller, of which the distance of the two commonest values is a multiple: they are then not split."""
    leaf = _commonest(law)
    first, second = leaf.values[np.argsort(leaf.probs, kind="stable")[-2:]]
    parts = int(abs(float(first - second)) / step)
    # A multiple of 60 parts also meets offsets of a half, a third, a quarter and a fifth of the distance.
    parts = parts // 60 * 60 if parts >= 600 else parts
    return abs(float(first - second)) / parts if parts else step


def _commonest(law: Law) -> Atoms:
    """The leaf of more than one value that is drawn most."""
    if isinstance(law, Total):
        terms = [term for term in law.terms if support(term[0])[0] < support(term[0])[1]]
        return _commonest(max(terms, key=lambda term: term[1])[0])
    if isinstance(law, Mixture):
        return max(leaves(law), key=lambda leaf: len(leaf.values))
    return law


def split(law: Law, step: float) -> Law:
    """The law with every value divided between the two grid points beside it."""
    if isinstance(law, Atoms):
        index, part = _places(law.values, step)
        index = np.concatenate([index, index + 1.0])
        probs = np.concatenate([law.probs * (1.0 - part), law.probs * part])
        distinct, place = np.unique(index, return_inverse=True)
        sums = np.asarray(np.bincount(place, weights=probs), dtype=np.float64)
        keep = sums > 0.0
        return Atoms(distinct[keep] * step, sums[keep])
    if isinstance(law, Mixture):
        return Mixture(tuple(split(part, step) for part in law.parts), law.weights)
    return Total(tuple((split(term, step), count) for term, count in law.terms))


def added_variance(law: Law, step: float) -> float:
    """The variance that splitting adds to T."""
    if isinstance(law, Atoms):
        part = _places(law.values, step)[1]
        return dot(law.probs, part * (1.0 - part)) * step * step
    if isinstance(law, Mixture):
        return dot(law.weights, np.array([added_variance(part, step) for part in law.parts]))
    return float(sum(count * added_variance(term, step) for term, count in law.terms))


def _places(values: FloatArray, step: float) -> tuple[FloatArray, FloatArray]:
    """Grid index below each value, and the share of the way to the next. Zero is a grid point and stays exact."""
    index = values / step
    below = np.floor(index)
    return below, index - below
