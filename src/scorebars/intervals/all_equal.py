"""What to show where every unit scores the same, so that no spread is left to measure.

All n units equal c, score in [L, U]: [c − e(c − L), c + e(U − c)] with e = 1 − tail^(1/n). A population that puts more
than e of its mass elsewhere would have shown some of it with probability 1 − tail; that mass moves the mean by at most
e times the distance to the end of the range. For 0/1 scores this is the end of the Clopper-Pearson interval.

Where all but a few scores are equal, the few are all that a variance rests on, and 49 scores of .8 with one of .8001
would be ten thousand times as sure as 50 of .8. Such samples keep half the distances of the rule as the least that an
interval reaches (:func:`is_nearly_flat`).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

import numpy as np

from scorebars.contracts import Bounds, Side
from scorebars.intervals.moments import effective_units
from scorebars.notes import note

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Units
    from scorebars.notes import Note

_ROUNDING = 1e-15
"""Spread below this part of the scale is what rounding leaves of equal scores."""


def all_equal_bounds(value: float, limits: tuple[float, float], n: float, level: float, side: Side) -> Bounds:
    """The all-equal rule for ``n`` units of score ``value`` within ``limits``; ``n`` may be an effective number."""
    below, above = (_unseen(tail, n) for tail in side.tails(level))
    low = value - below * (value - limits[0]) if side is not Side.UPPER else -math.inf
    high = value + above * (limits[1] - value) if side is not Side.LOWER else math.inf
    return Bounds(low, high, f"all-equal rule on {n:.4g} {'unit' if n == 1.0 else 'units'}")


def _unseen(tail: float, n: float) -> float:
    """The largest mass that n draws all miss with probability ``tail``: 1 − tail^(1/n)."""
    return -math.expm1(math.log(tail) / n) if tail > 0.0 else 1.0


_NEARLY: Final[WeakKeyDictionary[Units, bool]] = WeakKeyDictionary()
"""The answer for units that live: a p-value asks an interval for its bounds at fifty levels, one call each, and what it
is asked with knows nothing of this rule."""


def is_nearly_flat(units: Units) -> bool:
    """Whether all items of one stratum but one, or but one in twenty, have the very same score, while some differ.

    Of runs redrawn in several items, whether all but so few have the score of most runs of their item, and of two.
    """
    known = _NEARLY.get(units)
    if known is None:
        known = _NEARLY[units] = _nearly_flat(units)
    return known


def _nearly_flat(units: Units) -> bool:
    n, n_strata = len(units.sums), len(units.weights)
    if units.name == "item" and n_strata == 1:
        counts = np.unique(units.sums / units.sizes, return_counts=True)[1]
        return 0 < n - int(counts.max()) <= max(1, n // 20)
    return units.name == "run" and n_strata > 1 and 0 < _differing_runs(units, max(1, n // 20)) <= max(1, n // 20)


def _differing_runs(units: Units, enough: int) -> int:
    """Runs without the score of most runs of their item, and of two; fewer only where they are more than ``enough``."""
    values, item = units.sums / units.sizes, units.stratum
    first = np.zeros(len(units.weights), dtype=np.int64)
    first[item[::-1]] = np.arange(len(item))[::-1]
    varies = np.bincount(item, values != values[first[item]], len(first)) > 0
    least = int(np.count_nonzero(varies))
    if least > enough:  # one at least in each item that varies: most tables need no sorting
        return least
    item, values = item[varies[item]], values[varies[item]]
    order = np.lexsort((values, item))
    item, values = item[order], values[order]
    starts = np.flatnonzero(np.r_[True, (np.diff(item) != 0) | (np.diff(values) != 0.0)]) if len(item) else item
    alike = np.zeros(len(first), dtype=np.int64)
    np.maximum.at(alike, item[starts], np.diff(np.r_[starts, len(values)]))
    return len(values) - int(alike[alike > 1].sum())


def is_flat(variance: float, limits: tuple[float, float] | None, value: float) -> bool:
    """Whether a variance is what rounding leaves of zero."""
    scale = limits[1] - limits[0] if limits is not None else max(abs(value), 1e-300)
    return variance <= (_ROUNDING * scale) ** 2


def flat_bounds(problem: Problem, level: float, side: Side) -> Bounds | None:
    """Bounds with a width for a problem whose units are all equal; None where nothing can be said (no range)."""
    if problem.top == "item" and problem.table_2x2 is not None:
        from scorebars.intervals.tango import Tango

        return Tango().bounds(problem, level, side)
    if problem.is_difference and not problem.is_paired and problem.sides is not None:
        from scorebars.intervals.mover import Mover

        return _if_any(Mover().bounds(problem, level, side))
    if problem.range is None:
        return None
    n = _flat_units(problem)
    bounds = all_equal_bounds(problem.value, problem.range, n, level, side)
    if problem.counts is not None and problem.top == "item":
        return replace(bounds, method="Clopper-Pearson")
    return bounds


def _if_any(bounds: Bounds) -> Bounds | None:
    return None if math.isnan(bounds.low) or math.isnan(bounds.high) else bounds


def _flat_units(problem: Problem) -> float:
    if problem.units is not None:
        return effective_units(problem.units)
    known = {"cluster": problem.n_clusters, "task": problem.n_tasks, "run": problem.runs[0]}
    return float(known.get(problem.top) or problem.n_items)


def with_instead(bounds: Bounds, problem: Problem, level: float, side: Side) -> Bounds:
    """Zero-width ``bounds`` with the note ``all-equal`` and what to show in their place."""
    shown = flat_bounds(problem, level, side)
    return replace(bounds, instead=shown, notes=(*bounds.notes, flat_note(problem, bounds.method, shown)))


def flat_note(problem: Problem, method: str, shown: Bounds | None) -> Note:
    """``all-equal`` with what is shown instead, or ``all-equal-no-range`` where nothing is."""
    n = len(problem.units.sums) if problem.units is not None else problem.n_items
    name = problem.units.name if problem.units is not None else problem.top
    units = f"{name} differences" if problem.is_difference else f"{name}s"
    value = f"{problem.value:.6g}"
    if shown is None:
        return note("all-equal-no-range", n=n, units=units, value=value)
    return note("all-equal", n=n, units=units, value=value, method=method, instead=f"the {shown.method} interval")
