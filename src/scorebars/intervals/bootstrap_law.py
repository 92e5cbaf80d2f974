"""What the methods share that read an interval from a bootstrap distribution, computed or drawn."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from scorebars.contracts import Bounds, How
from scorebars.errors import ArgumentError
from scorebars.intervals.all_equal import with_instead
from scorebars.intervals.moments import moments_of
from scorebars.intervals.wald import missing, past_range, unanswerable
from scorebars.notes import MIN_TASKS, note

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts import Distribution, Problem, Side

MOST_RESAMPLES = 100_000_000
"""Their values take 800 MB."""
ALL_RUNS = (
    "pass@k and pass^k need all runs of an item, so fewer of them cannot be redrawn; "
    "redraw items, clusters or tasks, or use Percentile, which draws as many runs as there are"
)


def check_n_boot(n_boot: int | None) -> None:
    """Raise ArgumentError for a number of resamples below 1, or beyond what memory holds."""
    if n_boot is not None and n_boot > MOST_RESAMPLES:
        raise ArgumentError(f"n_boot={n_boot:,}: at most {MOST_RESAMPLES:,} resamples are drawn (None: computed)")
    if n_boot is not None and n_boot < 1:
        raise ArgumentError(f"n_boot={n_boot}: the number of resamples must be at least 1 (None: computed)")


def needs_all_runs(problem: Problem) -> bool:
    """Whether runs are redrawn under an estimator that means something else for another number of runs."""
    return problem.top == "run" and not problem.linear_in_runs


def nothing_redrawn(method: str) -> Bounds:
    """No interval, because there is nothing to redraw."""
    return missing(method, note("nothing-to-redraw", limit=MIN_TASKS))


def is_flat(law: Distribution) -> bool:
    """Whether the distribution is a single point, as it is where all units are equal."""
    if law.step == "fourier":
        return False  # the series of a single point does not end
    return law.quantile(1e-6) == law.quantile(1.0 - 1e-6, upper=True)


def read_bounds(
    problem: Problem,
    law: Distribution,
    name: str,
    asked: tuple[float, Side],
    ends: Callable[[float, float], tuple[float, float]],
) -> Bounds:
    """The bounds that ``ends`` reads at the two tails; infinite where none is asked for, ``instead`` where all is flat.

    Args:
        problem: what is estimated.
        law: its bootstrap distribution.
        name: of the method.
        asked: level and side.
        ends: from the tails below and above to the low and the high bound; it is called with tails above 0 only.
    """
    level, side = asked
    below, above = side.tails(level)
    low, high = ends(below or above, above or below)
    low, high = (low if below else -math.inf), (high if above else math.inf)
    notes = past_range(problem, name, low, high)
    bounds = Bounds(low, high, name, notes, distribution=law)
    return without_spread(bounds, problem, law, asked) if is_flat(law) else saying_no_width(bounds)


def without_spread(bounds: Bounds, problem: Problem, law: Distribution, asked: tuple[float, Side]) -> Bounds:
    """Bounds from a single point: all units equal, or else no interval and the reason."""
    stop = unanswerable(problem)
    if stop is not None:
        return missing(bounds.method, stop)
    if law.how is How.MONTE_CARLO and _differ(problem):
        detail = f"all {law.n_boot:,} resamples gave the same value although the units differ: draw more (--n-boot)"
        return missing(bounds.method, note("nan-interval", detail=detail))
    if problem.flat_without_reason:
        return saying_no_width(bounds)
    return with_instead(bounds, problem, *asked)


def _differ(problem: Problem) -> bool:
    """Whether the redrawn units are known not to be equal."""
    moments = moments_of(problem)
    return moments is not None and moments.variance > 0.0


def saying_no_width(bounds: Bounds) -> Bounds:
    """The same, with ``no-width`` where both bounds fall on one value of a distribution that has several."""
    if bounds.low != bounds.high:
        return bounds
    said = note("no-width", method=bounds.method, value=f"{bounds.low:.6g}")
    return replace(bounds, notes=(*bounds.notes, said))


def reflected(problem: Problem, x: float, scale: float = 1.0) -> float:
    """A quantile from the other side of the estimate, t − scale·(x − t); the null value where rounding misses it."""
    bound = problem.value - scale * (x - problem.value)
    tiny = 1e-13 * max(abs(problem.value), abs(x), abs(problem.null))
    return problem.null if abs(bound - problem.null) <= tiny else bound


def two_sided(law: Distribution, x: float) -> float:
    """Twice the smaller of P(T* ≤ x) and P(T* ≥ x), at most 1; NaN for a single point."""
    return math.nan if is_flat(law) else min(1.0, 2.0 * min(law.cdf(x), 1.0 - law.below(x)))
