"""How often each unit is drawn, in each of many resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels.dispatch import Kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.integer]

NARROW: Final = 16
"""Units of a stratum up to which comparing with each of them is quicker than counting."""
MOST_NARROW: Final = 255
"""Draws of a stratum that a byte holds."""
AT_ONCE: Final = 100_000
"""Comparisons whose results are held at once, one byte each, while they are in the cache."""


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


def count_narrow(words: NDArray[np.uint32], width: int, draws: int) -> NDArray[np.uint8]:
    """``count`` for strata of ``width`` units (up to NARROW) that all draw as many (up to MOST_NARROW), for NumPy.

    Counts of one byte, shape (n, n_units), those of one unit side by side. The words are overwritten.
    """
    n = len(words)
    # ⌊w·width / 2³²⌋ in 32 bits, from the upper and the lower half of w.
    index = words >> np.uint32(16)
    index *= np.uint32(width)
    words &= np.uint32(0xFFFF)
    words *= np.uint32(width)
    words >>= np.uint32(16)
    index += words
    index >>= np.uint32(16)
    strata = words.shape[1] // draws
    drawn = index.astype(np.uint8).reshape(n, strata, draws).transpose(2, 1, 0).copy()
    counts = np.empty((width, strata, n), dtype=np.uint8)
    units = np.arange(width, dtype=np.uint8)[:, np.newaxis, np.newaxis, np.newaxis]
    equal = np.empty((max(1, AT_ONCE // drawn.size), *drawn.shape), dtype=np.bool_)
    for first in range(0, width, len(equal)):
        some = units[first : first + len(equal)]
        np.equal(drawn, some, out=equal[: len(some)])
        part = equal[: len(some)].view(np.uint8)
        np.add.reduce(part, axis=1, dtype=np.uint8, out=counts[first : first + len(some)])
    return counts.transpose(1, 0, 2).reshape(strata * width, n).T
