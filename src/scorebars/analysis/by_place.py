"""Items that are places (a row of a table, a line of a list): two sides pair by place only if both have as many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.errors import ScoresError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.contracts import Part
    from scorebars.notes import Note
    from scorebars.sample import Cut


def are_places(parts: Sequence[Part], said: Sequence[Note]) -> bool:
    """Whether items are numbered by where they stand, in some file."""
    every = (*said, *(one for part in parts for one in part.notes))
    return any(part.items_by_place for part in parts) or any(one.code == "rows-as-items" for one in every)


def unequal(a: Cut, b: Cut) -> tuple[int, int] | None:
    """Rows of both sides in the tasks that both have, where they differ; None where that is not sure.

    Rows without a score count, as they keep their place; of tasks that one side lacks they are not told apart.
    """
    tasks = [set(np.unique(cut.sample.task).tolist()) for cut in (a, b)]
    shared = list(tasks[0] & tasks[1])
    dropped = [sum(n for _, n in cut.dropped) for cut in (a, b)]
    if tasks[0] != tasks[1] and any(dropped):
        return None
    n_a, n_b = (int(np.isin(cut.sample.task, shared).sum()) + n for cut, n in zip((a, b), dropped, strict=True))
    return (n_a, n_b) if n_a != n_b else None


def refuse_unequal(parts: Sequence[Part], said: Sequence[Note], pairs: Sequence[tuple[Cut, Cut]]) -> None:
    """Raise a ScoresError where a pair would be made of rows that stand in the same place of lists of two lengths."""
    if not are_places(parts, said):
        return
    for a, b in pairs:
        if (found := unequal(a, b)) is not None:
            raise ScoresError(
                f"'{a.sample.model}' has {found[0]:,} rows and '{b.sample.model}' {found[1]:,}, and no column says "
                "which item a row is, so they cannot be paired by their place; give both a column of item ids (named "
                "item, or with --map item=COLUMN), or look at each alone (scorebars estimate)"
            )
