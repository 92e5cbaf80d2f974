"""How sure is this score?"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars import notes
from scorebars.analysis.answer import Asked, Seeded, answer, levels_for
from scorebars.analysis.arguments import checked, checked_scores
from scorebars.analysis.clusters_named import with_origin
from scorebars.analysis.laws_read import foresee
from scorebars.analysis.own_words import own_words
from scorebars.analysis.repeated_ids import ids_noted
from scorebars.contracts import Side
from scorebars.estimators import Mean
from scorebars.intervals import Auto
from scorebars.kernels.distinct import distinct
from scorebars.notes import note
from scorebars.problem import Setting, score_problem
from scorebars.resample import Resample
from scorebars.results import Estimate, Estimates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorebars.analysis.answer import AnyProblem
    from scorebars.contracts import Estimator, Interval
    from scorebars.notes import Note
    from scorebars.sample import Cut, Cuts, Sample
    from scorebars.scores import Scores

FEW_LACKING: Final = 0.05
"""Share of all items up to which those that a model lacks for want of a score need no note of their own."""
AT_ONCE: Final = 64
"""Rows whose problems are there at the same time."""


@own_words
def estimate(
    scores: Scores,
    *,
    estimator: Estimator | None = None,
    resample: Resample | Sequence[Resample] | None = None,
    interval: Interval | None = None,
    level: float = notes.DEFAULT_LEVEL,
    side: Side = Side.TWO,
    by: Sequence[str] | str = (),
    rng: Any = None,
) -> Estimates:
    """The score of every model, with an interval and the question that the interval answers.

    Args:
        scores: the score table.
        estimator: what is estimated; the mean by default. Over several tasks it is the macro average: every task
            counts the same. ``scores.pooled()`` makes one stratum of them.
        resample: the levels that are redrawn; by default clusters if there are any, else items, else runs, else
            tasks. Several give one row each, side by side.
        interval: how the interval is made; ``Auto()`` by default, whose docstring is its decision table.
        level: confidence level, strictly between 0 and 1.
        side: two bounds, or a lower or an upper one alone.
        by: rows for each 'task', 'cluster', 'metric' or 'variant'.
        rng: anything ``numpy.random.default_rng`` takes; only Monte Carlo answers use it. Every model starts at the
            same state, so its interval does not depend on who else is in the table.

    Returns:
        One estimate a model (and group), sorted by group and model as text.

    Raises:
        ArgumentError: a level outside (0, 1), an unknown group.
        ScoresError: the table needs a choice (several metrics), or has nothing to estimate.
        MethodError: the estimator, the levels or the interval method cannot serve the table.

    Example:
        >>> import scorebars as sb
        >>> scores = sb.Scores.from_arrays({"A": [1, 0, 1, 1]}, axes=("item",))
        >>> sb.estimate(scores)[0].answer.value
        0.75
    """
    scores = checked_scores(scores)
    asked = Asked(checked("interval", interval, Auto), level, side)
    chosen = checked("estimator", estimator, Mean)
    seeded = Seeded(rng)
    cuts = ids_noted(scores.cuts((by,) if isinstance(by, str) else tuple(by), chosen.columns), scores)
    each = tuple(resample) if isinstance(resample, list | tuple) else (resample,)
    wanted = tuple(checked("resample", one) for one in each)
    name = item_namer(cuts)
    each_row = [(cut, one) for cut in cuts.cuts for one in wanted]
    rows = list[Estimate]()
    for start in range(0, len(each_row), AT_ONCE):
        some = each_row[start : start + AT_ONCE]
        problems = [_problem(cut, one, chosen, seeded, name) for cut, one in some]
        foresee(problems, asked.interval)
        several = len(wanted) > 1
        pairs = zip(some, problems, strict=True)
        rows += [_row(cut, problem, asked, seeded, several=several) for (cut, _), problem in pairs]
    seeded.settle()
    rows = [replace(row, answer=with_origin(row.answer, scores)) for row in rows]
    return Estimates(tuple(rows), (*cuts.notes, *_table_notes(rows, wanted), *_model_notes(cuts)))


def possible_resamples(sample: Sample) -> tuple[Resample, ...]:
    """The one-level questions that a sample allows, its default first: those with two units or more to redraw."""
    from scorebars.resample import default_levels
    from scorebars.resample.design import Rule, one_sample

    block = one_sample(sample, Rule((), Mean().item_values, linear=True)).blocks[0]
    counts = {
        "cluster": 0 if block.cluster is None else int(block.cluster.max()) + 1,
        "item": block.n_items if block.n_items > len(block.task_weight) or len(block.task_weight) == 1 else 0,
        "run": int(block.sides[0].count.max()),
        "task": len(block.task_weight),
    }
    default = default_levels(sample)
    levels = [*default, *(level for level, n in counts.items() if n > 1 and level not in default)]
    return tuple(Resample(level) for level in levels)


def item_namer(cuts: Cuts) -> Callable[[int], str]:
    """From a unit code to 'task/item', as messages name it."""

    def name(code: int) -> str:
        task, _, item = (str(texts[code]) for texts in cuts.item_keys)
        return f"{task}/{item}" if task else item

    return name


def _problem(
    cut: Cut, resample: Resample | None, estimator: Estimator, seeded: Seeded, name: Callable[[int], str]
) -> AnyProblem:
    estimator.check(cut.sample, name)
    return score_problem(cut.sample, Setting(estimator, levels_for(cut.sample, resample), seeded.fresh))


def _row(cut: Cut, problem: AnyProblem, asked: Asked, seeded: Seeded, *, several: bool) -> Estimate:
    extra = (("redrawn", ", ".join(problem.design.levels)),) if several else ()
    tasks = problem.design.tasks
    return Estimate(
        model=cut.sample.model,
        answer=answer(problem, asked, seeded, (cut,)),
        task=tasks[0] if len(tasks) == 1 and tasks[0] else None,
        metric=dict(cut.group).get("metric"),
        group=cut.group + extra,
    )


def _table_notes(rows: list[Estimate], wanted: tuple[Resample | None, ...]) -> list[Note]:
    found = []
    if len(wanted) > 1:
        found.append(note("not-comparable", detail="each row's question stands beside it"))
    elif any(_overlap(a, b) for a, b in combinations(rows, 2)):
        found.append(note("bars-overlap"))
    return found


def _model_notes(cuts: Cuts) -> list[Note]:
    """What there is to say of several models in one group: different items, and the luck of the best of many."""
    groups: dict[tuple[tuple[str, str], ...], list[Cut]] = {}
    for cut in cuts.cuts:
        groups.setdefault(cut.group, []).append(cut)
    found = next((said for some in groups.values() if (said := _attrition(some))), [])
    most = max(len(some) for some in groups.values())
    return [*found, note("winner", n=most)] if most >= notes.MANY_MODELS else found


def _attrition(cuts: list[Cut]) -> list[Note]:
    """``attrition`` where the models of one group were not scored on the same items.

    Nothing of a few items that each model lacks for attempts without a score, of which it is said already.
    """
    samples = [cut.sample for cut in cuts]
    if all(np.array_equal(samples[0].item, other.item) for other in samples[1:]):
        return []
    items = [distinct(sample.item) for sample in samples]
    if all(np.array_equal(items[0], other) for other in items[1:]):
        return []
    sizes = [len(each) for each in items]
    n_all = len(reduce(np.union1d, items))
    if all(n_all - n <= min(_without_score(cut), FEW_LACKING * n_all) for cut, n in zip(cuts, sizes, strict=True)):
        return []
    remedy = (
        "no two of them share an item, so check that the item ids mean the same"
        if n_all == sum(sizes)
        else "compare two of them on the items they share"
    )
    shared = len(reduce(np.intersect1d, items))
    return [note("attrition", low=min(sizes), high=max(sizes), shared=shared, remedy=remedy)]


def _without_score(cut: Cut) -> int:
    """How many attempts of a model its notes say to have no score."""
    return sum(int(str(said.data["n"])) for said in cut.notes if said.code in {"error-rows", "missing-scores"})


def _overlap(a: Estimate, b: Estimate) -> bool:
    """Whether two models of one group have overlapping bars."""
    if a.model == b.model or a.group != b.group:
        return False
    first, second = a.answer.shown, b.answer.shown
    return first.low <= second.high and second.low <= first.high
