"""What statistics of several columns share: each attempt has a value in every one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.errors import ArgumentError, MethodError
from scorebars.kernels import sums
from scorebars.kernels.drawing import Counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts import Range
    from scorebars.kernels.drawing import Attempts
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, IntArray, Sample


class OfColumns:
    """The common part: values as they are, of any range."""

    __slots__ = ()

    def check(self, sample: Sample, item_name: Callable[[int], str]) -> None:
        """Every sample with the columns has a value, or says why not."""
        del sample, item_name

    def prepare(self, sample: Sample) -> Sample:
        """The values as they are."""
        return sample

    def value_range(self, score_range: Range) -> Range:
        """Unknown."""
        del score_range
        return None


class OfClasses(OfColumns):
    """The common part of statistics of a label, which are shares between 0 and 1."""

    __slots__ = ()

    def value_range(self, score_range: Range) -> Range:
        """[0, 1]."""
        del score_range
        return (0.0, 1.0)


def refuse_equal_names(*columns: str) -> None:
    """Raise ArgumentError where one column is named twice, or a name is empty."""
    for name in columns:
        if not name or columns.count(name) > 1:
            raise ArgumentError(f"columns {columns!r}: name two different columns, such as 'label' and 'prediction'")


def refuse_other_than_01(name: str, column: str, sample: Sample, item_name: Callable[[int], str]) -> None:
    """Raise MethodError where a column has another value than 0 and 1; the message names the item."""
    values = sample.values[column]
    other = np.flatnonzero((values != 0.0) & (values != 1.0))
    if len(other):
        raise MethodError(
            f"{name} needs 0 or 1 in the column '{column}', and item '{item_name(int(sample.item[other[0]]))}' of "
            f"'{sample.model}' has {values[other[0]]:g}; make it 1 for one class, 0 for the rest"
        )


def ratio_of_sums(drawn: Drawn, terms: tuple[FloatArray, FloatArray], otherwise: float) -> FloatArray:
    """Σ weight × numerator / Σ weight × denominator of each resample, shape (n,); ``otherwise`` where that is 0/0."""
    top, bottom = (weighted_sums(drawn, part) for part in terms)
    return quotient(top, bottom, otherwise)


def ratio_of_counts(attempts: Attempts, terms: tuple[FloatArray, FloatArray], otherwise: float) -> Counted:
    """The same ratio of counts."""
    each = attempts.per_unit(*(attempts.weight * part for part in terms))

    def of(counts: IntArray, fast: bool) -> FloatArray:
        top, bottom = sums.totals(counts, each, fast=fast).T
        return quotient(top, bottom, otherwise)

    return Counted((sums.totals,), of)


def weighted_sums(drawn: Drawn, values: FloatArray) -> FloatArray:
    """Σ of weight × value in each resample, shape (n,)."""
    return np.bincount(drawn.owner, drawn.weight * values, drawn.n).astype(np.float64, copy=False)


def quotient(top: FloatArray, bottom: FloatArray, otherwise: float = float("nan")) -> FloatArray:
    """Top / bottom, and ``otherwise`` where the bottom is 0."""
    return np.asarray(np.divide(top, bottom, out=np.full(len(top), otherwise), where=bottom != 0.0))
