"""Means of the tasks of each resample, from counts, and what is made of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scorebars.kernels import sums
from scorebars.kernels.drawing import Counted
from scorebars.kernels.sequential import row_sums

if TYPE_CHECKING:
    from scorebars.kernels.drawing import Attempts
    from scorebars.sample import FloatArray, IntArray


def task_means(attempts: Attempts, values: FloatArray | None = None) -> Counted:
    """Weighted mean over the items of each task, shape (n, n_tasks), NaN for a task without items.

    Args:
        attempts: the attempts; as many runs of each drawn item are drawn as it has.
        values: what is averaged, one an attempt; the scores by default.
    """
    scores = attempts.values() if values is None else values
    alike = bool(np.all(attempts.share == attempts.share[0]))
    share = np.ones(len(scores)) if alike else attempts.share  # whole numbers are quicker to add
    each = attempts.per_unit(share * scores, share)
    mine = np.unique(attempts.unit, return_index=True)
    top, bottom = (np.ascontiguousarray(column) for column in each[mine[0]].T)
    start = np.searchsorted(attempts.task[mine[1]], np.arange(attempts.n_tasks + 1)).astype(np.int64)
    shift = slice(int(mine[0][0]), int(mine[0][-1]) + 1)

    def of(counts: IntArray, fast: bool) -> FloatArray:
        own = counts if len(mine[0]) == counts.shape[1] else np.ascontiguousarray(counts[:, shift])
        return np.asarray(sums.group_ratios(own, top, bottom, start, fast=fast))

    return Counted((sums.group_ratios,), of)


def medians(groups: Counted) -> Counted:
    """Median of each row of what ``groups`` makes, NaN left out."""

    def of(counts: IntArray, fast: bool) -> FloatArray:
        return np.asarray(middle_of_rows(groups.of(counts, fast)))

    return Counted(groups.kernels, of)


def mean_of_groups(groups: Counted) -> Counted:
    """Mean of each row of what ``groups`` makes, NaN left out; added from the first on."""

    def of(counts: IntArray, fast: bool) -> FloatArray:
        found = groups.of(counts, fast)
        missing = np.isnan(found)
        if not missing.any():
            return np.asarray(row_sums(found) / found.shape[1])
        total = row_sums(np.where(missing, 0.0, found))
        # A row without any is NaN, and says so later.
        with np.errstate(invalid="ignore"):
            return np.asarray(total / np.count_nonzero(~missing, axis=1))

    return replace(groups, of=of)


def middle_of_rows(rows: FloatArray) -> FloatArray:
    """The middle number of each row, or the mean of the two middle ones; NaN is not counted."""
    ordered = np.sort(rows, axis=1)  # NaN last
    n = np.count_nonzero(~np.isnan(ordered), axis=1)
    each = np.arange(len(rows))
    return np.asarray((ordered[each, (n - 1) // 2] + ordered[each, n // 2]) / 2.0)
