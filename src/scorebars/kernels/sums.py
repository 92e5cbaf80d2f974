"""Sums of the drawn units' values: totals, means within groups, and sums that are read on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels.dispatch import Kernel
from scorebars.kernels.sequential import row_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.integer]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


EXACT: Final = 2.0**52
"""Whole numbers below this are floats without rounding, and so are their sums, in whatever order."""


def _totals_plain(counts: Counts, values: Floats) -> Floats:
    largest = float(np.max(np.abs(values), initial=0.0)) * float(np.max(counts.sum(axis=1), initial=0))
    if largest < EXACT and np.array_equal(values, np.rint(values)):
        return np.asarray(counts.astype(np.float64) @ values + 0.0)
    out = np.empty((len(counts), values.shape[1]))
    for column in range(values.shape[1]):
        out[:, column] = row_sums(counts * values[:, column])
    return out


def _totals_loops(counts: Counts, values: Floats) -> Floats:
    n_units, width = values.shape
    out = np.zeros((len(counts), width))
    for row in range(len(counts)):
        for unit in range(n_units):
            times = counts[row, unit]
            if times:
                for column in range(width):
                    out[row, column] += times * values[unit, column]
    return out


totals = Kernel(_totals_plain, _totals_loops)
"""``totals(counts, values, fast=…)``: Σ counts · values, units in their order, shape (n, width).

Args: how often each unit was drawn, shape (n, n_units); finite values, shape (n_units, width).
"""


def _groups_plain(counts: Counts, top: Floats, bottom: Floats, start: Ints) -> Floats:
    above = _group_sums(counts * top, start)
    # Of whole numbers every order gives the same sum, and the quick one will do.
    whole = bool(np.all(bottom == 1.0))
    below = _group_counts(counts, start) if whole else _group_sums(counts * bottom, start)
    return np.asarray(np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0.0))


def _group_sums(values: Floats, start: Ints) -> Floats:
    """Sum of each row within each group, from the first value on, shape (n, n_groups)."""
    n, width = len(values), np.diff(start)
    if np.all(width == width[0]):
        return row_sums(values.reshape(n * len(width), -1)).reshape(n, len(width))
    out = np.zeros((n, len(width)))
    for group in np.flatnonzero(width):
        out[:, group] = row_sums(values[:, start[group] : start[group + 1]])
    return out


def _group_counts(counts: Counts, start: Ints) -> Floats:
    upto = np.zeros((len(counts), counts.shape[1] + 1), dtype=np.int64)
    np.cumsum(counts, axis=1, out=upto[:, 1:])
    return np.asarray(np.diff(upto[:, start], axis=1), dtype=np.float64)


def _groups_loops(counts: Counts, top: Floats, bottom: Floats, start: Ints) -> Floats:
    groups = len(start) - 1
    out = np.empty((len(counts), groups))
    for row in range(len(counts)):
        for group in range(groups):
            above, below = 0.0, 0.0
            for unit in range(start[group], start[group + 1]):
                times = counts[row, unit]
                above += times * top[unit]
                below += times * bottom[unit]
            out[row, group] = above / below if below != 0.0 else np.nan
    return out


group_ratios = Kernel(_groups_plain, _groups_loops)
"""``group_ratios(counts, top, bottom, start, fast=…)``: Σ counts·top / Σ counts·bottom of each group, (n, n_groups).

Args: how often each unit was drawn, shape (n, n_units); what a unit adds above and below, shape (n_units,); the first
unit of each group, and the number of units, shape (n_groups + 1,). NaN where nothing is below.
"""


def _running_plain(counts: Counts, unit: Ints, values: Floats, stop: Ints) -> Floats:
    upto = np.cumsum(counts.take(unit, axis=1) * values, axis=1)
    return np.asarray(np.where(stop > 0, upto[:, np.maximum(stop, 1) - 1], 0.0))


def _running_loops(counts: Counts, unit: Ints, values: Floats, stop: Ints) -> Floats:
    out = np.empty((len(counts), len(stop)))
    for row in range(len(counts)):
        total, place = 0.0, 0
        for k in range(len(stop)):
            while place < stop[k]:
                total += counts[row, unit[place]] * values[place]
                place += 1
            out[row, k] = total
    return out


running = Kernel(_running_plain, _running_loops)
"""``running(counts, unit, values, stop, fast=…)``: Σ counts·values of the first stop[k] values, shape (n, len(stop)).

Args: how often each unit was drawn, shape (n, n_units); the unit of each value, and the values (none negative), shape
(n_values,); how many are added, not decreasing.
"""
