"""Bootstrap distributions: computed from a law wherever that is possible, and Monte Carlo replicates.

:func:`compute` takes the law of a mean (``kernels.law``) and never needs random numbers:

    >>> import numpy as np
    >>> from scorebars.kernels.law import redrawn
    >>> d = compute(redrawn([1, 1, 1, 0, 1, 1, 0, 1, 1, 1]))
    >>> d.step, d.quantile(0.025), d.quantile(0.975, upper=True)
    ('binomial', 0.5, 1.0)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.contracts import How
from scorebars.errors import ArgumentError
from scorebars.kernels import binomial, compositions, fourier, grid, lattice
from scorebars.kernels import ratio as ratios
from scorebars.kernels.law import (
    EPS,
    Atoms,
    FloatArray,
    Law,
    Total,
    leaves,
    mean,
    negated,
    redrawn,
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


@dataclass(frozen=True, eq=False)
class Discrete:
    """A distribution on listed points."""

    atoms: Atoms
    step: str
    ends: tuple[float, float]
    """Smallest and largest possible value; the listed points may stop short of them where 1e-15 is left."""
    mean: float
    std: float
    error: float = 0.0
    how: How = How.COMPUTED
    n_boot: None = None

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """The smallest x with P(T* ≤ x) ≥ p, or with ``upper`` the largest x with P(T* ≥ x) ≥ 1 − p."""
        if (p >= 1.0) if upper else (p <= 0.0):
            return self.ends[int(upper)]
        place = -1 - _first(self._from_above, 1.0 - p) if upper else _first(self._from_below, p)
        return min(max(float(self.atoms.values[place]), self.ends[0]), self.ends[1])

    def cdf(self, x: float) -> float:
        """P(T* ≤ x); a point that differs from x by rounding alone counts as x."""
        return self._sum_of(int(np.searchsorted(self.atoms.values, x + self._tie, side="right")))

    def below(self, x: float) -> float:
        """P(T* < x)."""
        return self._sum_of(int(np.searchsorted(self.atoms.values, x - self._tie, side="left")))

    def _sum_of(self, place: int) -> float:
        return min(float(self._from_below[place - 1]), 1.0) if place else 0.0

    @cached_property
    def _tie(self) -> float:
        gap = float(np.min(np.diff(self.atoms.values), initial=np.inf))
        rounding = 64.0 * EPS * max(abs(self.ends[0]), abs(self.ends[1]))
        return min(max(rounding, 1e-6 * self.std / 1e3), 0.25 * gap) if math.isfinite(gap) else rounding

    @cached_property
    def _from_below(self) -> FloatArray:
        return np.cumsum(self.atoms.probs)

    @cached_property
    def _from_above(self) -> FloatArray:
        return np.cumsum(self.atoms.probs[::-1])


@dataclass(frozen=True, eq=False)
class TwoPoint:
    """n draws of two values: the binomial distribution in closed form."""

    n: int
    p: float
    """Probability of the larger value."""
    lattice: lattice.Lattice
    mean: float
    std: float
    step: str = "binomial"
    error: float = 0.0
    how: How = How.COMPUTED
    n_boot: None = None

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """The smallest x with P(T* ≤ x) ≥ p, or with ``upper`` the largest x with P(T* ≥ x) ≥ 1 − p."""
        return self._value(binomial.quantile(p, self.n, self.p, upper=upper))

    def cdf(self, x: float) -> float:
        """P(T* ≤ x); a point that differs from x by rounding alone counts as x."""
        return binomial.cdf(math.floor(self._index(x) + 1e-3), self.n, self.p)

    def below(self, x: float) -> float:
        """P(T* < x)."""
        return binomial.cdf(math.ceil(self._index(x) - 1e-3) - 1, self.n, self.p)

    def _value(self, k: int) -> float:
        return float(self.lattice.points(np.array([k]))[0])

    def _index(self, x: float) -> float:
        return min(max(x / self.lattice.step - self.lattice.base, -1.0), self.n + 1.0)


@dataclass(frozen=True, eq=False)
class Smooth:
    """A distribution given by its Fourier series, on a fine lattice perhaps."""

    series: fourier.Series
    ends: tuple[float, float]
    mean: float
    std: float
    error: float
    lattice: lattice.Lattice | None = None
    step: str = "fourier"
    how: How = How.COMPUTED
    n_boot: None = None

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """The x with P(T* ≤ x) = p; on a lattice the point that the two conventions for ties ask for."""
        if p <= 0.0 or p >= 1.0:
            return self.ends[0 if p <= 0.0 else 1]
        x = self.series.quantile(p)
        if self.lattice is not None:
            index = x / self.lattice.step - self.lattice.base
            k = math.floor(index + 0.5) if upper else math.ceil(index - 0.5)
            x = float(self.lattice.points(np.array([k]))[0])
        return min(max(x, self.ends[0]), self.ends[1])

    def cdf(self, x: float) -> float:
        """P(T* ≤ x)."""
        return 1.0 if x >= self.ends[1] else self.series.cdf(x + self._half)

    def below(self, x: float) -> float:
        """P(T* < x)."""
        return 0.0 if x <= self.ends[0] else self.series.cdf(x - self._half)

    @property
    def _half(self) -> float:
        return 0.5 * self.lattice.step if self.lattice is not None else 0.0


@dataclass(frozen=True, eq=False)
class Mirrored:
    """The distribution of −T*."""

    of: Distribution

    @property
    def how(self) -> How:
        """As the mirrored one."""
        return self.of.how

    @property
    def step(self) -> str:
        """As the mirrored one."""
        return self.of.step

    @property
    def n_boot(self) -> int | None:
        """As the mirrored one."""
        return self.of.n_boot

    @property
    def error(self) -> float:
        """As the mirrored one."""
        return self.of.error

    @property
    def mean(self) -> float:
        """E[−T*]."""
        return -self.of.mean

    @property
    def std(self) -> float:
        """As the mirrored one."""
        return self.of.std

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """Minus the quantile at 1 − p from the other side."""
        return 0.0 - self.of.quantile(1.0 - p, upper=not upper)

    def cdf(self, x: float) -> float:
        """P(−T* ≤ x) = 1 − P(T* < −x)."""
        return 1.0 - self.of.below(-x)

    def below(self, x: float) -> float:
        """P(−T* < x) = 1 − P(T* ≤ −x)."""
        return 1.0 - self.of.cdf(-x)


@dataclass(frozen=True, eq=False)
class MonteCarlo:
    """The replicates of a statistic, shape (n_boot,)."""

    replicates: FloatArray
    how: How = How.MONTE_CARLO
    step: str = "monte-carlo"

    def __post_init__(self) -> None:
        if self.replicates.ndim != 1 or self.replicates.size == 0:
            raise ArgumentError(f"replicates must be one row of numbers, got shape {self.replicates.shape}")

    @property
    def n_boot(self) -> int:
        """Number of resamples."""
        return len(self.replicates)

    @property
    def error(self) -> float:
        """Standard error of the 2.5 % quantile: half the distance of the order statistics one SE of rank around it."""
        n = self.n_boot
        rank, spread = 0.025 * n, math.sqrt(0.025 * 0.975 * n)
        low, high = max(math.floor(rank - spread), 0), min(math.ceil(rank + spread), n - 1)
        return float(self._sorted[high] - self._sorted[low]) / 2.0

    @cached_property
    def mean(self) -> float:
        """Mean of the replicates."""
        return float(np.mean(self.replicates))

    @cached_property
    def std(self) -> float:
        """Standard deviation of the replicates, divisor n_boot − 1."""
        return float(np.std(self.replicates, ddof=1)) if self.n_boot > 1 else math.nan

    def quantile(self, p: float, *, upper: bool = False) -> float:  # noqa: ARG002 the protocol's; no ties to settle here
        """``np.quantile`` of the replicates."""
        return float(np.quantile(self.replicates, p))

    def cdf(self, x: float) -> float:
        """Share of the replicates at or below x."""
        return int(np.searchsorted(self._sorted, x, side="right")) / self.n_boot

    def below(self, x: float) -> float:
        """Share of the replicates below x."""
        return int(np.searchsorted(self._sorted, x, side="left")) / self.n_boot

    @cached_property
    def _sorted(self) -> FloatArray:
        return np.sort(self.replicates)


def binomial_mean(successes: int, n: int) -> TwoPoint:
    """The bootstrap distribution of the mean of n scores of which ``successes`` are 1 and the others 0."""
    if not 0 <= successes <= n or n < 1:
        raise ArgumentError(f"successes must lie between 0 and n, and n must be 1 or more; got {successes} of {n}")
    p = successes / n
    return TwoPoint(n, p, lattice.Lattice(0.0, 1.0 / n, n, 0.0), p, math.sqrt(p * (1.0 - p) / n))


def compute(law: Law) -> Distribution:
    """The distribution of a sum of draws from finite sets, by the first step that can: never random numbers.

    Point, binomial, lattice, compositions, Fourier series, grid. The law and its mirror image are computed the same
    way round, so that A−B and B−A mirror each other to the last bit of their values.
    """
    law = compositions.melt(simplify(law))
    mirror = _wants_mirror(law)
    found = _computed(simplify(negated(law)) if mirror else law)
    return Mirrored(found) if mirror else found


def point(value: float) -> Discrete:
    """The distribution that is ``value`` for certain; std 0."""
    return Discrete(Atoms(np.array([value]), np.ones(1)), "point", (value, value), value, 0.0)


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
    """The lattice, or on a very fine one the series if it converges."""
    found = lattice.find(law)
    if found is None:
        return None
    first, last = lattice.window(law, found)
    if (last - first) * len(leaves(law)) >= LATTICE_FIRST:
        smooth = _series(law, found)
        if smooth is not None:
            return smooth
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
    return None if solved is None else _discrete(law, _zeroed(solved, support(law)), "compositions", 0.0)


def _series(law: Law, on: lattice.Lattice | None) -> Smooth | None:
    """The Fourier series, if it converges."""
    series = fourier.solve(law, step=on.step if on else 0.0)
    if series is None:
        return None
    spread = math.sqrt(variance(law))
    error = series.unseen + fourier.DEAD * spread / DENSITY + (on.error if on else 0.0)
    return Smooth(series, support(law), mean(law), spread, error, on)


def _on_grid(law: Law) -> Discrete:
    """The grid, which always answers."""
    solved, error = grid.solve(law)
    return _discrete(law, solved, "grid", error, How.APPROXIMATE)


DENSITY: Final = 0.05
"""A normal density at 2.5 %, in units of 1/SD: turns an error of probability into one of the quantile."""


def _discrete(law: Law, atoms: Atoms, step: str, error: float, how: How = How.COMPUTED) -> Discrete:
    return Discrete(atoms, step, support(law), mean(law), math.sqrt(variance(law)), error, how)


def _zeroed(atoms: Atoms, ends: tuple[float, float]) -> Atoms:
    """Points that differ from 0 by rounding alone are 0, so that no bound is 'just above' it."""
    tiny = 64.0 * EPS * max(abs(ends[0]), abs(ends[1]))
    return Atoms(np.where(np.abs(atoms.values) <= tiny, 0.0, atoms.values), atoms.probs)


def _first(sums: FloatArray, target: float) -> int:
    """Index at which the running sums reach ``target`` less the slack; the last one if never."""
    return min(int(np.searchsorted(sums, target - binomial.slack(target))), len(sums) - 1)


def _wants_mirror(law: Law) -> bool:
    """Whether the mirror image is the one to compute: the first, by value, of the two."""
    here, there = _signature(law), _signature(negated(law))
    differs = np.flatnonzero(here != there)
    return bool(len(differs)) and bool(here[differs[0]] > there[differs[0]])


def _signature(law: Law) -> FloatArray:
    """All values in order with their probabilities: the same for a law however its terms are ordered."""
    found = leaves(law)
    values = np.concatenate([leaf.values for leaf in found])
    probs = np.concatenate([leaf.probs for leaf in found])
    order = np.lexsort((probs, values))
    return np.concatenate([values[order], probs[order]])


@dataclass(frozen=True, eq=False)
class RatioMean:
    """The distribution of Σ s* / Σ n* where outcomes are too many to hold: one transform for each x that is asked."""

    units: ratios.Pairs
    ends: tuple[float, float]
    spread: float
    """Standard deviation by linearisation, to start searches from."""
    step: str = "ratio"
    how: How = How.COMPUTED
    n_boot: None = None

    @cached_property
    def error(self) -> float:
        """That of the series in a quantile; of the grid, where the series does not converge at the value."""
        converged = ratios.cdf(self.units, self.units.value, look=True)[2]
        return self.spread * (fourier.DEAD / DENSITY if converged else 1e-3)

    @cached_property
    def mean(self) -> float:
        """E[R*], from the CDF."""
        return self._moments[0]

    @cached_property
    def std(self) -> float:
        """Standard deviation of R*, from the CDF."""
        return math.sqrt(max(self._moments[1] - self._moments[0] ** 2, 0.0)) or self.spread

    @cached_property
    def _moments(self) -> tuple[float, float]:
        """E[R*] and E[R*²] by the trapezoid rule; about the data's ratio, so that nothing cancels."""
        centre, width = self.units.value, 10.0 * self.spread
        away = np.linspace(max(self.ends[0] - centre, -width), min(self.ends[1] - centre, width), 121)
        sums = np.array([self.cdf(centre + x) for x in away])
        first = away[-1] * sums[-1] - away[0] * sums[0] - float(np.trapezoid(sums, away))
        second = away[-1] ** 2 * sums[-1] - away[0] ** 2 * sums[0] - float(np.trapezoid(2 * away * sums, away))
        return centre + first, second - first**2 + (centre + first) ** 2

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """The smallest x with P(R* ≤ x) ≥ p, or with ``upper`` the largest x with P(R* ≥ x) ≥ 1 − p."""
        if p <= 0.0 or p >= 1.0:
            return self.ends[0 if p <= 0.0 else 1]
        target = p + binomial.slack(1.0 - p) if upper else p - binomial.slack(p)

        def rising(x: float) -> float:
            below, upto, _ = ratios.cdf(self.units, x)
            return below - target if upper else upto - target

        low, high = ratios.root(rising, *self.ends, near=self.units.value, width=6.0 * self.spread)
        return self._snapped(low if upper else high)

    def _snapped(self, x: float) -> float:
        """The ratio of one pair, on which many resamples fall, if x found nothing but that."""
        known = np.append(self.units.ratios, 0.0)
        nearest = float(known[np.argmin(np.abs(known - x))])
        return nearest if abs(nearest - x) <= 1e-11 * max(abs(end) for end in self.ends) else x

    def cdf(self, x: float) -> float:
        """P(R* ≤ x)."""
        if x >= self.ends[1]:
            return 1.0
        return 0.0 if x < self.ends[0] else ratios.cdf(self.units, x)[1]

    def below(self, x: float) -> float:
        """P(R* < x)."""
        if x <= self.ends[0]:
            return 0.0
        return 1.0 if x > self.ends[1] else ratios.cdf(self.units, x)[0]


