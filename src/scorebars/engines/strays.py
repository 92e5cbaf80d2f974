"""A few scores that are neither 0 nor 1 among many that are: a slip of the keyboard, or a grade that is rarely given.

They are never dropped. A known range says that they are scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.coding import row_name
from scorebars.engines.sentinels import marked
from scorebars.notes import Note, note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.sample import FloatArray, IntArray, ScoreTable

FEWEST: Final = 10
"""Scores from which on one is a stray."""
SHARE: Final = 0.05
"""Such a share of the scores is a grade that was meant."""
LISTED: Final = 3


@dataclass(frozen=True, slots=True)
class Strays:
    """The scores of one metric that are neither 0 nor 1."""

    rows: IntArray
    values: FloatArray
    """Different ones, sorted."""
    others: int
    """Scores that are 0 or 1."""
    where: str
    """The first row, with its file."""
    range: tuple[float, float]
    """That holds them all."""

    @property
    def listed(self) -> str:
        """The values, as a sentence lists them."""
        more = f" and {len(self.values) - LISTED} more" if len(self.values) > LISTED else ""
        return ", ".join(f"{value:g}" for value in self.values[:LISTED]) + more


def strays(table: ScoreTable) -> Strays | None:
    """The strays among the scores of one metric; None where there are none, or so many that they are meant."""
    score = table.score
    odd = (score != 0.0) & (score != 1.0) & ~np.isnan(score)
    n = int(np.count_nonzero(odd))
    others = int(np.count_nonzero((score == 0.0) | (score == 1.0)))
    if not n or others + n < FEWEST or table.item.n_labels < 2 or not _are_rare(table, odd):
        return None
    for mark in marked(table):
        odd &= ~mark.rows
    rows = np.flatnonzero(odd)
    if not len(rows) or not np.any(score == 0.0) or not np.any(score == 1.0):
        return None
    first = int(rows[0])
    number = first if table.row is None else int(table.row[first])
    where = row_name(table.sources, number, None if table.file_row is None else int(table.file_row[first]))
    values = np.unique(score[rows])
    bounds = (min(0.0, float(values[0])), max(1.0, float(values[-1])))
    return Strays(rows, values, others, where, bounds)


def _are_rare(table: ScoreTable, odd: NDArray[np.bool_]) -> bool:
    """Whether no model and no task has more of them than slips would make: one, or a twentieth."""
    scored = ~np.isnan(table.score)
    for column in (table.model, table.task):
        counts = np.bincount(column.codes[odd], minlength=column.n_labels)
        totals = np.bincount(column.codes[scored], minlength=column.n_labels)
        if np.any((counts > 1) & (counts > SHARE * totals)):
            return False
    return True


def note_on_strays(table: ScoreTable) -> tuple[Note, ...]:
    """``stray-scores``, if there are any."""
    found = strays(table)
    if found is None:
        return ()
    low, high = found.range
    return (
        note(
            "stray-scores",
            n=len(found.rows),
            values=found.listed,
            others=found.others,
            where=found.where,
            range=f"{low:g},{high:g}",
        ),
    )
