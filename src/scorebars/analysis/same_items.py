"""What all pairs of plain samples on the same items share, however their differences are worked out."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars import notes
from scorebars.effects import Difference
from scorebars.estimators import Mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.analysis.answer import AnyProblem
    from scorebars.analysis.compare import Way
    from scorebars.sample import Cut, Sample


@dataclass(frozen=True)
class PairSide:
    """What one model brings to each of its pairs."""

    cut: Cut
    problem: AnyProblem

    @property
    def sample(self) -> Sample:
        """Its scores."""
        return self.cut.sample

    @cached_property
    def value(self) -> float:
        """Its mean."""
        return self.problem.value


def on_same_items(sides: Sequence[Cut], way: Way) -> bool:
    """Whether differences of means are asked for in the usual way, of sides with one attempt at each of some items.

    With fewer than ``notes.FEW_ITEMS`` items a comparison may have more to say than all share.
    """
    if way.resample is not None or way.test is not None or type(way.effect) is not Difference:
        return False
    first = sides[0].sample
    if type(way.estimator) is not Mean or first.n_attempts < notes.FEW_ITEMS:
        return False
    return all(_is_alike(side.sample, first) for side in sides)


def _is_alike(sample: Sample, first: Sample) -> bool:
    """Whether a sample is one attempt at each item of another, and on its scale."""
    crosses = sample.cluster_crosses_tasks or sample.run_crosses_items
    plain = sample.is_plain and not crosses and len(sample.values) == 1 and sample.range == first.range
    return plain and np.array_equal(sample.item, first.item) and bool(sample.task[0] == first.task[0])


def fields_of(result: Any) -> dict[str, Any]:
    """The members of a dataclass, as it is made again with some of them changed."""
    return {each.name: getattr(result, each.name) for each in fields(result)}
