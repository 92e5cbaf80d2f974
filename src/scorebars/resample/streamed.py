"""Replicates of a mean whose runs are redrawn below items or tasks, from the words of their draws.

The same numbers as :mod:`scorebars.resample.draws` makes call by call, sooner: the words of a block are taken at once,
in the order of the calls, and threads make the means of one block while the words of the next are taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels import levels
from scorebars.kernels.dispatch import choose
from scorebars.kernels.drawing import in_order
from scorebars.kernels.words import MixedWords
from scorebars.resample.children import ALL, Take

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorebars.resample.design import Block, Design, Runs
    from scorebars.sample import FloatArray, IntArray

    Words = np.ndarray[tuple[int, ...], np.dtype[np.uint32]]

MOST_SUM: Final = 1 << 12
"""Largest sum of runs for which the values of an item are looked up."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The tasks of one block, unweighted, with as many runs of each item on either side. Arrays: one entry a task."""

    items: IntArray
    first: IntArray
    """Number of the task's first item, task after task."""
    draws: IntArray
    """Items drawn."""
    redrawn: bool
    """Whether the items are redrawn; else they stay."""
    sides: levels.Sides

    @classmethod
    def of(cls, design: Design, block: Block, take: Take) -> Plan | None:
        """None where its words are not those of a few calls, or the values of its items are in no table."""
        redrawn = "item" in design.levels
        members = [np.flatnonzero(block.task == task) for task in np.flatnonzero(block.task_weight)]
        items, order = np.array([len(rows) for rows in members]), np.concatenate(members)
        if np.any(block.weight[order] != 1.0) or (redrawn and items.min() < 2):
            return None
        taken = {design.levels[0]: take}
        runs = [_runs_of_every_item(side, order) for side in block.sides]
        tables = [_table(design, side, order) for side in block.sides]
        if min(runs) < 2 or any(table is None for table in tables):
            return None
        sides = _sides(block.sides, order, np.array(runs), [table for table in tables if table is not None])
        if design.linear:
            sides = sides._replace(draws=taken.get("run", ALL).of(sides.runs))
        draws = taken.get("item", ALL).of(items) if redrawn else items
        return cls(items, np.cumsum(items) - items, draws, redrawn, sides)

    def counts(self, tasks: IntArray, times: IntArray) -> tuple[IntArray, IntArray]:
        """How many words draw below which bounds, where ``tasks`` are drawn so often; shape (tasks, calls) each."""
        drawn = times * self.draws[tasks]
        counts = [drawn] * self.redrawn + [drawn * draws for draws in self.sides.draws.tolist()]
        bounds = [self.items[tasks]] * self.redrawn + [np.full(len(tasks), runs) for runs in self.sides.runs.tolist()]
        return np.stack(counts, axis=1), np.stack(bounds, axis=1)

    def take(self, stream: MixedWords, tasks: IntArray, times: IntArray, *, fast: bool) -> Callable[[], FloatArray]:
        """Take the words of these tasks, drawn so often; what makes their means, task after task."""
        counts, bounds = self.counts(tasks, times)
        words = stream.take(counts.ravel(), bounds.ravel(), fast=fast)
        each = counts.sum(axis=1)
        columns = (times, self.draws[tasks], self.items[tasks], self.first[tasks], np.cumsum(each) - each)
        groups = np.stack(columns, axis=1)
        return lambda: levels.means(words, groups, self.sides, self.redrawn, fast=fast)

    @property
    def cells(self) -> float:
        """Words of all tasks once."""
        every = np.arange(len(self.items))
        return float(self.counts(every, np.ones_like(every))[0].sum())


def _runs_of_every_item(side: Runs, items: IntArray) -> int:
    """0 where they differ."""
    count = side.count[items]
    return int(count[0]) if np.all(count == count[0]) else 0


def _table(design: Design, side: Runs, items: IntArray) -> FloatArray | None:
    """The value of an item by the sum of its runs, where these are whole numbers; empty where it is their mean."""
    runs = _runs_of_every_item(side, items)
    if design.linear or not runs:
        return np.empty(0)
    own = side.scores[side.start[items][:, np.newaxis] + np.arange(runs)]
    most = float(own.max()) * runs
    if own.min() < 0.0 or most > MOST_SUM or not np.array_equal(own, np.rint(own)):
        return None
    sums = np.arange(most + 1.0)
    return np.asarray(design.item_values(sums, np.full(len(sums), runs)), dtype=np.float64)


