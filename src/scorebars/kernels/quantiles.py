"""A quantile of each resample by linear interpolation, from counts of values that are sorted once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.kernels.dispatch import Kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


def _plain(counts: NDArray[np.int32], unit: NDArray[np.int32], values: Floats, q: float, size: Ints) -> Floats:
    upto = counts.take(unit, axis=1).cumsum(axis=1, dtype=np.int64)
    place = q * (size - 1)
    below = np.floor(place)
    share = place - below
    first = below.astype(np.int64)
    low, high = (
        values[np.count_nonzero(upto <= at[:, np.newaxis], axis=1)] for at in (first, np.minimum(first + 1, size - 1))
    )
    gap = high - low
    # From the nearer end, so that q = 1 gives the largest value itself.
    return np.asarray(np.where(share < 0.5, low + gap * share, high - gap * (1.0 - share)))


def _loops(counts: NDArray[np.int32], unit: NDArray[np.int32], values: Floats, q: float, size: Ints) -> Floats:
    out = np.empty(len(counts))
    for row in range(len(counts)):
        place = q * (size[row] - 1)
        below = np.floor(place)
        share = place - below
        first = np.int64(below)
        second = min(first + 1, size[row] - 1)
        at, upto = 0, np.int64(counts[row, unit[0]])
        while upto <= first:
            at += 1
            upto += counts[row, unit[at]]
        low = values[at]
        while upto <= second:
            at += 1
            upto += counts[row, unit[at]]
        high = values[at]
        gap = high - low
        out[row] = low + gap * share if share < 0.5 else high - gap * (1.0 - share)
    return out


quantile = Kernel(_plain, _loops)
"""``quantile(counts, unit, values, q, size, fast=…)``, shape (n,), as ``np.quantile`` of each resample.

Args: how often each unit was drawn, shape (n, n_units); the unit of each value, and the values in ascending order, both
of shape (n_values,); q from 0 to 1; drawn values of each resample, shape (n,).
"""
