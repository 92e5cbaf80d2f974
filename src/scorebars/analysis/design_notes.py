"""Notes that follow from the data and from what is redrawn, whatever the interval method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars import notes
from scorebars.analysis.swapped import FEWEST_RUNS, swapped_share
from scorebars.contracts import ItemMean, Statistic
from scorebars.notes import note
from scorebars.problem.units import run_variances
from scorebars.resample.strata import lonely_tasks

if TYPE_CHECKING:
    from scorebars.notes import Note
    from scorebars.problem import ScoreProblem, StatisticProblem
    from scorebars.resample.design import Block, Runs
    from scorebars.sample import FloatArray

PLURAL: Final = {"task": "tasks", "cluster": "clusters", "item": "items", "run": "runs"}
CROSSED_ITEMS: Final = 10
"""Items from which on runs of the same name are looked at."""
SWAPPED_CELLS: Final = 200_000
"""Larger tables are left to ``doctor``, for the sake of time."""
CROSSED_P: Final = 1e-4
"""Below this p-value of the two-way F test, runs of the same name are taken to have something in common."""


def design_notes(problem: ScoreProblem | StatisticProblem) -> list[Note]:
    """What there is to say about the units of a problem."""
    levels, found = problem.design.levels, []
    low, high = problem.runs
    if not levels:
        found.append(note("nothing-to-redraw", limit=notes.MIN_TASKS))
    if levels and problem.n_clusters is not None and levels[0] == "item":
        found.append(note("clusters-ignored"))
    is_mean = isinstance(problem.estimator, ItemMean)
    if low != high and is_mean and problem.linear_in_runs and not problem.design.run_crosses_items:
        found.append(note("unequal-runs", low=low, high=high))
    if low != high and isinstance(problem.estimator, Statistic) and not _is_median_of_tasks(problem):
        found.append(note("pooled-attempts", low=low, high=high, estimator=problem.estimator.name))
    found += _swapped_note(problem) or _crossed_note(problem)
    if "run" in levels:
        found += _run_notes(problem)
    elif high == 1 and levels == ("task",) and problem.n_items == problem.n_tasks:
        found.append(note("one-run"))
    if not problem.linear_in_runs and high == 1:
        found.append(note("pass-k-needs-runs"))
    if low > 1 and any(_identical_runs(block, side) for block in problem.design.blocks for side in block.sides):
        found.append(note("identical-runs"))
    if problem.is_mean and (names := lonely_tasks(problem.design)):
        found.append(_collapsed(names))
    return found


def _swapped_note(problem: ScoreProblem | StatisticProblem) -> list[Note]:
    """``swapped-axes`` where runs, which are all that there is to redraw below tasks, behave as tasks."""
    high = problem.runs[1]
    if high < FEWEST_RUNS or ("run" not in problem.design.levels and problem.n_items > problem.n_tasks):
        return []
    for block in problem.design.blocks:
        for side in block.sides:
            scores = _rectangle(side)
            if scores is not None and scores.size <= SWAPPED_CELLS and (share := swapped_share(scores)):
                unit = "task" if problem.n_items == problem.n_tasks else "item"
                n, k = scores.shape
                return [note("swapped-axes", share=f"{100 * share:.0f} %", runs=k, units=f"{n:,} {unit}s", unit=unit)]
    return []


def _collapsed(names: tuple[str, ...]) -> Note:
    if len(names) == 1:
        return note("lone-item", task=names[0])
    listed = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return note("collapsed-strata", n=len(names), names=listed)


def _is_median_of_tasks(problem: ScoreProblem | StatisticProblem) -> bool:
    if problem.is_mean:
        return False
    from scorebars.estimators import Median

    return isinstance(problem.estimator, Median) and not problem.estimator.plain


def _run_notes(problem: ScoreProblem | StatisticProblem) -> list[Note]:
    found = []
    low, high = problem.runs
    if low <= notes.FEW_RUNS_MEDIAN and _is_median_of_tasks(problem):
        n = low if low == high else f"{low} to {high}"
        found.append(note("few-runs-median", n=n, limit=notes.FEW_RUNS_MEDIAN))
    if high <= notes.FEW_RUNS:
        found.append(note("few-runs", n=low if low == high else f"{low} to {high}", limit=notes.FEW_RUNS))
    if len(problem.design.levels) > 1 and problem.is_mean and problem.linear_in_runs:
        above = problem.design.levels[:-1]
        found.append(note("double-counted-runs", factor=2 - 1 / high, levels=" and ".join(PLURAL[x] for x in above)))
    if not problem.linear_in_runs:
        found.append(note("run-bias", estimator=problem.estimator.name, bias=problem.redrawing_bias))
    return found


def _crossed_note(problem: ScoreProblem | StatisticProblem) -> list[Note]:
    """``crossed-runs`` where runs of the same name move together over all items, which no redrawing of items sees."""
    below_tasks = set(problem.design.levels) - {"task"}
    if problem.design.run_crosses_items or problem.runs[1] < 2 or not below_tasks:
        return []
    crossed = (n for block in problem.design.blocks for side in block.sides if (n := crossed_runs(block, side)))
    n = next(crossed, 0)
    return [note("crossed-runs", n=n)] if n else []


def _identical_runs(block: Block, side: Runs) -> bool:
    """Whether the runs of every item agree although items differ."""
    same = bool(np.all(run_variances(side.scores, side.start, side.count) == 0.0))
    return same and block.n_items > 1 and float(np.ptp(side.values)) > 0.0


def crossed_runs(block: Block, side: Runs) -> int:
    """Number of runs, if every item has the same ones and they differ by more than chance; else 0.

    Runs of one training seed move together over all items; a two-way analysis of variance without interaction sees it.
    """
    scores = _rectangle(side) if block.n_items >= CROSSED_ITEMS else None
    return scores.shape[1] if scores is not None and crossed(scores) < CROSSED_P else 0


def crossed(scores: FloatArray) -> float:
    """P-value of no difference between runs, the columns of an array (n_items, n_runs), over all items."""
    n, k = scores.shape
    of_runs = scores.mean(axis=0) - scores.mean()
    rest = scores - scores.mean(axis=1)[:, None] - of_runs
    within = float((rest**2).sum()) / ((n - 1) * (k - 1))
    between = n * float((of_runs**2).sum()) / (k - 1)
    if not between > within * _least_f(k - 1) > 0.0:
        return 1.0
    from scipy.special import fdtrc

    return float(fdtrc(k - 1, (n - 1) * (k - 1), between / within))


def _least_f(df: int) -> float:
    """Nine tenths of the F below which no p-value is as small as CROSSED_P, so that SciPy need not be asked.

    The quantile of chi-square over its degrees of freedom, which that of F exceeds, by Wilson and Hilferty (1931).
    """
    part = 2.0 / (9.0 * df)
    return 0.9 * float(1.0 - part + 3.719 * part**0.5) ** 3  # 3.719: the normal quantile of 1 - CROSSED_P


def _rectangle(side: Runs) -> FloatArray | None:
    """Scores as items × runs, where all items have the same two or more runs; else None."""
    k = int(side.count[0])
    if k < 2 or np.any(side.count != k):
        return None
    rows = side.start[:, None] + np.arange(k)
    return side.scores[rows] if np.all(side.labels[rows] == side.labels[rows[0]]) else None
