"""From samples to the units that are redrawn: one sample, two paired on what they share, or two that share nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from scorebars.sample import FloatArray, IntArray, Sample

ItemValues: TypeAlias = Callable[[FloatArray, IntArray], FloatArray]
"""From the sum of an item's runs and their number to the item's value."""


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The attempts of one side, item by item. ``start``, ``count`` and ``values`` have the length n_items."""

    sign: float
    """+1 for A (and for a single sample), −1 for B."""
    values: FloatArray
    """The estimator's value of each item, without the sign."""
    start: IntArray
    """Position of the item's first attempt in ``scores``."""
    count: IntArray
    """Number of attempts of the item."""
    scores: FloatArray
    """Scores of all attempts, item after item."""
    labels: IntArray
    """Run codes of all attempts."""
    columns: dict[str, FloatArray]
    """All value columns of all attempts."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Items that are drawn together, for one side or for two that share them. Arrays have the length n_items."""

    task: IntArray
    """Dense task number, 0 … n_tasks − 1, not decreasing."""
    cluster: IntArray | None
    """Dense cluster number, unique within the block; contiguous where clusters do not cross tasks."""
    weight: FloatArray
    item: IntArray
    """The unit code of each item, as in the samples."""
    task_weight: FloatArray
    """W_t, shape (n_tasks,), summing to 1; 0 where the block has no item of the task."""
    sides: tuple[Runs, ...]

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.task)

    @property
    def values(self) -> FloatArray:
        """A minus B where there are two sides, else the item values (with their sign)."""
        total = self.sides[0].sign * self.sides[0].values
        for side in self.sides[1:]:
            total = total + side.sign * side.values
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """What is redrawn: blocks of items in tasks, and the named levels."""

    blocks: tuple[Block, ...]
    tasks: tuple[str, ...]
    """Name of each dense task."""
    levels: tuple[str, ...]
    item_values: ItemValues
    linear: bool
    """Whether an item's value is the plain mean of its runs."""
    paired_runs: bool = False
    """Whether redrawn runs are drawn once for both sides, whose attempts correspond one to one."""
    cluster_crosses_tasks: bool = False
    run_crosses_items: bool = False

    @property
    def n_tasks(self) -> int:
        """Number of tasks."""
        return len(self.tasks)

    @property
    def value(self) -> float:
        """The point value: Σ_t W_t · (weighted mean of the items of t), summed over the blocks."""
        return float(sum(np.sum(block.task_weight * task_means(block)) for block in self.blocks))


