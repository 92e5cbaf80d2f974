"""p-values of the interval's own family: p < α exactly when the interval at level 1 − α excludes the null value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scorebars.contracts import Side

if TYPE_CHECKING:
    from scorebars.contracts import Interval, Problem

_SMALLEST = 1e-12
"""Levels closer to 1 than this lose their tail to rounding; a smaller p-value is given as this."""


def p_value(method: Interval, problem: Problem) -> float:
    """Two-sided p-value of the null value, by the method's own interval; NaN where it has no interval."""
    own = getattr(method, "p_value", None)  # of a method that knows the test it inverts
    if own is not None:
        return float(own(problem))
    return inverted_p_value(method, problem)


def inverted_p_value(method: Interval, problem: Problem) -> float:
    """The smallest α at which the interval excludes the null value, by bisection on log α."""
    if not _has_interval(method, problem):
        return math.nan
    if _excludes(method, problem, _SMALLEST):
        return _SMALLEST
    low, high = math.log(_SMALLEST), 0.0
    for _ in range(50):
        middle = (low + high) / 2.0
        if _excludes(method, problem, math.exp(middle)):
            high = middle
        else:
            low = middle
    return math.exp(high) if high < 0.0 else 1.0


def _has_interval(method: Interval, problem: Problem) -> bool:
    bounds = method.bounds(problem, 0.5, Side.TWO)
    return not (math.isnan(bounds.low) or math.isnan(bounds.high))


def _excludes(method: Interval, problem: Problem, alpha: float) -> bool:
    bounds = method.bounds(problem, 1.0 - alpha, Side.TWO)
    shown = bounds.instead if bounds.instead is not None else bounds
    return shown.low > problem.null or shown.high < problem.null
