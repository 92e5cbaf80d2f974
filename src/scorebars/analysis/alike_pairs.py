"""All pairs of plain samples of any scores on the same items, under a method that draws nothing.

What a comparison says beside its numbers is the same for all of them, so it is worked out once, and their distributions
are computed together. Each pair is what ``compare`` answers (tests/analysis/test_compare_all.py); a bound that is read
from a Fourier series agrees to 1e-9 of its standard error or better.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars import notes
from scorebars.analysis.answer import bounds_of, dropped_of, instead_of, standard_error_of
from scorebars.analysis.compare import compared, p_value_of, said_of_pair, unpaired_width
from scorebars.analysis.design_notes import design_notes
from scorebars.analysis.laws_read import foresee, reads_computed
from scorebars.analysis.same_items import PairSide, fields_of, on_same_items
from scorebars.contracts import How
from scorebars.intervals import Auto, Normal, PairedT, StudentT
from scorebars.problem import ScoreProblem, effect_problem, score_problem
from scorebars.resample.design import Block, Runs
from scorebars.results import Answer, Comparison
from scorebars.results.disagreements import Disagreements
from scorebars.results.later import Later

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorebars.analysis.compare import Way
    from scorebars.notes import Note
    from scorebars.sample import Cut, Cuts

AT_ONCE: Final = 256
"""Pairs whose problems are there at the same time."""
FEWEST: Final = 4
"""Pairs from which on it pays."""
LARGE: Final = 20.0
"""Scores from which on the notes on scales may have something to say."""


def are_alike(sides: Sequence[Cut], way: Way) -> bool:
    """Whether the pairs of these sides are all of this kind, and asked about in such a way."""
    draws_nothing = reads_computed(way.asked.interval) or type(way.asked.interval) in (Auto, PairedT, StudentT, Normal)
    return len(sides) >= FEWEST and draws_nothing and on_same_items(sides, way)


def alike_pairs(
    cuts: Cuts, sides: Mapping[str, Cut], pairs: Sequence[tuple[str, str]], way: Way
) -> Iterator[Comparison]:
    """The comparison of each pair, in their order."""
    known = {name: _Side.of(cut, way) for name, cut in sides.items()}
    a, b = (known[name] for name in pairs[0])
    first = compared(cuts, a.cut, b.cut, way)
    yield first
    problem = effect_problem(a.sample, b.sample, way.effect, way.setting(first.answer.resample))
    if first.answer.distribution is How.MONTE_CARLO or way.seeded.draws or not isinstance(problem, ScoreProblem):
        yield from (compared(cuts, known[a].cut, known[b].cut, way) for a, b in pairs[1:])
        return
    pattern = _Pattern(problem, first, cuts, way, quiet=all(side.largest < LARGE for side in known.values()))
    rest = iter(pairs[1:])
    while some := list(islice(rest, AT_ONCE)):
        problems = [pattern.problem(known[a], known[b]) for a, b in some]
        foresee(problems, way.asked.interval)
        for (left, right), each in zip(some, problems, strict=True):
            yield pattern.pair(known[left], known[right], each)


@dataclass(frozen=True)
class _Side(PairSide):
    problem: ScoreProblem

    @classmethod
    def of(cls, cut: Cut, way: Way) -> _Side:
        problem = score_problem(cut.sample, way.setting(("item",)))
        assert isinstance(problem, ScoreProblem)  # noqa: S101 - of a mean
        return cls(cut, problem)

    @cached_property
    def largest(self) -> float:
        """Its largest score."""
        return float(self.sample.score.max())

    @cached_property
    def runs(self) -> tuple[Runs, Runs]:
        """Its attempts as side A, and as side B."""
        side = self.problem.design.blocks[0].sides[0]
        other = Runs(-1.0, side.values, side.start, side.count, side.scores, side.labels, side.columns)
        return side, other


@dataclass(frozen=True)
class _Pattern:
    """The comparison of the first pair, from which what all pairs share is taken."""

    first: ScoreProblem
    found: Comparison
    cuts: Cuts
    way: Way
    quiet: bool
    """Whether there is nothing to say of the scales of two sides."""

    def problem(self, a: _Side, b: _Side) -> ScoreProblem:
        """That of two other sides."""
        like, design = self.first.design.blocks[0], self.first.design
        sides = (a.runs[0], b.runs[1])
        block = Block(like.task, like.cluster, like.weight, like.item, like.task_weight, sides, is_plain=True)
        made = type(design)(**(fields_of(design) | {"blocks": (block,)}))
        facts = self._facts | {"design": made, "samples": (a.sample, b.sample)}
        return ScoreProblem(**facts)

    def pair(self, a: _Side, b: _Side, problem: ScoreProblem) -> Comparison:
        """The comparison of two sides."""
        asked = self.way.asked
        bounds = bounds_of(problem, asked)
        used = bounds.distribution
        own = {
            "value": problem.value,
            "low": bounds.low,
            "high": bounds.high,
            "interval": bounds.method,
            "standard_error": standard_error_of(problem, bounds),
            "distribution": How.NONE if used is None else used.how,
            "step": "" if used is None else used.step,
            "error": float("nan") if used is None else used.error,
            "instead": instead_of(bounds),
            "degrees": bounds.degrees,
            "dropped": dropped_of((a.cut, b.cut)),
            "notes": self._notes(a, b, problem, bounds.notes),
        }
        answer = Answer(**(self._answered | own))
        shared = {
            "a": a.sample.model,
            "b": b.sample.model,
            "answer": answer,
            "value_a": a.value,
            "value_b": b.value,
            "p_value": p_value_of(problem, answer, asked),
            "unpaired": Later(partial(self._unpaired, a, b)),
            "disagreements": Disagreements(a.sample.item, a.sample.score, b.sample.score, self.cuts.item_texts),
        }
        return Comparison(**(self._shared | shared))

    def _unpaired(self, a: _Side, b: _Side) -> float:
        # The problem is made anew: that of every pair would hold its own differences.
        return unpaired_width(self.problem(a, b), self.way.asked)

    @cached_property
    def _facts(self) -> dict[str, Any]:
        return fields_of(self.first)

    @cached_property
    def _answered(self) -> dict[str, Any]:
        return fields_of(self.found.answer)

    @cached_property
    def _shared(self) -> dict[str, Any]:
        return fields_of(self.found)

    @cached_property
    def _of_design(self) -> list[Note]:
        return design_notes(self.first)

    def _notes(self, a: _Side, b: _Side, problem: ScoreProblem, told: Sequence[Note]) -> tuple[Note, ...]:
        """What is said of two sides, as ``answer`` and ``compare`` say it."""
        differing = int(np.count_nonzero(problem.design.blocks[0].values))
        few = differing < notes.FEW_DISCORDANT
        extra = said_of_pair((a.sample, b.sample), differing) if few or not self.quiet else []
        codes = {each.code for each in (*a.cut.notes, *b.cut.notes, *told)}
        design = [each for each in self._of_design if each.code not in codes]
        gathered = [*self.cuts.notes, *extra, *a.cut.notes, *b.cut.notes, *told, *design]
        return tuple({(each.code, each.message, each.model): each for each in gathered}.values())
