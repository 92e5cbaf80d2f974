"""Numbers that stand for no score: −1, −999, 9999 and their like, far outside all other scores of a metric.

They are never dropped here: whether −1 is a mark or a loss nobody but the user knows. A known range that holds them
says that they are scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.notes import Note, note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.sample import ScoreTable

MARKS: Final = (-1.0, -9.0, -99.0, -100.0, -999.0, -9999.0, -99999.0, 99.0, 999.0, 9999.0, 99999.0)
"""What programs write where there is no number."""
FAR: Final = 5.0
"""A mark is at least so many times as large as every other score."""
RARE: Final = 1.0 / 3.0
"""Such a share of −1 is a value of the scale, as in win, tie and loss."""
LEAST_MARK: Final = 99.0
"""Returns of runs, which may be anything, are looked at from this size on."""
_LISTED: Final = 3


@dataclass(frozen=True, slots=True)
class Marked:
    """One such number in a table of one metric."""

    value: float
    rows: NDArray[np.bool_]
    low: float
    high: float
    """Between these lie the other scores."""


def marked(table: ScoreTable) -> list[Marked]:
    """The marks among the scores of one metric."""
    lowest, highest = np.fmin.reduce(table.score), np.fmax.reduce(table.score)  # NaN where there is no score at all
    found = [mark for mark in MARKS if lowest <= mark <= highest and np.any(table.score == mark)]
    if not found:
        return []
    score = table.score[~np.isnan(table.score)]
    others = score[~np.isin(score, found)]
    if not len(others) or others.min() < 0.0:
        return []
    low, high = float(others.min()), float(others.max())
    is_returns = table.item.n_labels == 1
    chosen = [mark for mark in found if _is_far(mark, low, high, is_returns=is_returns)]
    if -1.0 in chosen and np.mean(score == -1.0) >= RARE:
        chosen.remove(-1.0)
    others = score[~np.isin(score, chosen)]
    low, high = float(others.min()), float(others.max())
    return [Marked(mark, table.score == mark, low, high) for mark in chosen]


def _is_far(mark: float, low: float, high: float, *, is_returns: bool) -> bool:
    if is_returns and mark > -LEAST_MARK:
        return False
    if mark == -1.0:  # beside 1 alone it is the other half of a scale
        return not low == high == 1.0
    return abs(mark) >= FAR * high


def note_on_sentinels(table: ScoreTable) -> tuple[Note, ...]:
    """``sentinel-scores`` for each mark among the scores."""
    return tuple(
        note(
            "sentinel-scores",
            n=int(np.count_nonzero(one.rows)),
            value=f"{one.value:g}",
            models=models_of(table, one),
            low=one.low,
            high=one.high,
            range=f"{min(one.value, one.low):g},{max(one.value, one.high):g}",
        )
        for one in marked(table)
    )


def models_of(table: ScoreTable, one: Marked) -> str:
    """The models that have a mark, each with how many: "'a' 3, 'b' 1"."""
    counts = np.bincount(table.model.codes[one.rows], minlength=table.model.n_labels)
    codes = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)].tolist()
    listed = ", ".join(f"'{table.model.labels[code]}' {counts[code]:,}" for code in codes[:_LISTED])
    return listed + (f" and {len(codes) - _LISTED} more models" if len(codes) > _LISTED else "")
