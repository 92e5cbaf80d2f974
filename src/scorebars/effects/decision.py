"""What a probability that A beats B allows one to conclude, and how many pairs it takes.

Bouthillier et al. 2021 ("Accounting for Variance in Machine Learning Benchmarks") test P(A > B) twice: against chance,
1/2, and against γ, the smallest probability that matters. Appendix C.6 writes the rule in terms of the bounds, section
4.1 in terms of their distances from the estimate (P − CImin > 0.5, P + CImax > γ), which is the same rule; the authors'
code asks for γ ≤ upper bound where the paper has γ < upper bound. γ = 0.75 was fitted on their five case studies, and
the rule looks at the upper bound alone: with 100 pairs and a true probability of .75 it says "meaningful" in 97 % of
all studies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from statistics import NormalDist
from typing import Final

from scorebars.errors import ArgumentError

_ROUNDING: Final = 1e-12
"""A share of wins, 75/100, and γ may differ by this much and mean the same."""


class Decision(Enum):
    """The three outcomes of the rule."""

    NOT_SIGNIFICANT = "not significant"
    """The lower bound does not exceed 1/2: no conclusion."""
    NOT_MEANINGFUL = "significant, not meaningful"
    """Better than chance, but by less than γ."""
    MEANINGFUL = "significant and meaningful"


@dataclass(frozen=True, slots=True)
class DecisionRule:
    """Significant if the lower bound exceeds 1/2, meaningful if the upper bound exceeds γ as well.

    Example:
        >>> DecisionRule().of_bounds(0.52, 0.81).value
        'significant and meaningful'
    """

    gamma: float = 0.75
    """The smallest probability that matters, strictly between 0 and 1. The default was fitted on five case studies."""
    at_least: bool = False
    """Whether an upper bound of exactly γ is enough, as in the authors' code; the paper asks for more than γ."""

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    @property
    def words(self) -> str:
        """What "significant and meaningful" takes."""
        enough = "at or above" if self.at_least else "above"
        return f"lower bound above 0.5, upper bound {enough} γ = {self.gamma:g}"

    def of_bounds(self, low: float, high: float) -> Decision:
        """The decision from the bounds of an interval (appendix C.6); NaN bounds are not significant."""
        if not low > 0.5 + _ROUNDING:
            return Decision.NOT_SIGNIFICANT
        enough = high >= self.gamma - _ROUNDING if self.at_least else high > self.gamma + _ROUNDING
        return Decision.MEANINGFUL if enough else Decision.NOT_MEANINGFUL

    def of_half_widths(self, value: float, below: float, above: float) -> Decision:
        """The decision from the estimate and the distances of its bounds (section 4.1)."""
        return self.of_bounds(value - below, value + above)


def check_gamma(gamma: float) -> None:
    """Raise ArgumentError unless γ lies strictly between 0 and 1."""
    if not 0.0 < gamma < 1.0:
        percent = f"; did you mean {gamma / 100:g}?" if 1.0 < gamma < 100.0 else ""
        raise ArgumentError(f"gamma = {gamma:g}: a probability strictly between 0 and 1, such as 0.75{percent}")


def noether_sample_size(
    gamma: float = 0.75, *, alpha: float = 0.05, beta: float = 0.05, two_sided: bool = False, pairs: bool = False
) -> float:
    """Noether's sample size for telling P(A > B) = γ from 1/2 by a Mann-Whitney test, or a sign test; round it up.

    N = ((z(1 − α) + z(1 − β)) / (√6 (1/2 − γ)))² (Noether 1987; Bouthillier et al. 2021, appendix C.3).

    It is the number of runs *of each side* for an *unpaired, one-sided* test. The 29 runs that are often asked for are
    this number at γ = .75, α = β = .05 (28.859); two-sided it is 35. The test that goes with them, a two-sided 95 %
    percentile interval over 29 *pairs*, needs 20 wins, rejects chance with probability .031 where there is nothing and
    has a power of .834 at γ = .75, not .95; 50 pairs have .945.

    Args:
        gamma: P(A > B) to be detected, in (0, 1), not 1/2.
        alpha: error rate of the test, in (0, 1).
        beta: probability of missing γ, in (0, 1).
        two_sided: spend α on both sides.
        pairs: the sign test of pairs, N = ((z(1 − α) + z(1 − β)) / (2 (1/2 − γ)))², instead of two unrelated sides.

    Returns:
        Runs of each side, or pairs; not rounded.

    Example:
        >>> round(noether_sample_size(0.75), 3)
        28.859
    """
    check_gamma(gamma)
    if gamma == 0.5:
        raise ArgumentError(
            "gamma = 0.5 is chance, which no number of runs tells from itself; give another probability"
        )
    for name, rate in (("alpha", alpha), ("beta", beta)):
        if not 0.0 < rate < 1.0:
            raise ArgumentError(f"{name} = {rate:g}: an error rate strictly between 0 and 1, such as 0.05")
    z = NormalDist().inv_cdf
    deviates = z(1.0 - (alpha / 2.0 if two_sided else alpha)) + z(1.0 - beta)
    return (deviates / ((2.0 if pairs else math.sqrt(6.0)) * (0.5 - gamma))) ** 2
