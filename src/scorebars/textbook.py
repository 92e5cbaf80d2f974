"""The textbook functions: arrays in, plain tuples of Python floats out.

Each returns what its one-shot NumPy formula returns (given in its docstring), from the same draws of the given
Generator, and leaves the Generator in the same state. The index stream is taken in consecutive blocks of resamples,
which NumPy's Generators guarantee to be the stream of one call, so memory is bounded by a block and not by
``n_boot × n``.
"""

from __future__ import annotations

import functools
import inspect
import math
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeAlias, cast

import numpy as np

from scorebars.errors import ArgumentError
from scorebars.notes import DEFAULT_LEVEL, DEFAULT_SEED
from scorebars.sample import Sample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike, NDArray

    FloatArray: TypeAlias = NDArray[np.float64]
    Seed: TypeAlias = Any
    """Anything that ``numpy.random.default_rng`` takes; None is the library's fixed default seed."""

BLOCK = 1 << 18
"""Index draws held at a time: 2 MiB of indices and as much of scores, about a cache."""


class ItemValues(Protocol):
    """The part of an estimator that the stratified bootstrap needs: of a mean over items."""

    def item_values(self, sums: FloatArray, runs: NDArray[np.int64]) -> FloatArray:
        """Value of each item from the sum of its runs' scores and their number."""
        ...


class OfResamples(Protocol):
    """The part of an estimator that the stratified bootstrap needs: of any other statistic."""

    def statistic(self, drawn: Any) -> FloatArray:
        """Its value in each of the resamples."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class _Tables:
    """Resampled tables of full size, as a statistic asks for them (``scorebars.resample.drawn.Drawn``)."""

    scores: FloatArray
    """Shape (n, N runs, M tasks)."""
    first: int
    """How many resamples were drawn before these."""

    @property
    def n(self) -> int:
        """Number of resamples."""
        return len(self.scores)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Scores of each resample, shape (n,)."""
        return np.full(self.n, math.prod(self.scores.shape[1:]))

    def values(self, name: str = "score") -> FloatArray:
        """All scores, resample after resample."""
        if name != "score":
            raise ArgumentError(f"the metric asks for the column '{name}', and runs × tasks have scores alone")
        return self.scores.reshape(-1)

    def task_means(self) -> FloatArray:
        """Mean of the runs of each task, shape (n, M)."""
        return cast("FloatArray", self.scores.mean(axis=1))


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
    values = _vector(scores, "scores")
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
    values, level = _vector(correct, "correct"), _inside_01(level)
    (means,) = _resampled_means((values,), rng, _at_least_one(n_boot, "n_boot"))
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
    a, b = _pair(correct_a, correct_b, "correct_a", "correct_b")
    level = _inside_01(level)
    means_a, means_b = _resampled_means((a, b), rng, _at_least_one(n_boot, "n_boot"))
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
    a, b = _pair(scores_a, scores_b, "scores_a", "scores_b")
    level = _inside_01(level)
    wins = (a > b).astype(np.float64)
    (means,) = _resampled_means((wins,), rng, _at_least_one(resamples, "resamples"))
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
    table = _numbers(scores, "scores", dimensions=2)
    reps = _at_least_one(reps, "reps")
    level = _inside_01(level)
    table = _prepared(metric, table)
    replicates = _from_counts(metric, table, reps, rng)
    if replicates is None:
        replicates = _from_tables(metric, table, reps, rng)
    if np.isnan(replicates).any():
        raise ArgumentError(
            f"the metric is NaN in {int(np.isnan(replicates).sum())} of {reps} resamples, and must be a number in "
            "each; choose a metric that is defined on every resample"
        )
    return _percentile(replicates, level)


def _from_counts(metric: Any, table: FloatArray, reps: int, rng: Seed) -> FloatArray | None:
    """The metric of each resample from how often it has each score; None where it cannot be had from that."""
    if not hasattr(metric, "counted") or metric.columns != ("score",):
        return None
    from scorebars.kernels.drawing import Attempts, Rows, drawn_values

    runs, tasks = table.shape
    task, one = np.repeat(np.arange(tasks), runs), np.ones(table.size)
    statistic = metric.counted(
        Attempts(
            columns={"score": table.T.ravel()},
            unit=np.arange(table.size),
            weight=one,
            share=one / runs,
            item=task,
            task=task,
            n_tasks=tasks,
            level="run",
            n_units=table.size,
            draws=table.size,
        )
    )
    if statistic is None:
        return None
    rows = Rows(np.tile(np.arange(tasks) * runs, runs), np.full(table.size, runs), np.zeros(table.size, dtype=np.int32))
    if runs == 1:  # nothing is left to chance
        none = np.empty(0, dtype=np.int64)
        rows = Rows(none, none, np.ones(table.size, dtype=np.int32))
    return drawn_values(rows, reps, _generator(rng), statistic)


