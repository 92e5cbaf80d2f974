"""The different values of an array, without :mod:`numpy.ma`: ``numpy.unique`` imports it, a tenth of a whole start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Number = TypeVar("_Number", bound=np.number[Any])


def distinct(values: NDArray[_Number]) -> NDArray[_Number]:
    """Different values, ascending; values have any shape and no NaN.

    >>> distinct(np.array([3, 1, 3, 0])).tolist()
    [0, 1, 3]
    """
    ordered = np.sort(values, axis=None)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
