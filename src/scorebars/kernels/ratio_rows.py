"""P(R* ≤ x) of a ratio of sums at many x in one go: what :func:`scorebars.kernels.ratio.cdf` gives one by one.

Each x has its own sum Σ (s − x·n)* and its own period; the powers of the turn by one frequency give the transforms of
all, one multiplication a pair, an x and a frequency.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels.fourier import DEAD, FIRST_TERMS, MARGIN
from scorebars.kernels.lattice import common_step
from scorebars.kernels.law import EPS, dot
from scorebars.kernels.transform import TAIL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.kernels.law import FloatArray
    from scorebars.kernels.ratio import Pairs
    from scorebars.kernels.transform import ComplexArray

MOST_TERMS: Final = 512
"""Frequencies up to which a transform is given to die out."""
SIGHT: Final = 6.0
"""How far from the ratio of the data others are looked at, in standard deviations."""
LARGEST: Final = 128
"""Denominators looked at."""
TINY: Final = 1e-12
"""Smallest variance, over the square, that is not taken for rounding."""
CELLS: Final = 1 << 14
"""Pairs × places worked on at once: they stay in the cache."""


def cdf(units: Pairs, x: FloatArray) -> tuple[FloatArray, float]:
    """P(R* ≤ x) for each x, shape (len(x),), and the largest |φ| at which a series was cut.

    A step of the CDF is read as its middle. Where the largest |φ| is not below ``DEAD`` the CDF has steps that the
    series do not follow, and its values are those of a smoothed one.
    """
    found, loud = np.empty(len(x)), 0.0
    block = max(1, CELLS // len(units.sums))
    for first in range(0, len(x), block):
        some = slice(first, first + block)
        found[some], loudest = _block(units, x[some])
        loud = max(loud, loudest)
    return found, loud


def _block(units: Pairs, x: FloatArray) -> tuple[FloatArray, float]:
    probs = units.counts / units.counts.sum()
    excess = units.sums - x[:, np.newaxis] * units.sizes
    means = np.sum(excess * probs, axis=1)
    excess -= means[:, np.newaxis]
    centre = units.n * means
    down, up = _reach(excess, probs, units.n)
    period = MARGIN * (down + up)
    start = centre - down - 0.5 * (period - down - up)
    found = (start < 0.0).astype(np.float64)
    inside = np.flatnonzero((start < 0.0) & (start + period > 0.0))
    loud, terms = 0.0, FIRST_TERMS
    while len(inside):
        transform = _transforms(excess[inside], probs, units.n, 2.0 * math.pi / period[inside], terms)
        values = _at_zero(transform, period[inside], (centre[inside], start[inside]))
        left = np.abs(transform[:, terms // 2 :]).max(axis=1)
        live = (left >= DEAD) if terms < MOST_TERMS else np.zeros(len(inside), dtype=bool)
        found[inside[~live]] = values[~live]
        loud = max(loud, float(np.max(left[~live], initial=0.0)))
        inside, terms = inside[live], 2 * terms
    return np.clip(found, 0.0, 1.0), loud


def _reach(excess: FloatArray, probs: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    """How far below and above its mean each sum lies but for ``TAIL``: Bernstein's bound, never past the support."""
    budget = -math.log(TAIL)
    normal = np.sqrt(2.0 * n * budget * np.sum(excess * excess * probs, axis=1))
    ends = []
    for largest in (-excess.min(axis=1), excess.max(axis=1)):
        linear = largest * budget / 3.0
        ends.append(np.minimum(linear + np.hypot(linear, normal), n * largest))
    return ends[0], ends[1]


def _transforms(excess: FloatArray, probs: FloatArray, n: int, step: FloatArray, terms: int) -> ComplexArray:
    """E exp(ijθ) of each sum less its mean, j = 1 … terms, shape (places, terms)."""
    turn = np.exp(1j * step[:, np.newaxis] * excess)
    power = probs * turn
    means = np.empty((len(excess), terms), dtype=np.complex128)
    for j in range(terms):
        np.sum(power, axis=1, out=means[:, j])
        power *= turn
    return np.asarray(means**n, dtype=np.complex128)


def _at_zero(transform: ComplexArray, period: FloatArray, places: tuple[FloatArray, FloatArray]) -> FloatArray:
    """F(0) from the series of :class:`scorebars.kernels.fourier.Series`; ``places`` are its centre and its start."""
    centre, start = places
    omega = (2.0 * math.pi / period)[:, np.newaxis] * np.arange(1, transform.shape[1] + 1)
    waves = np.exp(1j * omega * centre[:, np.newaxis]) - np.exp(1j * omega * (centre - start)[:, np.newaxis])
    parts: NDArray[np.complex128] = 2j * transform / (omega * period[:, np.newaxis]) * waves
    return np.asarray(-start / period + np.sum(parts.real, axis=1), dtype=np.float64)


def same(units: Pairs) -> float:
    """About how likely two draws of R* are the same: where sums and sizes are whole numbers of steps, else 0.

    R* = a/b steps, in lowest terms, where Σ (b·s − a·n)* is 0; that sum is normal, nearly, on the whole numbers.
    """
    one, other = _step(units.sums), _step(units.sizes)
    if one is None or other is None:
        return 0.0
    top, bottom, probs = units.sums / one, units.sizes / other, units.counts / units.counts.sum()
    middle, away = units.value * other / one, SIGHT * units.spread * other / one
    b, place = np.divmod(np.arange(LARGEST * LARGEST), LARGEST)
    b = b + 1
    a = np.ceil((middle - away) * b).astype(np.int64) + place
    near = (a <= (middle + away) * b) & (np.gcd(a, b) == 1)
    a, b = a[near].astype(np.float64), b[near].astype(np.float64)
    mean = b * dot(probs, top) - a * dot(probs, bottom)
    square = (
        b * b * dot(probs, top * top) - 2.0 * a * b * dot(probs, top * bottom) + a * a * dot(probs, bottom * bottom)
    )
    variance = np.maximum(square - mean * mean, TINY * square)
    chance = np.exp(-0.5 * units.n * mean * mean / variance) / np.sqrt(2.0 * math.pi * units.n * variance)
    return float(np.sum(np.minimum(chance, 1.0) ** 2))


def _step(values: FloatArray) -> float | None:
    """The step that all values are whole numbers of; None where there is none of use."""
    size = np.unique(np.abs(np.append(values, 0.0)))
    return common_step(np.diff(size), 4.0 * EPS * float(size[-1])) if len(size) > 1 else 1.0
