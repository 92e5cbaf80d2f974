"""The relative difference A/B − 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import Reading

if TYPE_CHECKING:
    from scorebars.contracts import Range
    from scorebars.sample import FloatArray


@dataclass(frozen=True, slots=True)
class RelativeDifference:
    """By how much A exceeds B, in parts of B: A/B − 1, so that 0.08 is "8 % higher".

    It is the ratio of the two values, not the mean of the items' ratios. Where the sides share their items and every
    redrawn unit of B is positive, its bootstrap distribution is computed (P(A*/B* ≤ x) = P(Σ(a − x·b)* ≤ 0)); else it
    is drawn.

    Where B is zero or negative there is no "more than B": the value is NaN, with the reason. The same holds for the
    interval where some resample's B is not positive.

    Example:
        >>> import numpy as np
        >>> RelativeDifference().of(np.array([0.75, 0.5]), np.array([0.5, 0.0])).tolist()
        [0.5, nan]
    """

    @property
    def name(self) -> str:
        """As printed."""
        return "relative difference"

    @property
    def reading(self) -> Reading:
        """Percent of B."""
        return Reading.RELATIVE

    @property
    def null(self) -> float:
        """No difference."""
        return 0.0

    def of(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """A/B − 1 of each pair of values; NaN where B is not positive. Arrays of one shape."""
        out = np.full(np.shape(b), np.nan)
        np.divide(a - b, b, out=out, where=b > 0.0)
        return out

    def sums_and_sizes(self, a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """Units whose Σ sums / Σ sizes is the effect; None where a unit of B is not positive. Shapes (n_units,)."""
        return (a - b, b) if np.all(b > 0.0) else None

    def why_undefined(self, a: float, b: float) -> str:
        """Why there is no value; '' where there is one."""
        del a
        return "" if b > 0.0 else f"B is {b:.6g}, and A/B − 1 needs a positive B; report the difference instead"

    def value_range(self, a: Range, b: Range) -> Range:
        """Not bounded above, so no range is claimed."""
        del a, b
        return None
