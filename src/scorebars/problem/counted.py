"""Replicates of a statistic from counts: the quick way, where the statistic and the redrawn levels allow it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scorebars.contracts import CountedEffect, CountedStatistic, DrawnEffect, ItemMean, ValueEffect
from scorebars.kernels.drawing import Counted, Kinds, LeftOut, drawn_values
from scorebars.resample.counts import plan_of
from scorebars.resample.grouped import mean_of_groups, task_means

if TYPE_CHECKING:
    from scorebars.contracts import Effect, Estimator
    from scorebars.kernels.drawing import Attempts
    from scorebars.resample.children import Take
    from scorebars.resample.counts import Plan
    from scorebars.resample.design import Design
    from scorebars.sample import FloatArray, IntArray


def counted_replicates(
    design: Design, n_boot: int, rng: np.random.Generator, take: Take, parts: tuple[Estimator, Effect | None]
) -> FloatArray | None:
    """``n_boot`` resampled values of the statistic; None where counts do not tell it.

    Args:
        design: the units.
        n_boot: number of resamples.
        rng: where the indices come from.
        take: how many units are drawn.
        parts: the estimator, and the effect of two samples.
    """
    estimator, effect = parts
    plan = plan_of(design, take) if _may_be_counted(estimator, effect) else None
    statistic = None if plan is None else counted(plan, estimator, effect)
    if plan is None or statistic is None:
        return None
    return drawn_values(plan.drawing, n_boot, rng, statistic)


def counted_jackknife(design: Design, parts: tuple[Estimator, Effect | None]) -> tuple[FloatArray, IntArray] | None:
    """The statistic without each item or cluster, and the stratum of each; None where counts do not tell it.

    Units that are equal are counted together, and their values stand side by side.
    """
    if not design.levels or design.levels[0] == "run" or not _may_be_counted(*parts):
        return None
    plan = plan_of(design)
    if plan is None:
        return None
    plan = replace(plan, sides=tuple(replace(side, draws=None) for side in plan.sides))
    statistic = counted(plan, *parts)
    if statistic is None:
        return None
    size = plan.strata.size
    if isinstance(plan.drawing, Kinds):
        times = np.rint(plan.drawing.shares * size[0]).astype(np.int64)
        units, copies, strata = np.arange(len(times)), times, np.zeros(size[0], dtype=np.int64)
    else:
        stratum = np.repeat(np.arange(len(size)), size)
        units = np.flatnonzero(size[stratum] > 1)
        times, copies, strata = (
            np.ones(len(stratum), dtype=np.int64),
            np.ones(len(units), dtype=np.int64),
            stratum[units],
        )
    if not len(units):
        return np.empty(0), np.empty(0, dtype=np.int64)
    values = drawn_values(LeftOut(times, units), len(units), np.random.default_rng(0), statistic)
    return np.repeat(values, copies), strata


def _may_be_counted(estimator: Estimator, effect: Effect | None) -> bool:
    if isinstance(effect, DrawnEffect):
        return isinstance(effect, CountedEffect)
    return isinstance(estimator, CountedStatistic | ItemMean)


def counted(plan: Plan, estimator: Estimator, effect: Effect | None) -> Counted | None:
    """The statistic of one or two sides as a function of counts; None where it is none."""
    if isinstance(effect, CountedEffect):
        return effect.counted(*plan.sides)
    sides = [_of_side(side, estimator) for side in plan.sides]
    if any(side is None for side in sides):
        return None
    first, *rest = (side for side in sides if side is not None)
    if not isinstance(effect, ValueEffect) or not rest:
        return first
    [second] = rest

    def of(counts: IntArray, fast: bool) -> tuple[Any, Any]:
        return first.of(counts, fast), second.of(counts, fast)

    def finish(made: tuple[Any, Any]) -> FloatArray:
        return np.asarray(effect.of(first.finish(made[0]), second.finish(made[1])))

    return Counted((*first.kernels, *second.kernels), of, finish)


def _of_side(side: Attempts, estimator: Estimator) -> Counted | None:
    if isinstance(estimator, CountedStatistic):
        return estimator.counted(side)
    if not isinstance(estimator, ItemMean) or (side.level == "run" and not estimator.linear_in_runs):
        return None
    return mean_of_groups(task_means(side, _item_values(side, estimator)))


def _item_values(side: Attempts, estimator: ItemMean) -> FloatArray:
    """What each attempt adds to its item: its score, or the value of the item where that is no mean of its runs."""
    if estimator.linear_in_runs:
        return side.values()
    runs = np.bincount(side.item)
    values = estimator.item_values(np.bincount(side.item, side.values()).astype(np.float64), runs)
    return np.asarray(values[side.item])
