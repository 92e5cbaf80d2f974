"""Scores of 0 and 1 beside grades from 1 upwards (1 to 5, 1 to 10): two scales that no hundred tells apart.

Where one side never goes above 1, and goes below it, and the other never below 1, no score can be of both but 1 itself.
On one scale from 0 to 5 that happens to a weak and a strong side of a few items, so that some of each are needed, and a
range (``--range 0,5``) settles it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.coding import combined
from scorebars.errors import ScoresError
from scorebars.notes import Note, note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.sample import FloatArray, ScoreTable

FEWEST: Final = 5
"""Scores of either side."""
HIGHEST: Final = 10.0
"""Grades go up to here; percentages are looked for elsewhere."""
ADVICE: Final = "bring the grades and the 0/1 scores to one scale"
"""How the advice begins."""


def refuse_grades(table: ScoreTable, metric: str) -> None:
    """Refuse one model scored within 0 and 1 and another graded from 1 upwards, in one task."""
    n_models = table.model.n_labels
    if n_models < 2 or table.item.n_labels < 2 or not _may_be(table.score):
        return
    group = combined(table.task.codes, table.model.codes, n_models)
    low, high, top = _sides(table.score, group, table.task.n_labels * n_models)
    both = np.intersect1d(np.flatnonzero(low) // n_models, np.flatnonzero(high) // n_models)
    if not len(both):
        return
    one, other = (int(np.flatnonzero(side & (np.arange(len(side)) // n_models == both[0]))[0]) for side in (low, high))
    names = [table.model.labels[code % n_models] for code in (one, other)]
    task = table.task.labels[both[0]]
    what = f" of metric '{metric}'" * bool(metric) + f" in task '{task}'" * bool(task)
    raise ScoresError(
        f"mixed scale: the scores{what} of '{names[0]}' lie within 0 and 1, and those of '{names[1]}' are grades from "
        f"1 to {top[other]:g}; {ADVICE}, or if they are right say so with the range (--range 0,{top[other]:g})"
    )


def note_on_grades(table: ScoreTable) -> tuple[Note, ...]:
    """``mixed-scale`` where one task is scored within 0 and 1 and another is graded from 1 upwards."""
    if table.task.n_labels < 2 or table.item.n_labels < 2 or not _may_be(table.score):
        return ()
    low, high, top = _sides(table.score, table.task.codes, table.task.n_labels)
    if not low.any() or not high.any():
        return ()
    one, other = int(np.argmax(low)), int(np.argmax(high))
    detail = (
        f"those of task '{table.task.labels[one]}' lie within 0 and 1, those of task '{table.task.labels[other]}' are "
        f"grades from 1 to {top[other]:g}: a mean over tasks mixes them"
    )
    return (note("mixed-scale", detail=detail),)


def _may_be(score: FloatArray) -> bool:
    """Whether the scores reach below 1 and above, as far as grades do."""
    return bool(np.fmin.reduce(score) >= 0.0 and 2.0 <= np.fmax.reduce(score) <= HIGHEST and np.any(score < 1.0))


def _sides(
    score: FloatArray, group: NDArray[np.integer], n: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], FloatArray]:
    """Which groups lie within 0 and 1, which are whole numbers from 1 upwards, and the highest score of each."""
    scored = ~np.isnan(score)
    score, group = score[scored], group[scored]
    lowest, highest = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(lowest, group, score)
    np.maximum.at(highest, group, score)
    enough = np.bincount(group, minlength=n) >= FEWEST
    fractions = np.bincount(group[score != np.floor(score)], minlength=n) > 0
    low = enough & (lowest < 1.0) & ((highest == 1.0) | (fractions & (highest < 1.0)))
    return low, enough & (lowest >= 1.0) & (highest >= 2.0) & ~fractions, highest
