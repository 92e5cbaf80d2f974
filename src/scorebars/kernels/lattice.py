"""Step 1 of the computed bootstrap: values on a lattice, whose sum is inverted exactly by one FFT.

0/1 differences, judge grades, pass counts, decimals and their means over K runs are integers times a step. The law of
their sum is then a finite Fourier sum. The DFT wraps: whatever lies outside its window comes back in on the other side,
so the window is the one outside which Chernoff's bound leaves 1e-15 (mean ± 6 SD leaves 1e-5 for 1 success of 1,000).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels.distinct import distinct
from scorebars.kernels.law import EPS, Atoms, FloatArray, Law, Mixture, Total, leaves, mean, size, support
from scorebars.kernels.transform import CHUNK, ComplexArray, evaluate, expm1_complex, log1p_complex, reach

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

MAX_POINTS: Final = 2**24
NEAR: Final = 1e-9
"""A value this close to the lattice, in steps, lies on it."""
DIRECT_WORK: Final = 1 << 20
"""Values × frequencies up to which the transform is evaluated at every frequency without a look at its size."""
ACTIVE_WORK: Final = 1 << 25
"""Values × frequencies up to which it is evaluated at every frequency that matters."""
FEW_DRAWS: Final = 500
"""Draws up to which an FFT's rounding of 1e-16, once a draw, does no harm."""
NEGLIGIBLE: Final = -46.0
"""Logarithm of a transform that is as good as zero (1e-20)."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """T = (base + k) · step for integers k ≥ 0 (plus a remainder, if base is no integer)."""

    base: float
    step: float
    per_unit: int | None
    """1/step, if that is an integer: then points are divisions, and right to the last bit."""
    error: float
    """How far a value of T can lie from its lattice point."""

    def point(self, k: int) -> float:
        """The value of T at one lattice index; the same float as in :meth:`points`."""
        index = k + self.base
        return float(index / self.per_unit if self.per_unit else index * self.step)

    def points(self, k: NDArray[np.int64]) -> FloatArray:
        """The values of T at lattice indices; exactly 0.0 where T is 0."""
        index = k + self.base
        return np.asarray(index / self.per_unit if self.per_unit else index * self.step, dtype=np.float64)


def find(law: Law, allowed: float = 0.0) -> Lattice | None:
    """The lattice that the values of T lie on, or None; the smallest value of T has index 0.

    ``allowed`` is how far T may lie from its lattice point, beyond rounding; the lattice says how far it does.
    """
    low, high = support(law)
    found = leaves(law)
    draws = sum(_draws(law))
    noise = max(4.0 * EPS * max(float(np.max(np.abs(leaf.values))) for leaf in found), 0.5 * allowed / draws)
    spans = np.concatenate([leaf.values - leaf.values[0] for leaf in found] + list(_mixture_origins(law)))
    gaps = np.concatenate([np.diff(leaf.values) for leaf in found] + list(_mixture_origins(law)))
    step = common_step(gaps, noise)
    return None if step is None else laid(step, spans, (low, high), (draws, noise, allowed))


def laid(step: float, spans: FloatArray, ends: tuple[float, float], known: tuple[int, float, float]) -> Lattice | None:
    """The lattice of about this step, made as fine as its longest span says; None where a span does not lie on it.

    Args:
        step: from :func:`common_step`.
        spans: distances of the values of each leaf from its smallest.
        ends: smallest and largest value of T.
        known: the number of draws, how far off a value may be by rounding, and what else is allowed.
    """
    (low, high), (draws, noise, allowed) = ends, known
    if (high - low) / step > 2.0**50:
        return None
    longest = float(spans.max())
    step = longest / round(longest / step)
    off = float(np.max(np.abs(spans - np.round(spans / step) * step)))
    if off > NEAR * step + 2.0 * noise:
        return None
    per_unit, step = _per_unit(step)
    error, rounding = off * draws, 2.0 * noise * draws
    return Lattice(_base(low, step, error + rounding), step, per_unit, error if error > rounding or allowed else 0.0)


def common_step(gaps: FloatArray, noise: float) -> float | None:
    """The largest step of which all gaps are multiples, each known up to ``noise``; None if there is none of use.

    Euclid's algorithm on all gaps at once. The rounding of the step is tracked: a remainder counts only where it is
    larger than the rounding of the gap and of its quotient times the step's.
    """
    gaps = distinct(gaps[gaps > 2.0 * noise])
    if not len(gaps):
        return None
    least = float(gaps[-1]) / MAX_POINTS
    step, doubt = float(gaps[0]), 2.0 * noise
    while step > least and doubt < step / 8.0:
        quotients = np.round(gaps / step)
        remainders = np.abs(gaps - quotients * step)
        doubts = 2.0 * noise + quotients * doubt
        live = remainders > np.maximum(2.0 * doubts, NEAR * step)
        if not live.any():
            return step
        smallest = int(np.argmin(np.where(live, remainders, np.inf)))
        step, doubt = float(remainders[smallest]), float(doubts[smallest])
    return None


def solve(law: Law, lattice: Lattice, max_points: int = MAX_POINTS) -> Atoms | None:
    """The law of T on its lattice; None where the window has more than ``max_points`` points."""
    low, high = window(law, lattice)
    if high - low + 1 > max_points:
        return None
    probs = invert(law, lattice.step, low, high, support(law)[0])
    return Atoms(lattice.points(np.arange(low, high + 1)), probs)


def window(law: Law, lattice: Lattice) -> tuple[int, int]:
    """First and last lattice index between which T lies but for 1e-15 on each side."""
    (low, high), centre = support(law), mean(law)
    down, up = reach(law)
    first = math.floor((centre - down - low) / lattice.step)
    last = math.ceil((centre + up - low) / lattice.step)
    return max(first, 0), min(last, round((high - low) / lattice.step))


def invert(law: Law, step: float, first: int, last: int, origin: float, *, rough: bool = False) -> FloatArray:
    """P(T = origin + k·step), k = first … last in their order, from the transform at frequencies of a DFT over them.

    With ``rough`` a transform of few draws is right to absolute rounding only, which is quicker.
    """
    length = fast_length(last - first + 1)
    product = _product(law, step, length)
    spectrum = np.conj(np.exp(_spectrum(law, step, length, rough=rough))) if product is None else product
    middle = round((lattice_centre(law, step) - origin) / step)
    circle = np.fft.irfft(spectrum, length)
    probs = np.maximum(np.take(circle, np.arange(first - middle, last - middle + 1), mode="wrap"), 0.0)
    return np.asarray(probs / probs.sum(), dtype=np.float64)


def _product(law: Law, step: float, length: int) -> ComplexArray | None:
    """The DFT of a sum of a few single draws, whose logarithms are not needed; None for other laws, or short ones."""
    terms = law.terms if isinstance(law, Total) else ((law, 1),)
    leaves = [term for term, count in terms if isinstance(term, Atoms) and count == 1]
    if len(leaves) < len(terms) or len(leaves) > FEW_DRAWS or size(law) * (length // 2 + 1) <= DIRECT_WORK:
        return None
    product = np.ones(length // 2 + 1, dtype=np.complex128)
    for leaf in leaves:
        place = np.round((leaf.values - lattice_centre(leaf, step)) / step).astype(np.int64) % length
        product *= np.fft.rfft(np.bincount(place, weights=leaf.probs, minlength=length))
    return product


def lattice_centre(law: Law, step: float) -> float:
    """The lattice point next to the mean of a leaf or mixture; of a Total the sum of those of its draws.

    Measuring from a lattice point keeps every phase a multiple of 2π/length, so that none is rounded.
    """
    if isinstance(law, Total):
        return math.fsum(count * lattice_centre(term, step) for term, count in law.terms)
    low = support(law)[0]
    return low + round((mean(law) - low) / step) * step


def fast_length(points: int) -> int:
    """The smallest 2^a, 3·2^a or 5·2^a that is even and holds ``points``."""
    power = 1 << max(points - 1, 1).bit_length()
    return min(length for length in (power, power * 3 // 4, power * 5 // 8) if length >= points and length % 2 == 0)


class Binned:
    """All frequencies of a DFT by one FFT for each leaf: quick, right to absolute rounding (1e-16) only."""

    def __init__(self, step: float, length: int) -> None:
        self.step = step
        self.length = length
        self.frequencies = np.arange(length // 2 + 1)

    def centre(self, law: Law) -> float:
        """The lattice point next to the mean."""
        return lattice_centre(law, self.step)

    def centres(self, leaves: Sequence[Atoms], means: FloatArray) -> FloatArray:  # noqa: ARG002 see below
        """The lattice point next to the mean, one by one: halves must be rounded as they are for the whole law."""
        return np.array([lattice_centre(leaf, self.step) for leaf in leaves])

    def leaves(self, values: FloatArray, probs: FloatArray, starts: NDArray[np.intp]) -> ComplexArray:
        """Log transform of each leaf, its values binned modulo the length."""
        ends = np.append(starts[1:], len(values))
        bins = np.round(values / self.step).astype(np.int64) % self.length
        binned = [
            np.bincount(bins[a:b], weights=probs[a:b], minlength=self.length) for a, b in zip(starts, ends, strict=True)
        ]
        excess = np.conj(np.fft.rfft(np.stack(binned), axis=1)) - 1.0
        return log1p_complex(np.asarray(excess, dtype=np.complex128))

    def mix(self, logs: ComplexArray, weights: FloatArray, offsets: FloatArray) -> ComplexArray:
        """Logarithm of Σ w exp(log + it·offset)."""
        logs = logs + 1j * _angles(offsets, self.step, self.frequencies, self.length)
        mixed = np.add.reduce(weights[:, np.newaxis] * np.exp(logs), axis=0)
        return log1p_complex(np.asarray(mixed - 1.0, dtype=np.complex128))


class Phases(Binned):
    """Some frequencies of a DFT, from Σ p (e^{iθ} − 1): right to relative rounding. The phases θ are never rounded."""

    def __init__(self, step: float, length: int, frequencies: NDArray[np.int64]) -> None:
        super().__init__(step, length)
        self.frequencies = frequencies

    def leaves(self, values: FloatArray, probs: FloatArray, starts: NDArray[np.intp]) -> ComplexArray:
        """Log transform of each leaf."""
        excess = np.empty((len(starts), len(self.frequencies)), dtype=np.complex128)
        block = max(1, CHUNK // len(values))
        listed = self.length <= len(values) * len(self.frequencies)
        known = _sine_and_cosine(np.arange(self.length), self.length) if listed else None
        for first in range(0, len(self.frequencies), block):
            place = _places(values, self.step, self.frequencies[first : first + block], self.length)
            # Where angles come again and again, each is worked out once.
            sine, cosine = _sine_and_cosine(place, self.length) if known is None else (part[place] for part in known)
            weighted = 2.0 * probs[:, np.newaxis] * sine
            excess[:, first : first + block].real = -np.add.reduceat(weighted * sine, starts, axis=0)
            excess[:, first : first + block].imag = np.add.reduceat(weighted * cosine, starts, axis=0)
        return log1p_complex(excess)

    def mix(self, logs: ComplexArray, weights: FloatArray, offsets: FloatArray) -> ComplexArray:
        """Logarithm of Σ w exp(log + it·offset)."""
        logs = logs + 1j * _angles(offsets, self.step, self.frequencies, self.length)
        return log1p_complex(np.add.reduce(weights[:, np.newaxis] * expm1_complex(logs), axis=0))


def _angles(values: FloatArray, step: float, frequencies: NDArray[np.int64], length: int) -> FloatArray:
    """2π · frequency · index / length in [−π, π), shape (values, frequencies): reduced in integers."""
    return _angles_of(_places(values, step, frequencies, length), length)


def _places(values: FloatArray, step: float, frequencies: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """Frequency · index modulo the length, counted from −half of it on, shape (values, frequencies)."""
    index = np.round(values / step).astype(np.int64) % length
    return np.asarray((index[:, np.newaxis] * frequencies + length // 2) % length)


def _angles_of(places: NDArray[np.int64], length: int) -> FloatArray:
    """The angles of such places, in [−π, π)."""
    return np.asarray((2.0 * math.pi / length) * (places - length // 2), dtype=np.float64)


def _sine_and_cosine(places: NDArray[np.int64], length: int) -> tuple[FloatArray, FloatArray]:
    """Of half the angle of each place."""
    half = 0.5 * _angles_of(places, length)
    return np.sin(half), np.cos(half)


def _spectrum(law: Law, step: float, length: int, *, rough: bool) -> ComplexArray:
    """The log transform from the lattice's centre at the frequencies of a DFT; −∞ stands as a large negative number."""
    work = size(law)
    everywhere = np.arange(length // 2 + 1)
    few = sum(_draws(law)) <= FEW_DRAWS
    if work * len(everywhere) <= DIRECT_WORK and not (few and rough):
        return np.asarray(evaluate(law, Phases(step, length, everywhere)), dtype=np.complex128)
    binned = np.asarray(evaluate(law, Binned(step, length)), dtype=np.complex128)
    active = np.flatnonzero(binned.real > NEGLIGIBLE)
    if work * len(active) > ACTIVE_WORK or few:
        return binned
    logs = np.full(len(everywhere), -800.0, dtype=np.complex128)
    logs[active] = evaluate(law, Phases(step, length, active))
    return logs


def _mixture_origins(law: Law) -> Iterator[FloatArray]:
    """Distances between the smallest values of the parts of each mixture: they must lie on the lattice as well."""
    if isinstance(law, Mixture):
        lows = np.array([support(part)[0] for part in law.parts])
        yield np.sort(lows - lows.min())
        for part in law.parts:
            yield from _mixture_origins(part)
    elif isinstance(law, Total):
        for term, _ in law.terms:
            yield from _mixture_origins(term)


def _draws(law: Law) -> Iterator[int]:
    """Numbers of independent draws whose sum is T (the largest of a mixture's parts)."""
    if isinstance(law, Total):
        for term, count in law.terms:
            yield count * sum(_draws(term))
    elif isinstance(law, Mixture):
        yield max(sum(_draws(part)) for part in law.parts)
    else:
        yield 1


def _per_unit(step: float) -> tuple[int | None, float]:
    """1/step and the step rounded to its reciprocal, if 1/step is an integer but for rounding."""
    inverse = 1.0 / step
    whole = round(inverse)
    if whole and abs(inverse - whole) <= 1e-13 * inverse and whole < 2**53:
        return whole, 1.0 / whole
    return None, step


def _base(low: float, step: float, doubt: float) -> float:
    """The smallest value of T in steps, made an integer where only rounding keeps it from one."""
    base = low / step
    whole = round(base)
    return float(whole) if abs(base - whole) <= min(0.01, doubt / step) else base
