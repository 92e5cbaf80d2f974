"""Whether all of many numbers are 0 or 1, and how many are 1: read once, and no further than to the first other."""

from __future__ import annotations

import os
from _thread import allocate_lock, start_new_thread
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

FIRST: Final = 1 << 13
"""Numbers that are looked at first: of scores that are not 0 or 1 they nearly always tell."""
BLOCK: Final = 1 << 18
"""Numbers that are looked at twice while they are in the cache."""
LARGE_BLOCK: Final = 1 << 20
"""Numbers that compiled loops, which look once, are given at a time."""
SHARED: Final = 500_000
"""Numbers from which more than one thread pays."""


def count_ones(values: NDArray[Any]) -> int | None:
    """How many are 1; None where any is neither 0 nor 1 (NaN among them).

    Many are shared by threads: whole numbers are added, so their order does not matter.

    >>> count_ones(np.array([1.0, 0.0, 1.0])), count_ones(np.array([1.0, 0.5]))
    (2, None)
    """
    first = _ones(values[:FIRST])
    if first is None or len(values) <= FIRST:
        return first
    rest = _ones(values[FIRST:]) if len(values) <= BLOCK else _Count(values[FIRST:], *_way(values)).result()
    return None if rest is None else first + rest


def _way(values: NDArray[Any]) -> tuple[Callable[[NDArray[Any], NDArray[np.bool_]], int | None], int]:
    """How a block is counted, and its size: of many floats by compiled loops, where these are at hand."""
    if len(values) < SHARED or values.dtype != np.float64 or not values.flags.c_contiguous:
        return _ones, BLOCK
    from scorebars.kernels.dispatch import choose
    from scorebars.kernels.ones import PLAIN_CELLS, ones_beside_zeros

    if not choose((ones_beside_zeros,), len(values) * PLAIN_CELLS):
        return _ones, BLOCK

    def compiled(part: NDArray[Any], room: NDArray[np.bool_]) -> int | None:
        words = part.view(np.int64)
        words.flags.writeable = False  # one type for numba, so that it compiles once
        ones = int(ones_beside_zeros(words, room, fast=True))
        return ones if ones >= 0 else _ones(part, room)

    return compiled, LARGE_BLOCK


class _Count:
    """Blocks that are there for any thread to take: one that gets no processor takes none, and is not waited for."""

    def __init__(
        self, values: NDArray[Any], way: Callable[[NDArray[Any], NDArray[np.bool_]], int | None], block: int
    ) -> None:
        starts = range(0, len(values), block)
        self._values = values
        self._way = way
        self._block = block
        self._starts = iter(starts)
        self._missing = len(starts)
        self._ones: int | None = 0
        self._turn = allocate_lock()
        self._done = allocate_lock()

    def result(self) -> int | None:
        """All ones; None where any block has another number."""
        self._done.acquire()  # whoever tells of the last block, or of another number, releases it
        for _ in range(idle_threads() if len(self._values) >= SHARED else 0):
            start_new_thread(self._take_all, ())  # the start of a threading.Thread waits until it runs
        self._take_all()
        self._done.acquire()
        return self._ones

    def _take_all(self) -> None:
        """Count blocks while there are any, and no other number has been found; NumPy lets threads do so together."""
        room = np.empty(self._block, dtype=np.bool_)  # once: the system clears new memory, each page of it
        while (start := self._next()) is not None:
            self._tell(self._way(self._values[start : start + self._block], room))

    def _next(self) -> int | None:
        """Where a block begins that no thread has taken."""
        with self._turn:
            return next(self._starts, None)

    def _tell(self, ones: int | None) -> None:
        with self._turn:
            if self._ones is None:
                return
            self._missing -= 1
            self._ones = None if ones is None else self._ones + ones
            if ones is None:
                self._starts = iter(range(0))
            if ones is None or not self._missing:
                self._done.release()


def _ones(part: NDArray[Any], room: NDArray[np.bool_] | None = None) -> int | None:
    """How many are 1, if the others are 0. ``room`` is for what a comparison says of each."""
    same = np.empty(len(part), dtype=np.bool_) if room is None else room[: len(part)]
    ones = int(np.count_nonzero(np.equal(part, 1.0, out=same)))
    if part.dtype == np.float64 and np.count_nonzero(part.view(np.int64)) == ones:
        return ones  # no other has a bit set, which is sooner seen than that it equals 0
    return ones if ones + np.count_nonzero(np.equal(part, 0.0, out=same)) == len(part) else None


def idle_threads() -> int:
    """Threads beside this one for which a CPU seems to be idle: where none is, a switch costs more than counting."""
    from scorebars.kernels.dispatch import n_threads

    threads = n_threads()
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):  # not told everywhere
        load = 1.0
    return max(0, min(threads - 1, round(threads - load)))
