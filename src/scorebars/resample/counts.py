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

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from scorebars.kernels.counting import count
from scorebars.kernels.dispatch import choose, n_threads
from scorebars.kernels.words import WORD, IndexWords
from scorebars.resample.children import ALL, Take
from scorebars.resample.crossed import crosses
from scorebars.resample.drawn import observed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from scorebars.kernels.dispatch import Kernel
    from scorebars.resample.design import Block, Design, Runs
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, IntArray

CELLS: Final = 1 << 15
"""Draws and counts of a block of resamples, together: what NumPy makes of them stays in the cache."""
CELLS_COMPILED: Final = 1 << 17
"""The same where compiled loops work on them, which need little more than the counts."""
THREADED: Final = 4_000_000
"""Cells from which more than one thread pays."""
PER_KIND: Final = 64
"""Units there must be for each kind, for kinds to be drawn instead: a binomial costs as much as so many draws."""

Made = TypeVar("Made")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, eq=False)
class Attempts:
    """One side's attempts and the unit that each is drawn with. Arrays have one entry an attempt."""

    columns: dict[str, FloatArray]
    """The values of each column."""
    unit: IntArray
    """Number of the unit among all counted units."""
    weight: FloatArray
    """Weight of the attempt's item."""
    share: FloatArray
    """Weight of the attempt's item over the number of its runs: what the attempt counts in a mean over items."""
    item: IntArray
    """Dense item number, not decreasing."""
    task: IntArray
    """Dense task number, not decreasing."""
    n_tasks: int
    level: str
    """The redrawn level."""
    n_units: int
    """Counted units of all sides together."""
    draws: int
    """How many units of this side a resample has."""

    def values(self, name: str = "score") -> FloatArray:
        """One value column."""
        return self.columns[name]

    def per_unit(self, *values: FloatArray) -> FloatArray:
        """Sums of the attempts' values over each unit, shape (n_units, len(values)); 0 for units of another side."""
        return np.stack([np.bincount(self.unit, value, self.n_units) for value in values], axis=1)

    def sizes(self) -> Callable[[IntArray], IntArray]:
        """From counts to the attempts of each resample, shape (n,)."""
        each = np.bincount(self.unit, minlength=self.n_units)
        mine = each[each > 0]
        if np.all(mine == mine[0]):
            size = self.draws * int(mine[0])
            return lambda counts: np.full(len(counts), size)
        # Whole numbers: the order of adding does not matter.
        return lambda counts: np.asarray(counts.astype(np.int64, copy=False) @ each)


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """A statistic of counts, ready to be called for block after block of resamples."""

    kernels: tuple[Kernel, ...]
    """What it runs, for the choice between their versions."""
    of: Callable[[IntArray, bool], Any]
    """From counts, shape (n, n_units), and whether to run the compiled versions, to its values, shape (n,), or to what
    ``finish`` makes them of. Called by any thread."""
    finish: Callable[[Any], FloatArray] = np.asarray
    """What is left to do by the calling thread, in the order of the blocks: a function of the caller, for one."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is drawn and which attempts come along: one entry in ``sides`` a side, A first."""

    sides: tuple[Attempts, ...]
    strata: Strata
    kinds: FloatArray | None = None
    """Share of each kind of unit, where kinds are drawn; their order is that of the units."""

    @property
    def cells(self) -> int:
        """Draws and counts of a resample."""
        if self.kinds is not None:
            return 2 * len(self.kinds)
        return int(self.strata.draws.sum()) + self.strata.n_units

    def blocks(self, n_boot: int, rng: np.random.Generator, *, fast: bool) -> Iterator[Callable[[], IntArray]]:
        """What makes the counts of each block of resamples, shape (size, n_units); to be called once, by any thread."""
        rows = max(1, (CELLS_COMPILED if fast else CELLS) // self.cells)
        sizes = [min(rows, n_boot - start) for start in range(0, n_boot, rows)]
        if self.kinds is not None:
            n = int(self.strata.draws[0])
            for size in sizes:
                counts = rng.multinomial(n, self.kinds, size=size).astype(np.int32)
                yield lambda counts=counts: counts  # type: ignore[misc]
            return
        draw_offset, bounds, always = _draws(self.strata)
        with IndexWords(rng, bounds) as stream:
            for size in sizes:
                words = stream.rows(size)
                yield lambda words=words: count(words, bounds.astype(np.uint64), draw_offset, always, fast=fast)  # type: ignore[misc]


def _draws(strata: Strata) -> tuple[IntArray, IntArray, NDArray[np.int32]]:
    """First unit and number of units of each draw; draws of each unit that is alone in its stratum, and so certain."""
    offset = np.cumsum(strata.size) - strata.size
    several = strata.size > 1
    always = np.zeros(strata.n_units, dtype=np.int32)
    always[offset[~several]] = strata.draws[~several]
    draws = np.where(several, strata.draws, 0)
    return np.repeat(offset, draws), np.repeat(strata.size, draws), always


def in_order(blocks: Iterable[Made], work: Callable[[Made], Result], cells: float) -> Iterator[Result]:
    """``work`` of each block, in their order; by several threads where there is much of it.

    The blocks themselves are made by the calling thread, and only a few are held at a time.
    """
    threads = n_threads() if cells >= THREADED else 1
    if threads == 1:
        yield from map(work, blocks)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[object] = deque()
        for block in blocks:
            waiting.append(pool.submit(work, block))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()  # type: ignore[attr-defined]
        while waiting:
            yield waiting.popleft().result()  # type: ignore[attr-defined]


def values_of_counts(plan: Plan, n_boot: int, rng: np.random.Generator, statistic: Counted) -> FloatArray:
    """The statistic of ``n_boot`` resamples, one row each."""
    cells = float(n_boot) * plan.cells
    fast = choose((count, *statistic.kernels), cells)
    blocks = plan.blocks(n_boot, rng, fast=fast)
    made = in_order(blocks, lambda counts: statistic.of(counts(), fast), cells)
    return np.concatenate([statistic.finish(one) for one in made])


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
    plan = Plan(tuple(sides), joined)
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
    return Plan(sides, plan.strata, times / n)


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
