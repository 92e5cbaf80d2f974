"""What pass@k and pass^k share: k, what a sample must be like, the ratio of binomial coefficients."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.errors import ArgumentError, MethodError

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts import Range
    from scorebars.sample import FloatArray, IntArray, Sample


@dataclass(frozen=True, slots=True)
class OfPasses(ABC):
    """An estimator of k attempts at an item, from its passes c in n runs: a mean over items, linear for k = 1 alone."""

    k: int

    def __post_init__(self) -> None:
        _refuse_k(self.k)

    @property
    @abstractmethod
    def name(self) -> str:
        """As printed."""

    @abstractmethod
    def item_values(self, sums: FloatArray, runs: IntArray) -> FloatArray:
        """From the passes and the number of runs of each item, shape (n_items,)."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The scores."""
        return ("score",)

    @property
    def linear_in_runs(self) -> bool:
        """Only with k = 1."""
        return self.k == 1

    def check(self, sample: Sample, item_name: Callable[[int], str]) -> None:
        """Every item has k runs or more, and every score is 0 or 1."""
        _refuse_graded(self.name, sample, item_name)
        _refuse_few_runs(self.name, self.k, sample, item_name)

    def prepare(self, sample: Sample) -> Sample:
        """The scores as they are."""
        return sample

    def value_range(self, score_range: Range) -> Range:
        """[0, 1]."""
        del score_range
        return (0.0, 1.0)


def _refuse_k(k: object) -> None:
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ArgumentError(f"k = {k!r}: must be a whole number from 1")


def _refuse_graded(name: str, sample: Sample, item_name: Callable[[int], str]) -> None:
    if sample.is_binary:
        return
    score = sample.score
    worst = int(np.flatnonzero((score != 0.0) & (score != 1.0))[0])
    raise MethodError(
        f"{name} counts passes, but item '{item_name(int(sample.item[worst]))}' of '{sample.model}' has the score "
        f"{score[worst]:g}; scores must be 0 or 1 (use the mean, or turn the scores into passes first)"
    )


def _refuse_few_runs(name: str, k: int, sample: Sample, item_name: Callable[[int], str]) -> None:
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
