"""Results: frozen, complete, printable. A number that does not exist is NaN with a note, never 0.0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorebars.contracts import How, Side
    from scorebars.notes import Note


@dataclass(frozen=True, slots=True)
class Bound:
    """An interval shown in place of a zero-width one."""

    low: float
    high: float
    method: str


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
    degrees: float | None = None
    """Degrees of freedom, where the method has them."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The score of one model (in one group), with its interval."""

    model: str
    answer: Answer
    task: str | None = None
    """The task, where rows are tasks or the table has just one; None for an average over several."""
    metric: str | None = None
    group: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """The effect of A against B, with its interval."""

    a: str
    b: str
    answer: Answer
    effect: str
    value_a: float
    value_b: float
    paired: bool
    n_shared: int
    """Items that both sides have."""
    n_dropped: tuple[int, int]
    """Items that only A, only B has."""
    p_value: float
    """From the interval's own family; NaN where the family has none."""
    metric: str | None = None
    group: tuple[tuple[str, str], ...] = ()
    unpaired_width: float = float("nan")
    """Width of the interval had the pairing been thrown away: what pairing bought."""
    disagreements: tuple[tuple[str, str, float, float], ...] = ()
    """(task, item, score of A, score of B) of the items on which the sides differ."""

    @property
    def significant(self) -> bool:
        """Whether the interval excludes 0; a bound of 0 or NaN: False."""
        low, high = self.answer.low, self.answer.high
        return bool(low > 0.0 or high < 0.0)
