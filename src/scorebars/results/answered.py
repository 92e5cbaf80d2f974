"""What a result says of its number, one step closer: ``estimate.low`` is ``estimate.answer.low``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorebars.results.printed import Printed

if TYPE_CHECKING:
    from scorebars.contracts import How, Side
    from scorebars.results.answer import Answer, Bound


class Answered(Printed):
    """A result that rests on one answer, whose fields it shows as its own."""

    __slots__ = ()

    answer: Answer

    @property
    def value(self) -> float:
        """The point value, in the unit of the scores."""
        return self.answer.value

    @property
    def low(self) -> float:
        """The method's own lower bound; NaN where there is none, −inf where it was not asked for."""
        return self.answer.low

    @property
    def high(self) -> float:
        """The method's own upper bound; NaN where there is none, inf where it was not asked for."""
        return self.answer.high

    @property
    def instead(self) -> Bound | None:
        """The interval that every output shows where the method's own has no width."""
        return self.answer.instead

    @property
    def shown(self) -> Bound:
        """The interval that every output shows: ``instead`` where there is one, else the method's own."""
        return self.answer.shown

    @property
    def level(self) -> float:
        """Confidence level."""
        return self.answer.level

    @property
    def side(self) -> Side:
        """Which bounds were asked for."""
        return self.answer.side

    @property
    def standard_error(self) -> float:
        """Unit-level, divisor n − 1; for clusters that of the interval used. NaN where it does not exist."""
        return self.answer.standard_error

    @property
    def n_items(self) -> int:
        """Items behind the number (shared ones, if paired)."""
        return self.answer.n_items

    @property
    def n_runs(self) -> tuple[int, int]:
        """Fewest and most runs of an item."""
        return self.answer.n_runs

    @property
    def n_clusters(self) -> int | None:
        """Clusters behind the number; None without clusters."""
        return self.answer.n_clusters

    @property
    def estimator(self) -> str:
        """What was estimated: 'mean', 'pass^3'."""
        return self.answer.estimator

    @property
    def resample(self) -> tuple[str, ...]:
        """The levels that were redrawn, uppermost first; empty where nothing could be."""
        return self.answer.resample

    @property
    def interval(self) -> str:
        """The method that made the bounds."""
        return self.answer.interval

    @property
    def distribution(self) -> How:
        """How the bootstrap distribution was got."""
        return self.answer.distribution

    @property
    def n_boot(self) -> int | None:
        """Number of resamples; None where nothing was drawn."""
        return self.answer.n_boot

    @property
    def error(self) -> float:
        """Error of each bound: a limit (computed) or a standard error (Monte Carlo); NaN for formulas."""
        return self.answer.error

    @property
    def question(self) -> str:
        """The question that the interval answers, one plain sentence."""
        return self.answer.question
