"""pass^k: the chance that k attempts at an item all pass, averaged over items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.estimators.passes import check_k, check_passes, ratio_of_combinations

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.sample import FloatArray, IntArray, Sample


@dataclass(frozen=True, slots=True)
class PassHatK:
    """Unbiased pass^k, C(c, k)/C(n, k) for an item with c passes in n runs (Yao et al. 2024, section 3).

    Raises:
        ArgumentError: k below 1.
        MethodError: (from ``check``) an item with fewer than k runs, or a score that is neither 0 nor 1.

    Example:
        >>> float(PassHatK(2).item_values(np.array([2.0]), np.array([3]))[0])
        0.3333333333333333
    """

    k: int

    def __post_init__(self) -> None:
        check_k(self.k)

    @property
    def name(self) -> str:
        """As printed."""
        return f"pass^{self.k}"

    @property
    def columns(self) -> tuple[str, ...]:
        """The scores."""
        return ("score",)

    @property
    def linear_in_runs(self) -> bool:
        """Only pass^1 is."""
        return self.k == 1

    def check(self, sample: Sample, item_name: Callable[[int], str]) -> None:
        """Every item has k runs or more, and every score is 0 or 1."""
        check_passes(self.name, self.k, sample, item_name)

    def prepare(self, sample: Sample) -> Sample:
        """The scores as they are."""
        return sample

    def item_values(self, sums: FloatArray, runs: IntArray) -> FloatArray:
        """From the passes and the number of runs of each item, shape (n_items,)."""
        return ratio_of_combinations(np.rint(sums), runs, self.k)

    def value_range(self, score_range: tuple[float, float] | None) -> tuple[float, float] | None:
        """[0, 1]."""
        del score_range
        return (0.0, 1.0)
