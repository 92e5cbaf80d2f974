"""The family of effects: what a comparison of A and B reports. One file a method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.effects.decision import Decision, DecisionRule, noether_sample_size
from scorebars.effects.difference import Difference
from scorebars.effects.odds_ratio import OddsRatio
from scorebars.effects.probability_of_improvement import ProbabilityOfImprovement
from scorebars.effects.probability_of_outperforming import ProbabilityOfOutperforming, Ties
from scorebars.effects.relative_difference import RelativeDifference
from scorebars.errors import ArgumentError, near_miss

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts import Effect

__all__ = [
    "SPELLINGS",
    "Decision",
    "DecisionRule",
    "Difference",
    "OddsRatio",
    "ProbabilityOfImprovement",
    "ProbabilityOfOutperforming",
    "RelativeDifference",
    "Ties",
    "effect_named",
    "noether_sample_size",
]

SPELLINGS: dict[str, type[Effect]] = {
    "difference": Difference,
    "relative": RelativeDifference,
    "odds-ratio": OddsRatio,
    "outperforming": ProbabilityOfOutperforming,
    "improvement": ProbabilityOfImprovement,
}
"""Command line spelling of each effect."""


def effect_named(spelling: str) -> Effect:
    """The effect that a spelling such as 'relative', 'outperforming:half' or 'improvement:0.6' (γ) means.

    Raises:
        ArgumentError: an unknown spelling, with the near miss; an option that the effect does not have.
    """
    name, _, option = spelling.partition(":")
    if name not in SPELLINGS:
        raise ArgumentError(f"there is no effect '{name}'{near_miss(name, SPELLINGS)}")
    family = SPELLINGS[name]
    if not option:
        return family()
    if family is ProbabilityOfOutperforming and option == "half":
        return ProbabilityOfOutperforming(ties=Ties.HALF)
    if family in {ProbabilityOfOutperforming, ProbabilityOfImprovement}:
        return _with_gamma(family, spelling, option)
    raise ArgumentError(f"effect '{spelling}': '{name}' takes no option")


def _with_gamma(family: Callable[..., Effect], spelling: str, option: str) -> Effect:
    try:
        gamma = float(option)
    except ValueError:
        raise ArgumentError(
            f"effect '{spelling}': give the smallest probability that matters, as in outperforming:0.75, "
            "or outperforming:half to count ties half"
        ) from None
    return family(gamma=gamma)
