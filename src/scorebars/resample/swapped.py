"""The data with the two sides of random units exchanged, laid out flat: what a randomization test computes anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorebars.resample.children import Children
from scorebars.resample.crossed import crosses
from scorebars.resample.drawn import Drawn
from scorebars.resample.draws import block_sizes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.resample.design import Design
    from scorebars.sample import IntArray


def units_that_swap(design: Design) -> IntArray | None:
    """The unit of each item, whose sides are exchanged together: item, cluster or task; None without shared units."""
    if len(design.blocks) != 1 or len(design.blocks[0].sides) != 2 or not design.levels or crosses(design):
        return None
    block = design.blocks[0]
    return {"item": np.arange(block.n_items), "cluster": block.cluster, "task": block.task}.get(design.levels[0])


def swapped_blocks(design: Design, n: int, rng: np.random.Generator) -> Iterator[list[Drawn]]:
    """``n`` shuffles in consecutive blocks, each a list of one Drawn a side. The design has units that swap."""
    unit = units_that_swap(design)
    if unit is None:
        return
    [block] = design.blocks
    a, b = block.sides
    columns = {name: np.concatenate([a.columns[name], b.columns[name]]) for name in a.columns}
    start, count = np.concatenate([a.start, b.start + len(a.scores)]), np.concatenate([a.count, b.count])
    attempts = Children(np.arange(len(a.scores) + len(b.scores)), start, count)
    for size in block_sizes(n, int(count.sum())):
        flips = rng.integers(0, 2, size=(size, int(unit.max()) + 1))[:, unit].ravel()
        item, owner = np.tile(np.arange(block.n_items), size), np.repeat(np.arange(size), block.n_items)
        sides = []
        for from_b in (flips, 1 - flips):
            position, slot = attempts.all(item + block.n_items * from_b)
            sides.append(
                Drawn(
                    n=size,
                    owner=owner[slot],
                    task=block.task[item][slot],
                    item=slot,
                    position=position,
                    weight=block.weight[item][slot],
                    n_tasks=len(block.task_weight),
                    columns=columns,
                )
            )
        yield sides
