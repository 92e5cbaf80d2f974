"""The Bayesian model of a paired 0/1 difference (Bowyer, Aitchison and Ivanova 2025, section 5), integrated.

θ_A and θ_B are uniform; ρ = 2X − 1 with X ~ Beta(4, 2); an item is a pair of normal scores with the means Φ⁻¹(θ) and
the correlation ρ, right where its score is above 0. So both are wrong with probability V = Φ₂(−Φ⁻¹(θ_A), −Φ⁻¹(θ_B); ρ),
and the 2 × 2 table is multinomial with V, 1 − θ_B − V (only A right), 1 − θ_A − V and θ_A + θ_B + V − 1.

The paper weighs 10,000 draws from the prior, of which few count: its P(A > B) moves by .02 to .05 from run to run. Here
the posterior of d = θ_A − θ_B is summed over a grid of d, of the mean of the two and of ρ, narrowed to where the
posterior lies. Along ρ the bivariate normal probability is a running integral of its density (Plackett 1954).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from scorebars.contracts import Bounds
from scorebars.intervals.newcombe import two_counts
from scorebars.intervals.wald import NEEDS_TABLE, refusal, refused

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Side
    from scorebars.sample import FloatArray

Box: TypeAlias = "tuple[tuple[float, float], tuple[float, float], tuple[float, float]]"
_COARSE: Final = (48, 32, 24)
_FINE: Final = (400, 96, 40)
"""Places along d, (θ_A + θ_B)/2 and the angle of ρ."""
_ROUNDS: Final = 8
_GONE: Final = 1e-9
"""Places whose posterior is less than this part of the highest are left out."""


@dataclass(frozen=True, slots=True)
class PairedBayes:
    """Equal-tailed credible interval of the difference under a model of correlated items."""

    @property
    def name(self) -> str:
        """As cited."""
        return "paired Bayes (Bowyer et al. 2025)"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but a paired 2 × 2 table."""
        return None if problem.table_2x2 is not None else _reason(problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds from the 2 × 2 table, inside [−1, 1]."""
        if problem.table_2x2 is None:
            return refused(self.name, _reason(problem))
        posterior = posterior_of(problem.table_2x2)
        below, above = side.tails(level)
        low = posterior.quantile(below) if below else -math.inf
        high = posterior.quantile(1.0 - above) if above else math.inf
        return Bounds(low, high, self.name)

    def p_value(self, problem: Problem) -> float:
        """Twice the smaller of the posterior probabilities that A is below and above B."""
        if problem.table_2x2 is None:
            return math.nan
        below = posterior_of(problem.table_2x2).cdf(0.0)
        return min(1.0, 2.0 * min(below, 1.0 - below))


def _reason(problem: Problem) -> str:
    return refusal(NEEDS_TABLE, problem, None if two_counts(problem) is None else "IndependentBeta or Mover")


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """The posterior of the difference: its CDF at the edges of equal cells, linear between them."""

    edges: FloatArray
    sums: FloatArray

    def cdf(self, d: float) -> float:
        """P(θ_A − θ_B ≤ d)."""
        return float(np.interp(d, self.edges, self.sums))

    def quantile(self, p: float) -> float:
        """The d with P(θ_A − θ_B ≤ d) = p."""
        return float(np.interp(p, self.sums, self.edges))


@lru_cache(maxsize=256)
def posterior_of(table: tuple[int, int, int, int]) -> Posterior:
    """Posterior of θ_A − θ_B for a table (both right, only A, only B, neither).

    The answers are kept: a p-value asks for the bounds of one table at fifty levels.
    """
    both, only_a, only_b, neither = table
    if only_a < only_b:
        # B − A is the mirror image.
        mirrored = posterior_of((both, only_b, only_a, neither))
        return Posterior(-mirrored.edges[::-1], 1.0 - mirrored.sums[::-1])
    box: Box = ((-1.0, 1.0), (0.0, 1.0), (-math.pi / 2, math.pi / 2))
    for _ in range(_ROUNDS):
        narrowed = _narrowed(_posterior(table, box, _COARSE), box)
        settled = all(b - a > 0.7 * (d - c) for (a, b), (c, d) in zip(narrowed, box, strict=True))
        box = narrowed
        if settled:
            break
    density = _posterior(table, box, _FINE).sum(axis=(1, 2))
    sums = np.concatenate(([0.0], np.cumsum(density)))
    return Posterior(np.linspace(*box[0], _FINE[0] + 1), sums / sums[-1])


def _middles(limits: tuple[float, float], n: int) -> FloatArray:
    return limits[0] + (np.arange(n) + 0.5) * (limits[1] - limits[0]) / n


def _posterior(table: tuple[int, int, int, int], box: Box, shape: tuple[int, int, int]) -> FloatArray:
    """Posterior at the middles of the cells, relative to its highest place; shape as given."""
    from scipy.special import ndtri

    d, middle, angle = (_middles(limits, n) for limits, n in zip(box, shape, strict=True))
    a, b = middle + d[:, None] / 2.0, middle - d[:, None] / 2.0
    inside = (np.minimum(a, b) > 0.0) & (np.maximum(a, b) < 1.0)
    a, b = np.where(inside, a, 0.5), np.where(inside, b, 0.5)
    wrong = _both_below(-ndtri(a), -ndtri(b), angle)
    cells = (a + b)[..., None] - 1.0 + wrong, (1.0 - b)[..., None] - wrong, (1.0 - a)[..., None] - wrong
    log = np.zeros(shape)
    for count, cell in zip(table, (*cells, wrong), strict=True):
        if count:
            log += count * np.log(np.maximum(cell, 1e-300))
    # The prior of ρ = sin(angle): X³(1 − X) with X = (1 + ρ)/2, times dρ.
    x = (1.0 + np.sin(angle)) / 2.0
    log += np.log(np.maximum(x**3 * (1.0 - x) * np.cos(angle), 1e-300))
    log = np.where(inside[..., None], log, -np.inf)
    return np.asarray(np.exp(log - log.max()))


def _both_below(h: FloatArray, k: FloatArray, angle: FloatArray) -> FloatArray:
    """P(X ≤ h, Y ≤ k) at each correlation sin(angle), ascending; shape of h, then of the angles.

    Φ(h)Φ(k) + ∫₀^angle exp(−(h² + k² − 2hk sin φ)/(2 cos² φ)) dφ/2π, by Gauss-Legendre from one angle to the next.
    """
    from scipy.special import ndtr

    start = ndtr(h) * ndtr(k)
    # The first stretch, from 0, is long and is cut up; the others are short.
    whole = start + sum(_stretch(h, k, low, high) for low, high in zip(*_cuts(0.0, float(angle[0])), strict=True))
    found = [whole]
    for low, high in pairwise(angle):
        whole = whole + _stretch(h, k, float(low), float(high))
        found.append(whole)
    return np.stack(found, axis=-1)


def _cuts(start: float, end: float, n: int = 8) -> tuple[list[float], list[float]]:
    # Closer together towards the end, where the density sharpens as the correlation nears ±1.
    at = start + (end - start) * (1.0 - (1.0 - np.arange(n + 1) / n) ** 2)
    return at[:-1].tolist(), at[1:].tolist()


def _stretch(h: FloatArray, k: FloatArray, low: float, high: float) -> FloatArray:
    nodes, weights = np.polynomial.legendre.leggauss(4)
    squares, product = h * h + k * k, h * k
    total = np.zeros_like(h)
    for node, weight in zip(nodes, weights, strict=True):
        phi = low + (high - low) * (node + 1.0) / 2.0
        cosine = 2.0 * math.cos(phi) ** 2
        total += weight * np.exp((2.0 * math.sin(phi) * product - squares) / cosine)
    return total * (high - low) / (4.0 * math.pi)


def _narrowed(posterior: FloatArray, box: Box) -> Box:
    """The part of the box that holds the posterior, with a cell to spare on each side."""
    sides = []
    for axis, (low, high) in enumerate(box):
        others = tuple(other for other in range(3) if other != axis)
        alive = np.flatnonzero(posterior.max(axis=others) > _GONE)
        step = (high - low) / posterior.shape[axis]
        sides.append((max(low, low + step * (alive[0] - 1)), min(high, low + step * (alive[-1] + 2))))
    return sides[0], sides[1], sides[2]
