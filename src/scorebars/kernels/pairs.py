"""Pairs that the first of two groups wins: Mann-Whitney counts, of which AUROC is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scorebars.kernels.dispatch import Kernel
from scorebars.kernels.sequential import row_sums

if TYPE_CHECKING:
    Counts = NDArray[np.integer]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Side: TypeAlias = tuple[Ints, Floats, Ints]
"""Unit and weight (above 0) of each value, group after group, in ascending order of the values within one; the first
value of each group, with the number of values at the end."""

WIDE: Final = 40
"""Values of A and B in a group, geometric mean, up to which a table of who beats whom is quicker than running sums."""
SINGLE: Final = 1 << 24
"""Whole numbers below this are kept by 32-bit floats, and so are their sums, in whatever order."""
NOBODY: Final = -1
"""The place of a unit that is never drawn: the last one."""


def _plain(counts: Counts, a: Side, b: Side, below: Ints, upto: Ints) -> Floats:
    (unit_a, weight_a, start_a), (unit_b, weight_b, start_b) = a, b
    drawn_a: NDArray[Any] = counts.take(unit_a, axis=1)
    drawn_b: NDArray[Any] = counts.take(unit_b, axis=1)
    whole = bool(np.all(weight_a == 1.0) and np.all(weight_b == 1.0))
    if not whole:
        drawn_a, drawn_b = drawn_a * weight_a, drawn_b * weight_b
    under = np.zeros((len(counts), len(unit_b) + 1), dtype=drawn_b.dtype)
    np.cumsum(drawn_b, axis=1, out=under[:, 1:])
    shift = np.repeat(start_b[:-1], np.diff(start_a))
    won = under.take(below + shift, axis=1)
    won += won if upto is below else under.take(upto + shift, axis=1)
    if len(start_a) > 2:
        won -= 2 * under.take(shift, axis=1)
    won *= drawn_a
    wins, n_a = (_within(part, start_a, whole=whole) for part in (won, drawn_a))
    n_b = under[:, start_b[1:]] - under[:, start_b[:-1]]
    pairs = 2.0 * (n_a * n_b)
    return np.asarray(np.divide(wins, pairs, out=np.full(pairs.shape, np.nan), where=pairs != 0.0))


def _within(values: NDArray[Any], start: Ints, *, whole: bool) -> NDArray[Any]:
    """Sum of each row within each group: from the first on, or in any order where all are whole numbers."""
    if whole:
        return np.asarray(np.add.reduceat(values, start[:-1], axis=1))
    return row_sums(values)[:, np.newaxis]


def _loops(counts: Counts, a: Side, b: Side, below: Ints, upto: Ints) -> Floats:
    unit_a, weight_a, start_a = a
    unit_b, weight_b, start_b = b
    groups = len(start_a) - 1
    out = np.empty((len(counts), groups))
    under = np.zeros(len(unit_b) + 1)
    for row in range(len(counts)):
        for group in range(groups):
            first = start_b[group]
            n_b = 0.0
            for place in range(first, start_b[group + 1]):
                n_b += counts[row, unit_b[place]] * weight_b[place]
                under[place - first + 1] = n_b
            wins, n_a = 0.0, 0.0
            for place in range(start_a[group], start_a[group + 1]):
                drawn = counts[row, unit_a[place]] * weight_a[place]
                wins += drawn * (under[below[place]] + under[upto[place]])
                n_a += drawn
            pairs = 2.0 * (n_a * n_b)
            out[row, group] = wins / pairs if pairs != 0.0 else np.nan
    return out


pairs_won = Kernel(_plain, _loops)
"""``pairs_won(counts, a, b, below, upto, fast=…)``, shape (n, n_groups).

The share of the pairs of a value of A and a value of B in each group that A wins, ties half, each pair by the product
of its weights; NaN where a group draws none of either. With several groups all weights are 1.

