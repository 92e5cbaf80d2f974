"""A quantile of all scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.errors import ArgumentError
from scorebars.estimators.ordered import OfAttempts, ordered, quantile, quantile_of_counts

if TYPE_CHECKING:
    from scorebars.kernels.drawing import Attempts, Counted
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray


@dataclass(frozen=True, slots=True)
class Quantile(OfAttempts):
    """The q-quantile of all attempts by linear interpolation, as ``np.quantile`` (Hyndman and Fan 1996, type 7).

    Args:
        q: 0.9 is the score that one attempt in ten passes.

    Raises:
        ArgumentError: q outside [0, 1].

    Example:
        >>> Quantile(0.9).name
        'quantile 0.9'
    """

    q: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.q <= 1.0:
            percent = f"; did you mean {self.q / 100:g}?" if 2.0 <= self.q <= 100.0 else ""
            raise ArgumentError(f"q = {self.q!r}: a quantile lies between 0 and 1, such as 0.9{percent}")

    @property
    def name(self) -> str:
        """As printed."""
        return f"quantile {self.q:g}"

    def statistic(self, drawn: Drawn) -> FloatArray:
        """The quantile of each resample, shape (n,)."""
        return quantile(ordered(drawn), self.q)

    def counted(self, attempts: Attempts) -> Counted:
        """The quantile of counts."""
        return quantile_of_counts(attempts, self.q)
