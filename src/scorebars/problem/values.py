"""An estimator's value in flat resamples, whatever kind of estimator it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import ItemMean, Statistic
from scorebars.errors import MethodError

if TYPE_CHECKING:
    from scorebars.contracts import Estimator
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray


def value_of(estimator: Estimator, drawn: Drawn) -> FloatArray:
    """The estimator in each resample, shape (n,); for means the macro mean over the tasks that are there.

    Raises:
        MethodError: the estimator is neither kind.
    """
    if isinstance(estimator, Statistic):
        return estimator.statistic(drawn)
    if not isinstance(estimator, ItemMean):
        raise MethodError(f"{estimator.name} is neither a mean over items nor a statistic of attempts")
    items = drawn.items()
    means = drawn.task_means(estimator.item_values(items.sums, items.count))
    there = ~np.isnan(means)
    return np.asarray(np.where(there, means, 0.0).sum(axis=1) / there.sum(axis=1))


def values_of(estimator: Estimator, sides: list[Drawn]) -> FloatArray:
    """The estimator of the only side, or A minus B."""
    values = [value_of(estimator, side) for side in sides]
    return values[0] if len(values) == 1 else values[0] - values[1]