Args: how often each unit was drawn, shape (n, n_units); the two sides, each with a value in every group; how many of
B's values in the group are below each value of A, and how many below or equal (the same array where nothing ties).
"""


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Who beats whom in each of several small groups, for NumPy: the same shares by one product of whole numbers.

    Smaller groups are filled up with a unit that is never drawn.
    """

    unit_a: Ints | slice
    """Unit of each value of A, shape (n_groups, most values of A in a group); NOBODY where there is none. A slice where
    these are neighbours, one group after the other."""
    unit_b: Ints | slice
    wins: NDArray[np.float32]
    """2 where the value of A is above that of B, 1 where they are equal, and a last row of 1, which counts B; shape
    (n_groups, values of A + 1, values of B)."""

    @classmethod
    def of(cls, a: Side, b: Side, below: Ints, upto: Ints) -> Tables | None:
        """The tables of two sides; None where values have weights, or groups are too large or too different."""
        (unit_a, weight_a, start_a), (unit_b, weight_b, start_b) = a, b
        size_a, size_b = np.diff(start_a), np.diff(start_b)
        largest = len(size_a) * int(size_a.max()) * int(size_b.max())
        if largest > WIDE * (len(unit_a) + len(unit_b)) / 2 or np.any(weight_a != 1.0) or np.any(weight_b != 1.0):
            return None
        grid_a, grid_b = _grid(unit_a, start_a), _grid(unit_b, start_b)
        place = np.arange(grid_b.shape[1])
        wins = np.zeros((*grid_a.shape, len(place)), dtype=np.float32)
        wins[grid_a != NOBODY] += place < below[:, np.newaxis]
        wins[grid_a != NOBODY] += place < upto[:, np.newaxis]
        order_a, order_b = np.argsort(grid_a, axis=1), np.argsort(grid_b, axis=1)
        wins = np.take_along_axis(wins, order_a[:, :, np.newaxis], axis=1)
        wins = np.take_along_axis(wins, order_b[:, np.newaxis], axis=2)
        counting = np.ones((len(wins), 1, len(place)), dtype=np.float32)
        units = (np.take_along_axis(grid, order, axis=1) for grid, order in ((grid_a, order_a), (grid_b, order_b)))
        first, second = map(_neighbours, units)
        return cls(first, second, np.concatenate([wins, counting], axis=1))

    def won(self, counts: Counts) -> Floats:
        """``pairs_won`` of the counts: equal to the last bit, since every sum is one of whole numbers."""
        n, n_units = counts.shape
        groups, rows, columns = self.wins.shape
        largest = 2 * int(counts.max(initial=0)) ** 2 * (rows - 1) * columns
        times = np.zeros((n_units + 1, n), dtype=np.float32 if largest < SINGLE else np.float64)
        times[:n_units] = counts.T
        drawn_a = times[self.unit_a].reshape(groups, rows - 1, n)
        won = np.matmul(self.wins, times[self.unit_b].reshape(groups, columns, n))
        n_a = np.matmul(np.ones((1, rows - 1), dtype=times.dtype), drawn_a)[:, 0]
        wins = np.einsum("gan,gan->gn", won[:, :-1], drawn_a).astype(np.float64)
        pairs = (2.0 * (n_a * won[:, -1])).astype(np.float64)
        return np.asarray(np.divide(wins, pairs, out=np.full(pairs.shape, np.nan), where=pairs != 0.0).T)


def _neighbours(grid: Ints) -> Ints | slice:
    """A slice in the place of units that stand one after the other."""
    first = int(grid[0, 0])
    alone = first >= 0 and np.array_equal(grid.ravel(), np.arange(first, first + grid.size))
    return slice(first, first + grid.size) if alone else grid


def _grid(unit: Ints, start: Ints) -> Ints:
    """The units of each group in a row of their own, filled up with NOBODY."""
    size = np.diff(start)
    grid = np.full((len(size), int(size.max())), NOBODY, dtype=np.int64)
    grid[np.arange(grid.shape[1]) < size[:, np.newaxis]] = unit
    return grid
