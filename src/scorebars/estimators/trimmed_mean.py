"""The trimmed mean: the mean of all scores but a share of the lowest and of the highest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.errors import ArgumentError
from scorebars.estimators.ordered import OfMiddle

if TYPE_CHECKING:
    from scorebars.sample import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class TrimmedMean(OfMiddle):
    """Mean of all attempts without int(p·N) of the lowest and as many of the highest, as ``scipy.stats.trim_mean``.

    Args:
        p: share that is cut at each end, from 0 up to but not 1/2; 0.25 is the IQM.

    Raises:
        ArgumentError: p outside [0, 1/2).

    Example:
        >>> TrimmedMean(0.1).name
        'mean, 10 % trimmed at each end'
    """

    p: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.p < 0.5:
            percent = f"; did you mean {self.p / 100:g}?" if 1.0 <= self.p < 50.0 else ""
            raise ArgumentError(f"p = {self.p!r}: the share cut at each end must be 0 or more and below 0.5{percent}")

    @property
    def name(self) -> str:
        """As printed."""
        return f"mean, {100 * self.p:g} % trimmed at each end"

    def limits(self, size: IntArray) -> tuple[FloatArray, FloatArray]:
        """The places between which scores are kept."""
        cut = (self.p * size).astype(np.int64).astype(np.float64)
        return cut, size - cut
