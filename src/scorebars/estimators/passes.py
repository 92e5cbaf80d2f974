"""What pass@k and pass^k share: the ratio of binomial coefficients and what a sample must be like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.errors import ArgumentError, MethodError

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.sample import FloatArray, IntArray, Sample


def check_k(k: object) -> None:
    """Raise ArgumentError unless k is a whole number from 1."""
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ArgumentError(f"k = {k!r}: must be a whole number from 1")


def check_passes(name: str, k: int, sample: Sample, item_name: Callable[[int], str]) -> None:
    """Raise MethodError unless every item has k runs and every score is 0 or 1."""
    if not sample.is_binary:
        score = sample.score
        worst = int(np.flatnonzero((score != 0.0) & (score != 1.0))[0])
        raise MethodError(
            f"{name} counts passes, but item '{item_name(int(sample.item[worst]))}' of '{sample.model}' has the score "
            f"{score[worst]:g}; scores must be 0 or 1 (use the mean, or turn the scores into passes first)"
        )
    items, runs = np.unique(sample.item, return_counts=True)
    fewest = int(np.argmin(runs))
    if runs[fewest] < k:
        raise MethodError(
            f"{name} needs {k} runs of every item, but item '{item_name(int(items[fewest]))}' of '{sample.model}' "
            f"has {runs[fewest]} ({int(np.sum(runs < k))} of {len(items)} items have too few); lower k or add runs"
        )


def ratio_of_combinations(part: FloatArray | IntArray, whole: IntArray, k: int) -> FloatArray:
    """C(part, k)/C(whole, k), 0 where part < k, as a product of k factors that never overflows."""
    ratio = np.ones(len(whole))
    for j in range(k):
        ratio *= np.maximum(part - j, 0.0) / (whole - j)
    return ratio
