"""The binomial distribution on the window that carries its mass; no SciPy.

Probabilities come from the ratio of neighbours, p(k+1)/p(k) = (n−k)/(k+1) · p/(1−p), multiplied outward from the mode
and divided by their sum. That needs no factorials, so it keeps its digits at n = 2,000,000, where a difference of
log-gammas is left with 3e-9. Relative error about |k − np| · 1e-16, which is what one rounding of p costs anyway.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SLACK: Final = 1e-12
"""Probability by which a cumulative sum may miss its target and still count as reaching it (ties, mirrored data)."""
FAR: Final = 1e-300
"""Mass left outside the default window: about 38 standard deviations on each side."""
NEAR: Final = 1e-20
"""Mass left outside where quantiles are read off."""
FEW: Final = 400.0
"""Variance of X up to which the sums are plain lists."""
MANY: Final = 30_000.0
"""Variance of X from which a quantile is read from its tail alone."""
_WHOLE: Final = np.arange(1 << 12, dtype=np.float64)
_WHOLE.flags.writeable = False
"""Whole numbers that need not be made each time."""
STRETCH: Final = 128
"""Probabilities that are summed before their running sums are looked at one by one."""


def slack(p: float) -> float:
    """The slack at probability ``p``: 1e-12, but never more than half of ``p``, so that tiny tails stay tails."""
    return min(SLACK, p / 2)


def pmf_window(n: int, p: float, tail: float = FAR) -> tuple[int, NDArray[np.float64]]:
    """P(X = k) for X ~ Bin(n, p) on the window that leaves out at most ``tail`` on each side (Bernstein's bound).

    Returns:
        The first k of the window, and the probabilities of first, first + 1, …; they sum to 1.
    """
    if p <= 0.0 or p >= 1.0 or n == 0:
        return (n if p >= 1.0 else 0), np.ones(1)
    first, last = _window(n, p, tail)
    mode = min(max(int((n + 1) * p), first), last)
    odds = p / (1.0 - p)
    weights = np.empty(last - first + 1)
    below, above = weights[: mode - first], weights[mode - first + 1 :]
    weights[mode - first] = 1.0
    whole = _whole_numbers(first, last)
    down, up = whole[mode - first : 0 : -1], whole[mode - first + 1 :]
    left = (n + 1) - down
    left *= odds
    np.divide(down, left, out=left)
    np.multiply.accumulate(left, out=below[::-1])
    np.subtract(n + 1, up, out=above)
    above /= up
    above *= odds
    np.multiply.accumulate(above, out=above)
    weights /= np.add.reduce(weights)
    return first, weights


def _whole_numbers(first: int, last: int) -> NDArray[np.float64]:
    """From the first to the last; small ones are there already."""
    return _WHOLE[first : last + 1] if last < len(_WHOLE) else np.arange(first, last + 1, dtype=np.float64)


def tails(k: int, n: int, p: float) -> tuple[float, float]:
    """P(X ≤ k) and P(X ≥ k), each summed on its own, so that a small one keeps its digits (down to 1e-300)."""
    first, probs = pmf_window(n, p)
    at = k - first
    if at < 0:
        return 0.0, 1.0
    if at >= len(probs):
        return 1.0, 0.0
    return min(float(probs[: at + 1].sum()), 1.0), min(float(probs[at:].sum()), 1.0)


def pmf(k: int, n: int, p: float) -> float:
    """P(X = k); 0.0 below 1e-300."""
    first, probs = pmf_window(n, p)
    at = k - first
    return float(probs[at]) if 0 <= at < len(probs) else 0.0


def cdf(k: int, n: int, p: float) -> float:
    """P(X ≤ k)."""
    return tails(k, n, p)[0]


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Running sums of weights proportional to P(X = k), from both ends of the window that carries the mass."""

    first: int
    from_below: Sequence[float]
    from_above: Sequence[float]

    def quantile(self, level: float, *, upper: bool = False) -> int:
        """The smallest k with P(X ≤ k) ≥ level; with ``upper`` the largest k with P(X ≥ k) ≥ 1 − level."""
        sums = self.from_above if upper else self.from_below
        target = 1.0 - level if upper else level
        steps = min(bisect_left(sums, (target - slack(target)) * sums[-1]), len(sums) - 1)
        return self.first + (len(sums) - 1 - steps if upper else steps)


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Probabilities of many values, summed over stretches of them first: to read two quantiles few sums are needed."""

    first: int
    probs: NDArray[np.float64]

    def quantile(self, level: float, *, upper: bool = False) -> int:
        """As of :class:`Sums`."""
        probs = self.probs[::-1] if upper else self.probs
        target = 1.0 - level if upper else level
        sums = np.cumsum(np.add.reduceat(probs, np.arange(0, len(probs), STRETCH)))
        goal = (target - slack(target)) * float(sums[-1])
        stretch = min(int(np.searchsorted(sums, goal)), len(sums) - 1)
        start, before = stretch * STRETCH, float(sums[stretch - 1]) if stretch else 0.0
        within = np.cumsum(probs[start : start + STRETCH])
        steps = start + min(int(np.searchsorted(within, goal - before)), len(within) - 1)
        return self.first + (len(probs) - 1 - steps if upper else steps)


class Tails:
    """Bin(n, p) of a large variance, of which a quantile needs the one tail that it cuts off, and nothing else."""

    __slots__ = ("n", "p")

    def __init__(self, n: int, p: float) -> None:
        self.n = n
        self.p = p

    def quantile(self, level: float, *, upper: bool = False) -> int:
        """As of :class:`Sums`."""
        target = 1.0 - level if upper else level
        if target > 0.5:  # what is left beyond it would be a difference of large numbers
            return Weights(*pmf_window(self.n, self.p, NEAR)).quantile(level, upper=upper)
        if upper:
            return self.n - _lower_quantile(target, self.n, 1.0 - self.p)
        return _lower_quantile(target, self.n, self.p)


def _lower_quantile(target: float, n: int, p: float) -> int:
    """The smallest k with P(X ≤ k) ≥ ``target``, less the slack.

    At a guess that is a few steps off, P(X ≤ k) is P(X = k) times the sum of the products of the ratios below k.
    """
    first, last = _window(n, p, NEAR)
    odds, goal = p / (1.0 - p), target - slack(target)
    z = _rough_deviate(target)
    k = round(n * p + z * math.sqrt(n * p * (1.0 - p)) + (1.0 - 2.0 * p) * (z * z - 1.0) / 6.0 - 0.5)
    k = min(max(k, first), last)
    ratios = np.arange(k, first, -1, dtype=np.float64)
    ratios /= (n + 1) - ratios
    ratios *= 1.0 / odds
    prob = _loader(k, n, p)
    below = prob * (1.0 + float(np.add.reduce(np.multiply.accumulate(ratios, out=ratios))))
    while below < goal and k < last:
        prob *= (n - k) / (k + 1) * odds
        k, below = k + 1, below + prob
    while below - prob >= goal and k > first:
        below -= prob
        prob *= k / (n - k + 1) / odds
        k -= 1
    return k


def _loader(k: int, n: int, p: float) -> float:
    """P(X = k) where k and n − k are large (Loader 2000): how far they are from np and nq, and Stirling's remainders.

    Relative error about 1e-16 · |k − np|.
    """
    away, other = k - n * p, (n - k) - n * (1.0 - p)
    divergence = (k * math.log1p(away / (n * p)) - away) + ((n - k) * math.log1p(other / (n * (1.0 - p))) - other)
    stirling = [1.0 / (12.0 * m) - 1.0 / (360.0 * float(m) ** 3) for m in (n, k, n - k)]
    remainder = stirling[0] - stirling[1] - stirling[2]
    return math.exp(remainder - divergence) * math.sqrt(n / (math.tau * k * (n - k)))


def _rough_deviate(tail: float) -> float:
    """The z with P(Z ≤ z) = ``tail`` ≤ 1/2, to 5e-4 (Abramowitz and Stegun 1964, 26.2.23)."""
    t = math.sqrt(-2.0 * math.log(tail))
    return (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t


def running_sums(n: int, p: float) -> Sums | Weights | Tails:
    """What quantiles of Bin(n, p), 0 < p < 1, are read from. Few sums are quicker as plain floats than as arrays."""
    if n * p * (1.0 - p) > MANY:
        return Tails(n, p)
    if n * p * (1.0 - p) > FEW:
        return Weights(*pmf_window(n, p, NEAR))
    mode, odds = int((n + 1) * p), p / (1.0 - p)
    inverse, up, down, weight = 1.0 / odds, [1.0], [], 1.0
    for k in range(mode, n):
        weight *= (n - k) / (k + 1) * odds
        up.append(weight)
        if weight < NEAR:
            break
    weight, k = 1.0, mode
    for k in range(mode, 0, -1):
        weight *= k / (n - k + 1) * inverse
        down.append(weight)
        if weight < NEAR:
            break
    down.reverse()
    weights = down + up
    below = list(accumulate(weights))
    weights.reverse()
    return Sums(mode - len(down), below, list(accumulate(weights)))


def quantile(level: float, n: int, p: float, *, upper: bool = False) -> int:
    """The smallest k with P(X ≤ k) ≥ level; with ``upper`` the largest k with P(X ≥ k) ≥ 1 − level.

    Both with :func:`slack`, so that Bin(n, p) and Bin(n, 1 − p) mirror each other. Level 0 and 1 give the ends 0 and n
    (of the possible values), whatever their probability.
    """
    if p <= 0.0 or p >= 1.0:
        return n if p >= 1.0 else 0
    if (level >= 1.0) if upper else (level <= 0.0):
        return n if upper else 0
    return running_sums(n, p).quantile(level, upper=upper)


def reach(probs: NDArray[np.float64], target: float) -> int:
    """Index at which the running sum of ``probs`` first reaches ``target`` less the slack; the last one if never."""
    index = int(np.searchsorted(np.cumsum(probs), target - slack(target)))
    return min(index, len(probs) - 1)


def _window(n: int, p: float, tail: float) -> tuple[int, int]:
    """First and last k outside which Bernstein's inequality leaves at most ``tail`` on each side."""
    budget = -math.log(tail)
    half = budget / 3 + math.sqrt(budget * budget / 9 + 2 * n * p * (1.0 - p) * budget)
    return max(0, math.floor(n * p - half)), min(n, math.ceil(n * p + half))
