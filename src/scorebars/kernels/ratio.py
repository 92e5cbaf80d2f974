"""Ratios of sums, R* = Σ s_c* / Σ n_c*, for units redrawn with replacement: unequal clusters, cost per success.

A ratio is no mean, but P(R* ≤ x) = P(Σ (s_c − x·n_c)* ≤ 0), and that is a sum of draws. Few outcomes are listed; whole
numbers have a joint law of (Σs, Σn) by one FFT in two dimensions; any others take one transform for each x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels import compositions, fourier, grid
from scorebars.kernels.lattice import common_step, fast_length
from scorebars.kernels.law import EPS, Atoms, FloatArray, Law, Total, atoms, dot
from scorebars.kernels.transform import reach

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_CELLS: Final = 2**22
"""Cells of the joint lattice."""
GRID_POINTS: Final = 2**16
"""Grid points where the series of one x does not converge."""
MOST_TERMS: Final = 2**11
"""Frequencies that the series of one x may take to converge."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The distinct (sum, size) of the units and how many units have them; sizes are positive."""

    sums: FloatArray
    sizes: FloatArray
    counts: FloatArray
    n: int
    """Number of units that are drawn."""

    @property
    def ratios(self) -> FloatArray:
        """Ratio of each pair alone: R* lies between the least and the largest, and many resamples fall on them."""
        return self.sums / self.sizes

    @property
    def value(self) -> float:
        """The ratio of the data."""
        return dot(self.counts, self.sums) / dot(self.counts, self.sizes)

    @property
    def spread(self) -> float:
        """Standard deviation of R* by linearisation."""
        residuals = self.sums - self.value * self.sizes
        squares, size = dot(self.counts, residuals * residuals), dot(self.counts, self.sizes)
        return math.sqrt(squares * float(self.counts.sum()) / self.n) / size

    def excess(self, x: float) -> Law:
        """The law of Σ (s − x·n)* / Σ n, n units drawn."""
        scale = dot(self.counts, self.sizes)
        return Total(((atoms((self.sums - x * self.sizes) / scale, self.counts), self.n),))


def pairs(sums: FloatArray, sizes: FloatArray, draws: int | None = None) -> Pairs:
    """Distinct pairs of units, shape (units,) each; as many draws as units by default."""
    distinct, counts = np.unique(np.column_stack([sums, sizes]) + 0.0, axis=0, return_counts=True)
    return Pairs(distinct[:, 0], distinct[:, 1], counts.astype(np.float64), len(sums) if draws is None else draws)


def ways(units: Pairs) -> int:
    """In how many ways the draws can fall."""
    return compositions.ways(units.n, len(units.counts))


def listed(units: Pairs, limit: int = compositions.LIMIT) -> Atoms | None:
    """The law of R* from all compositions; None where they are more than ``limit``."""
    n = units.n
    if ways(units) > limit:
        return None
    weights = np.stack([compositions.poisson(n, rate) for rate in units.counts.tolist()])
    tops, chances = compositions.compositions(n, weights, units.sums)
    bottoms, _ = compositions.compositions(n, weights, units.sizes)
    return _snapped(compositions.merged(tops / bottoms, chances), units)


def joint(units: Pairs, limit: int = MAX_CELLS) -> Atoms | None:
    """The law of R* from the joint lattice of (Σs, Σn); None where they lie on none or it has too many cells."""
    top, bottom = _axis(units.sums, units), _axis(units.sizes, units)
    if top is None or bottom is None or top.points * bottom.points > limit:
        return None
    rows, columns = fast_length(top.points), fast_length(bottom.points)
    cells = np.zeros((rows, columns))
    np.add.at(cells, (top.offsets % rows, bottom.offsets % columns), units.counts / units.counts.sum())
    transform = np.fft.rfft2(cells)
    size = np.abs(transform)
    powers = np.where(size > 0.0, transform / np.where(size > 0.0, size, 1.0), 0.0) ** units.n * size**units.n
    circle = np.fft.irfft2(powers, s=(rows, columns))
    i, j = np.arange(top.first, top.first + top.points), np.arange(bottom.first, bottom.first + bottom.points)
    chances = circle[np.ix_(i % rows, j % columns)]
    # What the FFT leaves of its own rounding is no outcome.
    keep = chances > 4.0 * EPS * float(chances.max())
    bottoms = bottom.origin + j * bottom.step
    ratios = (top.origin + i * top.step)[:, np.newaxis] / np.where(bottoms > 0.0, bottoms, math.nan)
    return _snapped(compositions.merged(ratios[keep], chances[keep]), units)


