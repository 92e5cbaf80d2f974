"""What share of runs, or of tasks, scores above each threshold? (Agarwal et al. 2021, section 4.2, Eq. 1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scorebars import notes
from scorebars.analysis.answer import Asked, Seeded, levels_for
from scorebars.contracts import Side
from scorebars.distribution import compute
from scorebars.errors import ArgumentError
from scorebars.estimators import Mean
from scorebars.intervals import Percentile
from scorebars.kernels.drawing import Counted, drawn_values
from scorebars.kernels.law import Total, atoms
from scorebars.kernels.poisson_binomial import tail_counts, window
from scorebars.kernels.sums import running
from scorebars.notes import note
from scorebars.problem import Setting, score_problem
from scorebars.resample import question
from scorebars.resample.counts import plan_of
from scorebars.resample.drawn import drawn_blocks, observed
from scorebars.resample.strata import lonely_tasks
from scorebars.results.profile import Profile, ProfilePoint, Profiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorebars.kernels.drawing import Attempts
    from scorebars.problem import ScoreProblem, StatisticProblem
    from scorebars.resample import Resample
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import Cut, FloatArray, IntArray, Sample
    from scorebars.scores import Scores

_MOST_COST: Final = 50_000_000
"""Numbers that the transform of all thresholds at once may take, about a second's work; more are done one by one."""
_ROUNDING: Final = 1e-12
"""A mean may exceed a threshold that it equals by this part of the scores."""


def performance_profile(
    scores: Scores,
    thresholds: Sequence[float],
    *,
    averages: bool = False,
    resample: Resample | None = None,
    level: float = notes.DEFAULT_LEVEL,
    n_boot: int = 2_000,
    rng: Any = None,
) -> Profiles:
    """The performance profile of every model: the share of runs that score above each threshold.

    The run-score profile is 1[score > τ] averaged over the runs of each item, the items of each task and the tasks: an
    unbiased estimate of the distribution of scores. The average-score profile is the share of tasks whose *mean* score
    exceeds τ: biased, and not a picture of any distribution of scores, because averaging comes first.

    Both are means at each threshold, so the pointwise percentile band is computed, without random draws: the
    Poisson-binomial distribution where runs of several tasks are redrawn. A pointwise band holds for one threshold; the
    simultaneous one, from joint draws of the whole profile, holds for all thresholds that were given. It is
    F ± c·SD at each threshold, c the level's quantile of the largest |F* − F| / SD over the thresholds, cut to [0, 1].
    Where no run or every run exceeds τ, both bands have no width: a bootstrap cannot see what no run has shown.

    Args:
        scores: the score table.
        thresholds: where to look, in the unit of the scores; at least one, each once.
        averages: the average-score profile instead of the run-score one.
        resample: the levels that are redrawn; by default as for ``estimate``.
        level: confidence level, strictly between 0 and 1.
        n_boot: joint resamples of the simultaneous band (2,000 in the paper); 0 leaves that band out.
        rng: anything ``numpy.random.default_rng`` takes; every model starts at the same state.

    Returns:
        One profile a model; ``to_dicts()`` has one row a model and threshold.

    Raises:
        ArgumentError: no threshold, one that is no number or comes twice; a level outside (0, 1).
        MethodError: units that cross tasks or items have no simultaneous band (``n_boot=0`` leaves it out).

    Example:
        >>> import scorebars as sb
        >>> scores = sb.Scores.from_arrays({"A": [[0.1, 0.9], [0.3, 0.4]]}, axes=("run", "task"))
        >>> [point.value for point in sb.performance_profile(scores, [0.2, 0.5])[0].points]
        [0.75, 0.25]
    """
    asked = Asked(Percentile(), level, Side.TWO)
    wanted = _checked(thresholds)
    if n_boot < 0:
        raise ArgumentError(f"n_boot = {n_boot}: a number of resamples, or 0 for no simultaneous band")
    seeded = Seeded(rng)
    cuts = scores.cuts()
    made = [_profile(cut, wanted, resample, asked, seeded, n_boot, averages=averages) for cut in cuts.cuts]
    seeded.settle()
    return Profiles(tuple(made), cuts.notes)


def _checked(thresholds: Sequence[float]) -> FloatArray:
    wanted = np.sort(np.asarray(thresholds, dtype=np.float64).ravel())
    if not len(wanted) or not np.isfinite(wanted).all():
        raise ArgumentError(f"thresholds = {list(thresholds)!r}: give one number or more, such as [0.25, 0.5, 1.0]")
    if len(np.unique(wanted)) < len(wanted):
        twice = wanted[:-1][np.diff(wanted) == 0.0][0]
        raise ArgumentError(f"the threshold {twice:g} comes twice; give each once")
    return wanted


