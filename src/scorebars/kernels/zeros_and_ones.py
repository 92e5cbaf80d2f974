"""Whether all of many numbers are 0 or 1, and how many are 1: read once, and no further than to the first other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK: Final = 1 << 16
"""Numbers that are looked at twice while they are in the cache."""


def count_ones(values: NDArray[Any]) -> int | None:
    """How many are 1; None where any is neither 0 nor 1 (NaN among them).

    >>> count_ones(np.array([1.0, 0.0, 1.0])), count_ones(np.array([1.0, 0.5]))
    (2, None)
    """
    ones = 0
    for start in range(0, len(values), BLOCK):
        part = values[start : start + BLOCK]
        here = int(np.count_nonzero(part == 1.0))
        if here + np.count_nonzero(part == 0.0) != len(part):
            return None
        ones += here
    return ones
