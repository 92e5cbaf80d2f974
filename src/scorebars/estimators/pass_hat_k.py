"""pass^k: the chance that k attempts at an item all pass, averaged over items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.estimators.passes import OfPasses, ratio_of_combinations

if TYPE_CHECKING:
    from scorebars.sample import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class PassHatK(OfPasses):
    """Unbiased pass^k, C(c, k)/C(n, k) for an item with c passes in n runs (Yao et al. 2024, section 3).

    Raises:
        ArgumentError: k below 1.
        MethodError: (from ``check``) an item with fewer than k runs, or a score that is neither 0 nor 1.

    Example:
        >>> float(PassHatK(2).item_values(np.array([2.0]), np.array([3]))[0])
        0.3333333333333333
    """

    @property
    def name(self) -> str:
        """As printed."""
        return f"pass^{self.k}"

    def item_values(self, sums: FloatArray, runs: IntArray) -> FloatArray:
        """From the passes and the number of runs of each item, shape (n_items,)."""
        return ratio_of_combinations(np.rint(sums), runs, self.k)
