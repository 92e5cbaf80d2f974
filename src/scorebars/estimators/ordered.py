"""What statistics of pooled attempts share: the values of each resample in order, for all resamples at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scorebars.errors import MethodError
from scorebars.kernels import middle, quantiles
from scorebars.kernels.drawing import Counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts import Range
    from scorebars.kernels.drawing import Attempts
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, IntArray, Sample


class OfAttempts(ABC):
    """The common part of statistics of all attempts in one pot; they have no use for weights of items."""

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """As printed."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The scores."""
        return ("score",)

    def check(self, sample: Sample, item_name: Callable[[int], str]) -> None:
        """Refuse items of different weight."""
        del item_name
        refuse_weights(self.name, sample)

    def prepare(self, sample: Sample) -> Sample:
        """The scores as they are."""
        return sample

    def value_range(self, score_range: Range) -> Range:
        """That of the scores."""
        return score_range


class OfMiddle(OfAttempts):
    """The common part of means of the scores between two places in their order."""

    __slots__ = ()

    @abstractmethod
    def limits(self, size: IntArray) -> tuple[FloatArray, FloatArray]:
        """The places, 0 ≤ low < high ≤ size, in resamples of these sizes; all of shape (n,)."""

    def statistic(self, drawn: Drawn) -> FloatArray:
        """The mean between the places in each resample, shape (n,)."""
        found = ordered(drawn)
        return found.mean_between(*self.limits(found.size))

    def counted(self, attempts: Attempts) -> Counted:
        """The same of counts, from scores that are sorted once."""
        order = np.argsort(attempts.values(), kind="stable")
        unit, values, sizes = attempts.unit[order].astype(np.int32), attempts.values()[order], attempts.sizes()

        def of(counts: IntArray, fast: bool) -> FloatArray:
            low, high = self.limits(sizes(counts))
            return np.asarray(middle.mean_between(counts, unit, values, low, high, fast=fast))

        return Counted((middle.mean_between,), of)


def refuse_weights(name: str, sample: Sample) -> None:
    """Raise MethodError where items weigh differently: the statistic would ignore it."""
    weight = sample.weight
    if weight is not None and len(weight) and np.any(weight != weight[0]):
        raise MethodError(
            f"{name} counts every attempt of '{sample.model}' once, and its items weigh between {weight.min():g} and "
            f"{weight.max():g}; leave out the weights, or use the mean, which takes them"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Ordered:
    """The values of each resample, smallest first, resample after resample."""

    values: FloatArray
    """Shape (attempts,)."""
    start: IntArray
    """Place of the smallest value of each resample, shape (n,)."""
    size: IntArray
    """Number of its values, shape (n,)."""

    def at(self, place: IntArray) -> FloatArray:
        """The value at a place of each resample, counted from 0; shape (n,)."""
        return np.asarray(self.values[self.start + place])

    def mean_between(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Mean of the values from place ``low`` up to ``high``; where a limit cuts a value, its part counts.

        Both of shape (n,), 0 ≤ low < high ≤ size.
        """
        if self.is_table:
            rows = self.values.reshape(len(self.size), -1)
            share = _shares(np.arange(rows.shape[1]), low[0], high[0])
            used = np.flatnonzero(share)
            kept = rows[:, used[0] : used[-1] + 1]
            if np.all(share[used] == 1.0):
                return np.asarray(kept.mean(axis=1))
            return np.asarray((kept * share[used]).sum(axis=1) / (high[0] - low[0]))
        owner = np.repeat(np.arange(len(self.size)), self.size)
        place = np.arange(len(owner)) - self.start[owner]
        total = np.bincount(owner, _shares(place, low[owner], high[owner]) * self.values, len(self.size))
        return np.asarray(total / (high - low))

    @property
    def is_table(self) -> bool:
        """Whether all resamples have equally many values."""
        return bool(np.all(self.size == self.size[0]))


def ordered(drawn: Drawn, column: str = "score") -> Ordered:
    """The values of a column in each resample, sorted."""
    values, size = drawn.values(column), drawn.sizes
    start = np.cumsum(size) - size
    if np.all(size == size[0]):
        return Ordered(np.sort(values.reshape(drawn.n, -1), axis=1).ravel(), start, size)
    return Ordered(values[np.lexsort((values, drawn.owner))], start, size)


def quantile_of_counts(attempts: Attempts, q: float) -> Counted:
    """The q-quantile of each resample, from scores that are sorted once and counts."""
    order = np.argsort(attempts.values(), kind="stable")
    unit, values, sizes = attempts.unit[order].astype(np.int32), attempts.values()[order], attempts.sizes()

    def of(counts: IntArray, fast: bool) -> FloatArray:
        return np.asarray(quantiles.quantile(counts, unit, values, q, sizes(counts), fast=fast))

    return Counted((quantiles.quantile,), of)


def quantile(found: Ordered, q: float) -> FloatArray:
    """The q-quantile of each resample by linear interpolation, as ``np.quantile``; shape (n,)."""
    place = q * (found.size - 1)
    below = np.floor(place).astype(np.int64)
    share = place - below
    low, high = found.at(below), found.at(np.minimum(below + 1, found.size - 1))
    gap = high - low
    # From the nearer end, so that q = 1 gives the largest value itself.
    return np.asarray(np.where(share < 0.5, low + gap * share, high - gap * (1.0 - share)))


def _shares(place: IntArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """How much of each place lies between the limits: 1 inside, 0 outside, a part where a limit cuts it."""
    return np.asarray(np.clip(np.minimum(place + 1.0, high) - np.maximum(place, low), 0.0, 1.0))
