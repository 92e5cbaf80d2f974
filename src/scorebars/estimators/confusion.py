"""The counts behind precision, recall and F1, from a label and a prediction of each attempt."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorebars.estimators.columns import (
    OfClasses,
    ratio_of_counts,
    ratio_of_sums,
    refuse_equal_names,
    refuse_other_than_01,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.kernels.drawing import Attempts, Counted
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, Sample


@dataclass(frozen=True, slots=True)
class OfConfusion(OfClasses, ABC):
    """The common part of statistics of true and false positives."""

    label: str = "label"
    """Column of the truth: 1 for the positive class, 0 for the other."""
    prediction: str = "prediction"
    """Column of what was predicted, in the same way."""
    undefined: float = float("nan")
    """The value where the denominator is 0. NaN is refused if a resample comes to it; scikit-learn takes 0."""

    def __post_init__(self) -> None:
        refuse_equal_names(self.label, self.prediction)

    @property
    @abstractmethod
    def name(self) -> str:
        """As printed."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Label and prediction."""
        return (self.label, self.prediction)

    def check(self, sample: Sample, item_name: Callable[[int], str]) -> None:
        """Labels and predictions are 0 or 1."""
        for column in self.columns:
            refuse_other_than_01(self.name, column, sample, item_name)

    @abstractmethod
    def terms(self, drawn: Drawn | Attempts) -> tuple[FloatArray, FloatArray]:
        """Numerator and denominator of each attempt."""

    def statistic(self, drawn: Drawn) -> FloatArray:
        """The value of each resample, shape (n,)."""
        return ratio_of_sums(drawn, self.terms(drawn), self.undefined)

    def counted(self, attempts: Attempts) -> Counted:
        """The value of counts."""
        return ratio_of_counts(attempts, self.terms(attempts), self.undefined)
