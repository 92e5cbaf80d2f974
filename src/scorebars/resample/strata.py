"""Tasks of a single unit: redrawn on their own they never change, so their units are put together in one stratum.

Ten tasks of one item each then contribute the variance among these ten items, where a stratum of one would contribute
none (the usual collapsed-strata estimator: Cochran 1977, section 5A.12). The point value stays what it was.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scorebars.resample.crossed import crosses

if TYPE_CHECKING:
    from scorebars.resample.design import Block, Design
    from scorebars.sample import IntArray


def collapsed(design: Design) -> Design:
    """The design with the one-unit tasks of each block, where there are two or more of them, as one stratum.

    Only for means: the strata of the result are no tasks any more.
    """
    return replace(design, blocks=tuple(_merged(block, lonely(design, block)) for block in design.blocks))


def lonely_tasks(design: Design) -> tuple[str, ...]:
    """Names of the tasks that have one redrawn unit, where other tasks are there; those of the first block."""
    block = design.blocks[0]
    tasks = lonely(design, block)
    return tuple(design.tasks[task] for task in tasks) if np.count_nonzero(block.task_weight) > 1 else ()


def lonely(design: Design, block: Block) -> IntArray:
    """Tasks of the block with a single item, or a single cluster where clusters are redrawn."""
    none = np.empty(0, dtype=np.int64)
    if not design.levels or design.levels[0] not in {"item", "cluster"} or crosses(design):
        return none
    if block.is_plain:
        return np.zeros(1, dtype=np.int64) if block.n_items == 1 else none
    unit = np.arange(block.n_items) if design.levels[0] == "item" else block.cluster
    if unit is None:
        return none
    first = np.unique(unit, return_index=True)[1]
    return np.flatnonzero(np.bincount(block.task[first], minlength=len(block.task_weight)) == 1)


def _merged(block: Block, tasks: IntArray) -> Block:
    if len(tasks) < 2:
        return block
    inside = np.isin(block.task, tasks)
    total = np.bincount(block.task, block.weight)
    task_weight = block.task_weight.copy()
    task_weight[tasks] = 0.0
    task_weight[tasks[0]] = block.task_weight[tasks].sum()
    # Each task keeps its part of the merged mean, whatever the number and weight of the items in its one cluster.
    share = block.weight * (block.task_weight[block.task] / total[block.task])
    return replace(
        block,
        task=np.where(inside, tasks[0], block.task),
        weight=np.where(inside, share / block.task_weight[tasks].mean(), block.weight),
        task_weight=task_weight,
    )
