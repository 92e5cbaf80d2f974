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
from scorebars.kernels import ratio_contour, ratio_rows, ratio_split, recurrence
from scorebars.kernels.fourier import DEAD, LOUD, MARGIN, Series
from scorebars.kernels.law import Atoms, FloatArray, Total, dot
from scorebars.kernels.transform import TAIL, sines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorebars.kernels.ratio import Pairs
    from scorebars.kernels.transform import ComplexArray

FURTHEST: Final = (15.0, 30.0, 60.0, 120.0)
"""Frequencies, times the standard deviation of the sum, up to which its transform is given to die out."""
FURTHEST_OF_FEW: Final = (30.0, 60.0)
"""The same where there are ratios of few draws: a contour costs more with its frequencies, and what is left of the
transform of few draws stays."""
SPREAD: Final = 1 << 22
"""Values × terms from which lumps are put on a grid."""
OVER: Final = 32
"""Points of that grid for each term."""
FAINTEST: Final = 1e-13
"""Largest |φ| of the end of a series that is not kept."""
LEAST: Final = 1e-9
"""Probability of values that are kept as they are, from which they are kept apart."""
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

    @property
    def hard(self) -> Atoms | None:
        """Values whose transform does not die out, with their probabilities, which sum to less than 1; if any."""
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

    @property
    def hard(self) -> Atoms | None:
        """All values, unless they are cells."""
        return None if self.width else self.atoms

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

    @property
    def hard(self) -> Atoms | None:
        """The ratios of the units, on which R* lies if all draws have that one."""
        found, place = np.unique(self.units.ratios, return_inverse=True)
        chances = (np.bincount(place, self.units.counts) / self.units.counts.sum()) ** self.units.n
        return Atoms(found, chances)

    def transform(self, step: float, terms: int) -> ComplexArray | None:
        """E exp(ijθ(T − E T))."""
        found = ratio_contour.around(self.units, step * terms)
        return None if found is None else found.transform(_turns(step, terms), self.mean)


@dataclass(frozen=True, eq=False)
class Lumps:
    """A ratio of sums most of whose units have one ratio."""

    parts: ratio_split.Split
    ends: tuple[float, float]
    same: float = 0.0

    @property
    def hard(self) -> Atoms | None:
        """The common ratio, and narrow lumps."""
        return self.parts.hard

    @cached_property
    def mean(self) -> float:
        """E[T]."""
        base = float(self.parts.hard.values[0])
        return base + math.fsum(dot(part.probs, part.values - base) for part in self._all)

    @cached_property
    def variance(self) -> float:
        """Its variance."""
        return math.fsum(dot(part.probs, (part.values - self.mean) ** 2) for part in self._all)

    @cached_property
    def near(self) -> tuple[float, float]:
        """Smallest and largest value but for ``OUTSIDE``."""
        far = [part.values[np.abs(part.probs) > OUTSIDE] for part in self._all]
        ends = [(float(values[0]), float(values[-1])) for values in far if len(values)]
        return min(low for low, _ in ends), max(high for _, high in ends)

    @property
    def _all(self) -> list[Atoms]:
        return [self.parts.hard, *(part for part, _ in self.parts.soft)]

    def transform(self, step: float, terms: int) -> ComplexArray:
        """E exp(ijθ(T − E T)); the lumps of one width are asked for as many terms as they are heard."""
        found = transformed(self.parts.hard, self.mean, step, terms)
        for part, deaf in self.parts.soft:
            heard = min(terms, max(math.ceil(deaf / step), 1))
            found[:heard] += transformed(part, self.mean, step, heard)
        return found


def transformed(atoms: Atoms, centre: float, step: float, terms: int) -> ComplexArray:
    """Σ p exp(ijθ(v − centre)), j = 1 … terms, shape (terms,): by an FFT where that is quicker."""
    away = atoms.values - centre
    if len(away) * terms > SPREAD:
        return _spread(away, atoms.probs, step, terms, OVER)
    return _powers(away, atoms.probs, step, terms)


def _powers(away: FloatArray, probs: FloatArray, step: float, terms: int) -> ComplexArray:
    """The same, by the powers j = a + bm of a turn: few exponentials and one product of matrices."""
    block = math.isqrt(terms) + 1
    small = np.exp(1j * np.outer(step * np.arange(1, block + 1), away)) * probs
    large = np.exp(1j * np.outer(step * block * np.arange(math.ceil(terms / block)), away))
    return np.asarray(np.einsum("bv,av->ba", large, small, optimize=False).ravel()[:terms], dtype=np.complex128)


@dataclass(frozen=True, slots=True)
class Found:
    """The series of a sum; or of what is left of it without some values that are kept as they are."""

    series: Series
    variance: float
    left: float
    """The largest |φ| where it was cut, or how large it stays further out; 1 where nobody knows."""
    hard: tuple[Atoms, ...] = ()
    """For each part, values with probabilities: the sum of these is not in the series; none where all is in it."""
    unseen: float = 0.0
    """How far these may be off."""


