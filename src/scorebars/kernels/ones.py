"""How many of many floats are 1, where all others are 0: their 64 bits are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels.dispatch import Kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

ONE: Final = int(np.float64(1.0).view(np.int64))
PLAIN_CELLS: Final = 0.05
"""What NumPy takes for one number, in cells of :mod:`~scorebars.kernels.dispatch`."""


def _plain(words: NDArray[np.int64], room: NDArray[np.bool_]) -> int:
    ones = int(np.count_nonzero(np.equal(words, ONE, out=room[: len(words)])))
    return ones if np.count_nonzero(words) == ones else -1


def _loops(words: NDArray[np.int64], room: NDArray[np.bool_]) -> int:  # noqa: ARG001 - NumPy needs room
    ones = others = 0
    for place in range(len(words)):  # not `for word in words`, which the compiler does not vectorise
        ones += words[place] == ONE
        others += words[place] != 0
    return ones if ones == others else -1


ones_beside_zeros = Kernel(_plain, _loops)
"""``ones_beside_zeros(words, room, fast=…)``: how many words are those of 1.0; −1 where another has any bit set.

Args: floats seen as integers, shape (n,); as many bools, which may be written to.
"""
