"""The share of the predicted positives that are positive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.estimators.confusion import OfConfusion

if TYPE_CHECKING:
    from scorebars.kernels.drawing import Attempts
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray


@dataclass(frozen=True, slots=True)
class Precision(OfConfusion):
    """True positives / predicted positives, over all attempts in one pot.

    Each attempt counts by the weight of its item, as ``sample_weight`` in scikit-learn.

    Args:
        label: column of the truth, 1 for the positive class and 0 for the other.
        prediction: column of what was predicted, in the same way.
        undefined: the value where the denominator is 0. With NaN such a resample is an error; scikit-learn takes 0.

    Raises:
        ArgumentError: the same column twice.
        MethodError: (from ``check``) a value other than 0 and 1.

    Example:
        >>> Precision().name
        'precision'
    """

    @property
    def name(self) -> str:
        """As printed."""
        return "precision"

    def terms(self, drawn: Drawn | Attempts) -> tuple[FloatArray, FloatArray]:
        """Numerator and denominator of each attempt."""
        predicted = drawn.values(self.prediction)
        return drawn.values(self.label) * predicted, predicted
