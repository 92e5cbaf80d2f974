"""AUROC: how well a score tells positives from negatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.errors import MethodError
from scorebars.estimators.columns import OfClasses, quotient, refuse_equal_names, refuse_other_than_01
from scorebars.resample.grouped import mean_of_groups
from scorebars.resample.pairing import Side, share_won

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.kernels.drawing import Attempts, Counted
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, Sample


@dataclass(frozen=True, slots=True)
class AUROC(OfClasses):
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
        # Undrawn scores as ranks: counting the drawn attempts of each rank takes the place of sorting every resample.
        ranks = np.unique(drawn.columns[self.score], return_inverse=True)[1].reshape(-1)
        n_ranks = int(ranks.max()) + 1
        cell = drawn.owner * n_ranks + ranks[drawn.position]
        up, down = (
            np.bincount(cell, drawn.weight * part, drawn.n * n_ranks).reshape(drawn.n, n_ranks)
            for part in (positive, 1.0 - positive)
        )
        below = np.cumsum(down, axis=1) - down
        wins = np.sum(up * (below + 0.5 * down), axis=1)
        return quotient(wins, up.sum(axis=1) * down.sum(axis=1))

    def counted(self, attempts: Attempts) -> Counted:
        """The AUROC of counts: the pairs of a positive and a negative that the positive wins."""
        positive = attempts.values(self.label) == 1.0
        alone = np.zeros(len(positive), dtype=np.int64)
        sides = (Side.of(attempts, mask, attempts.values(self.score), alone, 1) for mask in (positive, ~positive))
        return mean_of_groups(share_won(*sides))
