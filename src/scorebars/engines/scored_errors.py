"""Attempts that ended in an error and have a score all the same: they count as written, and the result says so.

What ``--on-error`` decides are attempts without a score. A program that writes 0 for a time-out leaves nothing to
decide; how much that is of the score is said here, with the mean of the other attempts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.engines.missing import macro_mean, rate_text
from scorebars.notes import Note, note
from scorebars.sample import Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.engines.cutting import Sheet
    from scorebars.sample import IntArray

TOLD: Final = frozenset({"scored-errors", "failed-attempts"})
"""Notes of readers that say the same, with more of the format."""
_LISTED: Final = 3


def note_on_scored_errors(sheet: Sheet, *, pooled: bool) -> tuple[Note, ...]:
    """``errors-with-scores`` where the attempts in error that have a score move the mean of a model."""
    table = sheet.table
    rows = (table.status == Status.ERROR) & ~np.isnan(table.score)
    if sheet.left_out is not None:
        rows &= ~sheet.left_out
    if not rows.any() or any(said.code in TOLD for said in table.notes):
        return ()
    counts = np.bincount(table.model.codes[rows], minlength=table.model.n_labels)
    found = [_of_model(sheet, rows, model, pooled=pooled) for model in np.argsort(-counts, kind="stable").tolist()]
    told = [one for one in found if one is not None]
    if not told:
        return ()
    more = f" and {len(told) - _LISTED} more models" if len(told) > _LISTED else ""
    detail = ", ".join(text for text, _ in told[:_LISTED]) + more
    n, total = int(np.count_nonzero(rows)), table.n_rows
    grave = any(moved for _, moved in told)
    return (note("errors-with-scores", n=n, total=total, detail=detail, grave=grave),)


def _of_model(sheet: Sheet, errors: NDArray[np.bool_], model: int, *, pooled: bool) -> tuple[str, bool] | None:
    """What a model's mean is with and without them, and whether that is more than noise; None where it is the same."""
    table = sheet.table
    kept = (table.model.codes == model) & ~np.isnan(table.score)
    if sheet.left_out is not None:
        kept &= ~sheet.left_out
    fine, failed = np.flatnonzero(kept & ~errors), np.flatnonzero(kept & errors)
    if not len(failed) or not len(fine) or _is_verdict(table.score[fine], table.score[failed]):
        return None
    both = [_mean(sheet, rows, pooled=pooled) for rows in (np.flatnonzero(kept), fine)]
    counted, without = (rate_text(mean, sheet.range) for mean in both)
    if counted == without:
        return None
    score = table.score[kept]
    moved = abs(both[0] - both[1]) * np.sqrt(len(score)) > score.std()
    name = f"'{table.model.labels[model]}'"
    return f"{name} {len(failed):,} of {len(score):,} ({counted} as they count and {without} without them)", bool(moved)


def _mean(sheet: Sheet, rows: IntArray, *, pooled: bool) -> float:
    task = np.zeros(len(rows), np.int64) if pooled else sheet.table.task.codes[rows]
    return macro_mean(task, sheet.units.codes[rows], sheet.table.score[rows])


def _is_verdict(fine: NDArray[np.float64], failed: NDArray[np.float64]) -> bool:
    """Whether the status says no more than the score: every other attempt is right, and each of these is wrong."""
    return bool(fine.min() == fine.max() > failed.max() == failed.min())
