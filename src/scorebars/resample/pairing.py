"""All pairs of attempts of two groups, from counts: what AUROC and the probability of improvement are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.kernels import pairs
from scorebars.kernels.drawing import Counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.kernels.drawing import Attempts
    from scorebars.sample import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The attempts of one side, group after group, in ascending order of their scores within one."""

    unit: IntArray
    weight: FloatArray
    score: FloatArray
    start: IntArray
    """First attempt of each group, and their number; shape (n_groups + 1,)."""

    @classmethod
    def of(cls, attempts: Attempts, rows: NDArray[np.bool_], score: FloatArray, group: IntArray, n_groups: int) -> Side:
        """Those of the attempts that ``rows`` names; ``score`` and ``group`` have one entry an attempt."""
        chosen = np.flatnonzero(rows)
        chosen = chosen[np.lexsort((score[chosen], group[chosen]))]
        start = np.searchsorted(group[chosen], np.arange(n_groups + 1)).astype(np.int64)
        return cls(attempts.unit[chosen], attempts.weight[chosen], score[chosen], start)


def share_won(a: Side, b: Side) -> Counted:
    """The share of the pairs of each group that A wins, ties half, shape (n, n_groups)."""
    below, upto = np.zeros((2, len(a.score)), dtype=np.int64)
    for group in range(len(a.start) - 1):
        mine, other = (slice(side.start[group], side.start[group + 1]) for side in (a, b))
        below[mine] = np.searchsorted(b.score[other], a.score[mine], side="left")
        upto[mine] = np.searchsorted(b.score[other], a.score[mine], side="right")
    if np.array_equal(below, upto):
        upto = below
    fixed = ((a.unit, a.weight, a.start), (b.unit, b.weight, b.start), below, upto)
    tables = pairs.Tables.of(*fixed)

    def of(counts: IntArray, fast: bool) -> FloatArray:
        if tables is not None and not fast:
            return tables.won(counts)
        return np.asarray(pairs.pairs_won(counts, *fixed, fast=fast))

    return Counted((pairs.pairs_won,), of, takes_bytes=tables is not None)
