"""Items redrawn, and runs inside them, from the words of their draws: the mean of each redrawn task."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scorebars.kernels.dispatch import Kernel
from scorebars.kernels.sequential import row_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint32]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


class Sides(NamedTuple):
    """The runs of the items of all tasks, on one side or on two. The first axis is the side."""

    start: Ints
    """Place of the first run of each item, shape (sides, items)."""
    scores: Floats
    """Scores of all runs of all sides."""
    runs: Ints
    """Runs of every item, shape (sides,)."""
    draws: Ints
    """How many of them are drawn."""
    table: Floats
    """Value of an item by the sum of its drawn runs, shape (sides, sums); no sums: their mean."""
    sign: Floats
    """+1, or −1 for what is taken off."""


def index(words: Words, bound: int) -> Ints:
    """What each word draws below ``bound``."""
    drawn = np.multiply(words, np.uint64(bound), dtype=np.uint64)
    drawn >>= np.uint64(32)
    return drawn.view(np.int64)


def _means_plain(words: Words, groups: Ints, sides: Sides, redrawn: bool) -> Floats:
    out = []
    for n, items, bound, first, begin in groups.tolist():
        at, total = begin, np.zeros((n, items))
        drawn = np.tile(np.arange(items), (n, 1))
        if redrawn:
            at += n * items
            drawn = index(words[begin:at], bound).reshape(n, items)
        for side in range(len(sides.sign)):
            stop = at + total.size * int(sides.draws[side])
            total += _values(words[at:stop], first + drawn, sides, side)
            at = stop
        out.append(row_sums(total) / items)
    return np.concatenate(out)


def _values(words: Words, item: Ints, sides: Sides, side: int) -> Floats:
    """What a side adds to the value of each drawn item."""
    first = sides.start[side][item]
    place = index(words, int(sides.runs[side])).reshape(*item.shape, -1)
    sums = sides.scores[first + place[:, :, 0]] + 0.0
    for draw in range(1, place.shape[2]):
        sums += sides.scores[first + place[:, :, draw]]
    looked_up = sides.table.shape[1] > 0
    value = sides.table[side][sums.astype(np.int64)] if looked_up else sums / place.shape[2]
    return np.asarray(sides.sign[side] * value)


def _means_loops(words: Words, groups: Ints, sides: Sides, redrawn: bool) -> Floats:
    start, scores, runs, draws, table, sign = sides
    out, shift, row = np.empty(groups[:, 0].sum()), np.uint64(32), 0
    for group in range(len(groups)):
        n, items, bound, first, begin = groups[group]
        drawn, lowest = words[begin : begin + n * items * redrawn], np.uint64(first)
        total = np.zeros(n * items)
        at = begin + len(drawn)
        for side in range(len(sign)):
            places, below, times = start[side], np.uint64(runs[side]), draws[side]
            here = words[at : at + n * items * times]
            at += len(here)
            for slot in range(n * items):
                # Whole numbers without a sign: a compiler need not ask whether an index counts from the end.
                item = ((np.uint64(drawn[slot]) * np.uint64(bound)) >> shift) if redrawn else np.uint64(slot % items)
                begun, found = np.uint64(places[lowest + item]), 0.0
                for draw in range(slot * times, (slot + 1) * times):
                    found += scores[begun + ((np.uint64(here[draw]) * below) >> shift)]
                one = table[side, np.int64(found)] if table.shape[1] else found / times
                total[slot] += sign[side] * one
        for copy in range(n):
            mean = 0.0
            for slot in range(copy * items, (copy + 1) * items):
                mean += total[slot]
            out[row] = mean / items
            row += 1
    return out


means = Kernel(_means_plain, _means_loops)
"""``means(words, groups, sides, redrawn, fast=…)``: the mean of each redrawn task, shape (Σ n,).

Args: words of all groups; the groups, one for each task that is drawn, shape (groups, 5): how often it is, how many
items are drawn, out of how many, the number of the first, and where its words begin (those of the items, then those of
the runs of each side, item after item); the sides; whether the items are redrawn, or stay.
"""


def _refused_plain(words: Words, counts: Ints, bounds: Ints) -> bool:
    limits = (2**32 - bounds) % bounds
    stop = np.cumsum(counts)
    spans = zip((stop - counts).tolist(), stop.tolist(), bounds.tolist(), limits.tolist(), strict=True)
    return any(
        last > first and bool((words[first:last] * np.uint32(bound)).min() < limit)
        for first, last, bound, limit in spans
    )


def _refused_loops(words: Words, counts: Ints, bounds: Ints) -> bool:
    at, lower = 0, np.uint64(2**32 - 1)
    for span in range(len(counts)):
        bound, least = np.uint64(bounds[span]), lower
        for word in words[at : at + counts[span]]:
            least = min(least, (np.uint64(word) * bound) & lower)
        at += counts[span]
        if np.int64(least) < (2**32 - bounds[span]) % bounds[span]:
            return True
    return False


refused = Kernel(_refused_plain, _refused_loops)
"""``refused(words, counts, bounds, fast=…)``: whether any word is one that ``Generator.integers`` would not use.

Args: words, shape (Σ counts,); how many words draw below each bound, one after the other, and these bounds.
"""
