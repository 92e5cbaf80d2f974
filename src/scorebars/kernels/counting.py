"""How often each unit is drawn, in each of many resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.kernels.dispatch import Kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.integer]


def _plain(
    words: NDArray[np.uint32], bounds: NDArray[np.uint32], offset: NDArray[np.int32], always: NDArray[np.int32]
) -> Counts:
    n, n_units = len(words), len(always)
    drawn = np.multiply(words, bounds, dtype=np.uint64)
    drawn >>= np.uint64(32)
    cells = drawn.view(np.int64)
    cells += offset
    cells += n_units * np.arange(n)[:, np.newaxis]
    counts = np.bincount(cells.ravel(), minlength=n * n_units).reshape(n, n_units)
    return counts + always if always.any() else counts


def _loops(
    words: NDArray[np.uint32], bounds: NDArray[np.uint32], offset: NDArray[np.int32], always: NDArray[np.int32]
) -> Counts:
    n, draws = words.shape
    counts = np.empty((n, len(always)), dtype=np.int32)
    shift = np.uint64(32)
    for row in range(n):
        counts[row] = always
        for draw in range(draws):
            drawn = np.int64((np.uint64(words[row, draw]) * np.uint64(bounds[draw])) >> shift)
            counts[row, offset[draw] + drawn] += 1
    return counts


count = Kernel(_plain, _loops)
"""``count(words, bounds, offset, always, fast=…)``, shape (n, n_units).

Args: words of each draw, shape (n, draws) (``kernels.words``); what each draw lies below, and the first unit of what it
is drawn from, both of shape (draws,); draws of each unit that need no random number, shape (n_units,).
"""
