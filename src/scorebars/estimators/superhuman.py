"""The superhuman probability: the share of runs that pass a human's score."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from scorebars.errors import ArgumentError
from scorebars.estimators.mean import OfScores

if TYPE_CHECKING:
    from scorebars.sample import Sample


@dataclass(frozen=True, slots=True)
class SuperhumanProbability(OfScores):
    """Share of attempts whose score is strictly above the threshold (Agarwal et al. 2021, appendix A.3).

    It is a mean over items, and tasks count the same, so its bootstrap is computed.

    Args:
        threshold: 1 is human level for human-normalised scores.

    Raises:
        ArgumentError: the threshold is not a finite number.

    Example:
        >>> SuperhumanProbability().name
        'P(score > 1)'
    """

    threshold: float = 1.0

    def __post_init__(self) -> None:
        if not math.isfinite(self.threshold):
            raise ArgumentError(f"threshold = {self.threshold!r}: must be a finite number, such as 1")

    @property
    def name(self) -> str:
        """As printed."""
        return f"P(score > {self.threshold:g})"

    def prepare(self, sample: Sample) -> Sample:
        """1 for each attempt above the threshold, else 0."""
        above = (sample.score > self.threshold).astype(np.float64)
        return replace(sample, values={"score": above}, range=(0.0, 1.0))
