"""Rows of a frame that are equal in every column: copies, by the same rule as rows of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.engines.frame_cells import keys_of, repeat
from scorebars.engines.frames import is_lazy, numpy_columns
from scorebars.errors import ScoresError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scorebars.sample import IntArray, ScoreTable


def fingerprints(frame: Any, available: Sequence[str], table: ScoreTable, *, more: bool) -> IntArray | None:
    """A number for each row, equal for rows of an attempt that are equal in every column; None where none repeats.

    Args:
        frame: The frame; the columns of one that has not been computed yet are not looked at for this.
        available: Names of its columns, also of those without a role.
        table: Its rows under our names.
        more: Whether it has columns without a role.
    """
    if table.run is not None or table.n_rows < 2 or (more and is_lazy(frame)):
        return None
    keys = keys_of(table, ("item", "model", "task", "metric", "variant", "cluster"))
    if not repeat(keys):
        return None
    firsts, inverse = np.unique(keys, return_index=True, return_inverse=True)[1:]
    first: IntArray = firsts[inverse].astype(np.int64)
    rows = np.flatnonzero(first != np.arange(table.n_rows))
    for name in available:
        try:
            cells = numpy_columns(frame, [name])[name]
        except ScoresError:  # no column of cells: nobody can say that its rows are equal
            return None
        if len(cells) != table.n_rows:
            return None
        rows = rows[_equal(cells[rows], cells[first[rows]])]
        if not len(rows):
            return None
    found = np.arange(table.n_rows)
    found[rows] = first[rows]
    return found


def _equal(some: NDArray[Any], others: NDArray[Any]) -> NDArray[np.bool_]:
    """Where cells are equal; missing ones are equal to each other."""
    if some.dtype.kind != "O":
        return np.asarray((some == others) | ((some != some) & (others != others)), bool)  # noqa: PLR0124 - NaN, NaT
    pairs = zip(some.tolist(), others.tolist(), strict=True)
    return np.fromiter((_is_same(one, other) for one, other in pairs), bool, len(some))


def _is_same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return bool(np.array_equal(one, other))
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (np.isnan(one) and np.isnan(other))
    return type(one) is type(other) and bool(one == other)
