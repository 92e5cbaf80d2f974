"""Is A really better than B?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars import notes
from scorebars.analysis.answer import AnyProblem, Asked, Seeded, answer, levels_for
from scorebars.analysis.arguments import checked, checked_scores
from scorebars.analysis.by_place import refuse_misplaced
from scorebars.analysis.clusters_named import with_origin
from scorebars.analysis.estimate import item_namer
from scorebars.analysis.own_words import own_words
from scorebars.analysis.repeated_ids import ids_noted
from scorebars.contracts import Deciding, PairEffect, Side
from scorebars.effects import Difference
from scorebars.engines.missing import ScorelessModelError
from scorebars.engines.python_words import in_python
from scorebars.errors import ArgumentError, MethodError, ScoresError, either, near_miss, typed
from scorebars.estimators import Mean
from scorebars.intervals import Auto, p_value
from scorebars.kernels.distinct import distinct
from scorebars.notes import note
from scorebars.outputs import numbers
from scorebars.problem import Setting, effect_problem, score_problem, without_pairing
from scorebars.resample.design import shared_attempts
from scorebars.results import Comparison
from scorebars.results.disagreements import Disagreements
from scorebars.results.later import Later
from scorebars.scores import Scores

MOST_NAMED: Final = 6
"""Models that an error proposes."""
_ANOTHER: Final = "give the table of the other one too: compare(scores, other)"

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scorebars.contracts import Effect, Estimator, Interval, SignificanceTest
    from scorebars.notes import Note
    from scorebars.resample import Resample
    from scorebars.results import Answer
    from scorebars.sample import Cut, Cuts, Sample


@own_words
def compare(  # noqa: PLR0913 the verb: every choice of a comparison is one keyword
    scores: Scores,
    a: Scores | str | None = None,
    b: str | None = None,
    *,
    labels: tuple[str, str] | None = None,
    effect: Effect | None = None,
    estimator: Estimator | None = None,
    resample: Resample | None = None,
    interval: Interval | None = None,
    test: SignificanceTest | None = None,
    level: float = notes.DEFAULT_LEVEL,
    side: Side = Side.TWO,
    rng: Any = None,
) -> Comparison:
    """The effect of A against B with an interval: paired on the items both have, unrelated where they share none.

    ``compare(scores, "A", "B")`` compares two models of one table, ``compare(scores)`` the only two,
    ``compare(scores_a, scores_b)`` two tables of one model each.

    Args:
        scores: the score table, or side A.
        a: model A, or side B as a table of its own.
        b: model B.
        labels: names of the two sides where both tables hold the same model; "(A)" and "(B)" behind it by default.
        effect: what is reported; the difference A − B by default.
        estimator: what is compared; the mean by default.
        resample: the levels that are redrawn; by default as for ``estimate``, for side A's shared items.
        interval: how the interval is made; ``Auto()`` by default.
        test: where the p-value comes from; the interval's own family by default, which agrees with the interval.
        level: confidence level, strictly between 0 and 1.
        side: two bounds, or a lower or an upper one alone.
        rng: anything ``numpy.random.default_rng`` takes; only Monte Carlo answers use it.

    Returns:
        The comparison; its first line is the verdict in words.

    Raises:
        ArgumentError: a level outside (0, 1); a model that the table does not have; one model and one side.
        ScoresError: the table needs a choice (several metrics), a side has nothing to compare, or rows without ids of
            items are not equally many.
        MethodError: the estimator, the levels, the interval method or the test cannot serve the pair.

    Example:
        >>> import scorebars as sb
        >>> scores = sb.Scores.from_arrays({"A": [1, 0, 1, 1], "B": [1, 0, 0, 1]}, axes=("item",))
        >>> sb.compare(scores, "A", "B").answer.value
        0.25
    """
    scores = checked_scores(scores)
    way = Way.of(effect, estimator, resample, test, Asked(checked("interval", interval, Auto), level, side), rng)
    scores, left_out = (scores, ()) if isinstance(a, Scores) else with_scores(scores, (a, b))
    table, name_a, name_b = _sides(scores, a, b, labels, every_metric=way.estimator.columns != ("score",))
    if len(table.variants) > 1 and len(table.models) > 2:
        table.select(model=(name_a, name_b)).cuts(columns=way.estimator.columns)  # proposes what both of them have
    try:
        cuts = _noted(table, way.estimator.columns, (name_a, name_b))
    except ScorelessModelError as error:
        raise error.instead(_other_sides(error.left, (name_a, name_b))) from None
    cut_a, cut_b = (cut_of(cuts, name, table.variants) for name in (name_a, name_b))
    for cut in (cut_a, cut_b):
        way.estimator.check(cut.sample, item_namer(cuts))
    refuse_misplaced(table, cuts.notes, cuts, [(cut_a, cut_b)])
    result = compared(cuts, cut_a, cut_b, way)
    same = _same_model(scores, a, b)
    said = left_out if same is None else (*left_out, note("same-model", name=same))
    if said:
        result = replace(result, answer=with_notes(result.answer, said))
    way.seeded.settle()
    return replace(result, answer=with_origin(result.answer, scores))


def with_scores(scores: Scores, named: Sequence[str | None] = ()) -> tuple[Scores, tuple[Note, ...]]:
    """The table without models none of whose attempts has a score, but for those that are named, and the note on them.

    Only where three models or more leave two: else such a model is refused with what is wrong with it.
    """
    if len(scores.models) < 3:
        return scores, ()
    try:
        found = {name: how for name, how in scores.scoreless().items() if name not in named}
    except ScoresError:  # something is to be chosen first, which is asked for later
        return scores, ()
    kept = [name for name in scores.models if name not in found]
    if not found or len(kept) < 2:
        return scores, ()
    listed = ", ".join(f"'{name}' ({how})" for name, how in found.items())
    said = note("models-left-out", names=listed)
    return scores.select(model=kept), (said if scores.parts else replace(said, message=in_python(said.message)),)


def _other_sides(scored: Sequence[str], sides: tuple[str, str]) -> list[str]:
    """What else can be compared where a side has no score: the other one with another model, or two others."""
    kept = [name for name in sides if name in scored]
    others = [f"'{name}'" for name in scored if name not in sides]
    if kept:
        return [f"compare '{kept[0]}' with {either(others[:MOST_NAMED])}"] if others else []
    return [f"compare two of those with scores, such as {others[0]} and {others[1]}"] if len(others) > 1 else []


def _noted(table: Scores, columns: tuple[str, ...], sides: tuple[str, str]) -> Cuts:
    """The samples of all models, with what there is to say of the two that are compared and of no other."""
    cuts = ids_noted(table.cuts(columns=columns), table)
    if not cuts.notes or len(cuts.cuts) <= 2:
        return cuts
    return replace(cuts, notes=ids_noted(table.cuts(columns=columns, models=sides), table).notes)


@dataclass(frozen=True, slots=True)
class Way:
    """How two sides are compared: every choice of the verb but the sides."""

    effect: Effect
    estimator: Estimator
    resample: Resample | None
    test: SignificanceTest | None
    asked: Asked
    seeded: Seeded

    @classmethod
    def of(
        cls,
        effect: Effect | None,
        estimator: Estimator | None,
        resample: Resample | None,
        test: SignificanceTest | None,
        asked: Asked,
        rng: Any,
    ) -> Way:
        """The choices, checked, with defaults in the place of None."""
        return cls(
            checked("effect", effect, Difference),
            checked("estimator", estimator, Mean),
            checked("resample", resample),
            checked("test", test),
            asked,
            Seeded(rng),
        )

    def setting(self, levels: tuple[str, ...]) -> Setting:
        """What is estimated where these levels are redrawn."""
        paired_runs = self.resample is not None and self.resample.paired
        return Setting(self.estimator, levels, self.seeded.fresh, paired_runs=paired_runs)


def compared(cuts: Cuts, cut_a: Cut, cut_b: Cut, way: Way) -> Comparison:
    """The comparison of two cuts of one table that the estimator serves."""
    draws = way.seeded.draws
    levels = levels_for(_shared(cut_a.sample, cut_b.sample), way.resample)
    setting = way.setting(levels)
    problem = effect_problem(cut_a.sample, cut_b.sample, way.effect, setting)
    found = answer(problem, way.asked, way.seeded, (cut_a, cut_b))
    if setting.paired_runs:
        found = _without_lone_runs(found, problem, (cut_a, cut_b))
    result = _comparison(problem, found, cuts, (cut_a, cut_b), way.asked, way.effect)
    if way.test is None:
        return result
    result = replace(result, p_value=_tested(problem, found, way.test), test=way.test.name)
    return result if way.seeded.draws == draws else replace(result, answer=replace(result.answer, idle_seed=None))


def _sides(
    scores: Scores, a: Scores | str | None, b: str | None, labels: tuple[str, str] | None, *, every_metric: bool
) -> tuple[Scores, str, str]:
    """One table and the names of the two models in it."""
    if isinstance(a, Scores):
        return _two_tables(scores, a, labels, every_metric=every_metric)
    models = scores.models
    if a is None and b is None:
        if len(models) != 2:
            raise ArgumentError(_not_two(models))
        return scores, models[0], models[1]
    if a is None or b is None:
        raise ArgumentError("a comparison needs two sides; name both models: compare(scores, 'A', 'B')")
    for name in (a, b):
        if name not in models:
            raise ArgumentError(f"no model is called '{name}'{near_miss(name, models)}")
    return scores, a, b


def _not_two(models: tuple[str, ...]) -> str:
    """What is said of a table with fewer or more models than two none of which was named."""
    listed = ", ".join(f"'{name}'" for name in models[:12])
    remedy = f"name the two, as in compare(scores, {models[0]!r}, {models[1]!r})" if len(models) > 1 else _ANOTHER
    return f"a comparison needs two models, and the table has {len(models)} ({listed}); {remedy}"


def _same_model(scores: Scores, a: Scores | str | None, b: str | None) -> str | None:
    """The name of the model that is on both sides; None if there are two."""
    if isinstance(a, Scores):
        return scores.models[0] if scores.models == a.models else None
    return a if a is not None and a == b else None


def _two_tables(
    scores_a: Scores, scores_b: Scores, labels: tuple[str, str] | None, *, every_metric: bool
) -> tuple[Scores, str, str]:
    for letter, side in (("A", scores_a), ("B", scores_b)):
        if len(side.models) != 1:
            raise ArgumentError(
                f"side {letter} must hold one model, and holds {len(side.models)}; "
                "choose one with .select(model=…), or compare two models of one table"
            )
    a, b = scores_a.models[0], scores_b.models[0]
    if a == b:
        a, b = (f"{a} (A)", f"{b} (B)") if labels is None else labels
    return Scores.concat(scores_a, scores_b, (a, b), every_metric=every_metric), a, b


def cut_of(cuts: Cuts, model: str, variants: Sequence[str] = ()) -> Cut:
    """The cut of a model; an error where none of its attempts has a score."""
    for cut in cuts.cuts:
        if cut.sample.model == model:
            return cut
    others = list(dict.fromkeys(cut.sample.model for cut in cuts.cuts))
    if len(variants) == 1 and variants[0] and others:
        only = ", ".join(f"'{name}'" for name in others[:12])
        choice = typed("--variant", variants[0])
        raise ScoresError(
            f"'{model}' has no scored attempt of variant '{variants[0]}', and only those of a variant are compared; "
            f"that variant has scores of {only}: look at them with estimate {choice}"
        )
    raise ScoresError(f"'{model}' has no scored attempt left to compare")


def _shared(a: Sample, b: Sample) -> Sample:
    """Side A on the items that B has too; the whole of A where nothing is shared."""
    if np.array_equal(a.item, b.item):
        return a
    shared = np.isin(a.item, b.item)
    return a.take(shared) if shared.any() else a


def _comparison(
    problem: AnyProblem, found: Answer, cuts: Cuts, sides: tuple[Cut, Cut], asked: Asked, effect: Effect
) -> Comparison:
    a, b = (cut.sample for cut in sides)
    _refuse_other_tasks(a, b)
    value_a, value_b = _side_values(problem, sides)
    n_shared, only_a, only_b = _overlap(a, b)
    extra = _pairing_notes(problem, (a, b), (n_shared, only_a, only_b), item_namer(cuts))
    if only_a and only_b and not cuts.numbered:
        from scorebars.analysis.near_ids import near_items

        extra += near_items(cuts, a, b)
    extra += _tie_notes(effect, a, b)
    return Comparison(
        a=a.model,
        b=b.model,
        answer=with_notes(found, (*cuts.notes, *extra)),
        effect=effect.name,
        value_a=value_a,
        value_b=value_b,
        null=problem.null,
        reading=effect.reading,
        side_range=problem.estimator.value_range(a.range),
        **_decided(effect, found),
        paired=problem.is_paired,
        n_shared=n_shared,
        n_dropped=(only_a, only_b) if problem.is_paired else (0, 0),
        p_value=p_value_of(problem, found, asked),
        unpaired=Later(lambda: unpaired_width(problem, asked)),
        disagreements=_disagreements(problem, cuts),
    )


def _refuse_other_tasks(a: Sample, b: Sample) -> None:
    """A difference between scores of one benchmark and of another says nothing of the models."""
    of_a, of_b = ({each.task_labels[code] for code in distinct(each.task).tolist()} - {""} for each in (a, b))
    if of_a and of_b and not of_a & of_b:
        raise ScoresError(
            f"the two sides have no task in common ('{min(of_a)}' of {a.model}, '{min(of_b)}' of {b.model}), so their "
            "scores measure different things; if it is one task under two names, pool the tasks (--pool-tasks)"
        )


def _overlap(a: Sample, b: Sample) -> tuple[int, int, int]:
    """How many items both sides have, only A, only B."""
    if np.array_equal(a.item, b.item):
        return (a.n_attempts if a.is_plain else len(distinct(a.item))), 0, 0
    items_a, items_b = distinct(a.item), distinct(b.item)
    both = len(np.intersect1d(items_a, items_b, assume_unique=True))
    return both, len(items_a) - both, len(items_b) - both


def _without_lone_runs(found: Answer, problem: AnyProblem, sides: tuple[Cut, Cut]) -> Answer:
    """The answer that says how many attempts have no partner on the other side and do not count."""
    attempts = sum(cut.sample.n_attempts for cut in sides)
    kept = sum(sample.n_attempts for sample in problem.samples) * (2 // len(problem.samples))
    lone = attempts - kept
    return replace(found, dropped=(*found.dropped, ("run that only one side has", lone))) if lone else found


def _decided(effect: Effect, found: Answer) -> dict[str, Any]:
    """The conclusion that the effect's paper draws from a two-sided interval."""
    shown = found.shown
    if not isinstance(effect, Deciding) or np.isnan(shown.low) or not np.isfinite(shown.low + shown.high):
        return {}
    return {"decision": effect.decision(shown.low, shown.high).value, "decision_rule": effect.rule}


