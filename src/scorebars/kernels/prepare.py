"""Compile every kernel now, so that none has to be waited for later: ``python -m scorebars.kernels.prepare``.

For images of containers and the like. It needs numba (the extra ``fast``) and fills its cache.
"""

from __future__ import annotations

import numpy as np

from scorebars.kernels import counting, levels, middle, ones, pairs, quantiles, sums


def compile_all() -> int:
    """Run the compiled version of every kernel on two numbers, with the types that drawing uses; how many there are."""
    counts = np.ones((1, 2), dtype=np.int32)
    unit, numbers, one = np.arange(2), np.array([0.0, 1.0]), np.ones(1)
    short = unit.astype(np.int32)
    bits = numbers.view(np.int64)
    bits.flags.writeable = False
    start, place = np.array([0, 1]), np.zeros(1, dtype=np.int64)
    side = (unit[:1].copy(), one, start)
    words, bounds = np.zeros((1, 2), dtype=np.uint32), np.full(2, 2, dtype=np.uint32)
    table = np.empty((1, 0))
    sides = levels.Sides(np.zeros((1, 2), dtype=np.int64), numbers, start[1:], start[1:], table, one)
    work = (
        (counting.count, (words, bounds, np.zeros(2, dtype=np.int32), counts[0].copy())),
        (ones.ones_beside_zeros, (bits, np.empty(2, dtype=np.bool_))),
        (middle.mean_between, (counts, short, numbers, one, one + 1.0)),
        (quantiles.quantile, (counts, short, numbers, 0.5, np.full(1, 2))),
        (sums.totals, (counts, numbers[:, np.newaxis].copy())),
        (sums.group_ratios, (counts, numbers, numbers + 1.0, np.array([0, 2]))),
        (sums.running, (counts, unit, numbers, np.array([1, 2]))),
        (pairs.pairs_won, (counts, side, side, place, place + 1)),
        (levels.means, (words[0], np.array([[1, 1, 2, 0, 0]]), sides, True)),
        (levels.refused, (words[0], place + 2, place + 2)),
    )
    for kernel, arrays in work:
        kernel(*arrays, fast=True)
    return len(work)


if __name__ == "__main__":
    print(f"{compile_all()} kernels are compiled and in the cache")  # noqa: T201 - it is run as a command
