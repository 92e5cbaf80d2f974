"""Tango's score interval for a paired 0/1 difference (Tango 1998, eq. 2 to 6).

With b items that only A gets right, c that only B does, of n: T(δ) = (b − c − nδ) / √(n(2q + δ(1 − δ))), q the
constrained maximum-likelihood estimate of P(only B right) given the difference δ, the larger root of

    2n q² − (b + c − (2n − b + c)δ) q − c δ(1 − δ) = 0.

The interval holds the δ with |T(δ)| ≤ z. Its test of δ = 0 is McNemar's, (b − c)/√(b + c), without correction.
It exists at any n ≥ 1, has a width when all pairs agree (± z²/(n + z²)) and never leaves [−1, 1].
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import Bounds
from scorebars.intervals.quantiles import normal_deviate, normal_tail
from scorebars.intervals.wald import NEEDS_TABLE, refusal, refused

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Side
    from scorebars.sample import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Tango:
    """The differences that a score test of the paired 2 × 2 table does not reject."""

    @property
    def name(self) -> str:
        """As cited."""
        return "Tango"

    def refuses(self, problem: Problem) -> str | None:
        """Refuses anything but a paired 2 × 2 table."""
        return None if problem.table_2x2 is not None else refusal(NEEDS_TABLE, problem)

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """Bounds from the 2 × 2 table."""
        if problem.table_2x2 is None:
            return refused(self.name, refusal(NEEDS_TABLE, problem))
        both, only_a, only_b, neither = problem.table_2x2
        n = both + only_a + only_b + neither
        low, high = tango_bounds(only_a, only_b, n, side.tails(level))
        return Bounds(low, high, self.name)

    def p_value(self, problem: Problem) -> float:
        """Two-sided p of no difference: McNemar's score test; 1.0 where no item differs."""
        if problem.table_2x2 is None:
            return math.nan
        return tango_p_value(*problem.table_2x2[1:3])


def tango_p_value(b: int, c: int) -> float:
    """Two-sided p of no difference between two sides of which A alone is right on b items and B alone on c."""
    return min(1.0, 2.0 * normal_tail(abs(b - c) / math.sqrt(b + c))) if b + c else 1.0


def tango_bounds(b: int, c: int, n: int, tails: tuple[float, float]) -> tuple[float, float]:
    """Bounds of (P(only A right) − P(only B right)); infinite on a side whose tail is 0."""
    low = -_upper(c, b, n, normal_deviate(tails[0])) if tails[0] else -math.inf
    high = _upper(b, c, n, normal_deviate(tails[1])) if tails[1] else math.inf
    return low, high


def _upper(b: int, c: int, n: int, z: float) -> float:
    """The δ at which T has fallen to −z, to the last bit but two.

    Chandrupatla's method (1997): inverse quadratic interpolation where it is safe, else bisection. T falls from one end
    to the other, and is infinite where its variance is 0.
    """
    new, near, old = -1.0, 1.0, math.nan
    at_near, at_old, at_new = _left(b, c, n, near, z), math.nan, _left(b, c, n, new, z)
    if at_near > 0.0 or at_new <= 0.0:
        return near if at_near > 0.0 else new
    step = 0.5
    while True:
        delta = new + step * (near - new)
        at_delta = _left(b, c, n, delta, z)
        if (at_delta > 0.0) == (at_new > 0.0):
            old, at_old = new, at_new
        else:
            old, near, at_old, at_near = near, new, at_near, at_new
        new, at_new = delta, at_delta
        width = abs(near - new)
        if at_new == 0.0 or width <= 1e-15 * max(abs(near), abs(new), 1e-3):
            found = new if at_new == 0.0 else 0.5 * (near + new)
            return found if abs(found) > 1e-15 else 0.0
        step = _step((new, near, old), (at_new, at_near, at_old), 2.5e-16 * max(abs(new), 1e-3) / width)


