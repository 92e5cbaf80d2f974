"""The wild cluster bootstrap-t with the null imposed (Cameron, Gelbach and Miller 2008; Webb 2023), inverted.

A value μ is tested by giving each cluster's residuals from μ a random sign or size, all alike inside the cluster:
s*_g = v_g (s_g − μ n_g), with s_g the sum and n_g the size of cluster g. t* is the mean of these over its own
cluster-robust standard error, and the interval holds the μ with P(|t*| ≥ |t|) ≥ α, t the statistic of the data (v = 1
throughout); for one side P(t* ≥ t) or P(t* ≤ t).

v is ±1 (Rademacher) or one of ±√½, ±1, ±√1½ (Webb). All 2^G or 6^G choices are gone through where they are no more than
some ten thousand (G ≤ 13; Webb G ≤ 5), else that many are drawn. A statistic only sees v up to its sign, so with
Rademacher no p-value is below 2/2^G: no 95 % interval exists for G ≤ 5. Webb's smallest is 6/6^G.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.contracts import Bounds
from scorebars.distribution import MonteCarlo
from scorebars.errors import ArgumentError
from scorebars.intervals.all_equal import is_flat, with_instead
from scorebars.intervals.sandwich import Kind, cluster_moments
from scorebars.intervals.wald import cluster_notes, missing, past_range, refusal, refused, single_unit_note, symmetric
from scorebars.notes import note
from scorebars.resample.draws import block_sizes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorebars.contracts import Problem, Side, Units
    from scorebars.sample import FloatArray

DEFAULT_N_BOOT: Final = 9_999
_FEW: Final = 12
"""Below this many clusters Webb's weights (Webb 2023); Rademacher's from here on."""
_NEEDS_ONE_STRATUM = "needs a mean over the clusters of one stratum (one task, or pooled tasks)"


class Weights(Enum):
    """What residuals of a cluster are multiplied by."""

    RADEMACHER = "Rademacher"
    """±1."""
    WEBB = "Webb"
    """±√½, ±1, ±√1½: six points, for few clusters."""

    @property
    def points(self) -> FloatArray:
        """The equally likely values."""
        positive = np.array([1.0]) if self is Weights.RADEMACHER else np.sqrt([0.5, 1.0, 1.5])
        return np.concatenate((-positive[::-1], positive))


@dataclass(frozen=True, slots=True)
class WildCluster:
    """The values that the wild cluster bootstrap-t does not reject. For few clusters, unequal ones too."""

    weights: Weights | None = None
    """None: Webb below 12 clusters, else Rademacher."""
    n_boot: int = DEFAULT_N_BOOT
    """Number of draws, and of choices up to which all are gone through."""

    def __post_init__(self) -> None:
        if self.n_boot < 1:
            raise ArgumentError(f"n_boot={self.n_boot}: the number of resamples must be at least 1")

    @property
    def name(self) -> str:
        """As cited."""
        return "wild cluster bootstrap-t" + ("" if self.weights is None else f", {self.weights.value} weights")

    def refuses(self, problem: Problem) -> str | None:
        """Refuses statistics that are no mean over the units of one stratum; single items count as clusters of one."""
        units = problem.units
        if units is not None and len(units.weights) == 1:
            return None
        return refusal(_NEEDS_ONE_STRATUM, problem, None if units is None else "ClusterRobust")

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """The values that are not rejected; NaN where no p-value can be as small as the level asks."""
        units = problem.units
        reason = self.refuses(problem)
        if units is None or reason is not None:
            return refused(self.name, reason or _NEEDS_ONE_STRATUM)
        moments = cluster_moments(units, Kind.CR1)
        if math.isnan(moments.variance):
            return missing(self.name, single_unit_note(problem))
        if is_flat(moments.variance, problem.range, problem.value):
            low, high = symmetric(problem.value, 0.0, side.tails(level), math.inf)
            return with_instead(Bounds(low, high, self.name), problem, level, side)
        wild = self._wild(problem, units)
        name = f"wild cluster bootstrap-t, {wild.words}"
        below, above = side.tails(level)
        asked = below + above if below and above else max(below, above)
        smallest = wild.smallest(two_sided=bool(below and above))
        if asked <= smallest * (1.0 + 1e-9):
            return missing(name, note("nan-interval", detail=_too_few(wild, name, smallest)))
        step = moments.standard_error
        p = wild.two_sided if below and above else wild.upper_tail
        low = _crossing(p, problem.value, -step, asked) if below else -math.inf
        p = wild.two_sided if below and above else wild.lower_tail
        high = _crossing(p, problem.value, step, asked) if above else math.inf
        notes = (*cluster_notes(units, moments.degrees), *past_range(problem, name, low, high))
        law = MonteCarlo(problem.value + step * wild.statistics(problem.value)) if wild.drawn else None
        return Bounds(low, high, name, notes, None, step, None, law)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of the null value."""
        units = problem.units
        if units is None or self.refuses(problem) is not None:
            return math.nan
        variance = cluster_moments(units, Kind.CR1).variance
        if math.isnan(variance) or is_flat(variance, problem.range, problem.value):
            return math.nan
        return self._wild(problem, units).two_sided(problem.null)

    def _wild(self, problem: Problem, units: Units) -> _Wild:
        n = len(units.sums)
        kind = self.weights or (Weights.WEBB if n < _FEW else Weights.RADEMACHER)
        total = len(kind.points) ** n if n < 64 else math.inf
        drawn = total > self.n_boot
        size = self.n_boot if drawn else int(total)
        blocks = _drawn(kind, n, size, problem.fresh_rng()) if drawn else iter((_all(kind, n),))
        words = f"{kind.value} weights, " + (f"{size:,} draws" if drawn else f"all {size:,} choices")
        return _Wild(units, kind, words, drawn, np.concatenate([_sums(units, v) for v in blocks], axis=1))


