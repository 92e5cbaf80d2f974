"""What interval methods and tests ask for and return: the problem, its distribution, its units, the bounds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    import numpy as np

    from scorebars.notes import Note
    from scorebars.sample import FloatArray, IntArray


Range: TypeAlias = "tuple[float, float] | None"
"""Lowest and highest possible value, where known."""


class Side(Enum):
    """Which bounds are wanted. A one-sided bound spends the whole error rate on its side; the other end is infinite."""

    TWO = "two"
    LOWER = "lower"
    UPPER = "upper"

    def tails(self, level: float) -> tuple[float, float]:
        """Error rate below the lower and above the upper bound; 0.0 where there is no such bound."""
        alpha = 1.0 - level
        return {Side.TWO: (alpha / 2, alpha / 2), Side.LOWER: (alpha, 0.0), Side.UPPER: (0.0, alpha)}[self]


class How(Enum):
    """How a bootstrap distribution was got."""

    COMPUTED = "computed"
    """No random draws: n_boot → ∞."""
    APPROXIMATE = "approximate"
    """Computed with a stated error (the grid)."""
    MONTE_CARLO = "monte-carlo"
    NONE = "none"
    """The interval is a formula and uses no bootstrap distribution."""


@runtime_checkable
class Distribution(Protocol):
    """A bootstrap distribution of the statistic T*."""

    @property
    def how(self) -> How:
        """Computed, approximate or Monte Carlo."""
        ...

    @property
    def step(self) -> str:
        """Which step answered: binomial, lattice, compositions, fourier, grid, ratio, monte-carlo."""
        ...

    @property
    def n_boot(self) -> int | None:
        """Number of resamples; None when computed."""
        ...

    @property
    def error(self) -> float:
        """Bound (computed) or standard error at 2.5 % (Monte Carlo) of a quantile, in units of the statistic."""
        ...

    @property
    def mean(self) -> float:
        """E[T*]."""
        ...

    @property
    def std(self) -> float:
        """Standard deviation of T*."""
        ...

    def quantile(self, p: float, *, upper: bool = False) -> float:
        """Computed: the smallest x with P(T* ≤ x) ≥ p, or with ``upper`` the largest x with P(T* ≥ x) ≥ 1 − p.

        Both with a slack of 1e-12 in probability, so that A−B mirrors B−A. Monte Carlo: ``np.quantile``.
        """
        ...

    def cdf(self, x: float) -> float:
        """P(T* ≤ x)."""
        ...

    def below(self, x: float) -> float:
        """P(T* < x)."""
        ...


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Units:
    """The units that are redrawn at the top, reduced to what formulas need.

    The statistic is Σ_t W_t · (Σ_{u in t} sums_u / Σ_{u in t} sizes_u), t the strata. Arrays have length n_units.
    """

    sums: FloatArray
    """Σ of (weighted) item values in the unit; its only value where the unit is one item."""
    sizes: FloatArray
    """Σ of item weights in the unit; 1.0 where the unit is one item without weight."""
    stratum: IntArray
    """Stratum of each unit, 0 … n_strata − 1."""
    weights: FloatArray
    """W_t, one a stratum, summing to 1."""
    name: str
    """'item', 'cluster', 'run' or 'task'."""
    item_values: FloatArray
    """Value of each item (runs reduced), sorted by unit; for CR2, which looks inside clusters."""
    item_unit: IntArray
    """Unit of each item."""
    item_weights: FloatArray


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an interval method returns."""

    low: float
    """NaN where it does not exist; −inf where only the other side was asked for."""
    high: float
    method: str
    """Name of the method that made the bounds, as a reader of the result should cite it."""
    notes: tuple[Note, ...] = ()
    instead: Bounds | None = None
    """Shown in place of a zero-width interval."""
    standard_error: float | None = None
    """Of the method, where it has its own (cluster-robust)."""
    degrees: float | None = None
    """Degrees of freedom, where the method has them."""
    distribution: Distribution | None = None
    """The bootstrap distribution that was used, where one was."""


