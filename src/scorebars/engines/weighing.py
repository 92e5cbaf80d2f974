"""Weights of items: what makes a weight column unusable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.engines.attempts import attempt_name
from scorebars.engines.coding import LARGEST
from scorebars.errors import ScoresError, counted
from scorebars.kernels.distinct import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scorebars.sample import ScoreTable


def refuse_bad_weights(table: ScoreTable, unit: NDArray[np.integer], n_units: int) -> None:
    """Weights are finite, not negative, not all zero, and one an item: the same in all its attempts and models.

    Raises:
        ScoresError: They are not.
    """
    weight = table.weight
    if weight is None:
        return
    first = np.empty(n_units)
    first[unit[::-1]] = weight[::-1]
    _refuse(table, ~np.isfinite(weight), "a weight is a finite number, 0 or more")
    _refuse(table, weight > LARGEST, f"a weight is {LARGEST:g} at most; divide all by the largest")
    _refuse(table, weight < 0.0, "a weight is 0 or more")
    _refuse(table, weight != first[unit], "another attempt at this item has another weight; an item has one weight")
    for code in distinct(table.model.codes):
        if not np.any(weight[table.model.codes == code]):
            raise ScoresError(f"all weights of model '{table.model.labels[code]}' are 0; at least one must be more")


def _refuse(table: ScoreTable, bad: NDArray[np.bool_], rule: str) -> None:
    if bad.any() and table.weight is not None:
        row = int(np.argmax(bad))
        n = counted(int(bad.sum()), "row")
        raise ScoresError(f"weight {table.weight[row]:g} of {attempt_name(table, row)} ({n}): {rule}")
