"""Problems built straight from arrays, so that interval methods are tested without the rest of the library."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from hypothesis import HealthCheck, settings
from scipy.stats import binom

from scorebars.contracts import How, Units
from scorebars.distribution import compute, ratio
from scorebars.kernels.law import Total, atoms, negated
from scorebars.problem.redrawn_units import redrawn_moments, units_left_out

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For property tests: a busy machine is no failure."""


@dataclass(frozen=True)
class BinomialLaw:
    """The bootstrap distribution of a 0/1 mean, by SciPy's binomial: Bin(draws, k/n)/draws."""

    k: int
    n: int
    how: How = How.COMPUTED
    step: str = "binomial"
    n_boot: int | None = None
    error: float = 0.0

    @property
    def mean(self):
        return self.k / self.n

    @property
    def std(self):
        return float(np.sqrt(self.mean * (1 - self.mean) / self.n))

    def quantile(self, p, *, upper=False):
        if self.k in {0, self.n}:
            return self.mean
        slack = min(1e-12, p / 2, (1 - p) / 2)
        grid = np.arange(self.n + 1)
        if upper:
            reached = binom.sf(grid - 1, self.n, self.mean) >= 1 - p - slack
            return float(grid[reached][-1]) / self.n
        return float(grid[binom.cdf(grid, self.n, self.mean) >= p - slack][0]) / self.n

    def cdf(self, x):
        return float(binom.cdf(np.floor(x * self.n + 1e-9), self.n, self.mean))

    def below(self, x):
        return float(binom.cdf(np.ceil(x * self.n - 1e-9) - 1, self.n, self.mean))


@dataclass(frozen=True)
class FakeProblem:
    value: float
    top: str = "item"
    range: tuple[float, float] | None = None
    units: Units | None = None
    counts: tuple[int, int] | None = None
    table_2x2: tuple[int, int, int, int] | None = None
    odds_tables: tuple[tuple[int, int], tuple[int, int]] | None = None
    is_difference: bool = False
    is_paired: bool = False
    is_binary: bool = False
    sides: tuple | None = None
    run_variance: tuple[float, float] | None = None
    n_items: int = 1
    n_attempts: int = 1
    runs: tuple[int, int] = (1, 1)
    n_tasks: int = 1
    n_clusters: int | None = None
    flat_without_reason: bool = False
    law: object = None
    more_levels: tuple[str, ...] = ()
    linear_in_runs: bool = True
    null: float = 0.0
    is_mean: bool = True

    @property
    def levels(self):
        return frozenset((self.top, *self.more_levels) if self.top else ())

    def distribution(self, n_boot=None, *, fewer=False, draws=None):
        del n_boot
        if self.law is not None:
            return self.law
        if self.units is not None and np.ptp(self.units.sizes):
            return ratio(self.units.sums, self.units.sizes)
        if self.units is not None:
            return compute(law_of_units(self.units, -1 if fewer else draws))
        if self.sides is not None:
            a, b = (law_of_units(side.units, draws) for side in self.sides)
            return compute(Total(((a, 1), (negated(b), 1))))
        return BinomialLaw(*self.counts)

    def jackknife(self):
        if self.units is not None:
            return units_left_out(self.units)
        if self.sides is None:
            return np.empty(0), np.empty(0, dtype=np.int64)
        (a, first), (b, second) = (side.jackknife() for side in self.sides)
        return np.r_[a - self.sides[1].value, self.sides[0].value - b], np.r_[first, second + first.max() + 1]

    def studentized(self, n_boot):
        return redrawn_moments(self.units, n_boot, np.random.default_rng(0))

    def fresh_rng(self):
        return np.random.default_rng(0)


def law_of_units(units, draws=None):
    """The redrawn mean of units of size 1; ``draws`` of each stratum, -1: one less than there are."""
    terms = []
    for stratum, weight in enumerate(units.weights):
        values = units.sums[units.stratum == stratum] / units.sizes[0]
        m = {None: len(values), -1: max(len(values) - 1, 1)}.get(draws, draws)
        terms.append((Total(((atoms(values * weight / m), m),)), 1))
    return Total(tuple(terms))


