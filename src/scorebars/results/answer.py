"""What every estimated number says about itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scorebars.contracts import How, Side
    from scorebars.notes import Note

REASONS: Final = frozenset(
    {
        "nothing-to-redraw",
        "few-items",
        "all-equal-no-range",
        "no-width",
        "one-cluster",
        "one-unit",
        "one-run",
        "nan-interval",
        "missing-scores",
        "undefined",
    }
)
"""Codes of the notes that explain why a number does not exist."""


@dataclass(frozen=True, slots=True)
class Bound:
    """An interval shown in place of a zero-width one."""

    low: float
    high: float
    method: str


@dataclass(frozen=True, slots=True)
class Counts:
    """What one of two unrelated samples rests on."""

    items: int
    clusters: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What every estimated number says about itself: value, interval, how it was made, what it rests on."""

    value: float
    """The point value, in the unit of the scores."""
    low: float
    high: float
    level: float
    side: Side
    standard_error: float
    """Unit-level, divisor n − 1; for clusters that of the interval used. NaN where it does not exist."""
    n_items: int
    """Items behind the number; of two unrelated samples, those of the smaller one."""
    n_runs: tuple[int, int]
    """Fewest and most runs of an item."""
    n_clusters: int | None
    n_tasks: int
    n_attempts: int
    estimator: str
    resample: tuple[str, ...]
    """The levels that were redrawn, uppermost first; empty where nothing could be."""
    interval: str
    """The method that made the bounds (Auto names what it chose)."""
    distribution: How
    step: str
    """The step of the computed bootstrap that answered; '' for formulas."""
    n_boot: int | None
    error: float
    """Bound (computed) or standard error (Monte Carlo) of each end of the interval; NaN for formulas."""
    question: str
    """The question that the interval answers, one plain sentence."""
    redrawn: str
    """What was redrawn, in words, with counts."""
    instead: Bound | None = None
    notes: tuple[Note, ...] = ()
    dropped: tuple[tuple[str, int], ...] = ()
    """(why, how many attempts) that do not count here."""
    score_range: tuple[float, float] | None = None
    """Range of the statistic, where known."""
    seed: str | None = None
    """How the Generator was seeded, for Monte Carlo answers."""
    idle_seed: str | None = None
    """The seed that was given, where nothing was drawn with it."""
    variance_split: tuple[float, float] | None = None
    """Variance of the value that comes from the choice of items, and from the runs of each; None where not known."""
    degrees: float | None = None
    """Degrees of freedom, where the method has them."""
    each: tuple[Counts, Counts] | None = None
    """What A and B rest on, where they are unrelated samples; None where both rest on the same items."""
    weights: tuple[float, float] | None = None
    """Smallest and largest weight of an item, where items count differently."""

    @property
    def shown(self) -> Bound:
        """The interval to print: ``instead`` if there is one, none for a point that all units share, else its own."""
        if self.instead is not None:
            return self.instead
        if self.low == self.high and any(note.code == "all-equal-no-range" for note in self.notes):
            return Bound(math.nan, math.nan, self.interval)
        return Bound(self.low, self.high, self.interval)

    @property
    def reason(self) -> str:
        """Code of the note that says why there is no interval; '' where there is one."""
        if not (math.isnan(self.shown.low) or math.isnan(self.shown.high)):
            return ""
        codes = [note.code for note in self.notes]
        return next((code for code in codes if code in REASONS), codes[-1] if codes else "undefined")

    @property
    def half_width(self) -> float:
        """Half the width of the shown interval; the distance of the value from its bound where just one is shown."""
        low, high = self.shown.low, self.shown.high
        if math.isinf(low) or math.isinf(high):
            return abs(self.value - (high if math.isinf(low) else low))
        return (high - low) / 2.0
