"""Parents and children of the units: how one level is expanded, or redrawn, into the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scorebars.resample.design import Block, Design
    from scorebars.sample import IntArray


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

    def draw(self, parents: IntArray, rng: np.random.Generator, *, fewer: bool) -> tuple[IntArray, IntArray]:
        """As many children as each parent slot has (one less with ``fewer``), redrawn, and the slot of each."""
        count = self.count[parents]
        slot = np.repeat(np.arange(len(parents)), drawn_of(count, fewer=fewer))
        if count.min() == count.max():
            within = rng.integers(0, int(count[0]), size=len(slot))
        else:
            within = rng.integers(0, count[slot])
        return self.order[self.start[parents][slot] + within], slot


def drawn_of(count: IntArray, *, fewer: bool) -> IntArray:
    """How many units are drawn where there are ``count``."""
    return np.maximum(count - 1, 1) if fewer else count


def children_of(design: Design, block: Block, items: IntArray) -> tuple[Children | None, Children]:
    """The clusters of these items (None unless clusters are redrawn) and the items of each cluster, or of them all."""
    root = np.zeros(1, dtype=np.int64)
    if "cluster" not in design.levels or block.cluster is None:
        return None, Children(items, root, np.array([len(items)]))
    order = items[np.argsort(block.cluster[items], kind="stable")]
    start = np.concatenate((root, np.flatnonzero(np.diff(block.cluster[order])) + 1))
    count = np.diff(np.concatenate((start, [len(order)])))
    return Children(np.arange(len(start)), root, np.array([len(start)])), Children(order, start, count)
