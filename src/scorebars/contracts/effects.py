"""What a comparison reports, and how it is read."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from scorebars.contracts.kinds import Kind

if TYPE_CHECKING:
    from scorebars.contracts.problems import Range
    from scorebars.kernels.drawing import Attempts, Counted
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray


class Reading(Enum):
    """How an effect's value is read: which words and units it is printed in."""

    DIFFERENCE = "difference"
    """A scores 3 points higher than B."""
    RELATIVE = "relative"
    """A scores 8 % higher than B."""
    ODDS = "odds"
    """The odds of success of A are 1.4 times those of B."""
    PAIRS = "pairs"
    """A beats B on 62 % of pairs."""
    PROBABILITY = "probability"
    """A run of A beats a run of B with a probability of 62 %."""


class Effect(Protocol):
    """What a comparison of A and B reports: each is one of the three kinds below."""

    @property
    def reading(self) -> Reading:
        """How its value is put into words."""
        ...

    @property
    def name(self) -> str:
        """As printed: 'difference'."""
        ...

    @property
    def null(self) -> float:
        """Its value where A and B are alike: 0 for a difference, 1 for a ratio, 0.5 for a probability."""
        ...


@runtime_checkable
class ValueEffect(Effect, Protocol, metaclass=Kind):
    """A function of the two point values."""

    def of(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """The effect of each pair of values; arrays of one shape."""
        ...

    def value_range(self, a: Range, b: Range) -> Range:
        """Its range, given those of the two values."""
        ...


@runtime_checkable
class RatioEffect(ValueEffect, Protocol, metaclass=Kind):
    """A ratio of sums over units that both sides share, so that its bootstrap can be computed."""

    def sums_and_sizes(self, a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """Sums and positive sizes whose ratio of totals is the effect, from the two sides' unit sums; else None."""
        ...


@runtime_checkable
class PartialEffect(Effect, Protocol, metaclass=Kind):
    """An effect that some pairs of values do not have."""

    def why_undefined(self, a: float, b: float) -> str:
        """Why this pair of values has none; '' where it has one."""
        ...


@runtime_checkable
class Deciding(Effect, Protocol, metaclass=Kind):
    """An effect whose paper draws a conclusion from the bounds."""

    @property
    def rule(self) -> str:
        """What it takes, in words."""
        ...

    def decision(self, low: float, high: float) -> Enum:
        """The conclusion; its value is the words."""
        ...


@runtime_checkable
class PairEffect(Effect, Protocol, metaclass=Kind):
    """A mean over attempts that belong together."""

    def pair_values(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """What each pair of scores contributes to the mean; arrays of one shape."""
        ...

    @property
    def pair_range(self) -> tuple[float, float]:
        """Lowest and highest contribution."""
        ...


@runtime_checkable
class DrawnEffect(Effect, Protocol, metaclass=Kind):
    """A number from all attempts of both sides."""

    def of_drawn(self, a: Drawn, b: Drawn) -> FloatArray:
        """The effect in each resample, shape (n,)."""
        ...

    @property
    def effect_range(self) -> tuple[float, float]:
        """Lowest and highest possible effect."""
        ...


@runtime_checkable
class CountedEffect(DrawnEffect, Protocol):
    """A drawn effect that depends on nothing but how often each attempt of both sides is drawn."""

    def counted(self, a: Attempts, b: Attempts) -> Counted | None:
        """The effect of counts; None where it cannot be had from them."""
        ...
