"""From a problem and an interval method to an answer: bounds, what was redrawn, the notes that belong to it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from scorebars import notes
from scorebars.analysis.design_notes import PLURAL, design_notes
from scorebars.contracts import How, PairEffect, PartialEffect, PartialStatistic, Side
from scorebars.errors import ArgumentError, MethodError, UndefinedError
from scorebars.intervals import Auto
from scorebars.intervals.moments import moments_of
from scorebars.intervals.wald import missing
from scorebars.notes import note
from scorebars.outputs import numbers
from scorebars.problem import ScoreProblem
from scorebars.resample import Resample, default_levels, question
from scorebars.results import Answer, Bound, Counts
from scorebars.results.effect_words import is_percent

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Distribution, Interval
    from scorebars.notes import Note
    from scorebars.problem import StatisticProblem
    from scorebars.sample import Cut, Sample

AnyProblem: TypeAlias = "ScoreProblem | StatisticProblem"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a verb was asked for, apart from the scores."""

    interval: Interval
    level: float
    side: Side

    def __post_init__(self) -> None:
        if not 0.0 < self.level < 1.0:
            percent = f"; did you mean {self.level / 100:g}?" if 50.0 <= self.level < 100.0 else ""
            raise ArgumentError(f"level = {self.level:g}: must lie strictly between 0 and 1, such as 0.95{percent}")


class Seeded:
    """A Generator whose first state every model starts from; afterwards the caller's own has moved on once.

    The library's own one is made when something is drawn: most answers draw nothing.
    """

    def __init__(self, rng: Any) -> None:
        self.words = _seed_words(rng)
        self.given = rng is not None
        self.draws = 0
        """How often a Generator was asked for."""
        self._own = None if rng is None else np.random.default_rng(rng)
        self._first = deepcopy(self._own)
        self._last: np.random.Generator | None = None

    def fresh(self) -> np.random.Generator:
        """A Generator in the first state."""
        if self._first is None:
            self._first = np.random.default_rng(notes.DEFAULT_SEED)
        self.draws += 1
        self._last = deepcopy(self._first)
        return self._last

    def settle(self) -> None:
        """Move the caller's Generator to where the last draw ended, so that a second call draws anew."""
        if self._own is not None and self._last is not None:
            self._own.bit_generator.state = self._last.bit_generator.state


def _seed_words(rng: Any) -> str:
    if rng is None:
        return f"seed {notes.DEFAULT_SEED} (the default)"
    if isinstance(rng, int | np.integer):
        return f"seed {rng}"
    return f"the given {type(rng).__name__}"


def levels_for(sample: Sample, resample: Resample | None) -> tuple[str, ...]:
    """The levels to redraw: those asked for, or the default for the sample.

    Raises:
        MethodError: clusters asked for where there are none; levels that cross each other asked for together.
    """
    if resample is None:
        return default_levels(sample)
    if "cluster" in resample.levels and sample.cluster is None:
        raise MethodError(
            f"clusters cannot be redrawn: '{sample.model}' has none; name their column (--cluster COLUMN, cluster=…)"
        )
    crossing = [
        name
        for name, crosses in (("cluster", sample.cluster_crosses_tasks), ("run", sample.run_crosses_items))
        if crosses and name in resample.levels
    ]
    if crossing and len(resample.levels) > 1:
        raise MethodError(
            f"{PLURAL[crossing[0]]} that cross other levels cannot be redrawn together with "
            f"{', '.join(level for level in resample.levels if level != crossing[0])}; redraw '{crossing[0]}' alone"
        )
    return resample.levels