def _from_tables(metric: Any, table: FloatArray, reps: int, rng: Seed) -> FloatArray:
    """The metric of each resample from its scores."""
    apply = _vectorised(metric, table)
    tasks = np.arange(table.shape[1])
    values: list[FloatArray] = []
    for idx in _index_blocks(rng, table.shape[0], reps, table.shape):
        values.append(apply(table[idx, tasks], sum(map(len, values))))
    return np.concatenate(values)


def _resampled_means(columns: tuple[FloatArray, ...], rng: Seed, n_boot: int) -> FloatArray:
    """Mean of each column in each resample, the same units drawn for all columns; shape (columns, n_boot)."""
    n = len(columns[0])
    means = np.empty((len(columns), n_boot))
    start = 0
    for idx in _index_blocks(rng, n, n_boot, (n,)):
        stop = start + len(idx)
        for column, out in zip(columns, means, strict=True):
            out[start:stop] = column.take(idx).mean(axis=1)
        start = stop
    return means


def _index_blocks(rng: Seed, n: int, n_boot: int, shape: tuple[int, ...]) -> Iterator[NDArray[np.int64]]:
    """``default_rng(rng).integers(0, n, size=(n_boot, *shape))`` in consecutive blocks along its first axis."""
    generator = _generator(rng)
    rows = max(1, BLOCK // math.prod(shape))
    for start in range(0, n_boot, rows):
        yield generator.integers(0, n, size=(min(rows, n_boot - start), *shape))


def _generator(rng: Seed) -> np.random.Generator:
    return np.random.default_rng(DEFAULT_SEED if rng is None else rng)


def _percentile(replicates: FloatArray, level: float) -> tuple[float, float]:
    """The two equal-tailed quantiles of the replicates, by ``np.quantile``."""
    tail = (1.0 - level) / 2
    low, high = np.quantile(replicates, [tail, 1.0 - tail])
    return float(low), float(high)


def _prepared(metric: Any, table: FloatArray) -> FloatArray:
    """The table with its scores turned into what an estimator averages (an optimality gap); itself for most."""
    if not hasattr(metric, "prepare"):
        return table
    run, task = np.indices(table.shape, dtype=np.int32).reshape(2, -1)
    sample = Sample(model="", values={"score": table.ravel()}, task=task, item=task, run=run)
    return cast("FloatArray", metric.prepare(sample).score.reshape(table.shape))


def _vectorised(metric: Any, table: FloatArray) -> Callable[[FloatArray, int], FloatArray]:
    """The metric as a function from (block, N, M) resampled scores, and how many were before, to (block,) values."""
    if hasattr(metric, "statistic"):
        return lambda scores, first: cast("FloatArray", metric.statistic(_Tables(scores, first)))
    if hasattr(metric, "item_values"):
        _check_estimator(metric, table)
        return lambda scores, _: _mean_item_value(metric, scores)
    if not callable(metric):
        raise ArgumentError(
            f"metric is {metric!r}, and must be an estimator or a function of an array; pass for example numpy.median"
        )
    call = _along_axis if takes_axis(metric) else _one_by_one
    return lambda scores, _: call(metric, scores)


def _mean_item_value(estimator: ItemValues, scores: FloatArray) -> FloatArray:
    """Mean over tasks of the estimator's value of each task's runs."""
    sums = scores.sum(axis=1)
    runs = np.full(sums.size, scores.shape[1], dtype=np.int64)
    values = estimator.item_values(sums.ravel(), runs)
    return cast("FloatArray", np.asarray(values).reshape(sums.shape).mean(axis=1))


def _check_estimator(estimator: Any, table: FloatArray) -> None:
    """Refuse an estimator that counts passes where the scores are no passes or the runs too few for it."""
    name = getattr(estimator, "name", repr(estimator))
    if not getattr(estimator, "linear_in_runs", True) and not np.isin(table, (0.0, 1.0)).all():
        other = table[~np.isin(table, (0.0, 1.0))][0]
        raise ArgumentError(f"scores holds {other:g}, and {name} needs scores of 0 and 1; say what counts as a pass")
    with np.errstate(invalid="ignore", divide="ignore"):
        value = _mean_item_value(estimator, table[np.newaxis])[0]
    if np.isnan(value):
        raise ArgumentError(f"{name} is not a number with {len(table)} runs a task; it needs more runs, or a smaller k")


def _along_axis(metric: Callable[..., Any], scores: FloatArray) -> FloatArray:
    """The metric of all cells of each resample, along the last axis."""
    return _one_each(metric(scores.reshape(len(scores), -1), axis=-1), len(scores))


def _one_by_one(metric: Callable[..., Any], scores: FloatArray) -> FloatArray:
    """The metric called once a resample."""
    return _one_each([metric(one) for one in scores], len(scores))


def _one_each(values: Any, n: int) -> FloatArray:
    """The values as a float array of one number a resample."""
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (n,):
        raise ArgumentError(
            f"the metric returned shape {array.shape[1:]} for one resample, and must return one number; "
            "reduce over all runs and tasks"
        )
    return array


def takes_axis(metric: Callable[..., Any]) -> bool:
    """Whether the function has a free parameter named axis (one that a partial has set is not free)."""
    if isinstance(metric, functools.partial) and "axis" in metric.keywords:
        return False
    try:
        return "axis" in inspect.signature(metric).parameters
    except (TypeError, ValueError):  # some compiled callables have no signature
        return False


def _vector(values: ArrayLike, name: str) -> FloatArray:
    return _numbers(values, name, dimensions=1)


def _pair(a: ArrayLike, b: ArrayLike, name_a: str, name_b: str) -> tuple[FloatArray, FloatArray]:
    """Two vectors of one length."""
    left, right = _vector(a, name_a), _vector(b, name_b)
    if len(left) != len(right):
        raise ArgumentError(
            f"{name_a} has {len(left)} values and {name_b} has {len(right)}, and pairs need equally many in the same "
            "order; keep the items that both have"
        )
    return left, right


def _numbers(values: ArrayLike, name: str, dimensions: int) -> FloatArray:
    """The values as a float array of that many dimensions, not empty, every one a finite number."""
    array = _as_floats(values, name)
    if array.ndim != dimensions:
        shape = "one-dimensional" if dimensions == 1 else "an array of runs × tasks"
        raise ArgumentError(f"{name} has {array.ndim} dimensions, and must be {shape}; reshape it")
    if array.size == 0:
        raise ArgumentError(f"{name} is empty, and needs at least one score; check what was selected")
    bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ArgumentError(
            f"{name} has {int(bad.sum())} of {array.size} values that are not finite numbers (first {array[where]} "
            f"at {where if dimensions > 1 else where[0]}), and every score must be one; drop them or count them as 0"
        )
    return array


def _as_floats(values: ArrayLike, name: str) -> FloatArray:
    """The values as floats; text is refused, since '1' and 1 are easily two things. A masked value is NaN."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float64), np.nan)
    try:
        array = np.asarray(values)
    except ValueError:  # NumPy's "inhomogeneous shape"
        raise ArgumentError(
            f"{name} is ragged, and its rows must be equally long; pad nothing, cut to one length"
        ) from None
    is_text = array.dtype.kind in "SUT" or (array.dtype.kind == "O" and any(isinstance(v, str) for v in array.flat))
    if array.dtype.kind not in "biufO" or is_text:
        first = array.ravel()[:1].tolist()[0] if array.size else ""
        raise ArgumentError(f"{name} holds {first!r}, and must hold numbers or booleans; convert it first")
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} holds values that are not numbers; convert or drop them first") from None


def _inside_01(level: Any) -> float:
    """The level, between 0 and 1."""
    try:
        number = float(level) if not isinstance(level, str) else math.nan
    except (TypeError, ValueError):
        number = math.nan
    if not 0.0 < number < 1.0:
        hint = "; write 95 % as 0.95" if 1.0 < number < 100.0 else "; try 0.95"
        raise ArgumentError(f"level is {level!r}, and must lie between 0 and 1{hint}")
    return number


def _at_least_one(count: SupportsIndex, name: str) -> int:
    """The number of resamples, a whole number from 1."""
    try:
        number = operator.index(count)
    except TypeError:
        number = 0
    if number < 1:
        raise ArgumentError(f"{name} is {count!r}, and must be a whole number of at least 1; try 2000")
    return number
