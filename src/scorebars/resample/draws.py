"""The one rule by drawing: replicates of the statistic, in blocks, without a Python loop over resamples.

The index stream is ``rng.integers``: for a task that stays, ``(n_boot, n)`` draws of its units, task after task, in
consecutive blocks of one Generator, which is the stream of a single call. Lower levels are drawn block by block.
Where runs are redrawn below items or tasks, :mod:`scorebars.resample.streamed` makes the same numbers sooner.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels.drawing import Counted, Rows, drawn_values
from scorebars.kernels.sums import group_ratios
from scorebars.resample.children import ALL, Children, Take, children_of
from scorebars.resample.crossed import crosses, draw_crossed
from scorebars.resample.streamed import fixed_tasks, may_stream, redrawn_tasks

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.resample.design import Block, Design, Runs
    from scorebars.sample import FloatArray, IntArray

BLOCK: Final = 1 << 19
"""Most attempts held at a time; part of the documented stream where runs or items are drawn below another level."""


def replicates(design: Design, n_boot: int, rng: np.random.Generator, take: Take = ALL) -> FloatArray:
    """``n_boot`` resampled values of the statistic, shape (n_boot,); only a block of resamples is held at a time.

    Args:
        design: the units.
        n_boot: number of resamples.
        rng: where the indices come from.
        take: how many units are drawn at the uppermost redrawn level.
    """
    if crosses(design):
        cells = sum(block.n_items * 4 for block in design.blocks)
        return np.concatenate(list(draw_crossed(design, block_sizes(n_boot, cells), rng, take)))
    total = np.zeros(n_boot)
    streamed = may_stream(design, rng)
    if "task" in design.levels:
        return _tasks_drawn(design, n_boot, rng, take, streamed=streamed)
    found = fixed_tasks(design, n_boot, rng, partial(block_sizes, n_boot), take) if streamed else None
    if found is not None:
        return found
    for block in design.blocks:
        for task in np.flatnonzero(block.task_weight):
            items = np.flatnonzero(block.task == task)
            if design.levels in {("item",), ("cluster",)}:
                total += block.task_weight[task] * _counted_means(_units(design, block, items), n_boot, rng, take)
                continue
            tree = _Tree(design, block, items, take)
            done = 0
            for size in block_sizes(n_boot, tree.attempts):
                total[done : done + size] += block.task_weight[task] * tree.means(size, rng)
                done += size
    return total


def _units(design: Design, block: Block, items: IntArray) -> tuple[FloatArray, FloatArray]:
    """Σ weight · value and Σ weight of each redrawn unit of a task: of each item, or of each cluster."""
    unit = np.arange(len(items))
    if design.levels == ("cluster",) and block.cluster is not None:
        unit = np.unique(block.cluster[items], return_inverse=True)[1]
    weight = block.weight[items]
    sums, sizes = np.bincount(unit, weight * block.values[items]), np.bincount(unit, weight)
    return sums.astype(np.float64, copy=False), sizes.astype(np.float64, copy=False)


def _counted_means(
    units: tuple[FloatArray, FloatArray], n_boot: int, rng: np.random.Generator, take: Take
) -> FloatArray:
    """Resampled mean of a task whose units are drawn whole, from how often each is drawn; shape (n_boot,)."""
    sums, sizes = units
    n = len(sums)
    draws = int(take.of(np.array(n)))
    drawn = 0 if n == 1 else draws  # a unit that is alone is always drawn
    rows = Rows(np.zeros(drawn, dtype=np.int64), np.full(drawn, n), np.full(n, draws if n == 1 else 0, dtype=np.int32))
    start = np.array([0, n])

    def of(counts: IntArray, fast: bool) -> FloatArray:
        return np.asarray(group_ratios(counts, sums, sizes, start, fast=fast))[:, 0]

    return drawn_values(rows, n_boot, rng, Counted((group_ratios,), of))


def block_sizes(n_boot: int, per_resample: int) -> list[int]:
    """Sizes of consecutive blocks of resamples of which each holds at most BLOCK attempts."""
    size = max(1, min(n_boot, BLOCK // max(per_resample, 1)))
    whole, rest = divmod(n_boot, size)
    return [size] * whole + ([rest] if rest else [])


def _tasks_drawn(design: Design, n_boot: int, rng: np.random.Generator, take: Take, *, streamed: bool) -> FloatArray:
    """Tasks drawn once for blocks that have the same ones; a task drawn twice gets independent lower draws."""
    groups = (
        (design.blocks,)
        if all(np.all(b.task_weight > 0) for b in design.blocks)
        else tuple((b,) for b in design.blocks)
    )
    per_resample = sum(len(side.scores) for block in design.blocks for side in block.sides)
    sizes = block_sizes(n_boot, per_resample)
    found = redrawn_tasks(design, sizes, rng, take) if streamed else None
    if found is not None:
        return found
    below = {id(block): _below(design, block, rng) for block in design.blocks}
    out = []
    for size in sizes:
        total = np.zeros(size)
        for blocks in groups:
            tasks = np.flatnonzero(blocks[0].task_weight)
            draws = int(take.of(np.array(len(tasks))))
            drawn = tasks[rng.integers(0, len(tasks), size=(size, draws))].ravel()
            for block in blocks:
                total += below[id(block)](drawn).reshape(size, draws).mean(axis=1)
        out.append(total)
    return np.concatenate(out)


def _below(design: Design, block: Block, rng: np.random.Generator) -> Callable[[IntArray], FloatArray]:
    """From drawn tasks to the mean of each, with what lies below redrawn for each slot on its own."""
    tasks = np.flatnonzero(block.task_weight)
    trees = {task: _Tree(design, block, np.flatnonzero(block.task == task)) for task in tasks.tolist()}
    if len(design.levels) == 1:  # a task is the same whenever it is drawn
        known = np.full(len(block.task_weight), np.nan)
        known[tasks] = [tree.means(1, rng)[0] for tree in trees.values()]
        return lambda drawn: known[drawn]

    def means(drawn: IntArray) -> FloatArray:
        out = np.empty(len(drawn))
        order = np.argsort(drawn, kind="stable")
        for slots in np.split(order, np.flatnonzero(np.diff(drawn[order])) + 1):
            out[slots] = trees[int(drawn[slots[0]])].means(len(slots), rng)
        return out

    return means


class _Tree:
    """The units below one task of one block, and how a resample of them is drawn."""

    def __init__(self, design: Design, block: Block, items: IntArray, take: Take = ALL) -> None:
        self.design, self.block = design, block
        self.take = {design.levels[0]: take}
        self.attempts = sum(int(side.count[items].sum()) for side in block.sides) + len(items)
        self.clusters, self.items = children_of(design, block, items)
        self.runs = {id(side): Children(None, side.start, side.count) for side in block.sides}
        self.unweighted = bool(np.all(block.weight[items] == 1.0))

    def slots(self, size: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
        """The items of each of ``size`` redrawn tasks, and which of these each item is in."""
        parents = owner = np.arange(size)
        parents = np.zeros(size, dtype=np.int64)
        if self.clusters is not None:
            parents, slot = self.clusters.draw(parents, rng, self.take.get("cluster", ALL))
            owner = owner[slot]
        if "item" in self.design.levels:
            items, slot = self.items.draw(parents, rng, self.take.get("item", ALL))
        else:
            items, slot = self.items.all(parents)
        return items, owner[slot]

    def means(self, size: int, rng: np.random.Generator) -> FloatArray:
        """Resampled mean of the task for each of ``size`` slots."""
        items, owner = self.slots(size, rng)
        if self.unweighted:
            return np.asarray(np.bincount(owner, self.values(items, rng), size) / np.bincount(owner, minlength=size))
        weight = self.block.weight[items]
        total = np.bincount(owner, weight * self.values(items, rng), size)
        return np.asarray(total / np.bincount(owner, weight, size))

    def values(self, items: IntArray, rng: np.random.Generator) -> FloatArray:
        """Value of each drawn item, its runs redrawn if they are named."""
        if "run" not in self.design.levels:
            return self.block.values[items]
        total = np.zeros(len(items))
        for side in self.block.sides:
            total += side.sign * self.redrawn(side, items, rng)
        return total

    def redrawn(self, side: Runs, items: IntArray, rng: np.random.Generator) -> FloatArray:
        """The side's part of each drawn item's value, from redrawn runs."""
        take = self.take.get("run", ALL) if self.design.linear else ALL
        sums = self.runs[id(side)].drawn_sums(side.scores, items, rng, take)
        if self.design.linear:
            return np.asarray(sums / take.of(side.count[items]))
        return self.design.item_values(sums, side.count[items])