def p_value_of(problem: AnyProblem, found: Answer, asked: Asked) -> float:
    """From the interval's own family; NaN where there is no interval."""
    if not problem.design.levels or (np.isnan(found.shown.low) and np.isnan(found.shown.high)):
        return float("nan")
    return p_value(asked.interval, problem)


def _tested(problem: AnyProblem, found: Answer, test: SignificanceTest) -> float:
    """The p-value of the test that was asked for; NaN where there is no interval that it could stand beside."""
    reason = test.refuses(problem)
    if reason is not None:
        raise MethodError(f"{test.name}: {reason}")
    no_interval = np.isnan(found.shown.low) and np.isnan(found.shown.high)
    return float("nan") if no_interval else test.p_value(problem)


def _side_values(problem: AnyProblem, sides: tuple[Cut, Cut]) -> tuple[float, float]:
    """The point values of A and B; of the shared items, if paired on them."""
    if problem.sides is not None:
        return problem.sides[0].value, problem.sides[1].value
    setting = Setting(problem.estimator, (), problem.fresh_rng)
    # Pairs are attempts that both sides have.
    a, b = (score_problem(side, setting).value for side in shared_attempts(*(cut.sample for cut in sides)))
    return a, b


def with_notes(found: Answer, extra: tuple[Note, ...]) -> Answer:
    """The same answer with more notes before its own, each once."""
    gathered = {(n.code, n.message, n.model): n for n in (*extra, *found.notes)}
    return replace(found, notes=tuple(gathered.values()))


