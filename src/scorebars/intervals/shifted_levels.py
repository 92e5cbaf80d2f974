"""What BC and BCa share: the bootstrap distribution read at shifted levels (Davison and Hinkley 1997, eq. 5.20).

The level of a deviate z becomes Φ(z₀ + w/(1 − a·w)) with w = z₀ + z and z₀ = Φ⁻¹(P(T* < t) + ½ P(T* = t)). As printed
in most books z₀ counts P(T* < t) alone; at ties, which every score table has, that is off by half of what falls on the
estimate ([.25, .65] for 10 of 20, against [.30, .70]).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scorebars.intervals.bootstrap_law import is_flat, nothing_redrawn, read_bounds
from scorebars.intervals.quantiles import normal_deviate, normal_tail
from scorebars.intervals.wald import missing
from scorebars.notes import note

if TYPE_CHECKING:
    from scorebars.contracts import Bounds, Distribution, Problem, Side


def bias_deviate(law: Distribution, value: float) -> float:
    """z₀ of the estimate in its bootstrap distribution; infinite where it lies outside of it."""
    # Drawn means that equal the estimate differ from it by the rounding of their sums.
    tie = 1e-9 * law.std
    below, upto = law.below(value - tie), law.cdf(value + tie)
    share = below + (upto - below) / 2.0
    if share <= 0.0 or share >= 1.0:
        return math.copysign(math.inf, share - 0.5)
    return -normal_deviate(share)


def shifted_bounds(problem: Problem, n_boot: int | None, asked: tuple[float, Side], name: str, a: float) -> Bounds:
    """Bounds at the shifted levels for acceleration ``a``."""
    if not problem.top:
        return nothing_redrawn(name)
    law = problem.distribution(n_boot)
    z0 = bias_deviate(law, problem.value)
    if math.isinf(z0) and not is_flat(law):
        detail = f"{name}: the estimate lies outside its own bootstrap distribution, so its bias cannot be corrected"
        return missing(name, note("nan-interval", detail=detail))

    def ends(below: float, above: float) -> tuple[float, float]:
        if math.isinf(z0):
            return law.quantile(0.5), law.quantile(0.5, upper=True)
        low = normal_tail(-_shifted(-normal_deviate(below), z0, a))
        # From the other side by its own tail, so that A−B mirrors B−A to the last bit.
        high = normal_tail(_shifted(normal_deviate(above), z0, a))
        return law.quantile(low), law.quantile(1.0 - high, upper=True)

    return read_bounds(problem, law, name, asked, ends)


def _shifted(z: float, z0: float, a: float) -> float:
    """z₀ + w/(1 − a·w), w = z₀ + z; beyond its pole, which only extreme levels reach, the limit there."""
    w = z0 + z
    return z0 + w / (1.0 - a * w) if a * w < 1.0 else math.copysign(math.inf, w)


def _unshifted(z: float, z0: float, a: float) -> float:
    """The deviate that is shifted to z."""
    u = z - z0
    return u / (1.0 + a * u) - z0 if a * u > -1.0 else math.copysign(math.inf, u)


def shifted_p_value(problem: Problem, n_boot: int | None, a: float) -> float:
    """Twice the smaller of the tails at which the lower and the upper bound reach the null value."""
    law = problem.distribution(n_boot) if problem.top else None
    if law is None or is_flat(law):
        return math.nan
    z0 = bias_deviate(law, problem.value)
    if math.isinf(z0):
        return math.nan
    upto, left = law.cdf(problem.null), 1.0 - law.below(problem.null)
    # A law all on one side of the null value leaves nothing to invert: the tails are 0 and 1.
    below = normal_tail(-_unshifted(-normal_deviate(upto), z0, a)) if 0.0 < upto < 1.0 else upto
    above = normal_tail(_unshifted(normal_deviate(left), z0, a)) if 0.0 < left < 1.0 else left
    return min(1.0, 2.0 * min(below, above))
