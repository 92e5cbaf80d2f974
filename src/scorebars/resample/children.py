"""Parents and children of the units: how one level is expanded, or redrawn, into the next."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from scorebars.resample.design import Block, Design
    from scorebars.sample import FloatArray, IntArray


FEW: Final = 32
"""Draws of a slot up to which these are added one column after the other."""
TOGETHER: Final = 1 << 14
"""Slots whose draws are made at once: they stay in the cache."""


@dataclass(frozen=True, slots=True)
class Take:
    """How many units of a stratum are drawn at the uppermost redrawn level."""

    fewer: bool = False
    """One less than there are (Rao and Wu 1988); a single one is kept."""
    m: int | None = None
    """This many (m out of n)."""

    def of(self, count: IntArray) -> IntArray:
        """Draws where there are ``count`` units."""
        if self.m is not None:
            return np.full_like(count, self.m)
        return np.maximum(count - 1, 1) if self.fewer else count


ALL: Final = Take()
"""As many as there are."""


@dataclass(frozen=True)
class Children:
    """The children of each parent: positions ``start … start + count − 1`` of ``order``."""

    order: IntArray | None
    """None: the positions themselves."""
    start: IntArray
    count: IntArray

    def at(self, place: IntArray) -> IntArray:
        """The children at these places."""
        return place if self.order is None else self.order[place]

    @cached_property
    def alike(self) -> int | None:
        """How many children each parent has; None where they differ."""
        first = int(self.count[0])
        return first if len(self.count) == 1 or bool(np.all(self.count == first)) else None

    def all(self, parents: IntArray) -> tuple[IntArray, IntArray]:
        """Every child of every parent slot, and the slot of each."""
        if (alike := self.alike) is not None:
            place = (self.start[parents][:, np.newaxis] + np.arange(alike)).ravel()
            return self.at(place), np.repeat(np.arange(len(parents)), alike)
        count = self.count[parents]
        slot = np.repeat(np.arange(len(parents)), count)
        within = np.arange(len(slot)) - np.repeat(np.cumsum(count) - count, count)
        return self.at(self.start[parents][slot] + within), slot

    def draw(self, parents: IntArray, rng: np.random.Generator, take: Take = ALL) -> tuple[IntArray, IntArray]:
        """As many children as each parent slot has (or ``take`` says), redrawn, and the slot of each."""
        if (alike := self.alike) is not None:
            drawn, n = int(take.of(np.array(alike))), len(parents)
            place = rng.integers(0, alike, size=n * drawn)
            place += np.repeat(self.start[parents], drawn) if len(self.start) > 1 else self.start[0]
            return self.at(place), np.repeat(np.arange(n), drawn)
        count = self.count[parents]
        slot = np.repeat(np.arange(len(parents)), take.of(count))
        if count.min() == count.max():
            within = rng.integers(0, int(count[0]), size=len(slot))
        else:
            within = rng.integers(0, count[slot])
        return self.at(self.start[parents][slot] + within), slot

    def drawn_sums(
        self, values: FloatArray, parents: IntArray, rng: np.random.Generator, take: Take = ALL
    ) -> FloatArray:
        """Sum of ``values`` over the redrawn children of each parent slot: of :meth:`draw`, added in its order."""
        alike = self.alike
        drawn = 0 if alike is None else int(take.of(np.array(alike)))
        if alike is None or not 1 <= drawn <= FEW:
            children, slot = self.draw(parents, rng, take)
            return np.bincount(slot, values[children], len(parents)).astype(np.float64, copy=False)
        total = np.empty(len(parents))
        for first in range(0, len(parents), TOGETHER):
            some = slice(first, first + TOGETHER)
            start = self.start[parents[some]]
            place = rng.integers(0, alike, size=(len(start), drawn))
            place += start[:, np.newaxis]
            found = values[self.at(place)]
            np.add(found[:, 0], 0.0, out=total[some])
            for column in range(1, drawn):
                total[some] += found[:, column]
        return total


def children_of(design: Design, block: Block, items: IntArray) -> tuple[Children | None, Children]:
    """The clusters of these items (None unless clusters are redrawn) and the items of each cluster, or of them all."""
    root = np.zeros(1, dtype=np.int64)
    if "cluster" not in design.levels or block.cluster is None:
        return None, Children(items, root, np.array([len(items)]))
    order = items[np.argsort(block.cluster[items], kind="stable")]
    start = np.concatenate((root, np.flatnonzero(np.diff(block.cluster[order])) + 1))
    count = np.diff(np.concatenate((start, [len(order)])))
    return Children(np.arange(len(start)), root, np.array([len(start)])), Children(order, start, count)
