"""Frames with one row a fold: the fold is the item, as of files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.engines.frame_cells import Cells, n_different
from scorebars.engines.frames import is_lazy
from scorebars.engines.headers import SPLITS, normal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_APART: Final = ("model", "task", "run", "metric", "variant")


def fold_of(
    frame: Any,
    available: Sequence[str],
    mapping: Mapping[str, tuple[str, ...]],
    taken: Collection[str],
) -> str:
    """The column of folds of a frame without items that has one row of each model and run a fold; '' if none is.

    Args:
        frame: The frame; one that has not been computed yet is left alone.
        available: Its columns.
        mapping: Role -> columns.
        taken: Columns that are something else.
    """
    used = {*taken, *(name for names in mapping.values() for name in names)}
    names = [name for name in available if normal(name) in SPLITS and name not in used]
    if not names or is_lazy(frame):
        return ""
    cells = Cells(frame, 0)
    known = [cells.of(column) for role in _APART for column in mapping.get(role, ())]
    groups = [column for column in known if column is not None]
    if len(groups) < len(known):
        return ""
    for name in names:
        fold = cells.of(name)
        if fold is None:
            continue
        n = len(fold.codes)
        start = np.zeros(n, np.int64)
        if n_different(start, *groups) < n == n_different(start, *groups, fold):
            return name
    return ""
