"""Units that cross others: clusters found in several tasks, runs (training seeds) evaluated on every item.

Such a unit is redrawn once with all its rows, so a resample is a set of counts, one a unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.kernels.law import Law
    from scorebars.resample.children import Take
    from scorebars.resample.design import Block, Design, Runs
    from scorebars.sample import FloatArray, IntArray


def crosses(design: Design) -> bool:
    """Whether what is redrawn crosses tasks or items."""
    return _crossed_clusters(design) or _crossed_runs(design)


def _crossed_clusters(design: Design) -> bool:
    return design.cluster_crosses_tasks and "cluster" in design.levels and design.n_tasks > 1


def _crossed_runs(design: Design) -> bool:
    return design.run_crosses_items and "run" in design.levels


def law_of_crossed_runs(design: Design, take: Take) -> Law | None:
    """Whole runs redrawn, where every run has every item: the mean of the runs' own means. Else None."""
    if not _crossed_runs(design) or not design.linear:
        return None
    from scorebars.kernels.law import Total, atoms

    terms: list[tuple[Law, int]] = []
    for block in design.blocks:
        for side in block.sides:
            means = _run_means(block, side)
            if means is None:
                return None
            draws = int(take.of(np.array(len(means))))
            terms.append((atoms(side.sign * means / draws), draws))
    return Total(tuple(terms))


def item_shares(block: Block) -> FloatArray:
    """What each item's value counts in the point value: W_t · w_i / Σ w; shape (n_items,)."""
    total = np.bincount(block.task, block.weight, len(block.task_weight))
    return np.asarray(block.task_weight[block.task] * block.weight / total[block.task])


def crossed_run_means(design: Design) -> FloatArray | None:
    """The macro mean of each whole run of a single sample (or of paired differences); None where runs miss items."""
    if len(design.blocks) != 1 or len(design.blocks[0].sides) != 1:
        return None
    return _run_means(design.blocks[0], design.blocks[0].sides[0])


def _attempt_items(side: Runs) -> tuple[IntArray, IntArray]:
    """Position in the scores, and the item, of each attempt of this side."""
    item = np.repeat(np.arange(len(side.count)), side.count)
    offset = np.arange(len(item)) - np.repeat(np.cumsum(side.count) - side.count, side.count)
    return side.start[item] + offset, item


def _run_means(block: Block, side: Runs) -> FloatArray | None:
    position, item = _attempt_items(side)
    runs, run = np.unique(side.labels[position], return_inverse=True)
    if np.any(side.count != len(runs)) or np.any(np.bincount(run) != block.n_items):
        return None
    share = item_shares(block)[item]
    return np.asarray(np.bincount(run, share * side.scores[position], len(runs)))


def draw_crossed(design: Design, sizes: list[int], rng: np.random.Generator, take: Take) -> Iterator[FloatArray]:
    """Replicates of the statistic, a block of resamples of each of the ``sizes`` at a time."""
    for size in sizes:
        total = np.zeros(size)
        for block in design.blocks:
            if _crossed_clusters(design) and block.cluster is not None:
                total += _clusters_drawn(block, block.cluster, _Draws(size, rng, take))
            else:
                total += sum(_runs_drawn(block, side, _Draws(size, rng, take)) for side in block.sides)
        yield total


@dataclass(frozen=True, slots=True)
class _Draws:
    size: int
    """Number of resamples."""
    rng: np.random.Generator
    take: Take

    def counts(self, n_units: int) -> FloatArray:
        """How often each unit is drawn, shape (size, n_units)."""
        shape = (self.size, n_units)
        draws = self.rng.integers(0, n_units, size=(self.size, int(self.take.of(np.array(n_units)))))
        flat = draws + n_units * np.arange(self.size)[:, None]
        return np.bincount(flat.ravel(), minlength=self.size * n_units).reshape(shape).astype(np.float64)


def _macro(sums: FloatArray, weights: FloatArray, task_weight: FloatArray) -> FloatArray:
    """Σ_t W_t · sums/weights over the tasks that a resample has, shape (size,)."""
    present = weights > 0
    means = np.divide(sums, weights, out=np.zeros_like(sums), where=present)
    share = present * task_weight
    return np.asarray(np.einsum("bt,bt->b", means, share) / share.sum(axis=1))


def _clusters_drawn(block: Block, cluster: IntArray, draws: _Draws) -> FloatArray:
    n_clusters, n_tasks = int(cluster.max()) + 1, len(block.task_weight)
    cell = cluster * n_tasks + block.task
    shape = (n_clusters, n_tasks)
    weight = np.bincount(cell, block.weight, n_clusters * n_tasks).reshape(shape)
    total = np.bincount(cell, block.weight * block.values, n_clusters * n_tasks).reshape(shape)
    counts = draws.counts(n_clusters)
    sums = np.einsum("bc,ct->bt", counts, total)
    return _macro(sums, np.einsum("bc,ct->bt", counts, weight), block.task_weight)


def _runs_drawn(block: Block, side: Runs, draws: _Draws) -> FloatArray:
    position, item = _attempt_items(side)
    runs, run = np.unique(side.labels[position], return_inverse=True)
    shape = (len(runs), block.n_items)
    cell = run * block.n_items + item
    scores = np.bincount(cell, side.scores[position], np.prod(shape)).reshape(shape)
    present = np.bincount(cell, minlength=int(np.prod(shape))).reshape(shape).astype(np.float64)
    counts = draws.counts(len(runs))
    drawn = np.einsum("br,ri->bi", counts, present)
    values = np.divide(np.einsum("br,ri->bi", counts, scores), drawn, out=np.zeros_like(drawn), where=drawn > 0)
    weight = (drawn > 0) * block.weight
    task = np.eye(len(block.task_weight))[block.task]
    sums, weights = np.einsum("bi,it->bt", values * weight, task), np.einsum("bi,it->bt", weight, task)
    return side.sign * _macro(sums, weights, block.task_weight)
