"""The transform of a ratio of sums, exact however few its draws are.

E g(R*) of an entire g is 1/(2πi) ∮ g(z) E[1/(z − R*)] dz on any path around the ratios of the units, and
E[1/(z − R*)] = −E[N*/(S* − z·N*)] is an integral over powers of sums of the units' exponentials,
1/v = ∫ exp(−vτ) dτ along a ray on which every S − z·N decays. On an ellipse around the ratios the trapezoid rule
converges geometrically (Trefethen and Weideman 2014, section 5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from scorebars.kernels.law import FloatArray
    from scorebars.kernels.ratio import Pairs
    from scorebars.kernels.transform import ComplexArray

GROWTH: Final = 8.0
"""exp of this is by how much exp(iuz) may grow on the ellipse: what rounding is multiplied with."""
DECAY: Final = 36.0
"""−log of what is left out: 2e-16."""
MOST_NODES: Final = 2048
LEFT: Final = 1e-17
"""How small the integrand is at the end of a ray."""
MOST_PANELS: Final = 1024
MOST_WORK: Final = 1 << 19
"""Nodes of the path × nodes of a panel × pairs that may be spent."""
PANEL: Final = 16
"""Nodes of a panel, on which an exponent changes by as much: Gauss and Legendre's rule leaves 1e-15."""
CELLS: Final = 1 << 14
"""Nodes × pairs worked on at once: they stay in the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Contour:
    """Nodes in the upper half of an ellipse around R*, and weights: E g(R*) = Σ w g(z) + conj Σ w conj(g(conj z))."""

    nodes: ComplexArray
    weights: ComplexArray

    def transform(self, t: FloatArray, centre: float) -> ComplexArray:
        """E exp(it(R* − centre)) at each t."""
        turn = 1j * t[:, np.newaxis] * (self.nodes - centre)
        upper = np.sum(self.weights * np.exp(turn), axis=1)
        lower = np.sum(self.weights * np.exp(-turn), axis=1)
        return np.asarray(upper + np.conj(lower), dtype=np.complex128)

    def moment(self, centre: float, power: int) -> float:
        """E (R* − centre)^power."""
        return 2.0 * float(np.sum(self.weights * (self.nodes - centre) ** power).real)


def around(units: Pairs, furthest: float) -> Contour | None:
    """The contour that is right for frequencies up to ``furthest``; None where it would take too long."""
    low, high = float(units.ratios.min()), float(units.ratios.max())
    half = 0.5 * (high - low)
    flat = math.asinh(min(GROWTH / (furthest * half), 0.6))
    count = 2 * math.ceil(0.5 * (DECAY / flat + furthest * half * math.cosh(flat)))
    if count > MOST_NODES or count // 2 * PANEL * len(units.sums) > MOST_WORK:
        return None
    angle = 2.0 * math.pi / count * (np.arange(count // 2) + 0.5) - 1j * flat
    nodes = 0.5 * (low + high) + half * np.cos(angle)
    directions = 0.5 * (np.angle(low - nodes) + np.angle(high - nodes))
    excess = (units.sums - nodes[:, np.newaxis] * units.sizes) * np.exp(-1j * directions)[:, np.newaxis]
    block = max(1, CELLS // (PANEL * len(units.sums)))
    resolvent = np.concatenate(
        [_resolvent(units, excess[start : start + block]) for start in range(0, len(nodes), block)]
    )
    # dz = −half·sin(angle) d angle, and E[1/(z − R)] = −E[N/(S − zN)].
    weights = np.exp(-1j * directions) * resolvent * half * np.sin(angle) / (1j * count)
    return Contour(nodes, np.asarray(weights, dtype=np.complex128))


@lru_cache(maxsize=1)
def _legendre() -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of a panel, on [−1, 1]."""
    return np.polynomial.legendre.leggauss(PANEL)


def _resolvent(units: Pairs, excess: ComplexArray) -> ComplexArray:
    """E[N*/Σ excess*] for each node: ∫ E[N* exp(−τ Σ excess*)] dτ, panel after panel until the integrand has died.

    A panel is doubled once whatever turns too often for that has died.
    """
    probs, n = units.counts / units.counts.sum(), units.n
    sides = np.stack((probs, probs * units.sizes)).astype(np.complex128)
    places, steps = _legendre()
    size = np.abs(excess)
    length = PANEL / (n * size.max(axis=1))
    lasting = DECAY / (PANEL * np.min(excess.real / size, axis=1))
    passed = np.zeros(len(excess))
    within = np.exp(-0.5 * (places + 1.0)[:, np.newaxis] * (length[:, np.newaxis] * excess)[:, np.newaxis, :])
    across, begun = np.exp(-length[:, np.newaxis] * excess), np.ones_like(excess)
    total = np.zeros(len(excess), dtype=np.complex128)
    for _ in range(MOST_PANELS):
        terms = begun[:, np.newaxis, :] * within
        means, sizes = (np.einsum("zqc,c->zq", terms, side) for side in sides)
        powers = sizes * means ** (n - 1)
        total += length * np.einsum("zq,q->z", powers, 0.5 * steps)
        if np.max(np.abs(powers)) <= LEFT * units.sizes.min():
            break
        begun *= across
        passed += 1.0
        longer = passed >= lasting
        length[longer] *= 2.0
        passed[longer] *= 0.5
        across[longer] **= 2
        within[longer] **= 2
    return np.asarray(n * total, dtype=np.complex128)


def same(units: Pairs) -> float:
    """How likely it is that two resamples draw every pair equally often: Σ of the squared multinomial probabilities."""
    n = units.n
    k = np.arange(n + 1)
    logs = np.cumsum(np.log(np.maximum(k, 1.0)))
    found = np.exp(-2.0 * logs) * (k == 0)
    for prob in (units.counts / units.counts.sum()).tolist():
        found = np.convolve(found, np.exp(2.0 * (k * math.log(prob * n) - logs)))[: n + 1]
    return float(found[n]) * math.exp(2.0 * (logs[n] - n * math.log(n)))
