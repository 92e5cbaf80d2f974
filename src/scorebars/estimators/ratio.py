"""A ratio of sums: micro averages, cost per success, words per minute."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.estimators.columns import OfColumns, ratio_of_counts, ratio_of_sums, refuse_equal_names

if TYPE_CHECKING:
    from scorebars.kernels.drawing import Attempts, Counted
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, Sample


@dataclass(frozen=True, slots=True)
class Ratio(OfColumns):
    """Σ numerator / Σ denominator over all attempts of all tasks, each times the weight of its item.

    This is no mean of the items' own ratios: an item with a large denominator counts more (a micro average), and an
    item whose denominator is 0, such as a failed attempt in a cost per success, still adds its cost. Where no item's
    denominator is 0, the bootstrap over items (or clusters) of one task is computed, else it is drawn.

    Where the denominators add up to 0 there is no ratio: the value is NaN, with the reason; so is the interval where
    they do in some resample.

    Args:
        numerator: name of a value column.
        denominator: name of another.

    Raises:
        ArgumentError: the same column twice.

    Example:
        >>> Ratio("cost", "resolved").name
        'cost / resolved'
    """

    numerator: str
    denominator: str

    def __post_init__(self) -> None:
        refuse_equal_names(self.numerator, self.denominator)

    @property
    def name(self) -> str:
        """As printed."""
        return f"{self.numerator} / {self.denominator}"

    @property
    def columns(self) -> tuple[str, ...]:
        """Numerator and denominator."""
        return (self.numerator, self.denominator)

    def statistic(self, drawn: Drawn) -> FloatArray:
        """The ratio of each resample, shape (n,); NaN where the denominators add up to 0."""
        return ratio_of_sums(drawn, self.terms(drawn), math.nan)

    def why_undefined(self, sample: Sample) -> str:
        """Why this sample has no ratio; '' where it has one."""
        values = sample.values[self.denominator]
        if float(np.sum(values if sample.weight is None else sample.weight * values)) != 0.0:
            return ""
        n = f"{len(values):,} attempt{'s' if len(values) != 1 else ''}"
        return f"'{self.denominator}' adds up to 0 over the {n} of '{sample.model}', and nothing is divided by 0"

    def counted(self, attempts: Attempts) -> Counted:
        """The ratio of counts."""
        return ratio_of_counts(attempts, self.terms(attempts), math.nan)

    def terms(self, drawn: Drawn | Attempts) -> tuple[FloatArray, FloatArray]:
        """Numerator and denominator of each attempt."""
        return drawn.values(self.numerator), drawn.values(self.denominator)
