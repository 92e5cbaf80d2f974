"""A frame without a score whose columns of numbers may be models: how to bring it to one row an attempt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars.engines.frames import is_lazy, numpy_columns
from scorebars.engines.headers import is_unnamed, may_be_model
from scorebars.errors import ScoresError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

FIRST: Final = 50
"""Cells that say whether a column is one of numbers."""
SHOWN: Final = 3
"""Columns that the sentence names."""


def refuse_wide(frame: Any, available: Sequence[str], mapping: Mapping[str, tuple[str, ...]], *, indexed: bool) -> None:
    """Raise a ScoresError with the line that makes a long frame of a wide one, where the frame may be wide.

    Args:
        frame: The frame, of which no column is known as the score.
        available: Names of its columns.
        mapping: The columns of other roles.
        indexed: Whether some of its columns are levels of its index.
    """
    if "model" in mapping or is_lazy(frame):
        return
    taken = {name for names in mapping.values() for name in names}
    free = [name for name in available if name not in taken and may_be_model(name) and not is_unnamed(name)]
    models = [name for name in free if _are_scores(numpy_columns(frame, [name])[name])]
    if len(models) < 2:
        return
    first = ", ".join(f"'{name}'" for name in models[:SHOWN]) + (" …" if len(models) > SHOWN else "")
    raise ScoresError(
        f"no column is called 'score', and those of numbers ({first}) may be models, an item a row: make it one row an "
        f"attempt ({_typed(frame, models, [name for name in available if name not in models], indexed=indexed)}), or "
        f"name the only score (score={models[0]!r})"
    )


def _are_scores(cells: NDArray[Any]) -> bool:
    """Whether cells are numbers, and do not number the rows."""
    if cells.dtype.kind == "O":
        first = [cell for cell in cells.tolist() if cell is not None][:FIRST]
        return bool(first) and all(isinstance(cell, bool | int | float) for cell in first)
    counts = cells.dtype.kind in "iu" and len(cells) > 2 and bool(np.all(np.diff(cells.astype(np.float64)) == 1))
    return cells.dtype.kind in "biuf" and not counts


def _typed(frame: Any, models: list[str], others: list[str], *, indexed: bool) -> str:
    """The expression that makes a long frame, or scores, of a wide frame called ``frame``."""
    if hasattr(frame, "melt") and hasattr(frame, "reset_index"):
        kept = f"id_vars={others!r}, " * bool(others)
        return f"frame{'.reset_index()' * indexed}.melt({kept}var_name='model', value_name='score')"
    if hasattr(frame, "unpivot"):
        kept = f"index={others!r}, " * bool(others)
        return f"frame.unpivot({kept}variable_name='model', value_name='score')"
    return f"Scores.from_arrays({{name: frame[name] for name in {models!r}}}, axes='item')"
