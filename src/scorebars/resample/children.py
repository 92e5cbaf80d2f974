"""Parents and children of the units: how one level is expanded, or redrawn, into the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from scorebars.resample.design import Block, Design
    from scorebars.sample import IntArray


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


@dataclass(frozen=True, slots=True)
class Children:
    """The children of each parent: positions ``start … start + count − 1`` of ``order``."""

    order: IntArray
    start: IntArray
    count: IntArray

    def all(self, parents: IntArray) -> tuple[IntArray, IntArray]:
        """Every child of every parent slot, and the slot of each child."""
        count = self.count[parents]
        slot = np.repeat(np.arange(len(parents)), count)
        within = np.arange(len(slot)) - np.repeat(np.cumsum(count) - count, count)
        return self.order[self.start[parents][slot] + within], slot

    def draw(self, parents: IntArray, rng: np.random.Generator, take: Take = ALL) -> tuple[IntArray, IntArray]:
        """As many children as each parent slot has (or ``take`` says), redrawn, and the slot of each."""
        count = self.count[parents]
        slot = np.repeat(np.arange(len(parents)), take.of(count))
        if count.min() == count.max():
            within = rng.integers(0, int(count[0]), size=len(slot))
        else:
            within = rng.integers(0, count[slot])
        return self.order[self.start[parents][slot] + within], slot


def children_of(design: Design, block: Block, items: IntArray) -> tuple[Children | None, Children]:
    """The clusters of these items (None unless clusters are redrawn) and the items of each cluster, or of them all."""
    root = np.zeros(1, dtype=np.int64)
    if "cluster" not in design.levels or block.cluster is None:
        return None, Children(items, root, np.array([len(items)]))
    order = items[np.argsort(block.cluster[items], kind="stable")]
    start = np.concatenate((root, np.flatnonzero(np.diff(block.cluster[order])) + 1))
    count = np.diff(np.concatenate((start, [len(order)])))
    return Children(np.arange(len(start)), root, np.array([len(start)])), Children(order, start, count)
