"""The one rule as a law: the distribution of a redrawn mean, as a tree of independent sums and mixtures.

Σ_t W_t · (mean over the items of t) is redrawn level by level. A named level is a mixture over its units, summed as
often as units are drawn; an unnamed one is the plain sum of its units (Davison and Hinkley 1997, section 3.8).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from scorebars.kernels.law import Law, Mixture, Total, atoms
from scorebars.resample.children import ALL, Take
from scorebars.resample.crossed import crosses, law_of_crossed_runs

if TYPE_CHECKING:
    from scorebars.resample.design import Block, Design, Runs
    from scorebars.sample import FloatArray, IntArray


def law_of(design: Design, take: Take = ALL) -> Law | None:
    """The law of the redrawn statistic; None where it is a ratio, or where its units cross each other unevenly.

    Args:
        design: the units.
        take: how many units are drawn at the uppermost redrawn level.
    """
    if crosses(design):
        return law_of_crossed_runs(design, take)
    try:
        return _Builder(design, take).whole()
    except _RatioError:
        return None


def law_of_counts(successes: int, n: int, take: Take = ALL) -> Law:
    """The law of the redrawn share of ``successes`` among n items of 0 and 1: two numbers are all it needs."""
    draws = int(take.of(np.array(n)))
    return Total(((atoms([0.0, 1.0 / draws], [(n - successes) / n, successes / n]), draws),))


class _RatioError(Exception):
    """The units have unequal sizes: the statistic is a ratio of sums, not a mean."""


def _equal_sizes(sizes: FloatArray) -> None:
    if np.ptp(sizes) > 1e-12 * sizes.max():
        raise _RatioError


@dataclass(frozen=True, slots=True)
class _Builder:
    design: Design
    take: Take

    def drawn(self, level: str, n_units: int) -> int:
        """How many of these units a resample draws."""
        return int(self.take.of(np.array(n_units))) if level == self.design.levels[0] else n_units

    def whole(self) -> Law:
        blocks = self.design.blocks
        if "task" not in self.design.levels:
            return Total(tuple((self.fixed_tasks(block), 1) for block in blocks))
        if all(np.all(block.task_weight > 0) for block in blocks):
            return self.redrawn_tasks(blocks)
        return Total(tuple((self.redrawn_tasks((block,)), 1) for block in blocks))

    def fixed_tasks(self, block: Block) -> Law:
        tasks = np.flatnonzero(block.task_weight)
        laws = (self.inside(block, np.flatnonzero(block.task == t), float(block.task_weight[t])) for t in tasks)
        return Total(tuple((law, 1) for law in laws))

    def redrawn_tasks(self, blocks: tuple[Block, ...]) -> Law:
        """Tasks drawn once for all of ``blocks``, which have the same tasks."""
        tasks = np.flatnonzero(blocks[0].task_weight)
        draws = self.drawn("task", len(tasks))
        parts = []
        for task in tasks:
            laws = (self.inside(block, np.flatnonzero(block.task == task), 1.0 / draws) for block in blocks)
            parts.append(Total(tuple((law, 1) for law in laws)))
        return Total(((Mixture(tuple(parts), np.full(len(parts), 1.0 / len(parts))), draws),))

    def inside(self, block: Block, items: IntArray, scale: float) -> Law:
        """``scale`` times the mean of these items, which are one task's."""
        if "cluster" in self.design.levels and block.cluster is not None:
            return self.clusters(block, split_by(items, block.cluster), scale)
        return self.items(block, items, scale)

    def clusters(self, block: Block, members: list[IntArray], scale: float) -> Law:
        _equal_sizes(np.array([block.weight[rows].sum() for rows in members]))
        draws = self.drawn("cluster", len(members))
        if not {"item", "run"} & set(self.design.levels):
            means = np.array([np.average(block.values[rows], weights=block.weight[rows]) for rows in members])
            return Total(((atoms(means * (scale / draws)), draws),))
        parts = tuple(self.items(block, rows, scale / draws) for rows in members)
        return Total(((Mixture(parts, np.full(len(parts), 1.0 / len(parts))), draws),))

    def items(self, block: Block, items: IntArray, scale: float) -> Law:
        weight = block.weight[items]
        if "item" not in self.design.levels:
            return Total(self.each_item(block, items, scale * weight / weight.sum()))
        _equal_sizes(weight)
        draws = self.drawn("item", len(items))
        if "run" not in self.design.levels:
            return Total(((atoms((scale / draws) * block.values[items]), draws),))
        share = np.full(len(items), scale / draws)
        terms = self.each_item(block, items, share)
        count = np.array([n for _, n in terms], dtype=np.float64)
        return Total(((Mixture(tuple(law for law, _ in terms), count / count.sum()), draws),))

    def each_item(self, block: Block, items: IntArray, scale: FloatArray) -> tuple[tuple[Law, int], ...]:
        """Laws of ``scale`` times each item's value, with how many items have that very law."""
        if "run" not in self.design.levels:
            return ((atoms(np.array([np.sum(scale * block.values[items])])), 1),)
        counts = np.stack([side.count[items] for side in block.sides], axis=1)
        terms: list[tuple[Law, int]] = []
        for per_side in np.unique(counts, axis=0):
            rows = np.flatnonzero((counts == per_side).all(axis=1))
            runs = [sorted_runs(side, items[rows]) for side in block.sides]
            keys, n = np.unique(np.column_stack((scale[rows], *runs)), axis=0, return_counts=True)
            terms += [(self.one_item(block, key, per_side), int(m)) for key, m in zip(keys, n, strict=True)]
        return tuple(terms)

    def one_item(self, block: Block, key: FloatArray, per_side: IntArray) -> Law:
        """The law of one item from its key: the scale, then the sorted runs of each side."""
        pieces = np.split(key[1:], np.cumsum(per_side)[:-1])
        pairs = zip(block.sides, pieces, strict=True)
        return Total(tuple(self.one_side(runs, side.sign * key[0]) for side, runs in pairs))

    def one_side(self, runs: FloatArray, scale: float) -> tuple[Law, int]:
        if self.design.linear:
            draws = self.drawn("run", len(runs))
            return atoms(runs * (scale / draws)), draws
        n = len(runs)
        p = float(runs.sum()) / n
        passes = np.arange(n + 1)
        probs = np.array([comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1)])
        values = self.design.item_values(passes.astype(np.float64), np.full(n + 1, n))
        return atoms(scale * values, probs), 1


def split_by(items: IntArray, groups: IntArray) -> list[IntArray]:
    """``items`` in one array a group, groups in the order of their numbers."""
    order = items[np.argsort(groups[items], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(groups[order])) + 1)


def sorted_runs(side: Runs, items: IntArray) -> FloatArray:
    """Sorted scores of the runs of items that have equally many, shape (n_items, n_runs)."""
    n_runs = int(side.count[items[0]])
    rows = side.start[items][:, None] + np.arange(n_runs)
    return np.sort(side.scores[rows], axis=1)
