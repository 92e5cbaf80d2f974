"""Weighted sums of independent distributions: macro means of ratios, differences of two ratios."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.contracts import How
from scorebars.distribution.discrete import Discrete
from scorebars.distribution.mirrored import Mirrored
from scorebars.distribution.partly_listed import PartlyListed
from scorebars.distribution.ratio_mean import RatioMean, ratio_of
from scorebars.distribution.smooth import Smooth
from scorebars.distribution.steps import DENSITY, compute, on_grid
from scorebars.distribution.two_point import TwoPoint
from scorebars.errors import ArgumentError
from scorebars.kernels import binomial, compositions, fourier, lattice, waves
from scorebars.kernels import ratio as ratios
from scorebars.kernels.law import Atoms, FloatArray, Law, Total, dot, negated, point

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.contracts import Distribution

NODES: Final = 97
"""Points at which a distribution without a list of values is read off; between them Φ⁻¹(F) is a straight line."""
CELLS: Final = 4096
"""Values that it is then given."""
FAINT: Final = 1e-5
"""Largest |φ| that a series may leave out, if a grid, which moves values by as little, could do instead."""
LOUD: Final = 1e-3
"""The same where the grid would have to make do with cells."""
POINTS: Final = 2**18
"""Points of the grid that parts are put on where nothing else will do."""
CLOSEST: Final = 1e-4
"""Distance, in standard deviations, at which values that are kept beside a series become one."""
HALF_WIDTH: Final = 8.0
"""How far from the mean, in standard deviations, it is read off."""


def combine(parts: Sequence[tuple[Distribution, float]]) -> Distribution:
    """The distribution of Σ weight · T*, the T* independent: strata, tasks, or two samples with weights 1 and −1.

    Few outcomes are listed, those on a lattice inverted; else the transforms of the parts are multiplied; where their
    product does not die out, all are put on one grid.

    Raises:
        ArgumentError: no distribution.
    """
    if not parts:
        raise ArgumentError("a combination needs at least one distribution, got none")
    named = "ratio" if any(part.step == "ratio" for part, _ in parts) else ""
    parts = [(part.of, -weight) if isinstance(part, Mirrored) else (part, weight) for part, weight in parts if weight]
    found = _alone(parts) or _exact(parts) or _series(parts)
    if found is None:
        found = on_grid(Total(tuple((_scaled(law_of(part), weight), 1) for part, weight in parts)), POINTS)
        more = sum(abs(weight) * _error(part) for part, weight in parts)
        found = _renamed(found, named or found.step, more)
    return found if found.step == "ratio" else _renamed(found, named or found.step, 0.0)


def _alone(parts: Sequence[tuple[Distribution, float]]) -> Distribution | None:
    """The ratio that is the only part with more than one value, moved and scaled: it is a ratio still."""
    varied = [(part, weight) for part, weight in parts if isinstance(part, RatioMean) or part.std > 0.0]
    if len(varied) != 1:
        return None
    [(part, weight)] = varied
    if len(parts) == 1 and weight == 1.0:
        return part
    if not isinstance(part, RatioMean):
        return None
    constant = math.fsum(other.mean * times for other, times in parts if other is not part)
    units = part.units
    whole = replace(units, sums=weight * units.sums + constant * units.sizes)
    return ratio_of(whole)


def _exact(parts: Sequence[tuple[Distribution, float]]) -> Distribution | None:
    """From all outcomes, or from a lattice; None where there are too many, or a part is not listed."""
    if not all(_is_listed(part) for part, _ in parts):
        return None
    law = Total(tuple((_scaled(law_of(part), weight), 1) for part, weight in parts))
    if compositions.outcomes(law) > compositions.LIMIT and lattice.find(law) is None:
        return None
    found = compute(law)
    return _renamed(found, found.step, sum(abs(weight) * part.error for part, weight in parts))


def _series(parts: Sequence[tuple[Distribution, float]]) -> Distribution | None:
    """From the transforms of the parts; None where their product does not die out."""
    spreads = [(part.spread if isinstance(part, RatioMean) else part.std, weight) for part, weight in parts]
    whole = math.sqrt(math.fsum((weight * spread) ** 2 for spread, weight in spreads))
    known = [(wave, weight) for part, weight in parts if (wave := _wave(part, whole / abs(weight))) is not None]
    found = waves.solve(known) if len(known) == len(parts) else None
    listable = all(_is_listed(part) or _may_be_listed(part) for part, _ in parts)
    if found is None or found.left >= (FAINT if listable else LOUD):
        return None
    how = How.COMPUTED if found.left < FAINT else How.APPROXIMATE
    std = math.sqrt(found.variance)
    ends = [sorted((weight * wave.ends[0], weight * wave.ends[1])) for wave, weight in known]
    told = sum(abs(weight) * part.error for part, weight in parts if not isinstance(part, RatioMean))
    error = max(found.left, fourier.DEAD) * std / DENSITY + found.unseen + told
    limits = math.fsum(low for low, _ in ends), math.fsum(high for _, high in ends)
    if not found.hard:
        return Smooth(found.series, limits, found.series.centre, std, error, how=how)
    hard, more = _listed_sum([(a, weight) for a, (_, weight) in zip(found.hard, known, strict=True)], CLOSEST * std)
    return PartlyListed(hard, found.series, limits, found.series.centre, std, error + more, how=how)


def _listed_sum(parts: Sequence[tuple[Atoms, float]], close: float) -> tuple[Atoms, float]:
    """The sum of one value from each part, and how far its values may be off.

    Those closer than ``close`` become one, or all are put on a grid: but for the sum of the commonest values, which is
    exact. The probabilities of a part sum to what they do, and those of the sum to the product of that.
    """
    bases = [float(atoms.values[np.argmax(atoms.probs)]) for atoms, _ in parts]
    base = math.fsum(weight * own for own, (_, weight) in zip(bases, parts, strict=True))
    moved = [(weight * (atoms.values - own), atoms.probs) for own, (atoms, weight) in zip(bases, parts, strict=True)]
    laid = [_laid(values, probs, close) for values, probs in moved]
    if math.prod(len(atoms.values) for atoms in laid) > compositions.LIMIT:
        shares = [float(atoms.probs.sum()) for atoms in laid]
        whole = [(Atoms(atoms.values, atoms.probs / share), 1) for atoms, share in zip(laid, shares, strict=True)]
        found = on_grid(Total(tuple(whole)), POINTS)
        listed = law_of(found)
        return Atoms(base + listed.values, math.prod(shares) * listed.probs), close + _error(found)
    total = laid[0]
    for atoms in laid[1:]:
        sums = np.add.outer(total.values, atoms.values).ravel()
        total = _laid(sums, np.multiply.outer(total.probs, atoms.probs).ravel(), close)
    return Atoms(base + total.values, total.probs), close


def _laid(values: FloatArray, probs: FloatArray, close: float) -> Atoms:
    """Values in order, those in one cell become their mean; 0 has a cell of its own."""
    _, place = np.unique(2.0 * np.floor(values / close) + (values != 0.0), return_inverse=True)
    sums = np.asarray(np.bincount(place, probs), dtype=np.float64)
    means = np.bincount(place, probs * values)[sums > 0.0] / sums[sums > 0.0]
    order = np.argsort(means, kind="stable")
    return Atoms(means[order], sums[sums > 0.0][order])


def _wave(part: Distribution, scale: float) -> waves.Wave | None:
    if _is_listed(part):
        listed = law_of(part)
        return waves.Listed(listed, (part.quantile(0.0), part.quantile(1.0, upper=True)))
    if isinstance(part, RatioMean):
        return waves.of_ratio(part.units, part.spread, scale)
    if isinstance(part, Smooth):
        series = part.series
        return waves.sampled(lambda x: (series.cdfs(x), 0.0), (part.mean, part.std), part.ends)
    return None


def _may_be_listed(part: Distribution) -> bool:
    """Whether all outcomes of a ratio can be listed, which takes a while."""
    return isinstance(part, RatioMean) and ratios.ways(part.units) <= compositions.LIMIT


def _is_listed(part: Distribution) -> bool:
    """Whether a distribution has a list of its values."""
    return isinstance(part, Discrete | TwoPoint) or (isinstance(part, Mirrored) and _is_listed(part.of))


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
    everything = ratios.listed(part.units) if isinstance(part, RatioMean) else None
    return _in_cells(part) if everything is None else everything


def _in_cells(part: Distribution) -> Atoms:
    """Cells of equal width with their probabilities, moved and stretched a little to the mean and SD of the whole."""
    low = max(part.quantile(0.0), part.mean - HALF_WIDTH * part.std)
    high = min(part.quantile(1.0, upper=True), part.mean + HALF_WIDTH * part.std)
    nodes = np.linspace(low, high, NODES)
    from statistics import NormalDist

    normal = NormalDist()
    sums = part.cdfs(nodes)[0].tolist() if isinstance(part, RatioMean) else [part.cdf(x) for x in nodes.tolist()]
    scores = [normal.inv_cdf(min(max(value, 1e-16), 1.0 - 1e-16)) for value in sums]
    edges = np.linspace(low, high, CELLS + 1)
    upto = np.array([normal.cdf(z) for z in np.interp(edges, nodes, np.maximum.accumulate(scores)).tolist()])
    upto[0], upto[-1] = 0.0, 1.0
    probs = np.diff(upto)
    values = (0.5 * (edges[1:] + edges[:-1]))[probs > 0.0]
    probs = probs[probs > 0.0]
    centre = dot(probs, values)
    spread = math.sqrt(dot(probs, (values - centre) ** 2))
    return Atoms(part.mean + (values - centre) * (part.std / spread), probs)


def _error(part: Distribution) -> float:
    """How far the values of :func:`law_of` may be off: by one width of a cell, where there are cells.

    A ratio comes to that only where its transform does not die out, so that it has values of some weight; those lie
    anywhere between the two nodes around them.
    """
    if _may_be_listed(part):
        return 0.0
    if isinstance(part, RatioMean):
        return part.error + 2.0 * HALF_WIDTH * part.std / (NODES - 1)
    return part.error + (0.0 if _is_listed(part) else 2.0 * HALF_WIDTH * part.std / CELLS)


def _scaled(law: Atoms, weight: float) -> Law:
    """The law of weight · T."""
    larger = Atoms(law.values * abs(weight), law.probs)
    return larger if weight > 0.0 else negated(larger)


def _renamed(found: Distribution, step: str, more: float) -> Distribution:
    """The same distribution under another step's name, its error enlarged."""
    if isinstance(found, Mirrored):
        return Mirrored(_renamed(found.of, step, more))
    if isinstance(found, Discrete | TwoPoint | Smooth | PartlyListed):
        return dataclasses.replace(found, step=step, error=found.error + more)
    return found