def _pairing_notes(
    problem: AnyProblem, sides: tuple[Sample, Sample], counts: tuple[int, int, int], name: Callable[[int], str]
) -> list[Note]:
    (a, b), (n_shared, only_a, only_b) = sides, counts
    found = []
    if not n_shared:
        told = [f"{numbers.count(n, 'item')} such as '{name(int(x.item[0]))}'" for n, x in ((only_a, a), (only_b, b))]
        found.append(note("nothing-shared", n_a=told[0], n_b=told[1]))
    elif only_a or only_b:
        found.append(note("dropped-unpaired", shared=n_shared, a=only_a, b=only_b, name_a=a.model, name_b=b.model))
    if not problem.is_paired:
        return found + _scale_notes(a, b)
    return found + said_of_pair((a, b), notes.FEW_DISCORDANT if problem.top == "run" else _differing(problem, a, b))


def said_of_pair(sides: tuple[Sample, Sample], differing: int) -> list[Note]:
    """What there is to say of two paired sides that differ on so many items; two that are all right agree anyway."""
    a, b = sides
    found = _scale_notes(a, b)
    if _identical(a, b) and any(np.ptp(column) > 0.0 for column in a.values.values()):
        found.append(note("identical-files", names=f"{a.model}, {b.model}"))
    if differing < notes.FEW_DISCORDANT:
        found.append(note("few-discordant", n=differing, limit=notes.FEW_DISCORDANT))
    return found


