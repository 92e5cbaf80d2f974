"""Resamples drawn and counted, block after block, and a statistic of each: what counts are, and the loop over them.

As many threads as there are take turns in drawing, in the order of the stream, and count and compute side by side, so
the result is the same for any number of them. Each holds one block at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from scorebars.kernels.counting import MOST_NARROW, NARROW, count, count_narrow
from scorebars.kernels.dispatch import choose, n_threads
from scorebars.kernels.words import IndexWords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from scorebars.kernels.dispatch import Kernel

    FloatArray: TypeAlias = NDArray[np.float64]
    IntArray: TypeAlias = NDArray[np.int64]

CELLS: Final = 1 << 16
"""Draws and counts of a block of resamples, together: what NumPy makes of them stays in the cache."""
CELLS_NARROW: Final = 1 << 16
"""The same where counts are bytes."""
CELLS_COMPILED: Final = 1 << 17
"""The same where compiled loops work on them, which need little more than the counts."""
THREADED: Final = 4_000_000
"""Cells from which more than one thread pays."""

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
    draws: int | None
    """How many units of this side every resample has; None where they differ."""

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
        if self.draws is not None and np.all(mine == mine[0]):
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
    takes_bytes: bool = False
    """Whether the plain versions take counts of one byte, those of one unit side by side."""


class Drawing(Protocol):
    """A way to draw counts."""

    @property
    def cells(self) -> int:
        """Draws and counts of a resample."""
        ...

    def blocks(self, sizes: list[int], rng: np.random.Generator, *, fast: bool) -> Iterator[Callable[[], IntArray]]:
        """What makes the counts of each block of so many resamples; each to be called once, by any thread."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Units drawn one by one: a row of draws a resample. Its stream is ``rng.integers(0, bounds, size=(n, draws))``."""

    offset: IntArray
    """First of the units that each draw chooses from, shape (draws,)."""
    bounds: IntArray
    """How many units each draw chooses from, 2 or more, shape (draws,)."""
    always: NDArray[np.int32]
    """Draws of each unit that are certain, shape (n_units,)."""

    @property
    def cells(self) -> int:
        """Draws and counts of a resample."""
        return max(len(self.offset) + len(self.always), 1)

    @property
    def narrow(self) -> tuple[int, int] | None:
        """Units and draws of each stratum, where all have as many and few, so that NumPy counts them in bytes."""
        if not len(self.bounds) or self.bounds[0] > NARROW or self.always.any():
            return None
        width = int(self.bounds[0])
        strata, rest = divmod(len(self.always), width)
        draws = len(self.bounds) // strata if strata else 0
        if rest or draws > MOST_NARROW or len(self.bounds) != strata * draws or np.any(self.bounds != width):
            return None
        alike = np.array_equal(self.offset, np.repeat(width * np.arange(strata), draws))
        return (width, draws) if alike else None

    def blocks(self, sizes: list[int], rng: np.random.Generator, *, fast: bool) -> Iterator[Callable[[], IntArray]]:
        """What counts the draws of each block."""
        narrow = None if fast else self.narrow
        # Four bytes each: with the counts of a resample they stay nearest to the processor.
        bounds, offset = self.bounds.astype(np.uint32), self.offset.astype(np.int32)
        with IndexWords(rng, self.bounds) as stream:
            for size in sizes:
                words = stream.rows(size)
                if narrow is not None:
                    yield lambda words=words: count_narrow(words, *narrow)  # type: ignore[misc]
                else:
                    yield lambda words=words: count(words, bounds, offset, self.always, fast=fast)  # type: ignore[misc]


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """Units drawn by how often each kind comes. Its stream is ``rng.multinomial(draws, shares, size=n)``."""

    draws: int
    shares: FloatArray
    """Share of each kind."""

    @property
    def cells(self) -> int:
        """Draws and counts of a resample."""
        return 2 * len(self.shares)

    def blocks(self, sizes: list[int], rng: np.random.Generator, *, fast: bool) -> Iterator[Callable[[], IntArray]]:
        """The counts of each block."""
        kind = np.int32 if fast else np.int64  # compiled loops are made for one of them
        for size in sizes:
            counts = rng.multinomial(self.draws, self.shares, size=size).astype(kind, copy=False)
            yield lambda counts=counts: counts  # type: ignore[misc]


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """The data without one unit at a time: nothing is drawn."""

    times: IntArray
    """How often each unit is there, shape (n_units,)."""
    units: IntArray
    """Which of them is taken away once, one a block's row."""

    @property
    def cells(self) -> int:
        """Counts of a row."""
        return len(self.times)

    def blocks(self, sizes: list[int], rng: np.random.Generator, *, fast: bool) -> Iterator[Callable[[], IntArray]]:
        """What makes the counts of each block."""
        del rng
        whole = self.times.astype(np.int32 if fast else np.int64)
        start = 0
        for size in sizes:
            units = self.units[start : start + size]
            start += size
            yield lambda units=units: _without(whole, units)  # type: ignore[misc]


