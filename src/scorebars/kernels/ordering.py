"""The order of whole numbers: those that are different and near each other need no sorting, only a place each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW: Final = 4096
"""Up to so many, sorting is as fast."""
_INT32: Final = np.iinfo(np.int32).max
SPREAD: Final = 2
"""Places for each number, at most; between them memory would be read in vain."""


def ascending(keys: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """The stable order that sorts ``keys``, of shape (n,).

    >>> ascending(np.array([30, 10, 20])).tolist()
    [1, 2, 0]
    """
    if len(keys) > FEW:
        low, high = int(keys.min()), int(keys.max())
        if high - low < SPREAD * len(keys):
            kind: type[np.signedinteger[Any]] = (
                np.int32 if len(keys) <= _INT32 else np.intp
            )  # half the memory, which is new each time
            place = np.full(high - low + 1, -1, kind)
            place[keys - low if low else keys] = np.arange(len(keys), dtype=kind)
            order = place if len(place) == len(keys) and place.min() >= 0 else place[place >= 0]
            if len(order) == len(keys):
                return order.astype(np.intp, copy=False)
    return np.argsort(keys, kind="stable")