def _too_few(wild: _Wild, name: str, smallest: float) -> str:
    n = len(wild.units.sums)
    remedy = "use Webb weights" if wild.kind is Weights.RADEMACHER else "use ClusterRobust"
    return (
        f"{name}: with {n} clusters no p-value is below {smallest:.3g}, so no interval exists at this level; {remedy}"
    )


def _all(kind: Weights, n: int) -> FloatArray:
    """Every choice of weights, shape (points^n, n)."""
    grid = np.meshgrid(*[kind.points] * n, indexing="ij")
    return np.stack([axis.ravel() for axis in grid], axis=1)


def _drawn(kind: Weights, n: int, n_boot: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Blocks of draws, each of shape (size, n)."""
    for size in block_sizes(n_boot, n):
        yield kind.points[rng.integers(0, len(kind.points), size=(size, n))]


def _sums(units: Units, v: FloatArray) -> FloatArray:
    """Per draw the sums over clusters that t* is made of, whatever μ is; shape (7, draws)."""
    s, n = units.sums, units.sizes
    first = (s, n, s * n, n * n)
    squares = (s * s, s * n, n * n)
    return np.array([(v * x).sum(axis=1) for x in first] + [(v * v * x).sum(axis=1) for x in squares])


@dataclass(frozen=True, slots=True, eq=False)
class _Wild:
    units: Units
    kind: Weights
    words: str
    drawn: bool
    sums: FloatArray

    def smallest(self, *, two_sided: bool) -> float:
        """No p-value is smaller: the choices v = c·1 give t itself (−t for c < 0)."""
        n_points = len(self.kind.points)
        share = float(n_points) ** (1 - min(len(self.units.sums), 300)) / (1.0 if two_sided else 2.0)
        return max(share, 1.0 / (self.sums.shape[1] + 1)) if self.drawn else share

    def statistics(self, mu: float) -> FloatArray:
        """t* of each draw under μ, up to a constant factor; ±∞ where its standard error is 0."""
        return _statistic(self.sums, self.units, mu)

    def observed(self, mu: float) -> float:
        """T of the data under μ, up to the same factor."""
        return float(_statistic(_sums(self.units, np.ones((1, len(self.units.sums)))), self.units, mu)[0])

    def two_sided(self, mu: float) -> float:
        """P(|t*| ≥ |t|)."""
        return self._share(np.abs(self.statistics(mu)), abs(self.observed(mu)))

    def upper_tail(self, mu: float) -> float:
        """P(t* ≥ t)."""
        return self._share(self.statistics(mu), self.observed(mu))

    def lower_tail(self, mu: float) -> float:
        """P(t* ≤ t)."""
        return self._share(-self.statistics(mu), -self.observed(mu))

    def _share(self, statistics: FloatArray, observed: float) -> float:
        # Choices that give t itself differ from it by rounding.
        reached = int(np.sum(statistics >= observed - 1e-9 * abs(observed)))
        return (reached + 1) / (len(statistics) + 1) if self.drawn else reached / len(statistics)


def _statistic(sums: FloatArray, units: Units, mu: float) -> FloatArray:
    vs, vn, vsn, vnn, ss, sn, nn = sums
    total = float(units.sizes.sum())
    shift = (vs - mu * vn) / total
    squares = ss - 2.0 * mu * sn + mu * mu * nn
    crossed = vsn - mu * vnn
    spread = squares - 2.0 * shift * crossed + shift * shift * float(np.sum(units.sizes**2))
    # What rounding leaves of no spread.
    error = np.sqrt(np.where(spread > 1e-13 * squares, spread, 0.0)) / total
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(shift == 0.0, 0.0, shift / error))


def _crossing(p: Callable[[float], float], value: float, step: float, alpha: float) -> float:
    """The μ on the side of ``step`` where p falls below α: doubled until it has, then bisected."""
    far = step
    while p(value + far) >= alpha:
        far *= 2.0
        if abs(far) > 1e9 * abs(step):
            return math.copysign(math.inf, step)
    near = 0.0
    while abs(far - near) > 1e-10 * abs(step):
        middle = (near + far) / 2.0
        near, far = (middle, far) if p(value + middle) >= alpha else (near, middle)
    return value + near
