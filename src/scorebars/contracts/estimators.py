"""One number from one sample: means over items, and any other statistic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from scorebars.contracts.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts.problems import Range
    from scorebars.kernels.drawing import Attempts, Counted
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, IntArray, Sample


class Estimator(Protocol):
    """One number from one sample: what every estimator has. Each is an :class:`ItemMean` or a :class:`Statistic`."""

    @property
    def name(self) -> str:
        """As printed: 'mean', 'pass@3', 'IQM'."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """The value columns of a sample that it needs; ('score',) for most."""
        ...

    def check(self, sample: Sample, item_name: Callable[[int], str]) -> None:
        """Raise MethodError where the sample cannot be served (k larger than the runs of a named item)."""
        ...

    def prepare(self, sample: Sample) -> Sample:
        """The sample with its scores turned, one by one, into what is averaged; itself for most."""
        ...

    def value_range(self, score_range: Range) -> Range:
        """Range of the estimator's value, given the range of a (prepared) score."""
        ...


@runtime_checkable
class ItemMean(Estimator, Protocol, metaclass=Kind):
    """A mean over items of a function of each item's runs; over several tasks the mean of the tasks' means."""

    @property
    def linear_in_runs(self) -> bool:
        """Whether an item's value is the plain mean of its runs, so that redrawing runs is unbiased."""
        ...

    def item_values(self, sums: FloatArray, runs: IntArray) -> FloatArray:
        """Value of each item from the sum of its runs' scores and their number."""
        ...


@runtime_checkable
class Statistic(Estimator, Protocol, metaclass=Kind):
    """Any other number: computed anew for each resample."""

    def statistic(self, drawn: Drawn) -> FloatArray:
        """Its value in each of the ``drawn.n`` resamples, shape (n,); NaN where it does not exist."""
        ...


@runtime_checkable
class CountedStatistic(Statistic, Protocol, metaclass=Kind):
    """A statistic that depends on nothing but how often each attempt is drawn: what is fixed is prepared once."""

    def counted(self, attempts: Attempts) -> Counted | None:
        """The statistic of counts; None where it cannot be had from them."""
        ...


@runtime_checkable
class SumRatio(Statistic, Protocol, metaclass=Kind):
    """A ratio of two sums over attempts, so that its bootstrap can be computed where no denominator is 0."""

    def terms(self, drawn: Drawn | Attempts) -> tuple[FloatArray, FloatArray]:
        """Numerator and denominator of each attempt, before its weight."""
        ...


@runtime_checkable
class PartialStatistic(Statistic, Protocol, metaclass=Kind):
    """A statistic that some samples, and some resamples, do not have."""

    def why_undefined(self, sample: Sample) -> str:
        """Why this sample has none; '' where it has one."""
        ...
