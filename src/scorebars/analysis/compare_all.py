"""Which models differ, and by how much? All pairs of a table, or all against a baseline."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from scorebars import notes
from scorebars.analysis.answer import Asked
from scorebars.analysis.arguments import checked, checked_scores
from scorebars.analysis.by_place import refuse_misplaced
from scorebars.analysis.clusters_named import with_origin
from scorebars.analysis.compare import MOST_NAMED, Way, compared, cut_of, with_scores
from scorebars.analysis.estimate import item_namer
from scorebars.analysis.other_tasks import share_no_task, unanswered
from scorebars.analysis.own_words import own_words
from scorebars.analysis.plain_pairs import are_plain, plain_pairs
from scorebars.analysis.repeated_ids import ids_noted
from scorebars.contracts import Side
from scorebars.engines.missing import ScorelessModelError
from scorebars.errors import ArgumentError, either, near_miss
from scorebars.intervals import Auto
from scorebars.notes import note
from scorebars.results import Comparisons

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.contracts import Effect, Estimator, Interval, SignificanceTest
    from scorebars.resample import Resample
    from scorebars.results import Comparison
    from scorebars.sample import Cut, Cuts
    from scorebars.scores import Scores


@own_words
def compare_all(
    scores: Scores,
    baseline: str | None = None,
    *,
    effect: Effect | None = None,
    estimator: Estimator | None = None,
    resample: Resample | None = None,
    interval: Interval | None = None,
    test: SignificanceTest | None = None,
    level: float = notes.DEFAULT_LEVEL,
    side: Side = Side.TWO,
    rng: Any = None,
) -> Comparisons:
    """Every pair of models, or every model against a baseline: each as ``compare`` answers it.

    The table is read and cleaned once. Each interval holds its level alone: of 435 true zeros about 22 will be excluded
    by a 95 % interval. Nothing is corrected for how many there are, and a note says so.

    Args:
        scores: the score table, with two models or more.
        baseline: the model that all others are compared with, other − baseline; without it all pairs, in the order of
            the models' names, first − second.
        effect: what is reported; the difference by default.
        estimator: what is compared; the mean by default.
        resample: the levels that are redrawn; by default as for ``compare``.
        interval: how the intervals are made; ``Auto()`` by default.
        test: where the p-values come from; the interval's own family by default.
        level: confidence level of each interval, strictly between 0 and 1.
        side: two bounds, or a lower or an upper one alone.
        rng: anything ``numpy.random.default_rng`` takes; every pair starts at the same state.

    Returns:
        The comparisons, a sequence that prints as one table.

    Raises:
        ArgumentError: fewer than two models, or a baseline that the table does not have.
        ScoresError: no pair shares a task; where only some share none, these are NaN with a note.

    Example:
        >>> import scorebars as sb
        >>> scores = sb.Scores.from_arrays({"A": [1, 0, 1], "B": [1, 0, 0], "C": [0, 0, 0]}, axes=("item",))
        >>> [(pair.a, pair.b, round(pair.value, 3)) for pair in sb.compare_all(scores)]
        [('A', 'B', 0.333), ('A', 'C', 0.667), ('B', 'C', 0.333)]
    """
    scores = checked_scores(scores)
    way = Way.of(effect, estimator, resample, test, Asked(checked("interval", interval, Auto), level, side), rng)
    scores, left_out = with_scores(scores, (baseline,))
    pairs = _pairs(scores.models, baseline)
    try:
        cuts = ids_noted(scores.cuts(columns=way.estimator.columns), scores)
    except ScorelessModelError as error:
        raise error.instead(_other_baselines(error.left, baseline)) from None
    sides = {name: cut_of(cuts, name) for name in scores.models}
    for cut in sides.values():
        way.estimator.check(cut.sample, item_namer(cuts))
    refuse_misplaced(scores, cuts.notes, cuts, [(sides[a], sides[b]) for a, b in pairs])
    if are_plain(list(sides.values()), way):
        rows = tuple(plain_pairs(cuts, sides, pairs, way))
    else:
        rows = _others(cuts, sides, pairs, way)
    way.seeded.settle()
    rows = tuple(replace(row, answer=with_origin(row.answer, scores)) for row in rows)
    n = sum(not math.isnan(row.value) for row in rows)
    return Comparisons(rows, (*left_out, note("not-corrected", n=n)) if n > 1 else left_out)


def _others(cuts: Cuts, sides: dict[str, Cut], pairs: Sequence[tuple[str, str]], way: Way) -> tuple[Comparison, ...]:
    """Pairs of other samples than plain ones of 0 and 1: together where they are alike, else one by one."""
    from scorebars.analysis.alike_pairs import alike_pairs, are_alike

    if are_alike(list(sides.values()), way):
        return tuple(alike_pairs(cuts, sides, pairs, way))
    return _each(cuts, [(sides[a], sides[b]) for a, b in pairs], way)


def _each(cuts: Cuts, pairs: Sequence[tuple[Cut, Cut]], way: Way) -> tuple[Comparison, ...]:
    """Every pair as ``compare`` answers it; NaN where only some share no task."""
    apart = [share_no_task(a, b, way) for a, b in pairs]
    if all(apart):  # refused as one pair is
        apart = [False] * len(pairs)
    found = [None if alone else compared(cuts, a, b, way) for alone, (a, b) in zip(apart, pairs, strict=True)]
    like = next(row for row in found if row is not None)
    return tuple(row or unanswered(a, b, way, like) for row, (a, b) in zip(found, pairs, strict=True))


def _other_baselines(scored: Sequence[str], baseline: str | None) -> list[str]:
    """Which other baseline there is where the one that was asked for has no score, and two models have."""
    if baseline is None or baseline in scored or len(scored) < 2:
        return []
    return [f"compare with another baseline: {either([repr(name) for name in scored[:MOST_NAMED]])}"]


def _pairs(models: tuple[str, ...], baseline: str | None) -> list[tuple[str, str]]:
    """(A, B) of each comparison."""
    if len(models) < 2:
        held = ", ".join(f"'{name}'" for name in models)
        raise ArgumentError(f"comparisons need two models or more, and the table has {held} alone; read more files")
    if baseline is None:
        return list(combinations(models, 2))
    if baseline not in models:
        raise ArgumentError(f"no model is called '{baseline}'{near_miss(baseline, models)}")
    return [(name, baseline) for name in models if name != baseline]
