"""The difference A − B."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import Reading

if TYPE_CHECKING:
    from scorebars.contracts import Range
    from scorebars.sample import FloatArray


@dataclass(frozen=True, slots=True)
class Difference:
    """A minus B, in the unit of the scores.

    Example:
        >>> import numpy as np
        >>> Difference().of(np.array([0.75]), np.array([0.5])).tolist()
        [0.25]
    """

    @property
    def name(self) -> str:
        """As printed."""
        return "difference"

    @property
    def reading(self) -> Reading:
        """Points higher or lower."""
        return Reading.DIFFERENCE

    @property
    def null(self) -> float:
        """No difference."""
        return 0.0

    def of(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """The difference of each pair of values; arrays of one shape."""
        return np.asarray(a - b, dtype=np.float64)

    def value_range(self, a: Range, b: Range) -> Range:
        """From the lowest A against the highest B to the opposite."""
        return None if a is None or b is None else (a[0] - b[1], a[1] - b[0])
