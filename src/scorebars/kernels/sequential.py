"""Sums of rows, each added from its first number to its last: the order that compiled loops follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

TOGETHER: Final = 12
"""Rows from which it pays to lay them side by side and add them all at once."""


def row_sums(rows: Floats) -> Floats:
    """Sum of each row of an array of shape (n, width), one number after the other; never −0.0.

    ``np.sum`` over the last axis adds in pairs, in an order of NumPy's own. Over the first of two axes it adds one row
    to the next.
    """
    if len(rows) < TOGETHER:
        return np.asarray(np.cumsum(rows, axis=1)[:, -1] + 0.0)
    return np.asarray(np.ascontiguousarray(rows.T).sum(axis=0, initial=0.0))
