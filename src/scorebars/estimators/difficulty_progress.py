"""Difficulty progress: how well the hardest part goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.errors import ArgumentError
from scorebars.estimators.ordered import OfMiddle

if TYPE_CHECKING:
    from scorebars.sample import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class DifficultyProgress(OfMiddle):
    """Mean of the lowest share of all runs of all tasks in one pot (Agarwal et al. 2021, appendix A.3).

    It moves only when the worst results get better, whatever the best do.

    Args:
        share: 0.25 (the lowest quarter) or 0.5 in the paper; int(share · N) scores are averaged, at least one.

    Raises:
        ArgumentError: share outside (0, 1].

    Example:
        >>> DifficultyProgress().name
        'difficulty progress, lowest 25 %'
    """

    share: float = 0.25

    def __post_init__(self) -> None:
        if not 0.0 < self.share <= 1.0:
            percent = f"; did you mean {self.share / 100:g}?" if 1.0 < self.share <= 100.0 else ""
            raise ArgumentError(f"share = {self.share!r}: must be above 0 and at most 1, such as 0.25{percent}")

    @property
    def name(self) -> str:
        """As printed."""
        return f"difficulty progress, lowest {100 * self.share:g} %"

    def limits(self, size: IntArray) -> tuple[FloatArray, FloatArray]:
        """The places between which the lowest scores lie."""
        kept = np.maximum((self.share * size).astype(np.int64), 1).astype(np.float64)
        return np.zeros(len(size)), kept
