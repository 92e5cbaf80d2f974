"""What the tests look at: the paired units, and what each contributes to the difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scorebars.contracts import Problem, Units
    from scorebars.sample import FloatArray

NEEDS_PAIRS = "needs a paired difference of two means over shared units; use the interval's own p-value"
NEEDS_ONE_STRATUM = "ranks and counts the units of one task; for several tasks use SignFlip"


def why_unpaired(problem: Problem, *, one_stratum: bool = False) -> str | None:
    """Why there are no paired units to test; None where there are."""
    if not (problem.is_difference and problem.is_paired) or problem.units is None:
        return NEEDS_PAIRS
    return NEEDS_ONE_STRATUM if one_stratum and len(problem.units.weights) > 1 else None


def contributions(units: Units) -> FloatArray:
    """What each unit adds to the difference, shape (n_units,); they sum to it.

    Exchanging the two sides of a unit changes its sign and nothing else.
    """
    size = np.bincount(units.stratum, units.sizes, len(units.weights))
    return np.asarray((units.weights / size)[units.stratum] * units.sums)


def unit_differences(units: Units) -> FloatArray:
    """The difference of each unit, in the unit of the scores; rounding around zero is zero."""
    found = units.sums / units.sizes
    return np.where(np.abs(found) <= 1e-12 * np.max(np.abs(found), initial=0.0), 0.0, found)
