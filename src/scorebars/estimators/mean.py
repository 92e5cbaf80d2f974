"""The mean: an item's value is the plain mean of its runs, a task's the mean of its items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts import Range
    from scorebars.sample import FloatArray, IntArray, Sample


class OfScores:
    """The common part of means of scores: all but the name and how a score is turned (``prepare``)."""

    __slots__ = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The scores."""
        return ("score",)

    @property
    def linear_in_runs(self) -> bool:
        """The mean of runs is linear in them."""
        return True

    def check(self, sample: Sample, item_name: Callable[[int], str]) -> None:
        """Every sample has a mean."""
        del sample, item_name

    def item_values(self, sums: FloatArray, runs: IntArray) -> FloatArray:
        """Mean of the runs; both arrays have the shape (n_items,)."""
        return np.asarray(sums / runs, dtype=np.float64)

    def value_range(self, score_range: Range) -> Range:
        """That of the scores as they are averaged."""
        return score_range


@dataclass(frozen=True, slots=True)
class Mean(OfScores):
    """Mean score: over the runs of an item, then over items, then (macro) over tasks.

    Every item counts once, whatever its number of runs (Miller 2024, section 3.1: never pool K·n answers).

    Example:
        >>> Mean().name
        'mean'
    """

    @property
    def name(self) -> str:
        """As printed."""
        return "mean"

    def prepare(self, sample: Sample) -> Sample:
        """The scores as they are."""
        return sample
