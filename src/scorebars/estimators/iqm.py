"""The interquartile mean: the mean of the middle half of all scores."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from scorebars.estimators.ordered import OfMiddle

if TYPE_CHECKING:
    from scorebars.sample import FloatArray, IntArray


class Middle(Enum):
    """What the middle half of N scores is."""

    TRIM = "trim"
    """int(N/4) scores are cut at each end, as ``scipy.stats.trim_mean`` and rliable do: 66 of 130 are kept."""
    HALF = "half"
    """⌊N/2⌋ scores are kept, as Agarwal et al. 2021 define it: 65 of 130. Where they cannot be split evenly, half of
    a score is kept at each end, so that high and low scores are treated alike."""


@dataclass(frozen=True, slots=True)
class IQM(OfMiddle):
    """Mean of the middle half of the scores of all runs of all tasks in one pot (Agarwal et al. 2021, section 4.3).

    It is the default aggregate of deep RL papers: less at the mercy of a few outlying tasks than the mean, and with
    narrower intervals than the median of task means. Attempts are pooled: a task with more attempts counts more.

    Example:
        >>> IQM().name
        'IQM'
    """

    middle: Middle = Middle.TRIM

    @property
    def name(self) -> str:
        """As printed."""
        return "IQM" if self.middle is Middle.TRIM else "IQM (half kept)"

    def limits(self, size: IntArray) -> tuple[FloatArray, FloatArray]:
        """The places between which the middle half of so many scores lies."""
        if self.middle is Middle.TRIM:
            cut = (0.25 * size).astype(np.int64).astype(np.float64)
        else:
            cut = (size - np.maximum(size // 2, 1)) / 2.0
        return cut, size - cut
