"""What follows from a design alone: counts, levels, the sides. Shared by the problems of means and of statistics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from scorebars.contracts import Reading
from scorebars.errors import MethodError
from scorebars.resample.crossed import crosses
from scorebars.resample.design import Rule, one_sample

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts import Effect, Estimator
    from scorebars.resample.design import Block, Design
    from scorebars.sample import Sample


@dataclass(frozen=True)
class DesignFacts:
    """The samples, what is redrawn, and what is counted."""

    design: Design
    samples: tuple[Sample, ...]
    estimator: Estimator
    is_paired: bool
    fresh_rng: Callable[[], np.random.Generator]
    """A Generator in its first state; every distribution starts from the same one."""

    effect: Effect | None = None
    """How A and B make one number; None for one sample."""

    @property
    def is_difference(self) -> bool:
        """Whether the statistic is the difference of two samples; other effects of two samples are no difference."""
        return len(self.samples) == 2 and (self.effect is None or self.effect.reading is Reading.DIFFERENCE)

    @property
    def flat_without_reason(self) -> bool:
        """Never for means: where no resample differs, all units are equal."""
        return False

    @property
    def odds_tables(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """None: no odds ratio."""
        return None

    @property
    def null(self) -> float:
        """The effect's value for two equal sides; 0 for one sample."""
        return 0.0 if self.effect is None else self.effect.null

    @property
    def subject(self) -> str:
        """What the question is about: 'the score', 'the relative difference'."""
        if self.effect is None:
            return "the difference" if self.is_difference else "the score"
        return f"the {self.effect.name}"

    @property
    def levels(self) -> frozenset[str]:
        """The redrawn levels."""
        return frozenset(self.design.levels)

    @property
    def top(self) -> str:
        """The uppermost redrawn level; '' where nothing is redrawn."""
        if crosses(self.design) and "run" in self.design.levels:
            return "run"
        return self.design.levels[0] if self.design.levels else ""

    @cached_property
    def n_items(self) -> int:
        """Items behind the statistic; for unrelated samples those of the smaller side."""
        return min(block.n_items for block in self.design.blocks)

    @cached_property
    def n_attempts(self) -> int:
        """Attempts behind the statistic; for a difference those of the larger side."""
        if all(block.is_plain for block in self.design.blocks):
            return max(block.n_items for block in self.design.blocks)
        return max(int(side.count.sum()) for block in self.design.blocks for side in block.sides)

    @cached_property
    def runs(self) -> tuple[int, int]:
        """Fewest and most runs of an item."""
        if all(block.is_plain for block in self.design.blocks):
            return 1, 1
        counts = [side.count for block in self.design.blocks for side in block.sides]
        return int(min(count.min() for count in counts)), int(max(count.max() for count in counts))

    @property
    def n_tasks(self) -> int:
        """Tasks behind the statistic."""
        return self.design.n_tasks

    @cached_property
    def n_clusters(self) -> int | None:
        """Clusters behind the statistic; for unrelated samples those of the smaller side."""
        numbers = [block.cluster for block in self.design.blocks if block.cluster is not None]
        return min(int(cluster.max()) + 1 for cluster in numbers) if len(numbers) == len(self.design.blocks) else None

    @property
    def n_items_each(self) -> list[int]:
        """Items of A and of B, where they are unrelated samples; else of both in one."""
        return [block.n_items for block in self._ordered]

    @property
    def n_clusters_each(self) -> list[int | None]:
        """Clusters, like ``n_items_each``; None without clusters."""
        return [None if block.cluster is None else int(block.cluster.max()) + 1 for block in self._ordered]

    @property
    def _ordered(self) -> list[Block]:
        """The blocks, that of A first."""
        return sorted(self.design.blocks, key=lambda block: -block.sides[0].sign)

    @cached_property
    def is_binary(self) -> bool:
        """Whether every attempt scores 0 or 1."""
        return all(sample.is_binary for sample in self.samples)

    def redrawing(self, levels: tuple[str, ...]) -> Self:
        """The same samples with other levels redrawn."""
        return replace(self, design=replace(self.design, levels=levels))

    def refuse_without_levels(self) -> None:
        """Raise MethodError where nothing is redrawn."""
        if not self.design.levels:
            raise MethodError("nothing is redrawn, so there is no bootstrap distribution; name a level with resample=")

    def side_designs(self) -> list[tuple[Design, Sample]]:
        """The one-sample design of each side on the items that count, and the sample cut to them."""
        out = []
        for sample, sign in zip(self.samples, (1.0, -1.0), strict=False):
            blocks = [b for b in self.design.blocks if self.is_paired or b.sides[0].sign == sign]
            whole = blocks[0].is_plain and sample.is_plain and blocks[0].n_items == sample.n_attempts
            items = np.concatenate([b.item for b in blocks])
            kept = sample if whole else sample.take(np.isin(sample.item, items))
            rule = Rule(self.design.levels, self.design.item_values, self.design.linear)
            out.append((one_sample(kept, rule), kept))
        return out