def answer(problem: AnyProblem, asked: Asked, seeded: Seeded, cuts: tuple[Cut, ...]) -> Answer:
    """Everything a result says about its number.

    Raises:
        MethodError: the interval method refuses the problem; the message says why and which can.
    """
    levels, draws = problem.design.levels, seeded.draws
    if levels:
        refusal = asked.interval.refuses(problem)
        if refusal is not None:
            raise MethodError(f"{asked.interval.name}: {refusal}")
    bounds = bounds_of(problem, asked)
    used = bounds.distribution
    gathered = [*_cut_notes(cuts), *bounds.notes, *_drawing_notes(problem, bounds, seeded)]
    told = {n.code for n in gathered}
    gathered += [n for n in design_notes(problem) if n.code not in told]
    gathered += [*_another_question(problem, bounds, asked), *_task_weights(problem, bounds)]
    return Answer(
        value=problem.value,
        low=bounds.low,
        high=bounds.high,
        level=asked.level,
        side=asked.side,
        standard_error=standard_error_of(problem, bounds),
        n_items=problem.n_items,
        n_runs=problem.runs,
        n_clusters=problem.n_clusters,
        n_tasks=problem.n_tasks,
        n_attempts=problem.n_attempts,
        estimator=problem.estimator.name,
        resample=levels,
        interval=bounds.method,
        distribution=How.NONE if used is None else used.how,
        step="" if used is None else used.step,
        n_boot=None if used is None else used.n_boot,
        error=float("nan") if used is None else used.error,
        question=question(levels, problem.subject, crossed_runs=problem.design.run_crosses_items),
        redrawn=redrawn(problem),
        instead=instead_of(bounds),
        notes=tuple({(n.code, n.message, n.model): n for n in gathered}.values()),
        dropped=dropped_of(cuts),
        score_range=problem.range,
        seed=seeded.words if _is_drawn(used) else None,
        idle_seed=seeded.words if seeded.given and seeded.draws == draws and not _is_drawn(used) else None,
        variance_split=problem.variance_split if isinstance(problem, ScoreProblem) else None,
        degrees=bounds.degrees,
        each=_each(problem),
        weights=_weights(cuts),
    )


def _is_drawn(used: Distribution | None) -> bool:
    return used is not None and used.how is How.MONTE_CARLO


def _weights(cuts: tuple[Cut, ...]) -> tuple[float, float] | None:
    """Smallest and largest weight of an item; None where all count the same."""
    found = [cut.sample.weight for cut in cuts if cut.sample.weight is not None]
    low, high = (float(min(map(np.min, found))), float(max(map(np.max, found)))) if found else (1.0, 1.0)
    return (low, high) if low < high else None


def _each(problem: AnyProblem) -> tuple[Counts, Counts] | None:
    """What A and B rest on, where they are unrelated samples."""
    if len(problem.design.blocks) == 1:
        return None
    a, b = map(Counts, problem.n_items_each, problem.n_clusters_each)
    return a, b


def bounds_of(problem: AnyProblem, asked: Asked) -> Bounds:
    """The bounds; NaN with the reason where the number does not exist, for the data or for some resample."""
    name = _partial(problem)
    if not name or isinstance(problem, ScoreProblem):
        return asked.interval.bounds(problem, asked.level, asked.side)
    if problem.why_undefined:
        return missing("", note("undefined", effect=name, detail=problem.why_undefined))
    try:
        return asked.interval.bounds(problem, asked.level, asked.side)
    except UndefinedError as error:
        return missing(asked.interval.name, note("undefined", effect=name, detail=str(error)))


def _partial(problem: AnyProblem) -> str:
    """The name of an effect or an estimator that some data do not have; '' of those that always have a value."""
    if isinstance(problem.effect, PartialEffect):
        return problem.effect.name
    return f"ratio {problem.estimator.name}" if isinstance(problem.estimator, PartialStatistic) else ""


def instead_of(bounds: Bounds) -> Bound | None:
    """The interval that is shown in the place of one without width."""
    shown = bounds.instead
    return None if shown is None else Bound(shown.low, shown.high, shown.method)


def _cut_notes(cuts: tuple[Cut, ...]) -> list[Note]:
    return [one for cut in cuts for one in cut.notes]


def dropped_of(cuts: tuple[Cut, ...]) -> tuple[tuple[str, int], ...]:
    """(why, how many attempts) that none of the samples has."""
    total: dict[str, int] = {}
    for cut in cuts:
        for why, n in cut.dropped:
            total[why] = total.get(why, 0) + n
    return tuple(total.items())


