"""A few percentages among fractions, or a few fractions among percentages: too few to refuse the table, never silent.

One quantity written in two ways has a gap between 1 and 10 and, divided by 100, means of one size. Many of both are
refused (:mod:`scorebars.engines.scale`); a few move the mean as much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.attempts import attempt_name
from scorebars.engines.scale import FACTOR, HIGH_BOTTOM, HIGH_REACH, HIGH_TOP, LOW_TOP
from scorebars.engines.sentinels import marked
from scorebars.kernels.distinct import distinct
from scorebars.notes import Note, note

if TYPE_CHECKING:
    from scorebars.sample import ScoreTable

ENOUGH: Final = 10
"""Scores on one scale that make a few on the other odd."""
LEAST_FRACTIONS: Final = 2
"""A single percentage may be below 1."""


def note_on_few(table: ScoreTable) -> tuple[Note, ...]:
    """``mixed-scale`` for each task with a few scores on another scale than its others, within a model or between."""
    score = table.score
    if table.item.n_labels < 2 or not np.any(score >= HIGH_REACH) or not np.any((score > 0.0) & (score < LOW_TOP)):
        return ()
    unmarked = ~np.isnan(score)
    for mark in marked(table):
        unmarked &= ~mark.rows
    tasks = (table.task.codes == task for task in distinct(table.task.codes))
    details = (_of_task(table, rows & unmarked) for rows in tasks)
    return tuple(note("mixed-scale", detail=detail) for detail in details if detail)


def _of_task(table: ScoreTable, rows: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    """What is odd about the scores of a task; '' where nothing is."""
    score = table.score[rows]
    low, high = (score > 0.0) & (score < LOW_TOP), score >= HIGH_BOTTOM
    n_low, n_high = int(np.count_nonzero(low)), int(np.count_nonzero(high))
    if not n_low or not n_high or score.min() < 0.0 or score.max() > HIGH_TOP or score.max() < HIGH_REACH:
        return ""
    if np.any((score > LOW_TOP) & (score < HIGH_BOTTOM)):
        return ""
    ratio = score[high].mean() / 100.0 / score[low].mean()
    if not 1.0 / FACTOR <= ratio <= FACTOR:
        return ""
    if n_high < n_low and n_low >= ENOUGH:
        few, what, remedy = high, "lie within 0 and 1", "divide these by 100"
    elif n_low < n_high and n_high >= ENOUGH and n_low >= LEAST_FRACTIONS:
        few, what, remedy = low, "go up to 100", "multiply these by 100"
    else:
        return ""
    first = int(np.flatnonzero(rows)[np.argmax(few)])
    least, most = (f"{bound:g}" for bound in (score[few].min(), score[few].max()))
    values = least if least == most else f"{least} to {most}"
    return (
        f"{np.count_nonzero(few):,} of {len(score):,} ({values}, first for {attempt_name(table, first)}), where the "
        f"others {what}; {remedy} if they are of one quantity, or if all are right say so with the range "
        f"(--range 0,{HIGH_TOP:g})"
    )
