"""The probability of outperforming, P(A > B) over pairs of attempts (Bouthillier et al. 2021, Eq. 9)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import Reading
from scorebars.effects.decision import DecisionRule, check_gamma

if TYPE_CHECKING:
    from scorebars.effects.decision import Decision
    from scorebars.sample import FloatArray


class Ties(Enum):
    """What a tie counts for A."""

    LOSSES = 0.0
    """Nothing: A has to be better, strictly, as in Eq. 9."""
    HALF = 0.5
    """Half a win, so that P(A > B) and P(B > A) add up to 1."""


@dataclass(frozen=True, slots=True)
class ProbabilityOfOutperforming:
    """Share of *pairs* that A wins: an attempt of A meets the one attempt of B with the same task, item and run.

    It differs from :class:`~scorebars.ProbabilityOfImprovement`, in which every run of A meets every run of B of the
    same task: there nothing is paired and ties count half; here pairs share a seed or a split, and a tie is a loss.
    The two agree on average where runs are strangers, and only this one sees what pairing brings.

    Mean over pairs of 1[A > B] (Bouthillier et al. 2021, Eq. 9), so its bootstrap is computed. Attempts without a
    partner are left out. Runs without ids are paired in the order of the data, which is the random pairing of their
    appendix C.4. Their interval is ``Percentile()`` (appendix C.5; the number of resamples is not stated). What it
    allows one to conclude is :class:`~scorebars.DecisionRule`; γ = 0.75 was fitted on five case studies. The framework
    speaks of trained models: where the models are given and just the test items vary, prefer a difference.

    Example:
        >>> import numpy as np
        >>> ProbabilityOfOutperforming().pair_values(np.array([1.0, 0.5, 0.2]), np.array([0.0, 0.5, 0.3])).tolist()
        [1.0, 0.0, 0.0]
    """

    gamma: float = 0.75
    """The smallest probability that matters, strictly between 0 and 1."""
    ties: Ties = Ties.LOSSES
    at_least: bool = False
    """Whether an upper bound of exactly γ is enough, as in the authors' code."""

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    @property
    def name(self) -> str:
        """As printed."""
        return "probability of outperforming" + (", ties half" if self.ties is Ties.HALF else "")

    @property
    def reading(self) -> Reading:
        """A share of pairs."""
        return Reading.PAIRS

    @property
    def null(self) -> float:
        """Chance."""
        return 0.5

    @property
    def pair_range(self) -> tuple[float, float]:
        """Lost and won."""
        return 0.0, 1.0

    def pair_values(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """1 where A wins, 0 where it loses, and what the rule for ties says where they are equal."""
        return np.where(a > b, 1.0, np.where(a == b, self.ties.value, 0.0))

    @property
    def rule(self) -> str:
        """What the decision "significant and meaningful" takes."""
        return DecisionRule(self.gamma, self.at_least).words

    def decision(self, low: float, high: float) -> Decision:
        """Not significant, significant but not meaningful, or both, from the bounds of the interval."""
        return DecisionRule(self.gamma, self.at_least).of_bounds(low, high)
