"""Do two sides give the same answer, but for Monte Carlo error?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

LIMIT = 6.0
"""Monte Carlo errors apart at which two answers are not the same. Seeds are fixed; of 2,000 bounds the largest
deviation of correct ones is about 3.5."""
NORMAL = 1.959964
DENSITY = math.exp(-(NORMAL**2) / 2) / math.sqrt(2 * math.pi)


class Disagreement(Exception):  # noqa: N818 - what it is
    """Two sides of a row differ by more than Monte Carlo error."""


def apart(
    ours: Sequence[Sequence[float]],
    theirs: Sequence[Sequence[float]],
    resamples: tuple[int | None, int | None],
    step: float = 0.0,
) -> float:
    """The largest distance of two bounds of 95 % percentile intervals, in standard errors of their difference.

    A drawn 2.5 % quantile has the standard error √(p(1 − p)/B) / f, with f the density of the normal limit there: φ(z)
    / SD, and the SD an interval's width over 2z. A computed one has none. ``step`` is what a lattice adds.

    Args:
        ours: one row (value, low, high) a number.
        theirs: the same numbers.
        resamples: B of ours and of theirs; None where nothing is drawn.
        step: distance of the points that a resampled statistic can take, if it lies on a lattice.

    Raises:
        Disagreement: the numbers are not as many, the values differ, or a bound is too far away.
    """
    a, b = np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 2 or a.shape[1] != 3:
        raise Disagreement(f"answers of the shapes {a.shape} and {b.shape}; each needs rows of value, low, high")
    there = ~np.isnan(a[:, 0]) & ~np.isnan(b[:, 0])  # a peer that tells no value has NaN
    off = np.abs(a[there, 0] - b[there, 0])
    if off.size and off.max() > 1e-6 * max(1.0, float(np.abs(a[there, 0]).max())):
        raise Disagreement(f"the values differ by up to {off.max():g}")
    spread = (a[:, 2] - a[:, 1]) / (2.0 * NORMAL)
    drawn = sum(1.0 / count for count in resamples if count is not None)
    error = spread * math.sqrt(0.025 * 0.975 * drawn) / DENSITY + step + 1e-12
    distance = float(np.max(np.abs(a[:, 1:] - b[:, 1:]) / error[:, np.newaxis]))
    if not distance <= LIMIT:
        raise Disagreement(f"bounds are {distance:.1f} Monte Carlo errors apart; at most {LIMIT:g} can be chance")
    return distance
