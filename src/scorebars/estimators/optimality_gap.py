"""The optimality gap: how far scores fall short of a goal."""

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
class OptimalityGap(OfScores):
    """γ − mean of min(score, γ): the mean shortfall from γ, lower is better (Agarwal et al. 2021, section 4.3).

    What lies above γ is worth no more than γ. It is a mean over items, and tasks count the same, so its bootstrap is
    computed; with equally many runs a task it is the paper's mean over all runs.

    Args:
        gamma: the goal; 1 is human level for human-normalised scores.

    Raises:
        ArgumentError: gamma is not a finite number.

    Example:
        >>> OptimalityGap(2.0).name
        'optimality gap (γ = 2)'
    """

    gamma: float = 1.0

    def __post_init__(self) -> None:
        if not math.isfinite(self.gamma):
            raise ArgumentError(f"gamma = {self.gamma!r}: the goal must be a finite number, such as 1")

    @property
    def name(self) -> str:
        """As printed."""
        return "optimality gap" if self.gamma == 1.0 else f"optimality gap (γ = {self.gamma:g})"

    def prepare(self, sample: Sample) -> Sample:
        """The shortfall of each attempt, 0 where it reaches γ."""
        short = np.maximum(self.gamma - sample.score, 0.0)
        known = sample.range
        if known is not None:
            known = (max(self.gamma - known[1], 0.0), max(self.gamma - known[0], 0.0))
        return replace(sample, values={"score": short}, range=known)