class Problem(Protocol):
    """What an interval method may ask for. Everything is computed when first asked for."""

    @property
    def value(self) -> float:
        """The point value."""
        ...

    @property
    def is_difference(self) -> bool:
        """Whether the statistic is the difference of two samples."""
        ...

    @property
    def is_paired(self) -> bool:
        """Whether the two samples share their units; False for one sample."""
        ...

    @property
    def levels(self) -> frozenset[str]:
        """The levels that are redrawn."""
        ...

    @property
    def top(self) -> str:
        """The uppermost redrawn level."""
        ...

    @property
    def range(self) -> tuple[float, float] | None:
        """Lowest and highest possible value of the statistic: [L, U], or [L − U, U − L] for a difference."""
        ...

    @property
    def n_items(self) -> int:
        """Items behind the statistic (shared ones, if paired)."""
        ...

    @property
    def n_attempts(self) -> int:
        """Attempts behind the statistic; for a difference those of the larger side."""
        ...

    @property
    def runs(self) -> tuple[int, int]:
        """Fewest and most runs of an item."""
        ...

    @property
    def n_tasks(self) -> int:
        """Tasks behind the statistic."""
        ...

    @property
    def n_clusters(self) -> int | None:
        """Clusters behind the statistic; None without clusters."""
        ...

    @property
    def flat_without_reason(self) -> bool:
        """Whether attempts differ of which no resample sees a difference: a median of ties, a recall of ten positives.

        How sure such a value is cannot be told from the number of units, as it can where all scores are equal.
        """
        ...

    @property
    def units(self) -> Units | None:
        """The redrawn units; None if the statistic is not a weighted mean (or ratio) of them, or unpaired."""
        ...

    @property
    def counts(self) -> tuple[int, int] | None:
        """(successes, n) of one 0/1 sample of unrelated items in one stratum, one run each, unweighted; else None."""
        ...

    @property
    def table_2x2(self) -> tuple[int, int, int, int] | None:
        """(both right, only A, only B, neither) of a paired 0/1 difference in one stratum, one run each; else None."""
        ...

    @property
    def odds_tables(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """(successes, n) of A and of B, whose odds ratio is asked for, as ``counts`` has them; else None."""
        ...

    @property
    def is_binary(self) -> bool:
        """Whether every attempt scores 0 or 1."""
        ...

    @property
    def linear_in_runs(self) -> bool:
        """Whether the statistic is linear in the scores of the runs, so that redrawing runs is unbiased."""
        ...

    @property
    def sides(self) -> tuple[Problem, Problem] | None:
        """The one-sample problems of A and B, for a difference."""
        ...

    @property
    def run_variance(self) -> tuple[float, float] | None:
        """(V, c) for redrawing runs of a mean: V = Σ wᵢ² sᵢ²/Kᵢ, c = largest weight of one attempt × the score's range.

        V is NaN if some item has one run; c is NaN without a range; None if the estimator is no mean of runs.
        """
        ...

    @property
    def is_mean(self) -> bool:
        """Whether the statistic is a (macro) mean of item values, or a difference of two."""
        ...

    @property
    def null(self) -> float:
        """The value that stands for no difference between A and B; 0 for one sample."""
        ...

    def distribution(self, n_boot: int | None = None, *, fewer: bool = False, draws: int | None = None) -> Distribution:
        """The bootstrap distribution: computed where it can be, else (or with ``n_boot``) Monte Carlo.

        ``fewer`` redraws K − 1 of K units in each stratum of the uppermost redrawn level (Rao and Wu 1988);
        ``draws`` redraws that many of them in each stratum (m out of n).
        """
        ...

    def jackknife(self) -> tuple[FloatArray, IntArray]:
        """The statistic without each redrawn unit, and the stratum of each; units alone in their stratum are left out.

        The units of two unrelated sides follow each other, in strata of their own.
        """
        ...

    def studentized(self, n_boot: int) -> tuple[FloatArray, FloatArray]:
        """Drawn (value, standard error) pairs of a mean over units in one level, each of shape (n_boot,).

        Raises:
            MethodError: the statistic is no mean of units, or two levels are redrawn.
        """
        ...

    def fresh_rng(self) -> np.random.Generator:
        """A Generator in its first state, for a method with draws of its own; every call starts from the same one."""
        ...


class Interval(Protocol):
    """An interval method: a frozen object with its options as fields; no rng, no table, no formatting."""

    @property
    def name(self) -> str:
        """The name a paper would use, with the options that matter."""
        ...

    def refuses(self, problem: Problem) -> str | None:
        """Why this method cannot serve the problem, and which can; None if it can."""
        ...

    def bounds(self, problem: Problem, level: float, side: Side) -> Bounds:
        """The bounds of the interval."""
        ...


class SignificanceTest(Protocol):
    """A test of no difference: a frozen object; its p-value stands beside an interval, never alone."""

    @property
    def name(self) -> str:
        """As cited: 'McNemar, exact'."""
        ...

    def refuses(self, problem: Problem) -> str | None:
        """Why this test cannot serve the problem, and which can; None if it can."""
        ...

    def p_value(self, problem: Any) -> float:
        """Two-sided p of no difference."""
        ...
