"""The textbook functions: arrays in, plain tuples of Python floats out.

Each returns what its one-shot NumPy formula returns (given in its docstring), from the same draws of the given
Generator, and leaves the Generator in the same state. The index stream is taken in consecutive blocks of resamples,
which NumPy's Generators guarantee to be the stream of one call, so memory is bounded by a block and not by
``n_boot × n``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.errors import ArgumentError
from scorebars.notes import DEFAULT_LEVEL
from scorebars.textbook.arguments import at_least_one, inside_01, numbers, pair, vector
from scorebars.textbook.draws import from_counts, from_tables, resampled_means
from scorebars.textbook.metrics import prepared

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from scorebars.textbook.draws import FloatArray, Seed
    from scorebars.textbook.metrics import ItemValues, OfResamples


def metric_summary(scores: ArrayLike) -> tuple[float, float, float]:
    """Mean, standard deviation and standard error of the mean of scores.

    The standard deviation has the divisor n − 1; the standard error is it over √n.

    Args:
        scores: n ≥ 2 numbers.

    Raises:
        ArgumentError: fewer than two scores, or something that is no number.

    Example:
        >>> metric_summary([1, 0, 1, 1])
        (0.75, 0.5, 0.25)
    """
    values = vector(scores, "scores")
    if len(values) < 2:
        raise ArgumentError(
            "scores has 1 value, and a standard deviation needs at least 2; give more scores, "
            "or use estimate, which knows intervals for one score of known range"
        )
    std = float(np.std(values, ddof=1))
    return float(np.mean(values)), std, std / math.sqrt(len(values))


def bootstrap_ci(
    correct: ArrayLike, rng: Seed, n_boot: int = 2000, level: float = DEFAULT_LEVEL
) -> tuple[float, float, float]:
    """Accuracy with its percentile bootstrap interval.

    The formula is ``idx = rng.integers(0, n, size=(n_boot, n))`` and ``np.quantile(correct[idx].mean(axis=1), …)``.

    Args:
        correct: n ≥ 1 scores, 1 (or True) for a right answer, 0 for a wrong one; other numbers are averaged as well.
        rng: anything that ``numpy.random.default_rng`` takes; a Generator's draws are used as written.
        n_boot: number of resamples.
        level: confidence level, between 0 and 1.

    Returns:
        (accuracy, low, high).

    Raises:
        ArgumentError: an argument outside its rule.

    Example:
        >>> accuracy, low, high = bootstrap_ci([1] * 124 + [0] * 76, np.random.default_rng(0))
        >>> accuracy
        0.62
    """
    values, level = vector(correct, "correct"), inside_01(level)
    (means,) = resampled_means((values,), rng, at_least_one(n_boot, "n_boot"))
    return float(np.mean(values)), *_percentile(means, level)


def paired_bootstrap(
    correct_a: ArrayLike, correct_b: ArrayLike, rng: Seed, n_boot: int = 2000, level: float = DEFAULT_LEVEL
) -> tuple[float, float, float]:
    """Accuracy of A minus accuracy of B on the same items, with its paired percentile bootstrap interval.

    One index array ``idx = rng.integers(0, n, size=(n_boot, n))`` serves both sides, so that an item is drawn for both
    or for neither.

    Args:
        correct_a: n ≥ 1 scores of A, in the order of the items.
        correct_b: n scores of B, in the same order.
        rng: anything that ``numpy.random.default_rng`` takes; a Generator's draws are used as written.
        n_boot: number of resamples.
        level: confidence level, between 0 and 1.

    Returns:
        (difference, low, high).

    Raises:
        ArgumentError: an argument outside its rule, or sides of unequal length.

    Example:
        >>> paired_bootstrap([1, 1, 0, 1], [1, 1, 0, 1], np.random.default_rng(0))
        (0.0, 0.0, 0.0)
    """
    a, b = pair(correct_a, correct_b, "correct_a", "correct_b")
    level = inside_01(level)
    means_a, means_b = resampled_means((a, b), rng, at_least_one(n_boot, "n_boot"))
    return float(np.mean(a) - np.mean(b)), *_percentile(means_a - means_b, level)


def significant(low: float, high: float) -> bool:
    """Whether the interval from low to high excludes 0. A bound of 0 or NaN excludes nothing: False.

    Raises:
        ArgumentError: ``low`` above ``high``.

    Example:
        >>> significant(0.01, 0.05), significant(-0.005, 0.05), significant(0.0, 0.05)
        (True, False, False)
    """
    if math.isnan(low) or math.isnan(high):
        return False
    if low > high:
        raise ArgumentError(f"low is {low} and high is {high}, and low must not exceed high; swap the two bounds")
    return bool(low > 0.0 or high < 0.0)


def paired_bootstrap_ci(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    resamples: int = 2000,
    *,
    level: float = DEFAULT_LEVEL,
    rng: Seed = None,
) -> tuple[float, float]:
    """Percentile bootstrap interval of the probability of outperforming, P(A > B), over pairs.

    A pair counts when A is strictly above B (Bouthillier et al. 2021, equation 9); pairs are redrawn by
    ``rng.integers(0, n, size=(resamples, n))``.

    Args:
        scores_a: n ≥ 1 scores of A, one a pair (a split, a seed).
        scores_b: n scores of B, paired with them.
        resamples: number of resamples.
        level: confidence level, between 0 and 1.
        rng: anything that ``numpy.random.default_rng`` takes; None is the library's fixed default seed.

    Returns:
        (low, high).

    Raises:
        ArgumentError: an argument outside its rule, or sides of unequal length.

    Example:
        >>> paired_bootstrap_ci([0.7, 0.8, 0.9], [0.1, 0.2, 0.3])
        (1.0, 1.0)
    """
    a, b = pair(scores_a, scores_b, "scores_a", "scores_b")
    level = inside_01(level)
    wins = (a > b).astype(np.float64)
    (means,) = resampled_means((wins,), rng, at_least_one(resamples, "resamples"))
    return _percentile(means, level)


def stratified_bootstrap_ci(
    scores: ArrayLike,
    metric: ItemValues | OfResamples | Callable[..., Any],
    reps: int = 50_000,
    *,
    level: float = DEFAULT_LEVEL,
    rng: Seed = None,
) -> tuple[float, float]:
    """Percentile interval of a metric over runs × tasks, the runs redrawn within each task (Agarwal et al. 2021).

    The draws are ``rng.integers(0, N, size=(reps, N, M))``: entry (r, i, m) is the run of task m that stands in row i
    of resample r.

    Args:
        scores: array (N runs, M tasks), N, M ≥ 1.
        metric: an estimator such as ``IQM()`` (each task is one item, its runs are the item's), or a function that
            takes ``axis=`` (it is given the N × M scores of each resample along the last axis), both run on a whole
            block of resamples; any other callable is given an (N, M) array and runs once a resample.
        reps: number of resamples.
        level: confidence level, between 0 and 1.
        rng: anything that ``numpy.random.default_rng`` takes; None is the library's fixed default seed.

    Returns:
        (low, high).

    Raises:
        ArgumentError: an argument outside its rule, or a metric that is NaN in some resample.

    Example:
        >>> stratified_bootstrap_ci([[0.1, 0.5], [0.1, 0.5]], np.mean, reps=100)
        (0.3, 0.3)
    """
    table = numbers(scores, "scores", dimensions=2)
    reps = at_least_one(reps, "reps")
    level = inside_01(level)
    table = prepared(metric, table)
    replicates = from_counts(metric, table, reps, rng)
    if replicates is None:
        replicates = from_tables(metric, table, reps, rng)
    if np.isnan(replicates).any():
        raise ArgumentError(
            f"the metric is NaN in {int(np.isnan(replicates).sum())} of {reps} resamples, and must be a number in "
            "each; choose a metric that is defined on every resample"
        )
    return _percentile(replicates, level)


def _percentile(replicates: FloatArray, level: float) -> tuple[float, float]:
    """The two equal-tailed quantiles of the replicates, by ``np.quantile``."""
    tail = (1.0 - level) / 2
    low, high = np.quantile(replicates, [tail, 1.0 - tail])
    return float(low), float(high)
