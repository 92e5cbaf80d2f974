"""What is handed to the textbook functions, checked: scores, levels, numbers of resamples."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

import numpy as np

from scorebars.errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    FloatArray: TypeAlias = NDArray[np.float64]


def vector(values: ArrayLike, name: str) -> FloatArray:
    """Scores as floats, shape (n,), n ≥ 1, every one finite."""
    return numbers(values, name, dimensions=1)


def pair(a: ArrayLike, b: ArrayLike, name_a: str, name_b: str) -> tuple[FloatArray, FloatArray]:
    """Two vectors of one length."""
    left, right = vector(a, name_a), vector(b, name_b)
    if len(left) != len(right):
        raise ArgumentError(
            f"{name_a} has {len(left)} values and {name_b} has {len(right)}, and pairs need equally many in the same "
            "order; keep the items that both have"
        )
    return left, right


def numbers(values: ArrayLike, name: str, dimensions: int) -> FloatArray:
    """The values as a float array of that many dimensions, not empty, every one a finite number."""
    array = _as_floats(values, name)
    if array.ndim != dimensions:
        shape = "one-dimensional" if dimensions == 1 else "an array of runs × tasks"
        raise ArgumentError(f"{name} has {array.ndim} dimensions, and must be {shape}; reshape it")
    if array.size == 0:
        raise ArgumentError(f"{name} is empty, and needs at least one score; check what was selected")
    bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ArgumentError(
            f"{name} has {int(bad.sum())} of {array.size} values that are not finite numbers (first {array[where]} "
            f"at {where if dimensions > 1 else where[0]}), and every score must be one; drop them or count them as 0"
        )
    return array


def _as_floats(values: ArrayLike, name: str) -> FloatArray:
    """The values as floats; text is refused, since '1' and 1 are easily two things. A masked value is NaN."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float64), np.nan)
    try:
        array = np.asarray(values)
    except ValueError:  # NumPy's "inhomogeneous shape"
        raise ArgumentError(
            f"{name} is ragged, and its rows must be equally long; pad nothing, cut to one length"
        ) from None
    is_text = array.dtype.kind in "SUT" or (array.dtype.kind == "O" and any(isinstance(v, str) for v in array.flat))
    if array.dtype.kind not in "biufO" or is_text:
        first = array.ravel()[:1].tolist()[0] if array.size else ""
        raise ArgumentError(f"{name} holds {first!r}, and must hold numbers or booleans; convert it first")
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} holds values that are not numbers; convert or drop them first") from None


def inside_01(level: Any) -> float:
    """The level, between 0 and 1."""
    try:
        number = float(level) if not isinstance(level, str) else math.nan
    except (TypeError, ValueError):
        number = math.nan
    if not 0.0 < number < 1.0:
        hint = "; write 95 % as 0.95" if 1.0 < number < 100.0 else "; try 0.95"
        raise ArgumentError(f"level is {level!r}, and must lie between 0 and 1{hint}")
    return number


def at_least_one(count: SupportsIndex, name: str) -> int:
    """The number of resamples, a whole number from 1."""
    try:
        number = operator.index(count)
    except TypeError:
        number = 0
    if number < 1:
        raise ArgumentError(f"{name} is {count!r}, and must be a whole number of at least 1; try 2000")
    return number
