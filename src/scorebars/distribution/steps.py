"""The steps of the computed bootstrap, in their order. A mean never needs random numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.contracts import How
from scorebars.distribution.discrete import Discrete, point, zeroed
from scorebars.distribution.mirrored import Mirrored
from scorebars.distribution.smooth import Smooth
from scorebars.distribution.two_point import TwoPoint
from scorebars.errors import ArgumentError
from scorebars.kernels import compositions, fourier, grid, lattice
from scorebars.kernels.law import (
    EPS,
    Atoms,
    FloatArray,
    Law,
    Total,
    leaves,
    mean,
    negated,
    simplify,
    support,
    variance,
)

if TYPE_CHECKING:
    from scorebars.contracts import Distribution

LATTICE_FIRST: Final = 2**17
"""Lattice points × leaves up to which the lattice is inverted before the Fourier series is tried: beyond, the series is
quicker and, where it is looked at up to the lattice's last frequency, as exact."""
NEAR_LATTICE: Final = 1e-5
"""How far T may lie from a lattice, in standard deviations, before the grid is the better approximation."""
DENSITY: Final = 0.05
"""A normal density at 2.5 %, in units of 1/SD: turns an error of probability into one of the quantile."""


def compute(law: Law) -> Distribution:
    """The distribution of a sum of draws from finite sets, by the first step that can: never random numbers.

    Point, binomial, lattice, compositions, Fourier series, grid. The law and its mirror image are computed the same
    way round, so that A−B and B−A mirror each other to the last bit of their values.
    """
    law = compositions.melt(simplify(law))
    mirror = _wants_mirror(law)
    found = _computed(simplify(negated(law)) if mirror else law)
    return Mirrored(found) if mirror else found


def _computed(law: Law) -> Distribution:
    """The steps, in their order."""
    ends = support(law)
    if ends[1] - ends[0] <= 8.0 * EPS * max(abs(ends[0]), abs(ends[1])):
        return point(mean(law))
    largest = max(abs(ends[0]), abs(ends[1]))
    if not 1e-150 < largest < 1e150:
        raise ArgumentError(f"scores of size {largest:g} cannot be squared in floating point; rescale them to size 1")
    exact = _two_point(law) or _on_lattice(law) or _listed(law)
    return exact or _series(law, None) or _near_lattice(law) or _on_grid(law)


def _two_point(law: Law) -> TwoPoint | None:
    """N draws of two values, plus a constant perhaps."""
    terms = law.terms if isinstance(law, Total) else ((law, 1),)
    real = [(term, count) for term, count in terms if not (isinstance(term, Atoms) and len(term.values) == 1)]
    if len(real) != 1:
        return None
    leaf, n = real[0]
    if not isinstance(leaf, Atoms) or len(leaf.values) != 2:
        return None
    found = lattice.find(law)
    if found is None:
        return None
    return TwoPoint(n, float(leaf.probs[1]), found, mean(law), math.sqrt(variance(law)))


def _on_lattice(law: Law) -> Distribution | None:
    """The lattice; on a very fine one the list, if it is shorter, or the series, if it converges."""
    found = lattice.find(law)
    if found is None:
        return None
    first, last = lattice.window(law, found)
    if (last - first) * len(leaves(law)) >= LATTICE_FIRST:
        quicker = _listed(law) if compositions.outcomes(law) < last - first else _series(law, found)
        if quicker is not None:
            return quicker
    solved = lattice.solve(law, found)
    return None if solved is None else _discrete(law, solved, "lattice", found.error)


def _near_lattice(law: Law) -> Discrete | None:
    """A lattice that values in single precision miss by their rounding: far less than the grid would move them."""
    found = lattice.find(law, NEAR_LATTICE * math.sqrt(variance(law)))
    solved = lattice.solve(law, found) if found else None
    return _discrete(law, solved, "lattice", found.error, How.APPROXIMATE) if found and solved else None


def _listed(law: Law) -> Discrete | None:
    """All outcomes, if they are few."""
    solved = compositions.solve(law)
    return None if solved is None else _discrete(law, zeroed(solved, support(law)), "compositions", 0.0)


def _series(law: Law, on: lattice.Lattice | None) -> Smooth | None:
    """The Fourier series, if it converges."""
    series = fourier.solve(law, step=on.step if on else 0.0)
    if series is None:
        return None
    spread = math.sqrt(variance(law))
    error = series.unseen + fourier.DEAD * spread / DENSITY + (on.error if on else 0.0)
    return Smooth(series, support(law), mean(law), spread, error, on)


def on_grid(law: Law, points: int) -> Distribution:
    """A grid of so many points, which always answers; the same way round as :func:`compute`."""
    law = simplify(law)
    mirror = _wants_mirror(law)
    found = _on_grid(simplify(negated(law)) if mirror else law, points)
    return Mirrored(found) if mirror else found


def _on_grid(law: Law, points: int = grid.POINTS) -> Discrete:
    """The grid, as it is."""
    solved, error = grid.solve(law, points)
    return _discrete(law, solved, "grid", error, How.APPROXIMATE)


def _discrete(law: Law, atoms: Atoms, step: str, error: float, how: How = How.COMPUTED) -> Discrete:
    return Discrete(atoms, step, support(law), mean(law), math.sqrt(variance(law)), error, how)


def _wants_mirror(law: Law) -> bool:
    """Whether the mirror image is the one to compute: the first, by value, of the two."""
    here, there = _signature(law), _signature(negated(law))
    differs = np.flatnonzero(here != there)
    return bool(len(differs)) and bool(here[differs[0]] > there[differs[0]])


def _signature(law: Law) -> FloatArray:
    """All values in order with their probabilities: the same for a law however its terms are ordered."""
    found = leaves(law)
    if len(found) == 1:
        return np.concatenate([found[0].values, found[0].probs])
    values = np.concatenate([leaf.values for leaf in found])
    probs = np.concatenate([leaf.probs for leaf in found])
    order = np.lexsort((probs, values))
    return np.concatenate([values[order], probs[order]])
