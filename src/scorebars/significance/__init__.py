"""The family of significance tests: p-values of a paired difference, always beside its interval. One file a method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.errors import ArgumentError, near_miss
from scorebars.significance.approximate_randomization import ApproximateRandomization
from scorebars.significance.mcnemar import McNemar
from scorebars.significance.power import (
    McNemarPower,
    mcnemar_power,
    minimum_detectable_difference,
    paired_sample_size,
)
from scorebars.significance.sign_flip import SignFlip
from scorebars.significance.sign_test import SignTest
from scorebars.significance.wilcoxon import Wilcoxon

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts import SignificanceTest

__all__ = [
    "SPELLINGS",
    "ApproximateRandomization",
    "McNemar",
    "McNemarPower",
    "SignFlip",
    "SignTest",
    "Wilcoxon",
    "mcnemar_power",
    "minimum_detectable_difference",
    "paired_sample_size",
    "test_named",
]

SPELLINGS: dict[str, Callable[[], SignificanceTest]] = {
    "mcnemar": McNemar,
    "mcnemar-mid-p": lambda: McNemar(mid_p=True),
    "sign-flip": SignFlip,
    "sign": SignTest,
    "wilcoxon": Wilcoxon,
    "randomization": ApproximateRandomization,
}
"""Command line spelling of each test."""


def test_named(spelling: str) -> SignificanceTest:
    """The test with this spelling; an ArgumentError with the near miss if there is none."""
    if spelling not in SPELLINGS:
        raise ArgumentError(f"there is no test '{spelling}'{near_miss(spelling, SPELLINGS)}")
    return SPELLINGS[spelling]()