def cdf(units: Pairs, x: float, *, look: bool = False) -> tuple[float, float, bool]:
    """P(R* < x) and P(R* ≤ x) from the law of Σ (s − x·n)*, and whether it was a series (else the grid)."""
    law = units.excess(x)
    spread = law.terms[0][0] if isinstance(law, Total) else law
    if isinstance(spread, Atoms) and len(spread.values) == 1:
        value = float(spread.values[0])
        return float(value < 0.0), float(value <= 0.0), True
    series = fourier.solve(law, MOST_TERMS, look=look)
    if series is not None:
        return series.cdf(0.0), series.cdf(0.0), True
    solved, _ = grid.solve(law, GRID_POINTS)
    tie = 64.0 * EPS * float(np.max(np.abs(solved.values)))
    place = np.searchsorted(solved.values, [-tie, tie])
    return float(solved.probs[: place[0]].sum()), float(solved.probs[: place[1]].sum()), False


def root(
    rising: Callable[[float], float], low: float, high: float, near: float, width: float, close: float = 0.0
) -> tuple[float, float]:
    """The last bracket, narrower than 1e-13 of its place, in which ``rising`` passes from negative to not negative.

    Or narrower than ``close``. The search starts ``width`` around ``near``; false position with halved ends (Illinois),
    bisection where it stalls.
    """
    a, b = low, high
    for end, away in ((max(low, near - width), -1), (min(high, near + width), 1)):
        value = rising(end)
        if value < 0.0:
            a = max(a, end)
        elif away > 0 or value >= 0.0:
            b = min(b, end)
    fa, fb = rising(a), rising(b)
    tolerance = max(1e-13 * max(abs(low), abs(high), high - low), close)
    for turn in range(200):
        if b - a <= tolerance:
            break
        x = b - fb * (b - a) / (fb - fa) if turn % 4 and fb > fa else 0.5 * (a + b)
        x = min(max(x, a + 0.25 * tolerance), b - 0.25 * tolerance)
        value = rising(x)
        if value < 0.0:
            a, fa, fb = x, value, fb * 0.5
        else:
            b, fb, fa = x, value, fa * 0.5
    return a, b


@dataclass(frozen=True, slots=True)
class _Axis:
    """One coordinate of the joint lattice: the window of its sum, and each pair's place from the lattice's centre."""

    origin: float
    step: float
    first: int
    points: int
    offsets: np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def _axis(values: FloatArray, units: Pairs) -> _Axis | None:
    n, low = units.n, float(values.min())
    noise = 4.0 * EPS * float(np.max(np.abs(values)))
    gaps = np.diff(np.unique(values))
    if not len(gaps) or float(gaps.max()) <= 2.0 * noise:
        return _Axis(n * low, 1.0, 0, 1, np.zeros(len(values), dtype=np.int64))
    step = common_step(gaps, noise)
    if step is None:
        return None
    index = np.round((values - low) / step)
    if float(np.max(np.abs(values - low - index * step))) > 2.0 * noise:
        return None
    law = Total(((atoms(index, units.counts), n),))
    down, up = reach(law)
    middle = n * dot(index, units.counts) / float(units.counts.sum())
    centre = round(middle / n)
    first, last = math.floor(middle - down), math.ceil(middle + up)
    origin = n * low + n * centre * step
    return _Axis(origin, step, first - n * centre, last - first + 1, index.astype(np.int64) - centre)


def _snapped(found: Atoms, units: Pairs) -> Atoms:
    """Points that differ from the ratio of a single pair, or from 0, by rounding alone are it."""
    known = np.unique(np.concatenate([[0.0], units.ratios]))
    place = np.clip(np.searchsorted(known, found.values), 1, len(known) - 1) if len(known) > 1 else None
    if place is None:
        return found
    below, above = known[place - 1], known[place]
    nearest = np.where(found.values - below < above - found.values, below, above)
    tie = 64.0 * EPS * float(np.max(np.abs(known)))
    return Atoms(np.where(np.abs(found.values - nearest) <= tie, nearest, found.values), found.probs)
