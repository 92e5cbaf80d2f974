"""Exact confidence limits of a binomial rate, from sums of binomial probabilities.

Lower limits only: an upper limit for k of n is one minus the lower limit for n − k of n. Everything is solved in
θ = log(p/(1−p)), where the tails are log-concave, by Newton steps kept inside a bracket.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from scorebars.intervals.quantiles import normal_deviate
from scorebars.kernels.binomial import pmf_window

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_WINDOW_TAIL = 1e-20
_CLOSE = 16.0
"""Largest exponent by which probabilities of a window are moved: what is left out grows by exp of half of it."""
_STEP = 1e-8
"""Newton stops after a step of this size in θ; the next would be of the order of its square."""


def lower_limit(k: int, n: int, tail: float) -> float:
    """The Clopper-Pearson lower limit: the p with P(X ≥ k | p) = ``tail``."""
    if k == 0:
        return 0.0
    if k == n:
        return math.exp(math.log(tail) / n)
    return _rate(_lower_limit(k, _Window(n, _start(k, n, tail), tail), tail))


def _lower_limit(k: int, near: _Window, tail: float) -> float:
    """θ of the Clopper-Pearson lower limit, searched from where ``near`` is."""
    target = math.log(tail)

    def excess(theta: float) -> tuple[float, float]:
        upper, slope = near.at(theta).at_least(k)
        return math.log(upper) - target, slope / upper

    return _solve(excess, near.theta, -math.inf, math.inf)


def blaker_lower_limit(k: int, n: int, alpha: float) -> float:
    """Lower end of the convex hull of Blaker's confidence set.

    For p below k/n the acceptability is a(p) = P(X ≥ k) + P(X ≤ j), j the largest with P(X ≤ j) ≤ P(X ≥ k); the set is
    {p: a(p) > α}. It contains no p below the Clopper-Pearson limit, where a ≤ 2·P(X ≥ k) = α. Going up from there, j
    stays the same until P(X ≤ j + 1) has fallen to P(X ≥ k); there a jumps to 2·P(X ≥ k) > α, so the limit is that
    place or an earlier one where a crosses α. It crosses at most once before, because P(j < X < k) is unimodal in p.
    Gaps of the set further up lie inside the hull.
    """
    if k == 0:
        return 0.0
    if k == n:
        start = math.exp(math.log(alpha / 2) / n)
        theta = math.log(start / (1.0 - start)) if start < 1.0 else math.inf
        first = _Window(n, theta, alpha)
    else:
        near = _Window(n, _start(k, n, alpha / 2), alpha)
        theta = _lower_limit(k, near, alpha / 2)
        first = near.at(theta)
    j = first.largest_below(alpha / 2)
    jump = _jump(k, j + 1, first)
    at_jump = first.at(jump).acceptability(k, j)
    if at_jump[0] <= alpha:
        return _rate(jump)

    def excess(at: float) -> tuple[float, float]:
        value, slope = at_jump if at == jump else first.at(at).acceptability(k, j)
        return value - alpha, slope

    return _rate(_solve(excess, jump, theta, jump))


def _jump(k: int, j: int, first: _Window) -> float:
    """The θ at which P(X ≤ j) has fallen to P(X ≥ k), searched upward from the place of ``first``."""

    def excess(at: float) -> tuple[float, float]:
        window = first.at(at)
        (upper, up), (lower, down) = window.at_least(k), window.at_most(j)
        return math.log(upper) - math.log(lower), up / upper - down / lower

    return _solve(excess, first.theta, first.theta, math.inf)


class _Window:
    """Binomial probabilities at one θ, and the tails with their derivatives in θ."""

    __slots__ = ("_from", "alpha", "first", "n", "p", "probs", "theta")

    def __init__(self, n: int, theta: float, alpha: float) -> None:
        self.n, self.theta, self.alpha = n, theta, alpha
        self.p = _rate(theta)
        self.first, self.probs = pmf_window(n, self.p, min(_WINDOW_TAIL, alpha * 1e-12))
        self._from: _Window | None = None

    def at(self, theta: float) -> _Window:
        """The window at another place: close by, each probability is multiplied by exp(X·Δθ), for all their sum."""
        known = self._from or self
        away = theta - known.theta
        if not abs(away) * len(known.probs) <= _CLOSE:
            return _Window(self.n, theta, self.alpha)
        if not away:
            return known
        moved = object.__new__(_Window)
        moved.n, moved.theta, moved.alpha, moved.first, moved._from = self.n, theta, self.alpha, known.first, known
        moved.p = _rate(theta)
        weights = _places(len(known.probs)) * away
        np.exp(weights, out=weights)
        weights *= known.probs
        weights /= np.add.reduce(weights)
        moved.probs = weights
        return moved

    def at_least(self, k: int) -> tuple[float, float]:
        """P(X ≥ k) and its derivative, k(1−p)·P(X = k)."""
        at = max(k - self.first, 0)
        tail = self.probs[at:]
        return (float(np.add.reduce(tail)), k * (1.0 - self.p) * float(tail[0])) if len(tail) else (1e-320, 0.0)

    def at_most(self, k: int) -> tuple[float, float]:
        """P(X ≤ k) and its derivative, −(n−k)p·P(X = k)."""
        at = k - self.first
        tail: NDArray[np.float64] = self.probs[: at + 1] if at >= 0 else self.probs[:0]
        return (float(np.add.reduce(tail)), -(self.n - k) * self.p * float(tail[-1])) if len(tail) else (1e-320, 0.0)

    def largest_below(self, tail: float) -> int:
        """The largest j with P(X ≤ j) ≤ ``tail``; −1 if there is none."""
        return self.first - 1 + int(np.searchsorted(np.cumsum(self.probs), tail, side="right"))

    def acceptability(self, k: int, j: int) -> tuple[float, float]:
        """P(X ≥ k) + P(X ≤ j) and its derivative."""
        upper, up = self.at_least(k)
        if j < 0:
            return upper, up
        lower, down = self.at_most(j)
        return upper + lower, up + down


def _start(k: int, n: int, tail: float) -> float:
    """θ of Wilson's lower limit with continuity correction: close enough for Newton at any n."""
    z = normal_deviate(tail)
    rate = (k - 0.5) / n
    centre = rate + z * z / (2 * n)
    half = z * math.sqrt(rate * (1 - rate) / n + (z / (2 * n)) ** 2)
    # (centre − half) without cancellation where it is close to 0.
    low = rate * rate / (centre + half) if z >= 0 else (centre - half) / (1 + z * z / n)
    return math.log(low / (1.0 - low))


@lru_cache(maxsize=8)
def _places(n: int) -> NDArray[np.float64]:
    """0 … n − 1; kept, for each step towards each limit adds up over the same ones."""
    return np.arange(n, dtype=np.float64)


def _rate(theta: float) -> float:
    return 1.0 / (1.0 + math.exp(-theta)) if theta >= 0.0 else math.exp(theta) / (1.0 + math.exp(theta))


def _solve(function: Callable[[float], tuple[float, float]], start: float, low: float, high: float) -> float:
    """Root of an increasing function (value, slope) inside [low, high]: Newton, halving where a step leaves."""
    at = start
    for _ in range(100):
        value, slope = function(at)
        if value > 0.0:
            high = at
        else:
            low = at
        step = value / slope if slope > 0.0 else math.copysign(1.0, value)
        after = at - max(-4.0, min(4.0, step))
        if not low <= after <= high:
            after = (low + high) / 2
        if abs(after - at) <= _STEP * max(1.0, abs(at)):
            return after
        at = after
    return at
