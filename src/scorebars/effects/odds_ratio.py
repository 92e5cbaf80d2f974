"""The odds ratio of two success rates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import Reading

if TYPE_CHECKING:
    from scorebars.contracts import Range
    from scorebars.sample import FloatArray


@dataclass(frozen=True, slots=True)
class OddsRatio:
    """The odds of success of A against those of B: (A / (1 − A)) / (B / (1 − B)), for 0/1 scores.

    It is the ratio of the two rates' odds (marginal, in the words of paired tables), not the ratio of the discordant
    counts that McNemar's test looks at. 1 means no difference; B against A is its reciprocal.

    Where A always or B never succeeds it is infinite or means nothing: the value is NaN, with the reason (B against A
    may have one: 0). The same holds for a bootstrap interval where some resample is like that. Two unrelated samples
    get the score interval from ``Auto``, which needs no resample.

    Example:
        >>> import numpy as np
        >>> OddsRatio().of(np.array([0.75, 1.0]), np.array([0.5, 0.5])).tolist()
        [3.0, nan]
    """

    @property
    def name(self) -> str:
        """As printed."""
        return "odds ratio"

    @property
    def reading(self) -> Reading:
        """Times the odds."""
        return Reading.ODDS

    @property
    def null(self) -> float:
        """Equal odds."""
        return 1.0

    def of(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """The odds ratio of each pair of rates; NaN where A is 1 or B is 0. Arrays of one shape."""
        out = np.full(np.shape(b), np.nan)
        np.divide(a * (1.0 - b), (1.0 - a) * b, out=out, where=(a < 1.0) & (b > 0.0))
        return out

    def why_undefined(self, a: float, b: float) -> str:
        """Why there is no value; '' where there is one."""
        if not a < 1.0:
            return "A always succeeds, so its odds are infinite; report the difference instead"
        return "" if b > 0.0 else "B never succeeds, so its odds are 0; report the difference instead"

    def value_range(self, a: Range, b: Range) -> Range:
        """Not bounded above, so no range is claimed."""
        del a, b
        return None