def _differing(problem: AnyProblem, a: Sample, b: Sample) -> int:
    """How many items differ between the sides; attempts, where pairs of them are compared."""
    if "score" not in a.values or len(a.values) > 1:
        left, right = shared_attempts(a, b)
        other = [left.values[name] != right.values[name] for name in a.values if left.n_attempts == right.n_attempts]
        return len(np.unique(left.item[np.any(other, axis=0)])) if other else notes.FEW_DISCORDANT
    if problem.sides is not None:
        return int(np.sum(np.abs(problem.design.blocks[0].values) > 0))
    left, right = shared_attempts(a, b)
    return int(np.sum(left.score != right.score))


def _tie_notes(effect: Effect, a: Sample, b: Sample) -> list[Note]:
    """Where pairs are ties that do not count half."""
    if not isinstance(effect, PairEffect):
        return []
    left, right = shared_attempts(a, b)
    ties = left.score[left.score == right.score]
    if not len(ties) or effect.pair_values(ties, ties)[0] == effect.null:
        return []
    return [note("ties", n=len(ties), total=left.n_attempts)]


def _scale_notes(a: Sample, b: Sample) -> list[Note]:
    """``mixed-scale`` where one side's scores are shares and the other's go far beyond 1."""
    if a.range is not None or "score" not in a.values:
        return []
    for small, large in ((a, b), (b, a)):
        top = float(np.max(large.score))
        if float(np.min(small.score)) >= 0.0 and float(np.max(small.score)) <= 1.0 and top >= 20.0:
            detail = (
                f"those of '{small.model}' lie within 0 and 1, those of '{large.model}' reach {top:g}: "
                "check that both sides are on one scale"
            )
            return [note("mixed-scale", detail=detail)]
    return []


def _identical(a: Sample, b: Sample) -> bool:
    same = np.array_equal(a.item, b.item)
    return same and all(np.array_equal(a.values[name], b.values[name]) for name in a.values)


def unpaired_width(problem: AnyProblem, asked: Asked) -> float:
    """Width of the same method's interval had nothing been shared; NaN where it cannot be made."""
    unpaired = without_pairing(problem) if problem.is_paired and problem.design.levels else None
    if unpaired is None or asked.interval.refuses(unpaired) is not None:
        return float("nan")
    bounds = asked.interval.bounds(unpaired, asked.level, asked.side)
    return bounds.high - bounds.low


def _disagreements(problem: AnyProblem, cuts: Cuts) -> Sequence[tuple[str, str, float, float]]:
    """Items on which the sides differ, in the order of the units."""
    if not problem.is_paired or problem.sides is None or problem.estimator.columns != ("score",):
        return ()
    a, b = (side.design.blocks[0] for side in problem.sides)
    return Disagreements(a.item, a.values, b.values, cuts.item_texts)