@dataclass(frozen=True, slots=True)
class _Band:
    low: FloatArray
    high: FloatArray


def _profile(
    cut: Cut,
    thresholds: FloatArray,
    resample: Resample | None,
    asked: Asked,
    seeded: Seeded,
    n_boot: int,
    *,
    averages: bool,
) -> Profile:
    levels = levels_for(cut.sample, resample)
    problem = score_problem(cut.sample, Setting(Mean(), levels, seeded.fresh))
    [whole] = observed(problem.design)
    value = _shares(whole, thresholds, averages=averages)[0]
    missing = _Band(np.full(len(thresholds), np.nan), np.full(len(thresholds), np.nan))
    pointwise = simultaneous = missing
    if levels:
        pointwise = (_averages_band if averages else _runs_band)(problem, thresholds, asked)
        if n_boot:
            simultaneous = _simultaneous(problem, thresholds, value, asked, n_boot, averages=averages)
    columns = (thresholds, value, pointwise.low, pointwise.high, simultaneous.low, simultaneous.high)
    drawn = bool(levels and n_boot)
    nothing = () if levels else (note("nothing-to-redraw", limit=notes.MIN_TASKS),)
    return Profile(
        model=cut.sample.model,
        kind="average-score" if averages else "run-score",
        points=tuple(ProfilePoint(*map(float, row)) for row in zip(*columns, strict=True)),
        level=asked.level,
        question=question(levels, "the profile", crossed_runs=cut.sample.run_crosses_items),
        resample=levels,
        n_boot=n_boot if drawn else None,
        seed=seeded.words if drawn else None,
        notes=(*cut.notes, *nothing),
    )


def _runs_band(problem: ScoreProblem | StatisticProblem, thresholds: FloatArray, asked: Asked) -> _Band:
    """Percentile bounds of each share of runs, which is the mean of an indicator."""
    counted = _counted_band(problem, thresholds, asked)
    if counted is not None:
        return counted
    setting = Setting(Mean(), problem.design.levels, problem.fresh_rng)
    ends = []
    for threshold in thresholds:
        above = replace(problem.samples[0], values={"score": (problem.samples[0].score > threshold) * 1.0})
        ends.append(_ends(score_problem(above, setting).distribution(), asked))
    low, high = zip(*ends, strict=True)
    return _Band(np.array(low), np.array(high))


def _counted_band(problem: ScoreProblem | StatisticProblem, thresholds: FloatArray, asked: Asked) -> _Band | None:
    """The same where each drawn attempt adds as much as any other: all thresholds at once, by counts."""
    plan = plan_of(problem.design, kinds=False)
    if plan is None or lonely_tasks(problem.design):
        return None
    [side] = plan.sides
    sizes, n = plan.strata.size, len(side.unit)
    share = _even_share(side)
    cost = len(sizes) * len(thresholds) * window(n)
    if share is None or n != plan.strata.n_units or np.ptp(share) > _ROUNDING / n or cost > _MOST_COST:
        return None
    first = np.cumsum(sizes) - sizes
    above = side.values()[:, np.newaxis] > thresholds
    chances = np.add.reduceat(above.astype(np.int64), first, axis=0) / sizes[:, np.newaxis]
    below, beyond = asked.side.tails(asked.level)
    low, high = tail_counts(chances, plan.strata.draws, below, beyond)
    return _Band(low / n, high / n)


def _averages_band(problem: ScoreProblem | StatisticProblem, thresholds: FloatArray, asked: Asked) -> _Band:
    """Percentile bounds of each share of tasks: the sum of one 0/1 draw a task, above the threshold or not."""
    above = _chances(problem, thresholds)
    n_tasks = len(above)
    ends = []
    for chances in above.T:
        if "task" in problem.design.levels:
            # A drawn task is above with the mean chance, whichever it is, and the draws are independent.
            terms = [(_indicator(float(chances.mean()), n_tasks), n_tasks)]
        else:
            terms = [(_indicator(float(p), n_tasks), 1) for p in chances]
        ends.append(_ends(compute(Total(tuple(terms))), asked))
    low, high = zip(*ends, strict=True)
    return _Band(np.array(low), np.array(high))


def _indicator(chance: float, n_tasks: int) -> Any:
    return atoms([0.0, 1.0 / n_tasks], [1.0 - chance, chance])


def _chances(problem: ScoreProblem | StatisticProblem, thresholds: FloatArray) -> FloatArray:
    """P(redrawn mean of the task > τ) with what lies below the tasks redrawn, shape (n_tasks, n_thresholds)."""
    below = tuple(level for level in problem.design.levels if level != "task")
    sample = problem.samples[0]
    return np.stack(
        [_chances_of(sample.take(sample.task == t), below, problem, thresholds) for t in np.unique(sample.task)]
    )


