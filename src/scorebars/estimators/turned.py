"""What means of turned scores share: each score is turned on its own, then items and tasks are averaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts import Range
    from scorebars.sample import FloatArray, IntArray, Sample


class TurnedMean:
    """The common part: all but the name and how a score is turned."""

    __slots__ = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The scores."""
        return ("score",)

    @property
    def linear_in_runs(self) -> bool:
        """The mean of turned runs is linear in them."""
        return True

    def check(self, sample: Sample, item_name: Callable[[int], str]) -> None:
        """Every sample has one."""
        del sample, item_name

    def item_values(self, sums: FloatArray, runs: IntArray) -> FloatArray:
        """Mean of the turned runs; both arrays have the shape (n_items,)."""
        return np.asarray(sums / runs, dtype=np.float64)

    def value_range(self, score_range: Range) -> Range:
        """That of the turned scores."""
        return score_range
