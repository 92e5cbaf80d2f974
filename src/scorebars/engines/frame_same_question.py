"""Rows of a frame with one text of a question and other choices beside it: asked as of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.engines.frame_cells import APART, keys_of, n_different, repeat
from scorebars.engines.same_question import Beside, columns_beside
from scorebars.engines.unknown_headers import names_question, names_run
from scorebars.errors import ScoresError

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from scorebars.engines.frame_cells import Cells
    from scorebars.sample import Column, ScoreTable


def refuse_same_questions(
    unknown: Sequence[str],
    mapping: Mapping[str, tuple[str, ...]],
    table: ScoreTable,
    cells: Cells,
    named: Container[str],
) -> None:
    """Raise a ScoresError where rows that repeat their question have other choices (or contexts, or images) each.

    ``named``: roles that the user named.
    """
    item = mapping["item"]
    if "item" in named or len(item) > 1 or not names_question(item[0]):
        return
    if "run" in mapping or any(map(names_run, unknown)):
        return
    sets = columns_beside(unknown)
    if not sets or not repeat(keys_of(table, ("item", *APART))):
        return
    for names in sets:
        columns = [column for name in names if (column := cells.of(name)) and len(column.codes) == table.n_rows]
        if len(columns) == len(names) and _beside(columns, table).are_items(names[0]):
            listed = ", ".join(f"'{name}'" for name in names)
            raise ScoresError(
                f"rows of one '{item[0]}' have other {listed}, so they may be different items "
                f"(item={(*item, *names)!r}), or attempts at one (item={item[0]!r})"
            )


def _beside(columns: Sequence[Column], table: ScoreTable) -> Beside:
    """How the question stands beside columns."""
    keys, shared = keys_of(table, ("item", *APART)), keys_of(table, ("item", "task", "metric", "variant"))
    times = np.unique(keys, return_counts=True)[1]
    return Beside(
        table.n_rows,
        table.model.n_labels,
        len(times),
        n_different(keys, *columns),
        n_different(shared, *columns),
        bool(times.max() == times.min()),
    )