def _sides(sides: tuple[Runs, ...], items: IntArray, runs: IntArray, tables: list[FloatArray]) -> levels.Sides:
    before = np.cumsum([0] + [len(side.scores) for side in sides[:-1]])
    start = np.stack([side.start[items] + shift for side, shift in zip(sides, before, strict=True)])
    scores = np.concatenate([side.scores for side in sides])
    table = np.full((len(tables), max(map(len, tables))), np.nan)
    for row, known in zip(table, tables, strict=True):
        row[: len(known)] = known
    return levels.Sides(start, scores, runs, runs, table, np.array([side.sign for side in sides]))


def may_stream(design: Design, rng: np.random.Generator) -> bool:
    """Whether the design is one of runs that are redrawn in items that are not in redrawn clusters."""
    clustered = "cluster" in design.levels and any(block.cluster is not None for block in design.blocks)
    return "run" in design.levels and not clustered and MixedWords.serves(rng)


def _plans(design: Design, take: Take) -> list[Plan] | None:
    """One for each block; None where one has none."""
    found = [Plan.of(design, block, take) for block in design.blocks]
    known = [plan for plan in found if plan is not None]
    return known if len(known) == len(found) else None


def fixed_tasks(
    design: Design, n_boot: int, rng: np.random.Generator, sizes: Callable[[int], list[int]], take: Take
) -> FloatArray | None:
    """Replicates where the tasks stay; None where their words are not those of a few calls.

    Args:
        design: the units.
        n_boot: number of resamples.
        rng: where the words come from.
        sizes: from the attempts of a resample of one task to the resamples of each block.
        take: how many units are drawn at the uppermost redrawn level.
    """
    plans = _plans(design, take)
    if plans is None:
        return None
    cells = n_boot * sum(plan.cells for plan in plans)
    fast = choose((levels.means, levels.refused), cells)
    parts: list[tuple[slice, float]] = []

    def blocks() -> Iterator[Callable[[], FloatArray]]:
        with MixedWords(rng) as stream:
            for plan, block in zip(plans, design.blocks, strict=True):
                weights = block.task_weight[np.flatnonzero(block.task_weight)].tolist()
                for task, weight in enumerate(weights):
                    done = 0
                    attempts = int(plan.items[task]) * (1 + int(plan.sides.runs.sum()))
                    for size in sizes(attempts):
                        parts.append((slice(done, done + size), weight))
                        done += size
                        yield plan.take(stream, np.array([task]), np.array([size]), fast=fast)

    total = np.zeros(n_boot)
    for turn, means in enumerate(in_order(blocks(), lambda make: make(), cells)):
        rows, weight = parts[turn]
        total[rows] += weight * means
    return total


def redrawn_tasks(design: Design, sizes: list[int], rng: np.random.Generator, take: Take) -> FloatArray | None:
    """Replicates where tasks are redrawn, once for all blocks of the design that have the same ones; in these sizes.

    None where their words are not those of a few calls.
    """
    plans = _plans(design, ALL)
    if plans is None or min(len(plan.items) for plan in plans) < 2:
        return None
    together = all(np.all(block.task_weight > 0) for block in design.blocks)
    groups = [plans] if together else [[plan] for plan in plans]
    draws = [int(take.of(np.array(len(group[0].items)))) for group in groups]
    cells = float(sum(sizes)) * sum(
        plan.cells * n / len(plan.items) for g, n in zip(groups, draws, strict=True) for plan in g
    )
    fast = choose((levels.means, levels.refused), cells)

    def blocks() -> Iterator[Callable[[], FloatArray]]:
        with MixedWords(rng) as stream:
            for size in sizes:
                drawn = [_block(stream, group, (size, n), fast=fast) for group, n in zip(groups, draws, strict=True)]
                yield lambda drawn=drawn: sum(make() for make in drawn) + 0.0  # type: ignore[misc]

    return np.concatenate(list(in_order(blocks(), lambda make: make(), cells)))


def _block(stream: MixedWords, plans: list[Plan], shape: tuple[int, int], *, fast: bool) -> Callable[[], FloatArray]:
    """Take the words of resamples of so many tasks each; what makes the means of the resamples."""
    n_tasks = len(plans[0].items)
    words = stream.take(np.array([shape[0] * shape[1]]), np.array([n_tasks]), fast=fast)
    drawn = levels.index(words, n_tasks)
    times = np.bincount(drawn, minlength=n_tasks)
    tasks = np.flatnonzero(times)
    makers = [plan.take(stream, tasks, times[tasks], fast=fast) for plan in plans]

    def make() -> FloatArray:
        order, total = np.argsort(drawn, kind="stable"), np.zeros(shape[0])
        for maker in makers:
            means = np.empty(len(drawn))
            means[order] = maker()
            total += means.reshape(shape).mean(axis=1)
        return total

    return make