def _chances_of(
    one: Sample, below: tuple[str, ...], problem: ScoreProblem | StatisticProblem, thresholds: FloatArray
) -> FloatArray:
    task = score_problem(one, Setting(Mean(), below, problem.fresh_rng))
    if not below:
        return np.where(task.value - _ROUNDING * abs(task.value) > thresholds, 1.0, 0.0)
    law = task.distribution()
    return np.clip([1.0 - law.cdf(float(threshold)) for threshold in thresholds], 0.0, 1.0)


def _ends(law: Any, asked: Asked) -> tuple[float, float]:
    below, above = asked.side.tails(asked.level)
    return law.quantile(below), law.quantile(1.0 - above, upper=True)


def _simultaneous(
    problem: ScoreProblem | StatisticProblem,
    thresholds: FloatArray,
    value: FloatArray,
    asked: Asked,
    n_boot: int,
    *,
    averages: bool,
) -> _Band:
    """F ± c·SD, c the level's quantile of the largest studentised deviation, from joint draws of the whole profile."""
    drawn = None if averages else _counted_shares(problem, thresholds, n_boot)
    if drawn is None:
        blocks = drawn_blocks(problem.design, n_boot, problem.fresh_rng())
        drawn = np.concatenate([_shares(side, thresholds, averages=averages) for [side] in blocks])
    spread = np.ascontiguousarray(drawn).std(axis=0)  # the order of addition follows the layout
    moving = spread > 1e-12
    deviations = np.abs(drawn[:, moving] - value[moving]) / spread[moving]
    width = spread * (np.quantile(deviations.max(axis=1), asked.level) if moving.any() else 0.0)
    return _Band(np.clip(value - width, 0.0, 1.0), np.clip(value + width, 0.0, 1.0))


def _counted_shares(problem: ScoreProblem | StatisticProblem, thresholds: FloatArray, n_boot: int) -> FloatArray | None:
    """Share above each threshold in each resample, from counts; None where tasks do not stay what they are."""
    plan = plan_of(problem.design)
    share = None if plan is None else _even_share(plan.sides[0])
    if plan is None or share is None:
        return None
    [side] = plan.sides
    order = np.argsort(-side.values(), kind="stable")
    unit, part = side.unit[order], share[order]
    stop = np.searchsorted(-side.values()[order], -thresholds[::-1], side="left")

    def of(counts: IntArray, fast: bool) -> FloatArray:
        return np.asarray(running(counts, unit, part, stop, fast=fast)[:, ::-1])

    return drawn_values(plan.drawing, n_boot, problem.fresh_rng(), Counted((running,), of))


def _even_share(side: Attempts) -> FloatArray | None:
    """What each attempt adds to the mean over tasks; None where the units of a task differ in size."""
    [size] = side.per_unit(side.share).T
    mine = np.unique(side.unit, return_index=True)
    task = side.task[mine[1]]
    size = size[mine[0]]
    per_task, units = np.bincount(task, size), np.bincount(task)
    if np.any(np.abs(size * units[task] - per_task[task]) > _ROUNDING * per_task[task]):
        return None
    # Of several kinds of units, counted together, there is one task.
    draws = per_task if side.draws in {None, len(size)} else per_task / units * (side.draws or 1)
    return np.asarray(side.share / draws[side.task] / side.n_tasks)


def _shares(drawn: Drawn, thresholds: FloatArray, *, averages: bool) -> FloatArray:
    """Share above each threshold in each resample, shape (n, n_thresholds); tasks weigh the same.

    Each score counts in the bin between two thresholds, and the bins above a threshold are summed.
    """
    if averages:
        means = drawn.task_means()
        means = means - _ROUNDING * np.max(np.abs(means))
        owner, scores = np.repeat(np.arange(drawn.n), drawn.n_tasks), means.ravel()
        weight = np.full(scores.size, 1.0 / drawn.n_tasks)
    else:
        items = drawn.items()
        cell = items.owner * drawn.n_tasks + items.task
        in_task = np.bincount(cell, items.weight)[cell] * drawn.n_tasks
        owner, scores = drawn.owner, drawn.score
        weight = np.repeat(items.weight / in_task / items.count, items.count)
    n_bins = len(thresholds) + 1
    place = owner * n_bins + np.searchsorted(thresholds, scores, side="left")
    bins = np.bincount(place, weight, drawn.n * n_bins).reshape(drawn.n, n_bins)
    return np.asarray(np.cumsum(bins[:, :0:-1], axis=1)[:, ::-1])
