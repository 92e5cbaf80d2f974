"""Weights of items: what makes a weight column unusable."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scorebars.engines.attempts import attempt_name
from scorebars.engines.coding import LARGEST, combined
from scorebars.errors import ScoresError, counted
from scorebars.kernels.distinct import distinct
from scorebars.notes import NAME_ITEM, note
from scorebars.sample import Column

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
    _refuse(table, ~np.isfinite(weight), "a weight is a finite number, 0 or more; leave such rows out, or the weights")
    _refuse(table, weight > LARGEST, f"a weight is {LARGEST:g} at most; divide all by the largest")
    _refuse(table, weight < 0.0, "a weight is 0 or more; leave such rows out, or the weights")
    _refuse(table, weight != first[unit], _another(table))
    for code in distinct(table.model.codes):
        if not np.any(weight[table.model.codes == code]):
            raise ScoresError(f"all weights of model '{table.model.labels[code]}' are 0; at least one must be more")


def _another(table: ScoreTable) -> str:
    rule = "another attempt at this item has another weight; an item has one weight"
    if table.run is None:
        return rule
    return f"{rule}; of runs that are people with a weight each: --map item=PERSON+QUESTION,cluster=PERSON, without run"


def _refuse(table: ScoreTable, bad: NDArray[np.bool_], rule: str) -> None:
    if bad.any() and table.weight is not None:
        row = int(np.argmax(bad))
        n = counted(int(bad.sum()), "row")
        raise ScoresError(f"weight {table.weight[row]:g} of {attempt_name(table, row)} ({n}): {rule}")


def without_false_pairs(table: ScoreTable) -> ScoreTable:
    """The table, with an item for each row of a model where rows at one place have other weights in other models.

    Rows without ids are items by their place. Where most weights differ from model to model, row k of one is not row k
    of another: they are samples of their own, as respondents of two surveys are. A few may be slips, and are refused.
    """
    if table.weight is None or table.model.n_labels < 2 or not _are_places(table):
        return table
    unit = combined(table.task.codes, table.item.codes, table.item.n_labels)
    _, first, place = np.unique(unit, return_index=True, return_inverse=True)
    again = table.model.codes != table.model.codes[first][place]
    other = again & (table.weight != table.weight[first][place])
    if not np.all(np.isfinite(table.weight)) or 2 * np.count_nonzero(other) <= np.count_nonzero(again):
        return table
    pairs, codes = np.unique(combined(table.model.codes, table.item.codes, table.item.n_labels), return_inverse=True)
    model, item = np.divmod(pairs, table.item.n_labels)
    texts = np.array(
        [f"{table.model.labels[m]} {table.item.labels[i]}" for m, i in zip(model.tolist(), item.tolist(), strict=True)],
        dtype=object,
    )
    order = np.argsort(texts.astype(str), kind="stable")
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    row = int(np.argmax(other))
    one, two = (str(table.model.labels[table.model.codes[at]]) for at in (first[place[row]], row))
    said = note("unrelated-rows", one=one, two=two, remedy=NAME_ITEM)
    return replace(table, item=Column.of(rank[codes], texts[order]), notes=(*table.notes, said))


def _are_places(table: ScoreTable) -> bool:
    by_place = any(source.by_place for source in table.sources)
    return by_place or any(one.code == "rows-as-items" for one in table.notes)
