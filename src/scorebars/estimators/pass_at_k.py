"""pass@k: the chance that at least one of k attempts at an item passes, averaged over items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.estimators.passes import OfPasses, ratio_of_combinations

if TYPE_CHECKING:
    from scorebars.sample import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class PassAtK(OfPasses):
    """Unbiased pass@k, 1 − C(n−c, k)/C(n, k) for an item with c passes in n runs (Chen et al. 2021, eq. 1).

    Raises:
        ArgumentError: k below 1.
        MethodError: (from ``check``) an item with fewer than k runs, or a score that is neither 0 nor 1.

    Example:
        >>> float(PassAtK(2).item_values(np.array([1.0]), np.array([3]))[0])
        0.6666666666666667
    """

    @property
    def name(self) -> str:
        """As printed."""
        return f"pass@{self.k}"

    def item_values(self, sums: FloatArray, runs: IntArray) -> FloatArray:
        """From the passes and the number of runs of each item, shape (n_items,)."""
        return np.asarray(1.0 - ratio_of_combinations(runs - np.rint(sums), runs, self.k), dtype=np.float64)
