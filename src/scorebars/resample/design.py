"""From samples to the units that are redrawn: one sample, two paired on what they share, or two that share nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 - type aliases below are evaluated

from scorebars.kernels.distinct import distinct
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
    is_plain: bool = False
    """Whether it is of one task, without clusters, every weight 1 and every item one attempt on each side."""

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.task)

    @property
    def values(self) -> FloatArray:
        """A minus B where there are two sides, else the item values (with their sign)."""
        first = self.sides[0]
        total = first.values if first.sign == 1.0 else first.sign * first.values
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
    if block.is_plain:
        return np.array([first + np.add.reduce(values - first) / len(values)])
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


@lru_cache(maxsize=32, typed=True)
def constant(value: float | np.number[Any], n: int) -> NDArray[Any]:
    """The same number n times, which takes no memory; read-only, so that one is enough for all who ask."""
    return np.broadcast_to(np.asarray(value), n)


def _wide(codes: NDArray[np.integer]) -> IntArray:
    """Codes as int64; one that is the same in every row still takes no memory."""
    if codes.strides == (0,) and len(codes):
        return constant(np.int64(codes[0]), len(codes))
    return codes.astype(np.int64)


def _plain_items(sample: Sample) -> _Items:
    n, item = sample.n_attempts, cast("IntArray", sample.item)
    start = item if item[0] == 0 and item[-1] == n - 1 else np.arange(n)
    return _Items(item, start, constant(np.int64(1), n), constant(np.int64(sample.task[0]), n), None, constant(1.0, n))


def _items(sample: Sample) -> _Items:
    if sample.is_plain:
        return _plain_items(sample)
    changed = np.flatnonzero(np.diff(sample.item)) + 1
    start = np.concatenate(([0], changed)).astype(np.int64)
    count = np.diff(np.concatenate((start, [sample.n_attempts]))).astype(np.int64)
    weight = np.ones(len(start)) if sample.weight is None else sample.weight[start]
    cluster = None if sample.cluster is None else sample.cluster[start].astype(np.int64)
    return _Items(
        sample.item[start].astype(np.int64), start, count, sample.task[start].astype(np.int64), cluster, weight
    )


Keep: TypeAlias = "IntArray | slice"
"""Rows of some items, or ``ALL`` of them."""
ALL = slice(None)


def _picked(values: NDArray[Any], keep: Keep) -> NDArray[Any]:
    """Some of the values; one that is the same everywhere still takes no memory."""
    if values.strides == (0,) and not isinstance(keep, slice) and len(keep):
        return constant(values[0], len(keep))
    return values[keep]


def _runs(sample: Sample, items: _Items, keep: Keep, sign: float, rule: Rule) -> Runs:
    scores = sample.values.get("score", next(iter(sample.values.values())))
    count = _picked(items.count, keep)
    if sample.is_plain and rule.linear:
        values = scores if keep is ALL else scores[keep]  # an item's value is the mean of its runs, and there is one
    else:
        sums = scores if sample.is_plain else np.add.reduceat(scores, items.start)
        values = np.asarray(rule.item_values(sums[keep], count), dtype=np.float64)
    return Runs(sign, values, items.start[keep], count, scores, _wide(sample.run), sample.values)


def _plain_block(items: _Items, keep: Keep, sides: tuple[Runs, ...]) -> Block:
    """The block of items of which each side has one attempt, in one task."""
    item = items.code[keep]
    n = len(item)
    return Block(constant(np.int64(0), n), None, constant(1.0, n), item, np.ones(1), sides, is_plain=True)


def _block(items: _Items, keep: Keep, dense_task: IntArray, sides: tuple[Runs, ...], *, crosses: bool) -> Block:
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
    present = tasks[:1] if tasks.strides == (0,) else distinct(tasks)
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
    if sample.is_plain:
        return _plain_design(sample, rule)
    items = _items(sample)
    dense, names = _dense(items.task, sample.task_labels)
    sides = (_runs(sample, items, ALL, 1.0, rule),)
    return _design((_block(items, ALL, dense, sides, crosses=sample.cluster_crosses_tasks),), names, rule, sample)


_PLAIN: WeakKeyDictionary[Sample, dict[Rule, Design]] = WeakKeyDictionary()
"""Designs of plain samples that live, which take no memory: each comparison of a sample asks for its own."""


def _plain_design(sample: Sample, rule: Rule) -> Design:
    known = _PLAIN.setdefault(sample, {})
    if rule not in known:
        items = _items(sample)
        names = _dense(items.task, sample.task_labels)[1]
        block = _plain_block(items, ALL, (_runs(sample, items, ALL, 1.0, rule),))
        known[rule] = _design((block,), names, rule, sample)
    return known[rule]


def _shared(a: _Items, b: _Items) -> tuple[Keep, Keep] | None:
    """Where the items that both have stand on either side; None if there are none."""
    if np.array_equal(a.code, b.code):
        return ALL, ALL
    shared, keep_a, keep_b = np.intersect1d(a.code, b.code, assume_unique=True, return_indices=True)
    return (keep_a, keep_b) if len(shared) else None


def two_samples(a: Sample, b: Sample, rule: Rule, *, ignore_shared: bool = False) -> tuple[Design, bool]:
    """The design of A − B and whether it is paired: on the shared items if there are any, else unrelated.

    Unrelated samples are compared on the tasks that both have, or, where they share none, each over its own.
    With ``ignore_shared`` they are taken as unrelated whatever they share.
    """
    items_a, items_b = _items(a), _items(b)
    crosses = a.cluster_crosses_tasks
    shared = None if ignore_shared else _shared(items_a, items_b)
    if shared is not None:
        keep_a, keep_b = shared
        dense, names = _dense(_picked(items_a.task, keep_a), a.task_labels)
        sides: tuple[Runs, ...] = (_runs(a, items_a, keep_a, 1.0, rule), _runs(b, items_b, keep_b, -1.0, rule))
        if rule.paired_runs and rule.linear:
            sides = (_run_differences(*sides),)
        if a.is_plain and b.is_plain:
            return _design((_plain_block(items_a, keep_a, sides),), names, rule, a), True
        return _design((_block(items_a, keep_a, dense, sides, crosses=crosses),), names, rule, a), True
    if a.is_plain and b.is_plain and a.task[0] == b.task[0]:
        names = _dense(items_a.task, a.task_labels)[1]
        both = ((a, items_a, 1.0), (b, items_b, -1.0))
        plain = (_plain_block(items, ALL, (_runs(side, items, ALL, sign, rule),)) for side, items, sign in both)
        return _design(tuple(plain), names, rule, a), False
    return _unrelated((a, items_a), (b, items_b), rule), False


def _unrelated(a: tuple[Sample, _Items], b: tuple[Sample, _Items], rule: Rule) -> Design:
    """Two samples on the tasks that both have, or, where they share none, each over its own."""
    tasks = np.intersect1d(a[1].task, b[1].task)
    if len(tasks) == 0:
        tasks = np.union1d(a[1].task, b[1].task)
    dense, names = _dense(tasks, a[0].task_labels)
    blocks = []
    for (sample, items), sign in ((a, 1.0), (b, -1.0)):
        keep = np.flatnonzero(np.isin(items.task, tasks))
        sides = (_runs(sample, items, keep, sign, rule),)
        blocks.append(_block(items, keep, dense, sides, crosses=a[0].cluster_crosses_tasks))
    return _design(tuple(blocks), names, rule, a[0])


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