def standard_error_of(problem: AnyProblem, bounds: Bounds) -> float:
    """That of the interval used, else the unit-level one."""
    if bounds.standard_error is not None:
        return bounds.standard_error
    if problem.top == "run" and problem.run_variance is not None:
        return float(np.sqrt(problem.run_variance[0]))
    moments = moments_of(problem)
    return float("nan") if moments is None else moments.standard_error


def redrawn(problem: AnyProblem) -> str:
    """What was redrawn, in words: '75 items within 3 tasks', '150 and 200 items' of two unrelated samples."""
    levels = problem.design.levels
    if not levels:
        return "nothing"
    clusters = [n or 0 for n in problem.n_clusters_each]
    counts = {"task": [problem.n_tasks], "cluster": clusters, "item": problem.n_items_each}
    parts = [_counted(level, counts.get(level), problem) for level in levels]
    within = f" within {problem.n_tasks} tasks" if problem.n_tasks > 1 and "task" not in levels else ""
    once = problem.is_paired and (
        levels[0] != "run" or problem.effect is None or isinstance(problem.effect, PairEffect)
    )
    shared = ", drawn once for both sides" if once else ""
    return " and ".join(parts) + within + shared


def _counted(level: str, counts: list[int] | None, problem: AnyProblem) -> str:
    if counts is not None:
        return numbers.counts(counts, level)
    low, high = problem.runs
    number = f"{low}" if low == high else f"{low} to {high}"
    if problem.design.run_crosses_items:
        return f"{number} whole runs"
    return f"{number} runs of each of {numbers.counts(problem.n_items_each, 'item')}"


def _another_question(problem: AnyProblem, bounds: Bounds, asked: Asked) -> list[Note]:
    """Where a single unit leaves no interval: what redrawing items gives, named as another question."""
    if problem.top in {"", "item"} or not np.isnan(bounds.low) or problem.n_items < 2 or not problem.is_mean:
        return []
    items = problem.redrawing(("item",))
    found = Auto().bounds(items, asked.level, asked.side)
    if np.isnan(found.low):
        return []
    shown = _scale(problem, found).interval(found.low, found.high)
    return [note("another-question", interval=shown, question=question(("item",)))]


def _task_weights(problem: AnyProblem, bounds: Bounds) -> list[Note]:
    """``task-weights`` where the mean over items lies outside the interval of the mean over tasks."""
    if problem.n_tasks < 2 or not isinstance(problem, ScoreProblem) or not problem.is_mean:
        return []
    if problem.effect is not None and not problem.is_difference:
        return []
    shown = bounds.instead or bounds
    over_items = sum(float(np.average(block.values, weights=block.weight)) for block in problem.design.blocks)
    if not (over_items < shown.low or over_items > shown.high):
        return []
    sizes = np.bincount(problem.design.blocks[0].task)
    scale = _scale(problem, bounds)
    return [
        note("task-weights", low=int(sizes.min()), high=int(sizes.max()), over_items=scale.number(over_items),
             unit=f" {scale.unit}" if scale.unit else "", value=over_items),
    ]  # fmt: skip


def _drawing_notes(problem: AnyProblem, bounds: Bounds, seeded: Seeded) -> list[Note]:
    used = bounds.distribution
    if used is None or not _is_drawn(used):
        return []
    error = _scale(problem, bounds).small(used.error)
    return [note("monte-carlo", n_boot=f"{used.n_boot:,}", seed=seeded.words, error=error)]


def _scale(problem: AnyProblem, bounds: Bounds) -> numbers.Scale:
    """How numbers are written in the notes of a row: percent where its table is in percent."""
    reading = None if problem.effect is None else problem.effect.reading
    percent = numbers.is_fraction(problem.range) if reading is None else is_percent(reading, problem.range)
    return numbers.choose_scale([bounds.high - bounds.low], percent=percent)
