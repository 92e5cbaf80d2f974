"""The Fourier series of a sum of independent parts, each known by its values, its CDF or its transform.

Only few frequencies are asked of each part, because the sum's transform dies out where none of the parts' has to.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from scorebars.kernels import law as laws
from scorebars.kernels import ratio_contour, ratio_rows, recurrence
from scorebars.kernels.fourier import DEAD, LOUD, MARGIN, Series
from scorebars.kernels.law import Atoms, FloatArray, Total
from scorebars.kernels.transform import TAIL, sines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorebars.kernels.ratio import Pairs
    from scorebars.kernels.transform import ComplexArray

FURTHEST: Final = (15.0, 30.0, 60.0, 120.0)
"""Frequencies, times the standard deviation of the sum, up to which its transform is given to die out."""
FURTHEST_OF_FEW: Final = (30.0,)
"""The same where there are ratios of few draws: a contour costs more with its frequencies, and what is left of the
transform of few draws stays."""
QUIET: Final = 0.6
"""Part of these frequencies beyond which it has to be dead."""
MANY: Final = 1 << 11
"""Values of a part from which they are put on a grid before they are transformed."""
POINTS: Final = 1 << 15
"""Points of that grid, at the least."""
FEWEST: Final = 24
"""Draws up to which a ratio's transform is had from a contour sooner than from its CDF."""
WIDTH: Final = 10.0
"""How far from the middle a CDF is read, in standard deviations, if its tails end there."""
OUTSIDE: Final = 1e-14
"""Probability that may be left out there."""


class Wave(Protocol):
    """A bounded real T, known by its transform."""

    @property
    def mean(self) -> float:
        """E[T]."""
        ...

    @property
    def variance(self) -> float:
        """Its variance."""
        ...

    @property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        ...

    @property
    def same(self) -> float:
        """About how likely two draws of it are the same."""
        ...

    def transform(self, step: float, terms: int) -> ComplexArray | None:
        """E exp(ijθ(T − E T)), j = 1 … terms, θ the step; None where it cannot be had."""
        ...


@dataclass(frozen=True, eq=False)
class Listed:
    """A law given by its values; or by cells of equal width that were read from a CDF, whose width is undone."""

    atoms: Atoms
    ends: tuple[float, float]
    width: float = 0.0
    known_same: float | None = None
    """How likely two draws are the same, where it is not the values that tell."""

    @property
    def same(self) -> float:
        """About how likely two draws of it are the same."""
        return float(np.sum(self.atoms.probs**2)) if self.known_same is None else self.known_same

    @cached_property
    def mean(self) -> float:
        """E[T]."""
        return laws.mean(self.atoms)

    @cached_property
    def variance(self) -> float:
        """Its variance."""
        return laws.variance(self.atoms) - self.width**2 / 12.0

    def transform(self, step: float, terms: int) -> ComplexArray:
        """E exp(ijθ(T − E T)); of many values by an FFT of their neighbours on a grid."""
        away = self.atoms.values - self.mean
        if len(away) > MANY:
            return _spread(away, self.atoms.probs, step, terms)
        turns = _turns(step, terms)
        found = 1.0 + sines(away, self.atoms.probs, np.zeros(1, dtype=np.intp), turns)[0]
        half = 0.5 * self.width * turns
        # Cells say nothing of frequencies beyond half of their own, and a smooth CDF has none.
        return np.asarray(np.where(half < 0.5 * math.pi, found / np.sinc(half / math.pi), 0.0), dtype=np.complex128)


