"""Resamples as counts: how often each unit is drawn, for what depends on nothing else.

Where one level is redrawn and the tasks stay, a resample is one row of draws: for every side's units, task after task
(for runs item after item), as many as there are. All rows are one call,
``rng.integers(0, bounds, size=(n_boot, len(bounds)))``, in which ``bounds[d]`` is the number of units that draw d
chooses from. They are made and counted in blocks that stay in the cache, by as many threads as there are, in the order
of the stream: the result is the same for any number of threads.

Many units of few kinds (labels and predictions of 0 and 1) are not drawn one by one: how often each *kind* is drawn is
``rng.multinomial(n, shares, size=n_boot)``, kinds in ascending order of their values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars.kernels.drawing import Attempts, Kinds, Rows
from scorebars.kernels.words import WORD
from scorebars.resample.children import ALL, Take
from scorebars.resample.crossed import crosses
from scorebars.resample.drawn import observed

if TYPE_CHECKING:
    from scorebars.resample.design import Block, Design, Runs
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import IntArray

PER_KIND: Final = 64
"""Units there must be for each kind, for kinds to be drawn instead: a binomial costs as much as so many draws."""


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Units that are redrawn within strata, the units of one stratum side by side. Arrays: one entry a stratum."""

    size: IntArray
    """Units."""
    draws: IntArray
    """Units drawn."""

    @property
    def n_units(self) -> int:
        """Units of all strata."""
        return int(self.size.sum())

    def rows(self) -> Rows:
        """Their draws; units that are alone in their stratum need none."""
        offset = np.cumsum(self.size) - self.size
        several = self.size > 1
        always = np.zeros(self.n_units, dtype=np.int32)
        always[offset[~several]] = self.draws[~several]
        draws = np.where(several, self.draws, 0)
        return Rows(np.repeat(offset, draws), np.repeat(self.size, draws), always)


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is drawn and which attempts come along: one entry in ``sides`` a side, A first."""

    sides: tuple[Attempts, ...]
    strata: Strata
    drawing: Rows | Kinds


def plan_of(design: Design, take: Take = ALL, *, kinds: bool = True) -> Plan | None:
    """The plan of a design; None where several levels are redrawn, or tasks are, or units cross each other.

    Args:
        design: the units.
        take: how many units are drawn.
        kinds: whether equal units may be counted together.
    """
    if len(design.levels) != 1 or design.levels[0] == "task" or crosses(design):
        return None
    level = design.levels[0]
    sides: list[Attempts] = []
    strata: list[Strata] = []
    first = 0
    whole = iter(observed(design))
    for block in design.blocks:
        together = level != "run" or design.paired_runs
        for k, side in enumerate(block.sides):
            if k == 0 or not together:
                first += strata[-1].n_units if strata else 0
                strata.append(_strata(block, side, level, take))
            sides.append(_attempts(block, side, next(whole), level, first, int(strata[-1].draws.sum())))
    joined = Strata(*(np.concatenate([getattr(part, name) for part in strata]) for name in ("size", "draws")))
    if np.any(joined.size >= WORD):
        return None
    sides = [replace(side, n_units=joined.n_units) for side in sides]
    plan = Plan(tuple(sides), joined, joined.rows())
    return _of_kinds(plan) if kinds else plan


def _strata(block: Block, side: Runs, level: str, take: Take) -> Strata:
    if level == "run":
        size = side.count
    else:
        unit_task = block.task
        if level == "cluster" and block.cluster is not None:
            unit_task = block.task[np.unique(block.cluster, return_index=True)[1]]
        size = np.bincount(unit_task, minlength=len(block.task_weight))
        size = size[size > 0]
    return Strata(size, take.of(size))


def _attempts(block: Block, side: Runs, whole: Drawn, level: str, first: int, draws: int) -> Attempts:
    unit = np.arange(len(whole.item)) if level == "run" else whole.item
    if level == "cluster" and block.cluster is not None:
        unit = block.cluster[whole.item]
    return Attempts(
        columns={name: whole.values(name) for name in whole.columns},
        unit=first + unit,
        weight=whole.weight,
        share=whole.weight / side.count[whole.item],
        item=whole.item,
        task=whole.task,
        n_tasks=whole.n_tasks,
        level=level,
        n_units=0,
        draws=draws,
    )


def _of_kinds(plan: Plan) -> Plan:
    """The same plan with equal units counted together, where they are many of few kinds, in one stratum, in one go."""
    n, first = plan.strata.n_units, plan.sides[0]
    if len(plan.strata.size) != 1 or any(len(side.unit) != n for side in plan.sides):
        return plan
    if not all(np.array_equal(side.unit, first.unit) for side in plan.sides):
        return plan
    code = np.zeros(n, dtype=np.int64)
    for side in plan.sides:
        for values in (*side.columns.values(), side.weight):
            if np.all(values == values[0]):
                continue
            different, number = np.unique(values, return_inverse=True)
            if len(different) * PER_KIND > n:
                return plan
            code = np.unique(code * len(different) + number, return_inverse=True)[1]
    _, rows, times = np.unique(code, return_index=True, return_counts=True)
    if len(rows) * PER_KIND > n:
        return plan
    sides = tuple(_taken(side, rows) for side in plan.sides)
    return Plan(sides, plan.strata, Kinds(int(plan.strata.draws[0]), times / n))


def _taken(side: Attempts, rows: IntArray) -> Attempts:
    """One attempt of each kind, which is its unit."""
    return replace(
        side,
        columns={name: values[rows] for name, values in side.columns.items()},
        unit=np.arange(len(rows)),
        weight=side.weight[rows],
        share=side.share[rows],
        item=np.arange(len(rows)),
        task=side.task[rows],
        n_units=len(rows),
    )