def _without(times: NDArray[Any], units: IntArray) -> NDArray[Any]:
    counts = np.repeat(times[np.newaxis], len(units), axis=0)
    counts[np.arange(len(units)), units] -= 1
    return counts


def drawn_values(drawing: Drawing, n_boot: int, rng: np.random.Generator, statistic: Counted) -> FloatArray:
    """The statistic of each resample, the first axis of the result, shape (n_boot, …)."""
    cells = float(n_boot) * drawing.cells
    fast = choose((count, *statistic.kernels), cells)
    room = CELLS_COMPILED if fast else CELLS_NARROW if statistic.takes_bytes else CELLS
    rows = max(1, room // drawing.cells)
    sizes = [min(rows, n_boot - start) for start in range(0, n_boot, rows)]
    blocks = drawing.blocks(sizes, rng, fast=fast)

    def of(counts: Callable[[], IntArray]) -> Any:
        found = counts()
        if found.dtype == np.uint8 and not statistic.takes_bytes:
            found = found.astype(np.int64, order="C")
        return statistic.of(found, fast)

    made = in_order(blocks, of, cells)
    return np.concatenate([statistic.finish(one) for one in made])


def in_order(blocks: Iterable[Made], work: Callable[[Made], Result], cells: float) -> Iterator[Result]:
    """``work`` of each block, in their order; by several threads where there is much of it.

    Each thread makes its blocks itself, one thread at a time and so in the order of the stream, while others work: what
    it has drawn is still in its cache.
    """
    threads = n_threads() if cells >= THREADED else 1
    if threads == 1:
        return map(work, blocks)
    return _Crew(blocks, work, threads).results()


class _Crew(Generic[Made, Result]):
    """Threads that take blocks, one after the other, and leave their results in the order of the blocks."""

    def __init__(self, blocks: Iterable[Made], work: Callable[[Made], Result], threads: int) -> None:
        self._blocks, self._work = enumerate(blocks), work
        self._threads = [Thread(target=self._take_all, daemon=True) for _ in range(threads - 1)]
        self._lock = Lock()
        self._done: dict[int, Result] = {}
        self._error: BaseException | None = None

    def results(self) -> Iterator[Result]:
        """The results in order; the calling thread works too."""
        for thread in self._threads:
            thread.start()
        try:
            given = 0
            while self._take_one():
                while given in self._done:
                    yield self._done.pop(given)
                    given += 1
        finally:
            with self._lock:
                self._blocks = enumerate(())
            for thread in self._threads:
                thread.join()
        if self._error is not None:
            raise self._error
        yield from (self._done[number] for number in sorted(self._done))

    def _take_all(self) -> None:
        while self._take_one():
            pass

    def _take_one(self) -> bool:
        """Make the next block and work on it; False where there is none, or where a thread has failed."""
        try:
            with self._lock:
                if self._error is not None:
                    return False
                found = next(self._blocks, None)
            if found is None:
                return False
            number, block = found
            self._done[number] = self._work(block)
        except BaseException as error:  # noqa: BLE001 - raised again by the calling thread
            self._error = error
            return False
        return True
