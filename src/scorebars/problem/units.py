"""The units that are redrawn, reduced to what formulas need."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import Units
from scorebars.resample.crossed import crossed_run_means, crosses, item_shares

if TYPE_CHECKING:
    from scorebars.contracts import SumRatio
    from scorebars.resample.design import Block, Design
    from scorebars.sample import FloatArray, IntArray


def run_variances(scores: FloatArray, start: IntArray, count: IntArray) -> FloatArray:
    """Variance of the runs of each item, divisor K − 1; NaN for a single run."""
    slot = np.repeat(np.arange(len(count)), count)
    position = np.arange(len(slot)) - np.repeat(np.cumsum(count) - count, count) + start[slot]
    mean = np.bincount(slot, scores[position], len(count)) / count
    squares = np.bincount(slot, (scores[position] - mean[slot]) ** 2, len(count))
    out = np.full(len(count), np.nan)
    np.divide(squares, count - 1, out=out, where=count > 1)
    return out


def _units(block: Block, name: str, unit: IntArray, stratum: IntArray, weights: FloatArray) -> Units:
    """Units from the unit number of each item and the stratum of each unit."""
    order = np.argsort(unit, kind="stable")
    return Units(
        sums=np.asarray(np.bincount(unit, block.weight * block.values), dtype=np.float64),
        sizes=np.asarray(np.bincount(unit, block.weight), dtype=np.float64),
        stratum=stratum,
        weights=weights,
        name=name,
        item_values=block.values[order],
        item_unit=unit[order],
        item_weights=block.weight[order],
    )


def _stratified(units: Units) -> Units:
    """Strata numbered without gaps: merged tasks leave some."""
    used = np.flatnonzero(units.weights)
    if len(used) == len(units.weights):
        return units
    number = np.zeros(len(units.weights), dtype=np.int64)
    number[used] = np.arange(len(used))
    return replace(units, stratum=number[units.stratum], weights=units.weights[used])


def item_units(design: Design, block: Block) -> Units:
    """One unit an item."""
    del design
    if block.is_plain:
        n, values = block.n_items, block.values
        return Units(values, block.weight, block.task, block.task_weight, "item", values, np.arange(n), block.weight)
    unit = np.arange(block.n_items)
    return _stratified(_units(block, "item", unit, block.task, block.task_weight))


def cluster_units(design: Design, block: Block) -> Units | None:
    """One unit a cluster; None without clusters."""
    del design
    if block.cluster is None:
        return None
    first = np.unique(block.cluster, return_index=True)[1]
    return _stratified(_units(block, "cluster", block.cluster, block.task[first], block.task_weight))


def task_units(design: Design, block: Block) -> Units:
    """One unit a task, its mean."""
    del design
    total = np.bincount(block.task, block.weight)
    even = replace(block, weight=block.weight / total[block.task], is_plain=False)
    stratum = np.zeros(len(total), dtype=np.int64)
    return _units(even, "task", block.task, stratum, np.ones(1))


def run_units(design: Design, block: Block) -> Units | None:
    """One unit an attempt inside its item, or one a whole run where runs cross items; None where runs do not add up."""
    if design.run_crosses_items:
        means = crossed_run_means(design)
        if means is None:
            return None
        one, zero = np.ones(len(means)), np.zeros(len(means), dtype=np.int64)
        return Units(means, one, zero, np.ones(1), "run", means, np.arange(len(means)), one)
    if not design.linear or len(block.sides) != 1:
        return None
    side = block.sides[0]
    item = np.repeat(np.arange(block.n_items), side.count)
    position = np.arange(len(item)) - np.repeat(np.cumsum(side.count) - side.count, side.count) + side.start[item]
    scores, one = side.sign * side.scores[position], np.ones(len(item))
    return Units(scores, one, item, item_shares(block), "run", scores, np.arange(len(item)), one)


def ratio_strata(design: Design) -> list[tuple[FloatArray, FloatArray, float]] | None:
    """(sums, sizes, weight) of the units of each task of each block, where one level of items or clusters is redrawn.

    The statistic is Σ weight · (Σ sums / Σ sizes), the strata independent. None for other levels, or crossing units.
    """
    if design.levels not in {("item",), ("cluster",)} or crosses(design):
        return None
    strata = []
    for block in design.blocks:
        unit = np.arange(block.n_items) if design.levels == ("item",) else block.cluster
        if unit is None:
            return None
        for task in np.flatnonzero(block.task_weight):
            rows = np.flatnonzero(block.task == task)
            number = np.unique(unit[rows], return_inverse=True)[1]
            sums = np.bincount(number, block.weight[rows] * block.values[rows])
            sizes = np.bincount(number, block.weight[rows])
            strata.append((sums.astype(np.float64), sizes.astype(np.float64), float(block.task_weight[task])))
    return strata


def ratio_units(design: Design, estimator: SumRatio) -> tuple[FloatArray, FloatArray] | None:
    """Sums and sizes of the redrawn units of one sample, whose ratio of totals the estimator is.

    None where they lie in several strata or levels, cross each other, or where one has the size 0.
    """
    from scorebars.resample.drawn import observed, units_of

    if len(design.levels) != 1 or crosses(design):
        return None
    [block], [whole] = design.blocks, observed(design)
    unit, stratum = units_of(design, block, whole, block.sides[0])
    if stratum.max() > 0:
        return None
    sums, sizes = (np.bincount(unit, whole.weight * part).astype(np.float64) for part in estimator.terms(whole))
    return (sums, sizes) if sizes.min() > 0.0 else None
