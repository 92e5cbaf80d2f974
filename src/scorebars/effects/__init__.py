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
    """The effect with this spelling; an ArgumentError with the near miss if there is none."""
    if spelling not in SPELLINGS:
        raise ArgumentError(f"there is no effect '{spelling}'{near_miss(spelling, SPELLINGS)}")
    return SPELLINGS[spelling]()