@dataclass(frozen=True, eq=False)
class Ratio:
    """A ratio of sums of few draws."""

    units: Pairs
    spread: float
    """Its standard deviation, about."""

    @cached_property
    def _near(self) -> ratio_contour.Contour | None:
        return ratio_contour.around(self.units, 1.0 / self.spread)

    @cached_property
    def mean(self) -> float:
        """E[T]."""
        return self.units.value + (self._near.moment(self.units.value, 1) if self._near else 0.0)

    @cached_property
    def variance(self) -> float:
        """Its variance."""
        return self._near.moment(self.mean, 2) if self._near else self.spread**2

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and largest ratio of one pair."""
        return float(self.units.ratios.min()), float(self.units.ratios.max())

    @property
    def same(self) -> float:
        """How likely it is that two draws take every pair equally often."""
        return ratio_contour.same(self.units)

    def transform(self, step: float, terms: int) -> ComplexArray | None:
        """E exp(ijθ(T − E T))."""
        found = ratio_contour.around(self.units, step * terms)
        return None if found is None else found.transform(_turns(step, terms), self.mean)


@dataclass(frozen=True, slots=True)
class Found:
    """The series of a sum."""

    series: Series
    variance: float
    left: float
    """The largest |φ| where it was cut, or how large it stays further out; 1 where nobody knows."""


def solve(parts: Sequence[tuple[Wave, float]]) -> Found | None:
    """The series of Σ weight · T, weights not 0; None where a transform cannot be had."""
    mean = math.fsum(weight * part.mean for part, weight in parts)
    variance = math.fsum(weight * weight * part.variance for part, weight in parts)
    down, up = _reach(parts, variance)
    period = MARGIN * (down + up)
    few = any(isinstance(part, Ratio) for part, _ in parts)
    for furthest in FURTHEST_OF_FEW if few else FURTHEST:
        terms = math.ceil(furthest * period / (2.0 * math.pi * math.sqrt(variance)))
        transform = _product(parts, 2.0 * math.pi / period, terms)
        left = 0.0 if transform is None else float(np.max(np.abs(transform[int(QUIET * terms) :])))
        if left < DEAD:
            break
    if transform is None:
        return None
    omega = _turns(2.0 * math.pi / period, terms)
    coefficients = np.asarray(2j * transform / (omega * period), dtype=np.complex128)
    series = Series(mean, mean - down - 0.5 * (period - down - up), period, omega, coefficients, 0.0)
    return Found(series, variance, max(left, _further_out(parts, omega)))


def _further_out(parts: Sequence[tuple[Wave, float]], omega: FloatArray) -> float:
    """How large a transform stays beyond these frequencies: looked for where all parts are lists, else estimated.

    The mean of |φ|² over all frequencies is the chance that two draws are the same. The waves that are not in the
    series, of sizes φ/πj and any phases, add up to about the root of it over the number of terms.
    """
    lists = [(part.atoms, weight) for part, weight in parts if isinstance(part, Listed) and not part.width]
    if len(lists) < len(parts):
        return math.sqrt(math.prod(part.same for part, _ in parts) / len(omega))
    terms = [(Atoms(abs(weight) * atoms.values, atoms.probs), weight) for atoms, weight in lists]
    whole = Total(tuple((atoms if weight > 0.0 else laws.negated(atoms), 1) for atoms, weight in terms))
    beyond = float(omega[-1])
    return 1.0 if recurrence.look(whole, LOUD, beyond).last > beyond else 0.0


def _turns(step: float, terms: int) -> FloatArray:
    """The multiples 1 … terms of a frequency."""
    return np.asarray(step * np.arange(1, terms + 1), dtype=np.float64)


def _product(parts: Sequence[tuple[Wave, float]], step: float, terms: int) -> ComplexArray | None:
    """The transform of the sum less its mean at the multiples of ``step``."""
    product = np.ones(terms, dtype=np.complex128)
    for part, weight in parts:
        found = part.transform(step * abs(weight), terms)
        if found is None:
            return None
        product *= found if weight > 0.0 else np.conj(found)
    return product


def _reach(parts: Sequence[tuple[Wave, float]], variance: float) -> tuple[float, float]:
    """How far below and above its mean the sum lies but for ``TAIL``: Bernstein's bound, never past the support."""
    budget = -math.log(TAIL)
    normal = math.sqrt(2.0 * variance * budget)
    away = [(part.mean - part.ends[0], part.ends[1] - part.mean, weight) for part, weight in parts]
    sides = [[weight * (down if weight > 0.0 else -up) for down, up, weight in away]]
    sides += [[weight * (up if weight > 0.0 else -down) for down, up, weight in away]]
    reached = []
    for largest in sides:
        linear = max(largest) * budget / 3.0
        reached.append(min(linear + math.hypot(linear, normal), math.fsum(largest)))
    return reached[0], reached[1]


def _spread(away: FloatArray, probs: FloatArray, step: float, terms: int) -> ComplexArray:
    """Σ p exp(ijθv), j = 1 … terms, by an FFT of a grid on which each v is put on its six neighbours.

    Lagrange's weights keep the mean of every polynomial up to the fifth degree.
    """
    points = max(POINTS, 1 << (256 * terms).bit_length())
    index = away * (step * points / (2.0 * math.pi))
    below = np.floor(index)
    part = index - below
    cell = below.astype(np.int64)
    sums = np.zeros(points)
    for offset in range(-2, 4):
        others = [other for other in range(-2, 4) if other != offset]
        weight = probs / math.prod(offset - other for other in others)
        for other in others:
            weight = weight * (part - other)
        sums += np.bincount((cell + offset) % points, weight, points)
    return np.asarray(np.conj(np.fft.rfft(sums)[1 : terms + 1]), dtype=np.complex128)


def of_ratio(units: Pairs, spread: float) -> Wave:
    """A ratio of sums, by whichever way is quick: its CDF at places all through it, if it is smooth, or a contour."""
    if units.n > FEWEST:
        ends = float(units.ratios.min()), float(units.ratios.max())
        found = sampled(lambda x: ratio_rows.cdf(units, x), (units.value, spread), ends)
        if found is not None:
            return replace(found, known_same=ratio_rows.same(units))
    return Ratio(units, spread)


def sampled(
    cdf: Callable[[FloatArray], tuple[FloatArray, float]], middle: tuple[float, float], ends: tuple[float, float]
) -> Listed | None:
    """Cells read from a CDF so closely that all its frequencies are seen; None where it is not smooth enough.

    Args:
        cdf: from places to the CDF and to the largest |φ| at which it was cut.
        middle: where the middle is, and the standard deviation, about.
        ends: smallest and largest possible value.
    """
    centre, spread = middle
    width = WIDTH
    for closeness in (4, 4, 8, 16):
        steps = math.ceil(width * closeness)
        edges = np.asarray(centre + np.arange(-steps, steps + 1) * (spread / closeness), dtype=np.float64)
        inside = (edges > ends[0]) & (edges < ends[1])
        sums = (edges >= ends[1]).astype(np.float64)
        sums[inside], left = cdf(edges[inside])
        if left >= DEAD:
            return None
        if max(sums[0], 1.0 - sums[-1]) > OUTSIDE:
            width *= 2.0
            continue
        masses = np.diff(sums)
        spectrum = np.abs(np.fft.rfft(masses, 4 * len(masses)))
        if np.max(spectrum[int(QUIET * len(spectrum)) :]) < DEAD:
            return Listed(Atoms(0.5 * (edges[1:] + edges[:-1]), masses), ends, spread / closeness, 0.0)
    return None
