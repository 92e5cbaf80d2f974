"""The 0/1 percentile interval from an array, computed, against 2,000 drawn resamples of ``scipy.stats.bootstrap``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from table import Row, median_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]

RESAMPLES = 2000
GOALS = {200: 100, 20_000: 1000, 2_000_000: 1000}
"""How many times faster than SciPy, for each n."""


def scores(n: int) -> Scores:
    """As many scores of 0 and 1, 62 % of them 1."""
    return (np.random.default_rng(n).random(n) < 0.62).astype(np.float64)


def ours(x: Scores) -> tuple[float, float]:
    """The computed bounds from the array: is it 0 and 1, how many are 1, two binomial quantiles."""
    from scorebars.distribution import binomial_mean

    ones = int(np.count_nonzero(x == 1.0))
    assert ones + np.count_nonzero(x == 0.0) == len(x)  # noqa: S101 - part of the work that is timed
    law = binomial_mean(ones, len(x))
    return law.quantile(0.025), law.quantile(0.975, upper=True)


def estimates(x: Scores) -> tuple[float, float]:
    """The same bounds by the verb, with everything that a result says beside them."""
    import scorebars as sb
    from scorebars.intervals import Percentile

    [estimate] = sb.estimate(sb.Scores.from_arrays({"A": x}, axes=("item",)), interval=Percentile())
    return estimate.low, estimate.high


def scipys(x: Scores) -> tuple[float, float]:
    """The drawn bounds."""
    import scipy.stats

    rng = np.random.default_rng(1)
    options = {"n_resamples": RESAMPLES, "batch": 200, "method": "percentile", "rng": rng}
    interval = scipy.stats.bootstrap((x,), np.mean, **options).confidence_interval
    return float(interval.low), float(interval.high)


def monte_carlo_errors(x: Scores, computed: tuple[float, float], drawn: tuple[float, float]) -> float:
    """The larger distance between the two tools' bounds, in standard errors of a drawn 2.5 % quantile.

    A drawn quantile has the standard error √(p(1 − p)/B) / f, with f the density of the mean's normal limit there; a
    lattice adds up to one step.
    """
    density = math.exp(-(1.959964**2) / 2) / math.sqrt(2 * math.pi) / (x.std() / math.sqrt(len(x)))
    error = math.sqrt(0.025 * 0.975 / RESAMPLES) / density + 1 / len(x)
    return max(abs(a - b) for a, b in zip(computed, drawn, strict=True)) / error


def rows(n: int) -> list[Row]:
    """Both on the same array, and the verb as a whole, of which nothing was promised."""
    x = scores(n)
    against = "`scipy.stats.bootstrap`, 2,000 resamples, batch 200"
    drawn: list[tuple[float, float]] = []  # kept from the timed calls: at n = 2,000,000 one takes a minute
    other = median_time(lambda: drawn.append(scipys(x)))
    mine = median_time(lambda: ours(x))
    whole = median_time(lambda: estimates(x))
    goal, apart = f"{GOALS[n]:,} × faster", monte_carlo_errors(x, ours(x), drawn[-1])
    remark = f"bounds {apart:.1f} Monte Carlo errors apart"
    return [
        Row(f"0/1 percentile interval, n = {n:,}", mine, against, other, goal, mine * GOALS[n] <= other, remark),
        Row(f"`sb.estimate` with it, n = {n:,}", whole, against, other, "", met=True),
    ]
