"""A ratio of sums most of whose units have one ratio: nearly all right, or nearly all wrong, with weights.

Given that J units of other ratios are drawn, R* = r + D/(W + V): r is the common ratio, D what the J units exceed it
by, W their sizes, V the sizes of the other draws. J is binomial; no draw at all of the others is an atom at r, exactly.
The J others are few, so they are listed; V is a sum of many draws, whose smooth density is read at equal distances
(the trapezoid rule), so closely that every frequency of R* that is asked for is right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from scorebars.kernels import compositions
from scorebars.kernels.law import EPS, Atoms, FloatArray, dot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.kernels.ratio import Pairs

_Part: TypeAlias = tuple[FloatArray, FloatArray]

MOST_OTHERS: Final = 18.0
"""Expected number of draws of other ratios beyond which the atom, of about exp(−this), is nothing."""
MOST_WAYS: Final = 40_000
"""Ways for so many draws of other ratios to fall, that may be listed."""
MOST_VALUES: Final = 2_000_000
RARE: Final = 1e-9
"""Probability of a way to fall that is left out."""
LOUDEST: Final = 9e-4
"""Largest |φ| of the sizes of the common draws where it may be cut, times their chance."""
HEARD: Final = 14.0
"""Frequency, times their standard deviation, up to which the transform of their sum is used: what few draws have beyond
it are steps too fine to matter."""
WIDTH: Final = 8.5
"""How far from its mean the sum of these sizes is read, in standard deviations."""
DEAF: Final = 10.0
"""Frequency, times the standard deviation of a lump, from which on its transform is nothing."""
STEEPEST: Final = 4.0
"""How far below its mean the sum of the common sizes is looked at, in standard deviations: R* is steepest there."""
NARROW: Final = 1e-2
"""Standard deviation of a lump, over that of what R* is part of, up to which it is a list of values, not smooth."""
FINE: Final = 0.2
"""Distance of the values of such a list, in standard deviations of the lump: its density is right, its steps are not
seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """R* as values that are kept as they are, and values that stand for smooth lumps."""

    hard: Atoms
    """The atom at the common ratio, and lumps too narrow to matter; the probabilities sum to less than 1."""
    soft: tuple[tuple[Atoms, float], ...]
    """Values of lumps of about one width, their weights, and the frequency from which on they are not heard."""
    unseen: float
    """How far the values of narrow lumps may be off."""
    left: float
    """What is left out: the probability of what is rare, and the largest |φ| where one of the common sizes was cut."""


@dataclass(frozen=True, slots=True, eq=False)
class _Lumps:
    """What R* may be, given how the other draws fall: one lump each."""

    excess: FloatArray
    sizes: FloatArray
    chances: FloatArray
    spread: FloatArray
    """Standard deviation of each lump."""
    close: float
    """Distance of the values of the sum of the common sizes, in standard deviations: no frequency is heard amiss."""

    def of(self, which: NDArray[np.bool_]) -> _Lumps:
        """Some of them."""
        return _Lumps(self.excess[which], self.sizes[which], self.chances[which], self.spread[which], self.close)

    def values(self, common: float, summed: tuple[FloatArray, FloatArray]) -> tuple[FloatArray, FloatArray]:
        """All values of R* and their weights, from those of the sum of the common draws' sizes."""
        found = common + self.excess[:, np.newaxis] / (self.sizes[:, np.newaxis] + summed[0])
        return found.ravel(), np.multiply.outer(self.chances, summed[1]).ravel()


def split(units: Pairs, scale: float) -> Split | None:
    """The ratio in two parts; None where many draws are of other ratios, or too few of the common one.

    Lumps are narrow if they are for a standard deviation of ``scale``.
    """
    value, common = _common(units)
    probs = units.counts / units.counts.sum()
    share, n = float(probs[~common].sum()), units.n
    if not 0.0 < share * n <= MOST_OTHERS or share >= 0.5:
        return None
    hard, soft, unseen = [(np.array([value]), np.array([(1.0 - share) ** n]))], dict[int, list[_Part]](), 0.0
    room, loud, kept = MOST_VALUES, 0.0, hard[0][1][0]
    for j in range(1, n + 1):
        chance = _binomial(n, j, share)
        if chance < RARE:
            continue
        lumps = _lumps(units, common, (value, chance), j)
        if lumps is None:
            return None
        octave = np.floor(np.log2(np.maximum(lumps.spread / (NARROW * scale), 0.5)))
        for number in np.unique(octave).astype(int).tolist():
            some = lumps.of(octave == number)
            close = FINE if number < 0 else lumps.close
            sums, chances, cut = _summed(units.sizes[common], probs[common] / (1.0 - share), n - j, close)
            room -= len(some.excess) * len(sums)
            if room < 0 or cut * chance > LOUDEST:
                return None
            (hard if number < 0 else soft.setdefault(number, [])).append(some.values(value, (sums, chances)))
            loud, kept = max(loud, cut * chance), kept + float(some.chances.sum())
            unseen = max(unseen, 0.5 * FINE * float(some.spread.max())) if number < 0 else unseen
    deaf = DEAF / (NARROW * scale)
    smooth = tuple((_joined(parts), deaf / 2.0**number) for number, parts in soft.items())
    return Split(_joined(hard), smooth, unseen, max(loud, 1.0 - kept))