def solve(parts: Sequence[tuple[Wave, float]]) -> Found | None:
    """The series of Σ weight · T, weights not 0; None where a transform cannot be had."""
    mean = math.fsum(weight * part.mean for part, weight in parts)
    variance = math.fsum(weight * weight * part.variance for part, weight in parts)
    down, up = _reach(parts, variance)
    period = MARGIN * (down + up)
    found: tuple[ComplexArray, tuple[Atoms, ...], float] | None = None
    hard = _hard(parts)
    for furthest in _furthest(parts, math.sqrt(variance)):
        terms = math.ceil(furthest * period / (2.0 * math.pi * math.sqrt(variance)))
        transform = _product(parts, 2.0 * math.pi / period, terms)
        if transform is None:
            break
        kept: tuple[Atoms, ...] = ()
        left = _loudest(transform)
        if left >= DEAD and hard:
            rest = transform - _product_of(hard, parts, 2.0 * math.pi / period, terms)
            kept, left = hard, _loudest(rest)
            transform = rest
        found = transform, kept, left
        if left < DEAD:
            break
    if found is None:
        return None
    transform, kept, left = found
    mass = 1.0 - math.prod(float(atoms.probs.sum()) for atoms in kept) if kept else 1.0
    needed = int(np.max(np.flatnonzero(np.abs(transform) > FAINTEST), initial=0)) + 1
    omega, transform = _turns(2.0 * math.pi / period, needed), transform[:needed]
    coefficients = np.asarray(2j * transform / (mass * omega * period), dtype=np.complex128)
    series = Series(mean, mean - down - 0.5 * (period - down - up), period, omega, coefficients, 0.0)
    left = max([left, *(part.parts.left for part, _ in parts if isinstance(part, Lumps))])
    unseen = math.fsum(abs(weight) * part.parts.unseen for part, weight in parts if isinstance(part, Lumps))
    return Found(series, variance, max(left, _further_out(parts, omega)), kept, unseen)


def _loudest(transform: ComplexArray) -> float:
    """The largest |φ| where it has to be dead."""
    return float(np.max(np.abs(transform[int(QUIET * len(transform)) :])))


def _furthest(parts: Sequence[tuple[Wave, float]], std: float) -> tuple[float, ...]:
    """Frequencies, times the standard deviation of the sum, up to which its transform is looked at in turn."""
    if any(isinstance(part, Ratio) for part, _ in parts):
        return FURTHEST_OF_FEW
    heard = [deaf / abs(weight) for part, weight in parts if isinstance(part, Lumps) for _, deaf in part.parts.soft]
    return (max(FURTHEST[0], std * max(heard)),) if heard else FURTHEST


def _hard(parts: Sequence[tuple[Wave, float]]) -> tuple[Atoms, ...]:
    """The values of each part that are kept as they are; none where one has none, or all are nothing but values."""
    found = [atoms for part, _ in parts if (atoms := part.hard) is not None]
    if len(found) < len(parts) or all(isinstance(part, Listed) for part, _ in parts):
        return ()
    return tuple(found) if math.prod(float(atoms.probs.sum()) for atoms in found) > LEAST else ()


def _product_of(hard: Sequence[Atoms], parts: Sequence[tuple[Wave, float]], step: float, terms: int) -> ComplexArray:
    """The transform of the values that are kept, about the mean of the whole."""
    product = np.ones(terms, dtype=np.complex128)
    for atoms, (part, weight) in zip(hard, parts, strict=True):
        found = transformed(atoms, part.mean, step * abs(weight), terms)
        product *= found if weight > 0.0 else np.conj(found)
    return product


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
    far = [(part, part.near if isinstance(part, Lumps) else part.ends, weight) for part, weight in parts]
    away = [(part.mean - low, high - part.mean, weight) for part, (low, high), weight in far]
    sides = [[weight * (down if weight > 0.0 else -up) for down, up, weight in away]]
    sides += [[weight * (up if weight > 0.0 else -down) for down, up, weight in away]]
    reached = []
    for largest in sides:
        linear = max(largest) * budget / 3.0
        reached.append(min(linear + math.hypot(linear, normal), math.fsum(largest)))
    return reached[0], reached[1]


def _spread(away: FloatArray, probs: FloatArray, step: float, terms: int, over: int = 256) -> ComplexArray:
    """Σ p exp(ijθv), j = 1 … terms, by an FFT of a grid on which each v is put on its six neighbours.

    Lagrange's weights keep the mean of every polynomial up to the fifth degree.
    """
    points = max(POINTS, 1 << (over * terms).bit_length())
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


def of_ratio(units: Pairs, spread: float, scale: float) -> Wave:
    """A ratio of sums, by whichever way is quick: its CDF at places all through it, if it is smooth, or a contour.

    Where most units have one ratio it falls into lumps, which are found one by one, as closely as matters where
    ``scale`` is the standard deviation of the sum over the weight of this part.
    """
    lumps = ratio_split.split(units, scale)
    if lumps is not None:
        return Lumps(lumps, (float(units.ratios.min()), float(units.ratios.max())))
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
