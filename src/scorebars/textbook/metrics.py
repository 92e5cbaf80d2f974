"""A metric of runs × tasks as a function of many resampled tables: an estimator, or a function of an array."""

from __future__ import annotations

import functools
import inspect
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

import numpy as np

from scorebars.errors import ArgumentError
from scorebars.sample import Sample

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    FloatArray: TypeAlias = NDArray[np.float64]


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


def prepared(metric: Any, table: FloatArray) -> FloatArray:
    """The table with its scores turned into what an estimator averages (an optimality gap); itself for most."""
    if not hasattr(metric, "prepare"):
        return table
    run, task = np.indices(table.shape, dtype=np.int32).reshape(2, -1)
    sample = Sample(model="", values={"score": table.ravel()}, task=task, item=task, run=run)
    return cast("FloatArray", metric.prepare(sample).score.reshape(table.shape))


def vectorised(metric: Any, table: FloatArray) -> Callable[[FloatArray, int], FloatArray]:
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
