"""Resamples laid out flat, for statistics that are no means: which attempts each has, and whose they are.

``observed`` is the data themselves, ``drawn_blocks`` are resamples by the one rule, ``left_out`` are the data without
one unit at a time. A unit drawn twice is there twice, as two slots.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from scorebars.errors import MethodError
from scorebars.resample.children import ALL, Children, Take, children_of
from scorebars.resample.crossed import crosses
from scorebars.resample.draws import block_sizes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorebars.resample.design import Block, Design, Runs
    from scorebars.sample import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """``n`` resamples of one side, attempt by attempt. Arrays have one entry an attempt unless said otherwise."""

    n: int
    """Number of resamples."""
    owner: IntArray
    """Resample of each attempt, not decreasing."""
    task: IntArray
    """Task slot within the resample, 0 … n_tasks − 1; a task drawn twice has two slots."""
    item: IntArray
    """Item slot, counted through all resamples, not decreasing; an item drawn twice has two slots."""
    position: IntArray
    """Row of the attempt in the sample's value columns."""
    weight: FloatArray
    """Weight of the attempt's item."""
    n_tasks: int
    columns: dict[str, FloatArray]
    """The sample's value columns, undrawn; ``columns[name][position]`` are the drawn values."""
    first: int | None = None
    """How many resamples were drawn before these; None for the data themselves, or without one unit."""

    def values(self, name: str = "score") -> FloatArray:
        """One value column of the drawn attempts."""
        return self.columns[name][self.position]

    @property
    def score(self) -> FloatArray:
        """The scores of the drawn attempts."""
        return self.values("score")

    @property
    def sizes(self) -> IntArray:
        """Attempts of each resample, shape (n,)."""
        return np.bincount(self.owner, minlength=self.n)

    def items(self) -> Items:
        """The item slots."""
        first = np.flatnonzero(np.diff(self.item, prepend=-1))
        count = np.diff(np.append(first, len(self.item)))
        return Items(np.add.reduceat(self.score, first), count, self.owner[first], self.task[first], self.weight[first])

    def task_means(self, item_values: FloatArray | None = None) -> FloatArray:
        """Weighted mean of the item values (their means by default) of every task slot, shape (n, n_tasks).

        NaN for a slot without items, which only leaving units out can bring about.
        """
        items = self.items()
        values = items.sums / items.count if item_values is None else item_values
        cell = items.owner * self.n_tasks + items.task
        size = self.n * self.n_tasks
        total = np.bincount(cell, items.weight, size)
        out = np.full(size, np.nan)
        np.divide(np.bincount(cell, items.weight * values, size), total, out=out, where=total > 0)
        return out.reshape(self.n, self.n_tasks)


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """Item slots of all resamples: sum and number of their runs, resample, task slot, weight."""

    sums: FloatArray
    count: IntArray
    owner: IntArray
    task: IntArray
    weight: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Slots:
    """Item slots of a block of resamples, before their runs are taken."""

    items: IntArray
    owner: IntArray
    task: IntArray


def observed(design: Design) -> list[Drawn]:
    """The data as they are, one Drawn with n = 1 a side (A first)."""
    return [_attempts(block, side, _whole(block), 1) for block in design.blocks for side in block.sides]


def drawn_blocks(design: Design, n_boot: int, rng: np.random.Generator, take: Take = ALL) -> Iterator[list[Drawn]]:
    """Resamples by the one rule in consecutive blocks, each a list of one Drawn a side.

    Raises:
        MethodError: the redrawn units cross tasks or items.
    """
    if crosses(design):
        raise MethodError(
            "units that cross tasks or items are redrawn for means only; redraw another level, or use the mean"
        )
    attempts = sum(int(side.count.sum()) for block in design.blocks for side in block.sides)
    drawing = _Drawing(design, rng, {design.levels[0]: take})
    first = 0
    for size in block_sizes(n_boot, attempts):
        yield [replace(side, first=first) for side in drawing.block(size)]
        first += size


