"""AUROC: how well a score tells positives from negatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.errors import MethodError
from scorebars.estimators.columns import OfColumns, quotient, refuse_equal_names, refuse_other_than_01, weighted_sums

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, Sample


@dataclass(frozen=True, slots=True)
class AUROC(OfColumns):
    """Chance that a positive scores above a negative, ties half: the area under the ROC curve (Hanley, McNeil 1982).

    Over all attempts in one pot, each by the weight of its item. A resample without positives or without negatives
    has no AUROC and is an error; with few of either, make the label the task as well (``task="label"``), so that
    items are redrawn inside their class.

    Args:
        label: column of the truth, 1 for the positive class and 0 for the other.
        score: column of the score; any numbers, higher for the positive class.

    Raises:
        ArgumentError: the same column twice.
        MethodError: (from ``check``) a label other than 0 and 1, or one class alone.

    Example:
        >>> AUROC().columns
        ('label', 'score')
    """

    label: str = "label"
    score: str = "score"

    def __post_init__(self) -> None:
        refuse_equal_names(self.label, self.score)

    @property
    def name(self) -> str:
        """As printed."""
        return "AUROC"

    @property
    def columns(self) -> tuple[str, ...]:
        """Label and score."""
        return (self.label, self.score)

    def check(self, sample: Sample, item_name: Callable[[int], str]) -> None:
        """Labels are 0 and 1, and both are there."""
        refuse_other_than_01(self.name, self.label, sample, item_name)
        label = sample.values[self.label]
        if np.all(label == label[0]):
            raise MethodError(
                f"AUROC needs positives and negatives, and every label of '{sample.model}' is {label[0]:g}; "
                f"check the column '{self.label}'"
            )

    def statistic(self, drawn: Drawn) -> FloatArray:
        """The AUROC of each resample, shape (n,); NaN where a class is missing."""
        positive = drawn.values(self.label)
        # Ranks of the undrawn scores, so that one sort of whole numbers orders all resamples at once.
        ranks = np.unique(drawn.columns[self.score], return_inverse=True)[1].reshape(-1)
        key = drawn.owner * (int(ranks.max()) + 1) + ranks[drawn.position]
        order = np.argsort(key, kind="stable")
        ties = np.flatnonzero(np.diff(key[order], prepend=-1))
        up = np.add.reduceat((drawn.weight * positive)[order], ties)
        down = np.add.reduceat((drawn.weight * (1.0 - positive))[order], ties)
        owner = drawn.owner[order][ties]
        total = weighted_sums(drawn, 1.0 - positive)
        before = np.cumsum(down) - down - (np.cumsum(total) - total)[owner]
        wins = np.bincount(owner, up * (before + 0.5 * down), drawn.n).astype(np.float64, copy=False)
        return quotient(wins, total * weighted_sums(drawn, positive))