def ratio(sums: FloatArray, sizes: FloatArray) -> Distribution:
    """The distribution of Σ s* / Σ n* for units redrawn with replacement; shapes (units,), sizes positive.

    Equal sizes make it a mean; else all outcomes are listed, or a joint lattice is inverted, or each x is computed.
    """
    sums, sizes = np.asarray(sums, dtype=np.float64), np.asarray(sizes, dtype=np.float64)
    if sums.shape != sizes.shape or sums.ndim != 1 or not len(sums) or not np.all(sizes > 0.0):
        raise ArgumentError(f"a ratio needs one positive size for each sum; got shapes {sums.shape} and {sizes.shape}")
    if float(sizes.min()) == float(sizes.max()):
        return compute(redrawn(sums / sizes[0]))
    units = ratios.pairs(sums, sizes)
    ends = (float(units.ratios.min()), float(units.ratios.max()))
    if ends[1] - ends[0] <= 64.0 * EPS * max(abs(ends[0]), abs(ends[1])):
        return point(units.value)
    solved = ratios.listed(units) or ratios.joint(units)
    if solved is None:
        residuals = sums - units.value * sizes
        return RatioMean(units, ends, float(np.sqrt(np.dot(residuals, residuals))) / float(sizes.sum()))
    centre = float(np.dot(solved.probs, solved.values))
    spread = math.sqrt(float(np.dot(solved.probs, (solved.values - centre) ** 2)))
    return Discrete(solved, "ratio", ends, centre, spread)