def _common(units: Pairs) -> tuple[float, NDArray[np.bool_]]:
    """The commonest ratio, and which units have it, but for rounding."""
    ratios = units.ratios
    tie = 64.0 * EPS * float(np.max(np.abs(ratios)))
    order = np.argsort(ratios, kind="stable")
    group = np.empty(len(ratios), dtype=np.intp)
    group[order] = np.cumsum(np.diff(ratios[order], prepend=ratios[order[0]]) > tie)
    common = group == int(np.argmax(np.bincount(group, units.counts)))
    return float(ratios[common][0]), common


def _binomial(n: int, k: int, p: float) -> float:
    """Probability of k among n draws."""
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(ways + k * math.log(p) + (n - k) * math.log1p(-p))


def _lumps(units: Pairs, common: NDArray[np.bool_], known: tuple[float, float], draws: int) -> _Lumps | None:
    """All ways in which so many draws of the other ratios fall; ``known`` are the common ratio and their chance."""
    value, chance = known
    rest = units.counts[~common]
    if compositions.ways(draws, len(rest)) > MOST_WAYS:
        return None
    rates = np.stack([compositions.poisson(draws, draws * p) for p in (rest / rest.sum()).tolist()])
    sizes, chances = compositions.compositions(draws, rates, units.sizes[~common])
    excess, _ = compositions.compositions(draws, rates, (units.sums - value * units.sizes)[~common])
    chances *= chance / chances.sum()
    kept = chances > RARE
    ours, counts = units.sizes[common], units.counts[common]
    middle = dot(counts, ours) / float(counts.sum())
    wide = math.sqrt((units.n - draws) * dot(counts, (ours - middle) ** 2) / float(counts.sum()))
    spread = np.abs(excess) * wide / (sizes + (units.n - draws) * middle) ** 2
    steep = (1.0 - min(STEEPEST * wide / (units.n * middle), 0.6)) ** -2
    close = min(2.0 * math.pi / (2.0 * DEAF * steep + 8.0), 0.99 * FINE)
    return _Lumps(excess[kept], sizes[kept], chances[kept], spread[kept], close)


def _summed(values: FloatArray, probs: FloatArray, draws: int, close: float) -> tuple[FloatArray, FloatArray, float]:
    """Values and weights of the sum of so many draws, ``close`` standard deviations apart; all of them if they are few.

    And the largest |φ| where it was cut.
    """
    if not draws:
        return np.zeros(1), np.ones(1), 0.0
    if compositions.ways(draws, len(values)) <= 2.0 * WIDTH / close:
        rates = np.stack([compositions.poisson(draws, draws * p) for p in probs.tolist()])
        sums, chances = compositions.compositions(draws, rates, values)
        return sums, chances / chances.sum(), 0.0
    mean = dot(probs, values)
    spread = math.sqrt(draws * dot(probs, (values - mean) ** 2))
    count = 2 * math.ceil(WIDTH / close)
    step = close * spread
    turns = 2.0 * math.pi / (count * step) * np.arange(1, count // 2 + 1)
    transform = np.sum(probs * np.exp(1j * np.outer(turns, values - mean)), axis=1) ** draws
    away = turns * spread
    transform[away > HEARD] = 0.0
    cut = float(np.max(np.abs(transform[away > 0.5 * HEARD]), initial=0.0))
    density = np.fft.irfft(np.concatenate([np.ones(1), np.conj(transform)]), count)
    found = draws * mean + step * ((np.arange(count) + count // 2) % count - count // 2)
    kept = (found > draws * values.min()) & (found < draws * values.max())
    return found[kept], density[kept] if close != FINE else np.maximum(density[kept], 0.0), cut


def _joined(parts: list[_Part]) -> Atoms:
    """Values in order, with their weights."""
    values, weights = (np.concatenate(some) for some in zip(*parts, strict=True))
    order = np.argsort(values, kind="stable")
    return Atoms(values[order], weights[order])