def tango_bounds_of(b: IntArray, c: IntArray, n: int, tails: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """``tango_bounds`` of many pairs of sides with n items each, all at once: the same numbers to the last bit."""
    low, high = np.full(len(b), -math.inf), np.full(len(b), math.inf)
    left, right = b.astype(np.float64), c.astype(np.float64)
    if tails[0] == tails[1]:  # both ends at once, for what a step costs is mostly its beginning
        both = np.concatenate((right, left)), np.concatenate((left, right))
        found = _uppers(*both, n, normal_deviate(tails[0]))
        return -found[: len(b)], found[len(b) :]
    if tails[0]:
        low = -_uppers(right, left, n, normal_deviate(tails[0]))
    if tails[1]:
        high = _uppers(left, right, n, normal_deviate(tails[1]))
    return low, high


def _uppers(b: FloatArray, c: FloatArray, n: int, z: float) -> FloatArray:
    """``_upper`` of each pair, step by step for all that are not found yet."""
    out = np.empty(len(b))
    row = np.arange(len(b))
    x = np.stack([np.full(len(b), end) for end in (-1.0, 1.0, math.nan)])
    with np.errstate(all="ignore"):
        f = np.stack([_lefts(b, c, n, x[0], z), _lefts(b, c, n, x[1], z), x[2]])
        at_end = (f[1] > 0.0) | (f[0] <= 0.0)
        out[at_end] = np.where(f[1] > 0.0, x[1], x[0])[at_end]
        step = np.full(len(b), 0.5)
        keep = ~at_end
        while keep.any():
            row, b, c, step, x, f = row[keep], b[keep], c[keep], step[keep], x[:, keep], f[:, keep]
            delta = x[0] + step * (x[1] - x[0])
            at_delta = _lefts(b, c, n, delta, z)
            same = (at_delta > 0.0) == (f[0] > 0.0)
            x = np.stack([delta, np.where(same, x[1], x[0]), np.where(same, x[0], x[1])])
            f = np.stack([at_delta, np.where(same, f[1], f[0]), np.where(same, f[0], f[1])])
            width, size = np.abs(x[1] - x[0]), np.maximum(np.abs(x[0]), 1e-3)
            found = np.where(f[0] == 0.0, x[0], 0.5 * (x[1] + x[0]))
            keep = (f[0] != 0.0) & ~(width <= 1e-15 * np.maximum(np.abs(x[1]), size))
            out[row[~keep]] = np.where(np.abs(found) > 1e-15, found, 0.0)[~keep]
            step = _steps(x, f, 2.5e-16 * size / width)
    return out


def _lefts(b: FloatArray, c: FloatArray, n: int, delta: FloatArray, z: float) -> FloatArray:
    """``_left`` of each pair."""
    excess = b - c - n * delta
    linear = b + c - (2 * n - b + c) * delta
    root = np.sqrt(np.maximum(linear * linear + 8.0 * n * c * delta * (1.0 - delta), 0.0))
    smaller = (linear - root) / (4.0 * n)
    other = np.where(smaller != 0.0, -c * delta * (1.0 - delta) / (2.0 * n) / smaller, 0.0)
    larger = np.where(linear >= 0.0, (linear + root) / (4.0 * n), other)
    rate = np.maximum(np.maximum(larger, 0.0), -delta)
    variance = n * (2.0 * rate + delta * (1.0 - delta))
    far = np.where(excess == 0.0, 0.0, np.copysign(math.inf, excess))
    usual = (excess != 0.0) & (variance > 0.0)
    return np.asarray(np.where(usual, excess / np.sqrt(variance), far) + z)


def _steps(x: FloatArray, f: FloatArray, least: FloatArray) -> FloatArray:
    """``_step`` of each pair."""
    xi, phi = (x[0] - x[1]) / (x[2] - x[1]), (f[0] - f[1]) / (f[2] - f[1])
    share = f[0] / (f[1] - f[0]) * f[2] / (f[1] - f[2])
    share += (x[2] - x[0]) / (x[1] - x[0]) * f[0] / (f[2] - f[0]) * f[1] / (f[2] - f[1])
    safe = np.isfinite(f).all(axis=0) & (f[2] != f[0]) & (f[2] != f[1])
    safe &= (phi * phi < xi) & (xi < 1.0 - (1.0 - phi) ** 2)
    return np.asarray(np.where(safe, np.minimum(np.maximum(share, least), 1.0 - least), 0.5))


def _left(b: int, c: int, n: int, delta: float, z: float) -> float:
    """How much of T is left above −z."""
    return _statistic(b, c, n, delta) + z


def _step(x: tuple[float, float, float], f: tuple[float, float, float], least: float) -> float:
    """The next place as a share of the way from x[0] to x[1], which enclose the root; x[2] is the place before."""
    if not all(map(math.isfinite, f)) or f[2] in f[:2]:
        return 0.5
    xi, phi = (x[0] - x[1]) / (x[2] - x[1]), (f[0] - f[1]) / (f[2] - f[1])
    if not phi * phi < xi < 1.0 - (1.0 - phi) ** 2:
        return 0.5
    share = f[0] / (f[1] - f[0]) * f[2] / (f[1] - f[2])
    share += (x[2] - x[0]) / (x[1] - x[0]) * f[0] / (f[2] - f[0]) * f[1] / (f[2] - f[1])
    return min(max(share, least), 1.0 - least)


def _statistic(b: int, c: int, n: int, delta: float) -> float:
    excess = b - c - n * delta
    if excess == 0.0:
        return 0.0
    q = constrained_rate(b, c, n, delta)
    variance = n * (2.0 * q + delta * (1.0 - delta))
    return excess / math.sqrt(variance) if variance > 0.0 else math.copysign(math.inf, excess)


def constrained_rate(b: int, c: int, n: int, delta: float) -> float:
    """Maximum-likelihood estimate of P(only B right) under the difference ``delta``."""
    linear = b + c - (2 * n - b + c) * delta
    root = math.sqrt(linear * linear + 8.0 * n * c * delta * (1.0 - delta)) if delta * c > 0.0 else None
    if root is None:
        # δ ≤ 0 or c = 0: the discriminant may be a hair below zero by rounding.
        root = math.sqrt(max(linear * linear + 8.0 * n * c * delta * (1.0 - delta), 0.0))
    # The larger root without cancellation; P(only A right) = q + δ ≥ 0 bounds it from below.
    larger = (linear + root) / (4.0 * n) if linear >= 0.0 else _conjugate(linear, root, n, c, delta)
    return max(larger, 0.0, -delta)


def _conjugate(linear: float, root: float, n: int, c: int, delta: float) -> float:
    product = -c * delta * (1.0 - delta) / (2.0 * n)
    smaller = (linear - root) / (4.0 * n)
    return product / smaller if smaller != 0.0 else 0.0