def make_units(values, *, unit=None, stratum=None, task_weights=None, weights=None, name="item"):
    """Units of items: ``unit`` of each item (sorted), ``stratum`` of each unit, W of each stratum."""
    values = np.asarray(values, dtype=float)
    weights = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=float)
    unit = np.arange(len(values)) if unit is None else np.asarray(unit)
    n = int(unit.max()) + 1
    stratum = np.zeros(n, dtype=np.int64) if stratum is None else np.asarray(stratum, dtype=np.int64)
    n_strata = int(stratum.max()) + 1
    W = np.full(n_strata, 1 / n_strata) if task_weights is None else np.asarray(task_weights, dtype=float)
    sums = np.bincount(unit, weights * values, n)
    return Units(sums, np.bincount(unit, weights, n), stratum, W, name, values, unit.astype(np.int64), weights)


def value_of(units):
    top = np.bincount(units.stratum, units.sums)
    return float(np.dot(units.weights, top / np.bincount(units.stratum, units.sizes)))


def binary(k, n):
    values = np.r_[np.ones(k), np.zeros(n - k)]
    units = make_units(values)
    return FakeProblem(k / n, range=(0.0, 1.0), units=units, counts=(k, n), is_binary=True, n_items=n, n_attempts=n)


def graded(values, limits=None, *, is_binary=False, k=1, **unit_options):
    """A mean of item values, each the mean of ``k`` attempts."""
    units = make_units(values, **unit_options)
    return FakeProblem(
        value_of(units),
        top=units.name,
        range=limits,
        units=units,
        is_binary=is_binary,
        n_items=len(units.item_values),
        n_attempts=k * len(units.item_values),
        runs=(k, k),
        n_tasks=len(units.weights),
    )


def clustered(values, cluster, limits=None, *, is_binary=False, **unit_options):
    problem = graded(values, limits, is_binary=is_binary, unit=cluster, name="cluster", **unit_options)
    return replace(problem, n_clusters=len(problem.units.sums))


def paired_table(both, only_a, only_b, neither):
    n = both + only_a + only_b + neither
    differences = np.r_[np.zeros(both), np.ones(only_a), -np.ones(only_b), np.zeros(neither)]
    return FakeProblem(
        (only_a - only_b) / n,
        range=(-1.0, 1.0),
        units=make_units(differences),
        table_2x2=(both, only_a, only_b, neither),
        is_difference=True,
        is_paired=True,
        is_binary=True,
        sides=(binary(both + only_a, n), binary(both + only_b, n)),
        n_items=n,
        n_attempts=n,
    )


def paired(differences, limits=None, **unit_options):
    problem = graded(differences, limits, **unit_options)
    return replace(problem, is_difference=True, is_paired=True)


def unpaired(a, b):
    limits = None
    if a.range is not None and b.range is not None:
        limits = (a.range[0] - b.range[1], a.range[1] - b.range[0])
    return FakeProblem(
        a.value - b.value,
        top=a.top,
        range=limits,
        is_difference=True,
        sides=(a, b),
        is_binary=a.is_binary and b.is_binary,
        n_items=min(a.n_items, b.n_items),
        n_attempts=max(a.n_attempts, b.n_attempts),
    )


def runs_redrawn(scores, limits=None):
    """A mean over items (rows) of runs (columns), runs redrawn within their item."""
    scores = np.asarray(scores, dtype=float)
    n, k = scores.shape
    variance = float(np.sum(scores.var(axis=1, ddof=1) / k) / n**2) if k > 1 else float("nan")
    width = limits[1] - limits[0] if limits is not None else float("nan")
    units = make_units(scores.ravel(), stratum=np.repeat(np.arange(n), k), name="run")
    return FakeProblem(
        float(scores.mean()),
        top="run",
        range=limits,
        units=units,
        is_binary=bool(np.all((scores == 0.0) | (scores == 1.0))),
        run_variance=(variance, width / (n * k)),
        n_items=n,
        n_attempts=n * k,
        runs=(k, k),
    )