def task_means(block: Block) -> FloatArray:
    """Weighted mean of the item values of each task, shape (n_tasks,); 0 for a task without items in the block."""
    n_tasks = len(block.task_weight)
    values = block.values
    first = values[0]  # taken off before adding up, so that scores of size 1e9 keep their last digits
    sums = np.bincount(block.task, block.weight * (values - first), n_tasks)
    weight = np.bincount(block.task, block.weight, n_tasks)
    out = np.zeros(n_tasks)
    np.divide(sums, weight, out=out, where=weight > 0)
    return np.where(weight > 0, first + out, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Items:
    """A sample reduced to its items, in the order of the sample."""

    code: IntArray
    start: IntArray
    count: IntArray
    task: IntArray
    cluster: IntArray | None
    weight: FloatArray


def _items(sample: Sample) -> _Items:
    changed = np.flatnonzero(np.diff(sample.item)) + 1
    start = np.concatenate(([0], changed)).astype(np.int64)
    count = np.diff(np.concatenate((start, [sample.n_attempts]))).astype(np.int64)
    weight = np.ones(len(start)) if sample.weight is None else sample.weight[start]
    cluster = None if sample.cluster is None else sample.cluster[start].astype(np.int64)
    return _Items(
        sample.item[start].astype(np.int64), start, count, sample.task[start].astype(np.int64), cluster, weight
    )


def _runs(sample: Sample, items: _Items, keep: IntArray, sign: float, item_values: ItemValues) -> Runs:
    scores = sample.values.get("score", next(iter(sample.values.values())))
    sums = np.add.reduceat(scores, items.start)
    return Runs(
        sign=sign,
        values=np.asarray(item_values(sums[keep], items.count[keep]), dtype=np.float64),
        start=items.start[keep],
        count=items.count[keep],
        scores=scores,
        labels=sample.run.astype(np.int64),
        columns=sample.values,
    )


def _block(items: _Items, keep: IntArray, dense_task: IntArray, sides: tuple[Runs, ...], *, crosses: bool) -> Block:
    task = dense_task[items.task[keep]]
    cluster = None
    if items.cluster is not None:
        key = items.cluster[keep]
        if not crosses:
            key = task * (int(key.max()) + 1) + key
        cluster = np.unique(key, return_inverse=True)[1].astype(np.int64)
    present = np.bincount(task, minlength=int(dense_task.max()) + 1) > 0
    return Block(task, cluster, items.weight[keep], items.code[keep], present / present.sum(), sides)


def _dense(tasks: IntArray, labels: tuple[str, ...]) -> tuple[IntArray, tuple[str, ...]]:
    """Map from task code to dense number (−1 for absent ones), and the names in that order."""
    present = np.unique(tasks)
    dense = np.full(max(len(labels), int(present.max()) + 1), -1, dtype=np.int64)
    dense[present] = np.arange(len(present))
    return dense, tuple(labels[code] if code < len(labels) else "" for code in present)


def mean_of_runs(sums: FloatArray, runs: IntArray) -> FloatArray:
    """The plain mean of each item's runs."""
    return np.asarray(sums / runs, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Rule:
    """What the caller decides about a design: the levels, the estimator's reduction, whether runs are paired."""

    levels: tuple[str, ...]
    item_values: ItemValues
    linear: bool
    paired_runs: bool = False


def one_sample(sample: Sample, rule: Rule) -> Design:
    """The design of one sample."""
    items = _items(sample)
    keep = np.arange(len(items.start))
    dense, names = _dense(items.task, sample.task_labels)
    sides = (_runs(sample, items, keep, 1.0, rule.item_values),)
    block = _block(items, keep, dense, sides, crosses=sample.cluster_crosses_tasks)
    return _design((block,), names, rule, sample)


def two_samples(a: Sample, b: Sample, rule: Rule, *, ignore_shared: bool = False) -> tuple[Design, bool]:
    """The design of A − B and whether it is paired: on the shared items if there are any, else unrelated.

    Unrelated samples are compared on the tasks that both have, or, where they share none, each over its own.
    With ``ignore_shared`` they are taken as unrelated whatever they share.
    """
    items_a, items_b = _items(a), _items(b)
    crosses = a.cluster_crosses_tasks
    shared, keep_a, keep_b = np.intersect1d(items_a.code, items_b.code, assume_unique=True, return_indices=True)
    if len(shared) and not ignore_shared:
        dense, names = _dense(items_a.task[keep_a], a.task_labels)
        sides: tuple[Runs, ...] = (
            _runs(a, items_a, keep_a, 1.0, rule.item_values),
            _runs(b, items_b, keep_b, -1.0, rule.item_values),
        )
        if rule.paired_runs and rule.linear:
            sides = (_run_differences(*sides),)
        return _design((_block(items_a, keep_a, dense, sides, crosses=crosses),), names, rule, a), True
    tasks = np.intersect1d(items_a.task, items_b.task)
    if len(tasks) == 0:
        tasks = np.union1d(items_a.task, items_b.task)
    dense, names = _dense(tasks, a.task_labels)
    blocks = []
    for sample, items, sign in ((a, items_a, 1.0), (b, items_b, -1.0)):
        keep = np.flatnonzero(np.isin(items.task, tasks))
        sides = (_runs(sample, items, keep, sign, rule.item_values),)
        blocks.append(_block(items, keep, dense, sides, crosses=crosses))
    return _design(tuple(blocks), names, rule, a), False


def shared_attempts(a: Sample, b: Sample) -> tuple[Sample, Sample]:
    """Both samples without the attempts whose item and run the other lacks; as they are where nothing is shared."""
    width = int(max(a.run.max(), b.run.max())) + 1
    key_a, key_b = (sample.item.astype(np.int64) * width + sample.run for sample in (a, b))
    both_a, both_b = np.isin(key_a, key_b), np.isin(key_b, key_a)
    return (a.take(both_a), b.take(both_b)) if both_a.any() else (a, b)


def _run_differences(a: Runs, b: Runs) -> Runs:
    """One side of run-by-run differences; the attempts of both sides correspond one to one."""
    scores = a.scores - b.scores
    return Runs(1.0, a.values - b.values, a.start, a.count, scores, a.labels, {"score": scores})


def _design(blocks: tuple[Block, ...], names: tuple[str, ...], rule: Rule, sample: Sample) -> Design:
    return Design(
        blocks=blocks,
        tasks=names,
        levels=rule.levels,
        item_values=rule.item_values,
        linear=rule.linear,
        paired_runs=rule.paired_runs,
        cluster_crosses_tasks=sample.cluster_crosses_tasks,
        run_crosses_items=sample.run_crosses_items,
    )
