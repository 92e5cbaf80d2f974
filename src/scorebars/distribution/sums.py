"""Weighted sums of independent distributions: macro means of ratios, differences of two ratios."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.distribution.discrete import Discrete
from scorebars.distribution.mirrored import Mirrored
from scorebars.distribution.smooth import Smooth
from scorebars.distribution.steps import compute
from scorebars.distribution.two_point import TwoPoint
from scorebars.errors import ArgumentError
from scorebars.kernels import binomial
from scorebars.kernels.law import Atoms, Law, Total, dot, negated, point

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.contracts import Distribution

NODES: Final = 97
"""Points at which a distribution without a list of values is read off; between them Φ⁻¹(F) is a straight line."""
CELLS: Final = 4096
"""Values that it is then given."""
HALF_WIDTH: Final = 8.0
"""How far from the mean, in standard deviations, it is read off."""


def combine(parts: Sequence[tuple[Distribution, float]]) -> Distribution:
    """The distribution of Σ weight · T*, the T* independent: strata, tasks, or two samples with weights 1 and −1."""
    if not parts:
        raise ArgumentError("a combination needs at least one distribution, got none")
    laws = tuple((_scaled(law_of(part), weight), 1) for part, weight in parts if weight)
    found = compute(Total(laws))
    more = sum(abs(weight) * (part.error + _reading_error(part)) for part, weight in parts)
    return _renamed(found, "ratio" if any(part.step == "ratio" for part, _ in parts) else found.step, more)


def law_of(part: Distribution) -> Atoms:
    """A distribution as values with probabilities: its own where it has a list of them, else 4,096 cells."""
    if isinstance(part, Discrete):
        return part.atoms
    if isinstance(part, Mirrored):
        mirrored = negated(law_of(part.of))
        return mirrored if isinstance(mirrored, Atoms) else point(part.mean)
    if isinstance(part, TwoPoint):
        first, probs = binomial.pmf_window(part.n, part.p, binomial.NEAR)
        return Atoms(part.lattice.points(np.arange(first, first + len(probs))), probs)
    return _in_cells(part)


def _in_cells(part: Distribution) -> Atoms:
    """Cells of equal width with their probabilities, moved and stretched a little to the mean and SD of the whole."""
    low = max(part.quantile(0.0), part.mean - HALF_WIDTH * part.std)
    high = min(part.quantile(1.0, upper=True), part.mean + HALF_WIDTH * part.std)
    nodes = np.linspace(low, high, NODES)
    from statistics import NormalDist

    normal = NormalDist()
    scores = [normal.inv_cdf(min(max(part.cdf(float(x)), 1e-16), 1.0 - 1e-16)) for x in nodes]
    edges = np.linspace(low, high, CELLS + 1)
    sums = np.array([normal.cdf(z) for z in np.interp(edges, nodes, np.maximum.accumulate(scores)).tolist()])
    sums[0], sums[-1] = 0.0, 1.0
    probs = np.diff(sums)
    values = (0.5 * (edges[1:] + edges[:-1]))[probs > 0.0]
    probs = probs[probs > 0.0]
    centre = dot(probs, values)
    spread = math.sqrt(dot(probs, (values - centre) ** 2))
    return Atoms(part.mean + (values - centre) * (part.std / spread), probs)


def _reading_error(part: Distribution) -> float:
    """What cells cost: one of their widths, where there are cells."""
    listed = isinstance(part, Discrete | TwoPoint) or (isinstance(part, Mirrored) and _reading_error(part.of) == 0.0)
    return 0.0 if listed else 2.0 * HALF_WIDTH * part.std / CELLS


def _scaled(law: Atoms, weight: float) -> Law:
    """The law of weight · T."""
    larger = Atoms(law.values * abs(weight), law.probs)
    return larger if weight > 0.0 else negated(larger)


def _renamed(found: Distribution, step: str, more: float) -> Distribution:
    """The same distribution under another step's name, its error enlarged."""
    if isinstance(found, Mirrored):
        return Mirrored(_renamed(found.of, step, more))
    if isinstance(found, Discrete | TwoPoint | Smooth):
        return dataclasses.replace(found, step=step, error=found.error + more)
    return found
