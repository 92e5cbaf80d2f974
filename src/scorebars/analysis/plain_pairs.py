"""All pairs of plain 0/1 samples on the same items, where four counts say everything that two sides differ in.

What a comparison says beside its numbers is the same for all of them, so it is worked out once, and each pair adds what
its counts give: as ``compare`` would, to the last bit (tests/analysis/test_compare_all.py).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars import notes
from scorebars.analysis.answer import dropped_of
from scorebars.analysis.compare import compared, said_of_pair, with_notes
from scorebars.analysis.same_items import PairSide, fields_of, on_same_items
from scorebars.contracts import Side
from scorebars.intervals import AgrestiCoull, Auto, Tango
from scorebars.intervals.moments import table_moments
from scorebars.intervals.mover import square_and_add
from scorebars.intervals.tango import tango_bounds_of, tango_p_value
from scorebars.problem import Setting, score_problem
from scorebars.results import Answer, Comparison
from scorebars.results.disagreements import Disagreements
from scorebars.results.later import Later

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.analysis.answer import Asked
    from scorebars.analysis.compare import Way
    from scorebars.notes import Note
    from scorebars.sample import Cut, Cuts, FloatArray, IntArray, Sample

TOGETHER: int = 1 << 16
"""Items of which the right answers of all pairs are counted at once."""


def are_plain(sides: Sequence[Cut], way: Way) -> bool:
    """Whether the pairs of these sides are all of this kind, and asked about in the usual way."""
    if type(way.asked.interval) not in (Auto, Tango) or not all(side.sample.is_binary for side in sides):
        return False
    return on_same_items(sides, way)


@dataclass(frozen=True)
class _Side(PairSide):
    asked: Asked

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Agresti-Coull's bounds, of which the width without pairing is made."""
        if type(self.asked.interval) is not Auto:
            return float("nan"), float("nan")
        bounds = AgrestiCoull().bounds(self.problem, self.asked.level, self.asked.side)
        return bounds.low, bounds.high


def plain_pairs(
    cuts: Cuts, sides: Mapping[str, Cut], pairs: Sequence[tuple[str, str]], way: Way
) -> Iterator[Comparison]:
    """The comparison of each pair, in their order."""
    setting = Setting(way.estimator, ("item",), way.seeded.fresh)
    known = {name: _Side(cut, score_problem(cut.sample, setting), way.asked) for name, cut in sides.items()}
    tables = _tables([known[a].sample for a, _ in pairs], [known[b].sample for _, b in pairs], list(known.values()))
    n = known[pairs[0][0]].sample.n_attempts
    low, high = tango_bounds_of(*tables, n, way.asked.side.tails(way.asked.level))
    first = compared(cuts, sides[pairs[0][0]], sides[pairs[0][1]], way)
    yield first
    said = with_notes(replace(first.answer, notes=()), cuts.notes).notes
    pattern = _Pattern(first.answer, cuts, said, fields_of(first), fields_of(first.answer))
    each = zip(pairs, *(column.tolist() for column in (*tables, low, high)), strict=True)
    for (a, b), only_a, only_b, *bounds in islice(each, 1, None):
        yield pattern.pair(known[a], known[b], (only_a, only_b, n), bounds)


def _tables(first: list[Sample], second: list[Sample], sides: list[_Side]) -> tuple[IntArray, IntArray]:
    """On how many items A alone is right, and B alone, for each pair."""
    place = {id(side.sample): row for row, side in enumerate(sides)}
    a, b = (np.array([place[id(sample)] for sample in column]) for column in (first, second))
    successes = np.array([side.sample.successes for side in sides])
    both = _both_right([side.sample.score for side in sides])[a, b]
    return successes[a] - both, successes[b] - both


def _both_right(scores: list[FloatArray]) -> IntArray:
    """On how many items both of two models are right, shape (n_models, n_models)."""
    total = np.zeros((len(scores), len(scores)), dtype=np.int64)
    for start in range(0, len(scores[0]), TOGETHER):
        # Whole numbers that 32 bits keep: the order in which they are added does not matter.
        right = np.array([score[start : start + TOGETHER] > 0.5 for score in scores], dtype=np.float32)
        total += (right @ right.T).astype(np.int64)
    return total


@dataclass(frozen=True, slots=True)
class _Pattern:
    """The comparison of the first pair: what all pairs share is taken from it."""

    answer: Answer
    cuts: Cuts
    notes: tuple[Note, ...]
    """What is said of every pair."""
    shared: dict[str, Any]
    """What the comparison holds, and what its answer does."""
    answered: dict[str, Any]

    def pair(self, a: _Side, b: _Side, counts: tuple[int, int, int], bounds: Sequence[float]) -> Comparison:
        """The comparison of two sides, of which one alone is right on so many items of so many."""
        only_a, only_b, n = counts
        answer = {
            "value": (only_a - only_b) / n,
            "low": bounds[0],
            "high": bounds[1],
            "standard_error": table_moments(only_a, only_b, n).standard_error,
            "notes": self.notes_of(a, b, only_a + only_b),
            "dropped": dropped_of((a.cut, b.cut)),
        }
        own = {
            "a": a.sample.model,
            "b": b.sample.model,
            "answer": Answer(**(self.answered | answer)),
            "value_a": a.value,
            "value_b": b.value,
            "p_value": tango_p_value(only_a, only_b),
            "unpaired": Later(lambda: _unpaired_width(a, b)),
            "disagreements": Disagreements(a.sample.item, a.sample.score, b.sample.score, self.cuts.item_texts),
        }
        return Comparison(**(self.shared | own))

    def notes_of(self, a: _Side, b: _Side, differing: int) -> tuple[Note, ...]:
        """What is said of two sides that differ on so many items."""
        few = differing < notes.FEW_DISCORDANT
        if not (few or a.cut.notes or b.cut.notes):
            return self.notes  # 0/1 scores are on one scale, and sides that differ are not the same
        own = replace(self.answer, notes=tuple(dict.fromkeys((*a.cut.notes, *b.cut.notes))))
        extra = said_of_pair((a.sample, b.sample), differing)
        return with_notes(own, (*self.cuts.notes, *extra)).notes


def _unpaired_width(a: _Side, b: _Side) -> float:
    if a.asked.side is not Side.TWO:  # an end is open, and B's bound would be that of its other side
        return math.inf if type(a.asked.interval) is Auto else math.nan
    low, high = square_and_add(a.value, b.value, a.ends, b.ends, a.asked.side)
    return high - low
