"""What the symmetric intervals share: value ± deviate × standard error, and what becomes of a missing one."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from scorebars.contracts import Bounds, Side
from scorebars.intervals.all_equal import is_flat, with_instead
from scorebars.intervals.quantiles import t_deviate, t_tail
from scorebars.notes import FEW_CLUSTERS, FEW_DEGREES, FEW_ITEMS, FEW_UNBOUNDED, MIN_TASKS, note

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Units
    from scorebars.intervals.moments import Moments
    from scorebars.notes import Note

NOTHING = "nothing can be redrawn: one attempt a unit and too few tasks; collect items, runs or tasks"
NEEDS_UNITS = "the statistic is not a mean over the redrawn units"
NEEDS_COUNTS = "needs 0/1 scores of unrelated items in one stratum, one run each"
NEEDS_TABLE = "needs a paired difference of 0/1 scores in one stratum, one run each"


def symmetric(value: float, error: float, tails: tuple[float, float], degrees: float) -> tuple[float, float]:
    """Value ∓ t × standard error; infinite on a side that was not asked for."""
    low, high = (t_deviate(tail, degrees) * error if tail > 0.0 else math.inf for tail in tails)
    return value - low, value + high


def wald_bounds(problem: Problem, moments: Moments, method: str, level: float, side: Side, degrees: float) -> Bounds:
    """Symmetric bounds with everything that belongs beside them: one unit, all equal, passing the range."""
    error = moments.standard_error
    base = Bounds(math.nan, math.nan, method, (), None, error, degrees)
    if math.isnan(error):
        return replace(base, notes=(single_unit_note(problem),), degrees=None)
    if is_flat(moments.variance, problem.range, problem.value):
        low, high = symmetric(problem.value, 0.0, side.tails(level), math.inf)
        return with_instead(replace(base, low=low, high=high), problem, level, side)
    low, high = symmetric(problem.value, error, side.tails(level), degrees)
    return replace(base, low=low, high=high, notes=past_range(problem, method, low, high))


def wald_p_value(problem: Problem, moments: Moments | None, degrees: float) -> float:
    """Two-sided p of the null value by the same statistic; NaN without a variance."""
    if moments is None or math.isnan(moments.variance) or is_flat(moments.variance, problem.range, problem.value):
        return math.nan
    return min(1.0, 2.0 * t_tail(abs(problem.value - problem.null) / moments.standard_error, degrees))


def refused(method: str, reason: str) -> Bounds:
    """No interval, because the method cannot serve the problem."""
    return missing(method, note("nan-interval", detail=f"{method}: {reason}"))


def refusal(needs: str, problem: Problem, instead: str | None = None) -> str:
    """Why a method cannot serve the problem, and what can: ``instead``, or what suits problems of this kind."""
    return f"{needs}; use {instead or _instead(problem)}" if problem.top else NOTHING


def _instead(problem: Problem) -> str:
    if "run" in problem.levels and not problem.linear_in_runs:
        return "Percentile, or redraw items, clusters or tasks"
    if problem.is_difference and problem.is_paired and problem.units is not None:
        return "Auto or PairedT" if problem.table_2x2 is None else "Auto or Tango"
    if problem.is_difference and not problem.is_paired and problem.sides is not None:
        return "Auto or Mover"
    return "Auto"


def missing(method: str, *notes: Note) -> Bounds:
    """An interval that does not exist, and why."""
    return Bounds(math.nan, math.nan, method, notes)


def single_unit_note(problem: Problem) -> Note:
    """Why one unit alone has no interval."""
    top = problem.top
    if top == "cluster":
        return note("one-cluster", instead="redraw items instead (--resample item), which answers another question")
    if top == "run":
        return note("one-run")
    if top == "task":
        instead = "redraw items instead (--resample item), which answers another question"
        return note("one-unit", unit="task", level="tasks", instead=instead)
    return note("few-items", n=problem.n_items, limit=FEW_ITEMS, rule=FEW_UNBOUNDED)


def cluster_notes(units: Units, degrees: float) -> tuple[Note, ...]:
    """``few-clusters`` below 10 clusters or 6 degrees of freedom."""
    n = len(units.sums)
    if units.name != "cluster" or (n >= FEW_CLUSTERS and degrees >= FEW_DEGREES):
        return ()
    return (note("few-clusters", n=n, df=degrees, limit=FEW_CLUSTERS, of="", remedy=""),)


def past_range(problem: Problem, method: str, low: float, high: float) -> tuple[Note, ...]:
    """``past-range`` where a bound lies outside the range of the statistic."""
    limits = problem.range
    if limits is None or inside(low, high, limits) == (low, high):
        return ()
    return (note("past-range", method=method, low=f"{limits[0]:g}", high=f"{limits[1]:g}"),)


def inside(low: float, high: float, limits: tuple[float, float]) -> tuple[float, float]:
    """Both ends moved into ``limits``, save those at infinity, which were not asked for, and NaN."""
    below, above = limits
    low = low if math.isinf(low) or math.isnan(low) else min(max(low, below), above)
    high = high if math.isinf(high) or math.isnan(high) else min(max(high, below), above)
    return low, high


def within(bounds: Bounds, limits: tuple[float, float] | None) -> Bounds:
    """The same bounds, cut to the range of the statistic; an end that was not asked for stays infinite."""
    if limits is None:
        return bounds
    low, high = inside(bounds.low, bounds.high, limits)
    notes = tuple(each for each in bounds.notes if each.code != "past-range")
    return replace(bounds, low=low, high=high, notes=notes)


def unanswerable(problem: Problem) -> Note | None:
    """Why no method at all can answer: nothing, or a single unit, to redraw. None where one can."""
    if not problem.top:
        return note("nothing-to-redraw", limit=MIN_TASKS)
    if problem.top == "run" and problem.run_variance is not None and math.isnan(problem.run_variance[0]):
        return note("one-run")
    if problem.top == "item" and problem.range is not None:
        return None
    units = problem.units
    return None if units is None or len(units.sums) > 1 else single_unit_note(problem)
