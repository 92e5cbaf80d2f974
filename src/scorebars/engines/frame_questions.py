"""What columns of a frame without a role may say: asked as of files, where rows repeat or have no item of their own.

Rows that repeat their attempt and are told apart by an unknown column are no repeats of one thing; rows without an item
may be attempts, or several people's grades; texts that stand in another order in another model say that rows of one
place are no pairs. A frame whose rows are told apart by known columns costs one look at their numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scorebars.engines.frame_cells import Cells
from scorebars.engines.frame_configurations import refuse_configurations, refuse_pooled_methods
from scorebars.engines.frame_items import beside_numbers, refuse_graded, refuse_questions, without_items
from scorebars.engines.frame_methods import refuse_methods
from scorebars.engines.frame_repeats import refuse_right_answers, refuse_told_apart
from scorebars.engines.frame_same_question import refuse_same_questions
from scorebars.engines.frame_swept import refuse_swept
from scorebars.engines.frames import is_lazy
from scorebars.engines.headers import normal

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from scorebars.contracts import Listing
    from scorebars.sample import ScoreTable

MOST_ROWS: Final = 200_000
"""Rows without an item up to which unknown columns are looked at."""
NUMBERED_ROWS: Final = 20_000
"""The same of rows with one, which may only number them; most are clean, and should cost nothing."""


def asked(
    frame: Any,
    unknown: Sequence[str],
    mapping: Mapping[str, tuple[str, ...]],
    table: ScoreTable,
    *,
    named: Container[str] = (),
) -> tuple[Listing, ...]:
    """What may be the ids of rows.

    Args:
        frame: The frame; one that has not been computed yet is left alone.
        unknown: Its columns without a role.
        mapping: Role -> columns.
        table: Its rows under our names.
        named: Roles that the user named: ids of a named item are right even if they number rows.

    Raises:
        ScoresError: An unknown column says that rows are something else than they would be taken for.
    """
    if table.n_rows < 2 or is_lazy(frame):
        return ()
    cells = Cells(frame, table.n_rows)
    if "score" not in named and normal(mapping["score"][0]) == "correct":
        refuse_right_answers(mapping["score"][0], unknown, cells)
    if "item" in mapping:
        refuse_told_apart(unknown, mapping, table, cells)
        refuse_same_questions(unknown, mapping, table, cells, named)
    if "model" not in named:
        refuse_configurations(unknown, mapping, table, cells, run_named="run" in named)
    methods = unknown if "model" not in mapping and "model" not in named else ()
    if "item" in mapping:
        refuse_pooled_methods(methods, table, cells)
        if "item" in named or table.n_rows > NUMBERED_ROWS:
            return ()
        refuse_questions(unknown, mapping, table, cells)
        return beside_numbers(unknown, mapping, table, cells)
    if table.n_rows > MOST_ROWS:
        return ()
    refuse_methods(methods, mapping, table, cells)
    refuse_pooled_methods(methods, table, cells)
    refuse_swept(unknown, mapping, table.n_rows, cells, named=named)
    if "run" in mapping:
        return ()
    refuse_graded(unknown, mapping, table, cells)
    return without_items(unknown, mapping, table, cells)