@dataclass(frozen=True, slots=True)
class _Drawing:
    design: Design
    rng: np.random.Generator
    take: dict[str, Take]
    """How many units are drawn, where not all."""

    def block(self, size: int) -> list[Drawn]:
        """``size`` resamples."""
        picks: IntArray | None = None
        same_tasks = all(np.all(block.task_weight > 0) for block in self.design.blocks)
        out = []
        for block in self.design.blocks:
            if picks is None or not same_tasks:
                picks = self.tasks(block, size)
            slots = self.items(block, picks)
            runs: tuple[IntArray, IntArray] | None = None
            for side in block.sides:
                if "run" in self.design.levels and (runs is None or not self.design.paired_runs):
                    runs = self.runs(side, slots)
                out.append(_attempts(block, side, slots, size, runs))
        return out

    def tasks(self, block: Block, size: int) -> IntArray:
        """Tasks of each resample, shape (size, n_task_slots)."""
        tasks = np.flatnonzero(block.task_weight)
        if "task" not in self.design.levels:
            return np.tile(tasks, (size, 1))
        draws = int(self.take.get("task", ALL).of(np.array(len(tasks))))
        return tasks[self.rng.integers(0, len(tasks), size=(size, draws))]

    def items(self, block: Block, picks: IntArray) -> _Slots:
        """Item slots of the picked tasks, sorted by resample."""
        pieces: list[tuple[IntArray, ...]] = []
        flat = picks.ravel()
        for task in np.unique(flat):
            items, slot = self.below_task(block, int(task), np.flatnonzero(flat == task))
            pieces.append((items, *np.divmod(slot, picks.shape[1])))
        items, owner, task_slot = (np.concatenate(part) for part in zip(*pieces, strict=True))
        order = np.argsort(owner, kind="stable")
        return _Slots(items[order], owner[order], task_slot[order])

    def below_task(self, block: Block, task: int, slots: IntArray) -> tuple[IntArray, IntArray]:
        """Items of a task for each of ``slots``, and the slot of each."""
        clusters, children = children_of(self.design, block, np.flatnonzero(block.task == task))
        parents, owner = np.zeros(len(slots), dtype=np.int64), slots
        if clusters is not None:
            parents, slot = clusters.draw(parents, self.rng, self.take.get("cluster", ALL))
            owner = owner[slot]
        if "item" in self.design.levels:
            items, slot = children.draw(parents, self.rng, self.take.get("item", ALL))
        else:
            items, slot = children.all(parents)
        return items, owner[slot]

    def runs(self, side: Runs, slots: _Slots) -> tuple[IntArray, IntArray]:
        """Redrawn attempts of each item slot."""
        return _children(side).draw(slots.items, self.rng, self.take.get("run", ALL))


def _whole(block: Block) -> _Slots:
    items = np.arange(block.n_items)
    return _Slots(items, np.zeros(block.n_items, dtype=np.int64), block.task)


def _children(side: Runs) -> Children:
    return Children(None, side.start, side.count)


def _attempts(block: Block, side: Runs, slots: _Slots, n: int, runs: tuple[IntArray, IntArray] | None = None) -> Drawn:
    position, slot = _children(side).all(slots.items) if runs is None else runs
    return Drawn(
        n=n,
        owner=slots.owner[slot],
        task=slots.task[slot],
        item=slot,
        position=position,
        weight=block.weight[slots.items][slot],
        n_tasks=len(block.task_weight),
        columns=side.columns,
    )


def left_out(design: Design) -> Iterator[tuple[IntArray, list[Drawn]]]:
    """The data without one redrawn unit at a time, in blocks: the stratum of each unit, and one Drawn a side.

    Units are those of the uppermost redrawn level: tasks, clusters, items, or runs inside their item. Unrelated sides
    are left out one after the other, the other side whole. A stratum of one unit is never emptied: it is skipped.
    """
    whole = observed(design)
    n_strata, side = 0, 0
    for block in design.blocks:
        sides = len(block.sides)
        together = sides == 2 and (design.levels[0] != "run" or design.paired_runs)
        groups = [tuple(range(side, side + sides))] if together else [(side + k,) for k in range(sides)]
        for group in groups:
            found = {k: units_of(design, block, whole[k], block.sides[k - side]) for k in group}
            stratum = found[group[0]][1]
            yield from _without_each(whole, {k: unit for k, (unit, _) in found.items()}, stratum + n_strata)
            n_strata += int(stratum.max()) + 1
        side += sides


def units_of(design: Design, block: Block, whole: Drawn, side: Runs) -> tuple[IntArray, IntArray]:
    """The unit of each attempt, and the stratum of each unit."""
    top = design.levels[0]
    item = whole.item
    if top == "task":
        return whole.task, np.zeros(len(block.task_weight), dtype=np.int64)
    if top == "cluster" and block.cluster is not None:
        first = np.unique(block.cluster, return_index=True)[1]
        return block.cluster[item], block.task[first]
    if top == "item":
        return item, block.task
    return np.arange(len(item)), np.repeat(np.arange(block.n_items), side.count)


def _without_each(
    whole: list[Drawn], units: dict[int, IntArray], stratum: IntArray
) -> Iterator[tuple[IntArray, list[Drawn]]]:
    per_stratum = np.bincount(stratum)
    able = np.flatnonzero(per_stratum[stratum] > 1)
    attempts = max(sum(len(drawn.owner) for drawn in whole), 1)
    start = 0
    for size in block_sizes(len(able), attempts) if len(able) else []:
        chosen = able[start : start + size]
        start += size
        yield stratum[chosen], [_kept(drawn, units.get(k), chosen) for k, drawn in enumerate(whole)]


def _kept(drawn: Drawn, unit: IntArray | None, chosen: IntArray) -> Drawn:
    """One copy of the data for each chosen unit, without it (whole where the side has no such units)."""
    n = len(chosen)
    keep = np.ones((n, len(drawn.owner)), dtype=bool) if unit is None else unit[None, :] != chosen[:, None]
    owner, row = np.nonzero(keep)
    n_items = int(drawn.item.max()) + 1
    return Drawn(
        n=n,
        owner=owner,
        task=drawn.task[row],
        item=owner * n_items + drawn.item[row],
        position=drawn.position[row],
        weight=drawn.weight[row],
        n_tasks=drawn.n_tasks,
        columns=drawn.columns,
    )
