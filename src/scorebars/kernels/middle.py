"""The mean of the values between two places of the sorted resample: interquartile and trimmed means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.kernels.dispatch import Kernel
from scorebars.kernels.sequential import row_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def _plain(counts: NDArray[np.int32], unit: NDArray[np.int32], values: Floats, low: Floats, high: Floats) -> Floats:
    upto = np.cumsum(counts.take(unit, axis=1), axis=1, dtype=np.int64)
    share = np.clip(upto, low[:, np.newaxis], high[:, np.newaxis], dtype=np.float64)
    share[:, 1:] -= share[:, :-1].copy()
    share[:, 0] -= low
    share *= values
    return row_sums(share) / (high - low)


def _loops(counts: NDArray[np.int32], unit: NDArray[np.int32], values: Floats, low: Floats, high: Floats) -> Floats:
    out = np.empty(len(counts))
    for row in range(len(counts)):
        first, last = low[row], high[row]
        until = np.int64(np.floor(first))
        stop = np.int64(np.ceil(last))
        place, upto = 0, np.int64(0)
        while upto <= until:
            upto += counts[row, unit[place]]
            place += 1
        before, total = first, 0.0
        if upto < stop:
            total += (upto - before) * values[place - 1]
            times = np.int64(counts[row, unit[place]])
            while upto + times < stop:
                total += times * values[place]
                upto += times
                place += 1
                times = np.int64(counts[row, unit[place]])
            before = float(upto)
            place += 1
        total += (last - before) * values[place - 1]
        out[row] = total / (last - first)
    return out


mean_between = Kernel(_plain, _loops)
"""``mean_between(counts, unit, values, low, high, fast=…)``, shape (n,).

Args: how often each unit was drawn, shape (n, n_units); the unit of each value, and the values in ascending order, both
of shape (n_values,); the places, 0 ≤ low < high ≤ drawn values, both of shape (n,). A value that a limit cuts counts in
part. Values are added from the smallest up.
"""
