"""The protocols. Start here to add an estimator, an effect, an interval or a reader.

The families: ``estimators/`` (:class:`Estimator`), ``effects/`` (:class:`Effect`), ``intervals/`` (:class:`Interval`),
``readers/`` (:class:`Reader`). Each family's ``__init__`` lists its members by the spelling used on the command line.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from scorebars.notes import Note
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, IntArray, Sample


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


@dataclass(frozen=True, slots=True, eq=False)
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
class ItemMean(Estimator, Protocol):
    """A mean over items of a function of each item's runs; over several tasks the mean of the tasks' means."""

    @property
    def linear_in_runs(self) -> bool:
        """Whether an item's value is the plain mean of its runs, so that redrawing runs is unbiased."""
        ...

    def item_values(self, sums: FloatArray, runs: IntArray) -> FloatArray:
        """Value of each item from the sum of its runs' scores and their number."""
        ...


@runtime_checkable
class Statistic(Estimator, Protocol):
    """Any other number: computed anew for each resample."""

    def statistic(self, drawn: Drawn) -> FloatArray:
        """Its value in each of the ``drawn.n`` resamples, shape (n,); NaN where it does not exist."""
        ...


@runtime_checkable
class SumRatio(Statistic, Protocol):
    """A ratio of two sums over attempts, so that its bootstrap can be computed where no denominator is 0."""

    def terms(self, drawn: Drawn) -> tuple[FloatArray, FloatArray]:
        """Numerator and denominator of each attempt, before its weight."""
        ...


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
class ValueEffect(Effect, Protocol):
    """A function of the two point values."""

    def of(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """The effect of each pair of values; arrays of one shape."""
        ...

    def value_range(self, a: Range, b: Range) -> Range:
        """Its range, given those of the two values."""
        ...


@runtime_checkable
class RatioEffect(ValueEffect, Protocol):
    """A ratio of sums over units that both sides share, so that its bootstrap can be computed."""

    def sums_and_sizes(self, a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """Sums and positive sizes whose ratio of totals is the effect, from the two sides' unit sums; else None."""
        ...


@runtime_checkable
class PartialEffect(Effect, Protocol):
    """An effect that some pairs of values do not have."""

    def why_undefined(self, a: float, b: float) -> str:
        """Why this pair of values has none; '' where it has one."""
        ...


@runtime_checkable
class Deciding(Effect, Protocol):
    """An effect whose paper draws a conclusion from the bounds."""

    @property
    def rule(self) -> str:
        """What it takes, in words."""
        ...

    def decision(self, low: float, high: float) -> Enum:
        """The conclusion; its value is the words."""
        ...


@runtime_checkable
class PairEffect(Effect, Protocol):
    """A mean over attempts that belong together."""

    def pair_values(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """What each pair of scores contributes to the mean; arrays of one shape."""
        ...

    @property
    def pair_range(self) -> tuple[float, float]:
        """Lowest and highest contribution."""
        ...


@runtime_checkable
class DrawnEffect(Effect, Protocol):
    """A number from all attempts of both sides."""

    def of_drawn(self, a: Drawn, b: Drawn) -> FloatArray:
        """The effect in each resample, shape (n,)."""
        ...

    @property
    def effect_range(self) -> tuple[float, float]:
        """Lowest and highest possible effect."""
        ...


@dataclass(frozen=True, slots=True)
class FileHead:
    """What detection looks at: never more than the first bytes, decompressed."""

    path: Path
    suffixes: tuple[str, ...]
    """Lower-case suffixes without the compression's, such as ('.jsonl',)."""
    head: bytes
    """First 64 KiB, decompressed if the file is .gz or .zst."""
    size: int
    compression: str | None
    """'gz', 'zst' or None."""
    explicit: bool = True
    """Named by the user; files met in a folder or by a glob may turn out to hold no scores."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the caller of ``read`` asked for, as far as a reader needs it."""

    columns: Mapping[str, str]
    """Explicit mapping, role -> column of the file, or several joined as 'agent+model'."""
    cluster: str | None
    """Column or metadata field (``metadata.passage``) to take the cluster from."""
    engine: Any
    """The ``engines.duckdb.Engine`` of this call; readers that answer with SQL run against it."""


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of one file under scorebars' own names, and how they were got.

    ``rows`` maps roles (model, task, item, run, metric, variant, score, status, cluster, weight) to equally long
    arrays (text roles: object arrays of str; scores: floats, or text that one place converts later; status: the text
    ok, error, missing or unscored), or is an SQL SELECT for the request's engine with the same column names, all
    text except weight. Roles that a file does not have are left out. Row order is file order.
    """

    path: Path
    reader: str
    rows: Mapping[str, NDArray[Any]] | str
    mapping: tuple[tuple[str, str], ...] = ()
    """(role, where it came from), for ``--explain``."""
    dropped: tuple[tuple[str, int], ...] = ()
    """(why, how many rows) were left out by the reader, for ``--explain`` and the result."""
    notes: tuple[Note, ...] = ()
    on_error: str = "drop"
    """The producer's own rule for rows without a score: 'wrong' or 'drop'."""
    score_range: tuple[float, float] | None = None
    """Where the format or the metric fixes it."""
    unusable: tuple[tuple[str, str], ...] = ()
    """(metric, why it is no score) of metrics that the file has and ``rows`` leaves out: tuples, categories, nulls.

    Asked for by name, the reason is the error; else it is listed beside the metrics that can be chosen.
    """


class Reader(Protocol):
    """One file format. A module a format; detected from content, in the order of the family's list."""

    @property
    def name(self) -> str:
        """'inspect', 'lm-eval', 'table'."""
        ...

    def claims(self, head: FileHead) -> bool:
        """Whether this file is in this format, judged from its head alone."""
        ...

    def read(self, heads: Sequence[FileHead], request: Request) -> Iterator[Part]:
        """Read the files that this reader claimed, one part a file; a ReadError names the file and line or member."""
        ...
