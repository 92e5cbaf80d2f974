"""The family of estimators: one number from one sample. One file a method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.errors import ArgumentError, near_miss
from scorebars.estimators.mean import Mean
from scorebars.estimators.pass_at_k import PassAtK
from scorebars.estimators.pass_hat_k import PassHatK

if TYPE_CHECKING:
    from scorebars.contracts import Estimator

__all__ = ["SPELLINGS", "Mean", "PassAtK", "PassHatK", "parse"]

SPELLINGS = {"mean": Mean, "pass@K": PassAtK, "pass^K": PassHatK}
"""Command line spelling of each estimator; K stands for a number."""


def parse(text: str) -> Estimator:
    """The estimator that a spelling such as 'mean', 'pass@3' or 'pass^3' means.

    Raises:
        ArgumentError: an unknown spelling, or a k that is not a whole number from 1.
    """
    for sign, family in (("@", PassAtK), ("^", PassHatK)):
        name, found, k = text.partition(sign)
        if found and name == "pass":
            if not k.isdecimal():
                raise ArgumentError(f"estimator '{text}': k must be a whole number from 1, as in 'pass{sign}3'")
            return family(int(k))
    if text == "mean":
        return Mean()
    raise ArgumentError(f"there is no estimator '{text}'{near_miss(text, SPELLINGS)}")
