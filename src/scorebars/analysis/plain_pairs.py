"""All pairs of plain 0/1 samples on the same items, where four counts say everything that two sides differ in.

What a comparison says beside its numbers is the same for all of them, so it is worked out once, and each pair adds what
its counts give: as ``compare`` would, to the last bit (tests/analysis/test_compare_all.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from scorebars import notes
from scorebars.analysis.answer import dropped_of
from scorebars.analysis.compare import compared, said_of_pair, with_notes
from scorebars.effects import Difference
from scorebars.estimators import Mean
from scorebars.intervals import AgrestiCoull, Auto, Tango
from scorebars.intervals.moments import table_moments
from scorebars.intervals.mover import square_and_add
from scorebars.intervals.tango import tango_bounds, tango_p_value
from scorebars.problem import Setting, score_problem
from scorebars.results.disagreements import Disagreements
from scorebars.results.later import Later

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.analysis.compare import Way
    from scorebars.results import Comparison
    from scorebars.sample import Cut, Cuts, Sample

FEWEST: int = notes.FEW_ITEMS
"""Items below which a comparison may have more to say."""


def are_plain(sides: Sequence[Cut], way: Way) -> bool:
    """Whether the pairs of these sides are all of this kind, and asked about in the usual way."""
    if way.resample is not None or way.test is not None or type(way.effect) is not Difference:
        return False
    if type(way.estimator) is not Mean or type(way.asked.interval) not in (Auto, Tango):
        return False
    first = sides[0].sample
    if first.n_attempts < FEWEST:
        return False
    return all(_is_alike(side.sample, first) for side in sides)


def _is_alike(sample: Sample, first: Sample) -> bool:
    crosses = sample.cluster_crosses_tasks or sample.run_crosses_items
    plain = sample.is_plain and sample.is_binary and not crosses and sample.range == first.range
    return plain and np.array_equal(sample.item, first.item) and bool(sample.task[0] == first.task[0])


@dataclass(frozen=True, slots=True)
class _Side:
    """What one model brings to each of its pairs."""

    cut: Cut
    value: float
    ends: tuple[float, float]
    """Agresti-Coull's, of which the width without pairing is made."""


def plain_pairs(
    cuts: Cuts, sides: Mapping[str, Cut], pairs: Sequence[tuple[str, str]], way: Way
) -> Iterator[Comparison]:
    """The comparison of each pair, in their order."""
    known = {name: _side(cut, way) for name, cut in sides.items()}
    first = compared(cuts, sides[pairs[0][0]], sides[pairs[0][1]], way)
    yield first
    for a, b in pairs[1:]:
        yield _pair(first, cuts, known[a], known[b], way)


def _side(cut: Cut, way: Way) -> _Side:
    problem = score_problem(cut.sample, Setting(way.estimator, ("item",), way.seeded.fresh))
    if type(way.asked.interval) is not Auto:
        return _Side(cut, problem.value, (float("nan"), float("nan")))
    bounds = AgrestiCoull().bounds(problem, way.asked.level, way.asked.side)
    return _Side(cut, problem.value, (bounds.low, bounds.high))


def _pair(first: Comparison, cuts: Cuts, a: _Side, b: _Side, way: Way) -> Comparison:
    """The comparison of two sides; what all pairs share is taken from the first."""
    sample_a, sample_b = a.cut.sample, b.cut.sample
    n = sample_a.n_attempts
    both = int(np.count_nonzero((sample_a.score > 0.5) & (sample_b.score > 0.5)))
    only_a, only_b = sample_a.successes - both, sample_b.successes - both
    low, high = tango_bounds(only_a, only_b, n, way.asked.side.tails(way.asked.level))
    answer = replace(
        first.answer,
        value=(only_a - only_b) / n,
        low=low,
        high=high,
        standard_error=table_moments(only_a, only_b, n).standard_error,
        notes=tuple(dict.fromkeys((*a.cut.notes, *b.cut.notes))),
        dropped=dropped_of((a.cut, b.cut)),
    )
    extra = said_of_pair((sample_a, sample_b), only_a + only_b)
    return replace(
        first,
        a=sample_a.model,
        b=sample_b.model,
        answer=with_notes(answer, (*cuts.notes, *extra)),
        value_a=a.value,
        value_b=b.value,
        p_value=tango_p_value(only_a, only_b),
        unpaired=Later(lambda: _unpaired_width(a, b, way)),
        disagreements=Disagreements(sample_a.item, sample_a.score, sample_b.score, cuts.item_texts),
    )


def _unpaired_width(a: _Side, b: _Side, way: Way) -> float:
    low, high = square_and_add(a.value, b.value, a.ends, b.ends, way.asked.side)
    return high - low
