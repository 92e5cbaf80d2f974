"""Whether all of many numbers are 0 or 1, and how many are 1: read once, and no further than to the first other."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from threading import Lock

    from numpy.typing import NDArray

FIRST: Final = 1 << 13
"""Numbers that are looked at first: of scores that are not 0 or 1 they nearly always tell."""
BLOCK: Final = 1 << 18
"""Numbers that are looked at twice while they are in the cache."""
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
    count = _Count(values)
    if len(values) >= SHARED and (threads := idle_threads()):
        count.share(threads)
    else:
        count.take_all()
    return None if count.other else first + sum(count.found)


class _Count:
    """Blocks that are there for any thread to take: one that gets no processor takes none, and is not waited for."""

    def __init__(self, values: NDArray[Any]) -> None:
        self.other = False
        self.found: list[int] = []
        self._values = values
        self._starts = iter(range(FIRST, len(values), BLOCK))

    def share(self, threads: int) -> None:
        """Take the blocks together with so many other threads; NumPy lets them work side by side."""
        from threading import Lock, Thread

        blocks, lock = len(range(FIRST, len(self._values), BLOCK)), Lock()
        helpers = [Thread(target=self.take_all, args=(lock,), daemon=True) for _ in range(threads)]
        for helper in helpers:
            helper.start()
        self.take_all(lock)
        for helper in helpers:
            if self.other or len(self.found) == blocks:
                return
            helper.join()

    def take_all(self, lock: Lock | None = None) -> None:
        """Count blocks while there are any, and no other number has been found."""
        while not self.other and (start := self._next(lock)) is not None:
            ones = _ones(self._values[start : start + BLOCK])
            if ones is None:
                self.other = True
            else:
                self.found.append(ones)

    def _next(self, lock: Lock | None) -> int | None:
        """Where a block begins that no thread has taken."""
        if lock is None:
            return next(self._starts, None)
        with lock:
            return next(self._starts, None)


def _ones(part: NDArray[Any]) -> int | None:
    ones = int(np.count_nonzero(part == 1.0))
    return ones if ones + np.count_nonzero(part == 0.0) == len(part) else None


def idle_threads() -> int:
    """Threads beside this one for which a CPU seems to be idle: where none is, a switch costs more than counting."""
    from scorebars.kernels.dispatch import n_threads

    threads = n_threads()
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):  # not told everywhere
        load = 1.0
    return max(0, min(threads - 1, round(threads - load)))
