"""The problem of a statistic that is no mean of units: redrawn and computed anew, one block of resamples at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars import notes
from scorebars.contracts import (
    DrawnEffect,
    ItemMean,
    PartialEffect,
    PartialStatistic,
    RatioEffect,
    Reading,
    SumRatio,
    ValueEffect,
)
from scorebars.errors import MethodError, UndefinedError
from scorebars.problem.counted import counted_jackknife, counted_replicates
from scorebars.problem.design_facts import DesignFacts
from scorebars.problem.score import ScoreProblem
from scorebars.problem.units import cluster_units, item_units, ratio_units, task_units
from scorebars.problem.values import value_of
from scorebars.resample.children import Take
from scorebars.resample.crossed import crosses
from scorebars.resample.drawn import drawn_blocks, left_out, observed

if TYPE_CHECKING:
    from scorebars.contracts import Distribution, Range, Units
    from scorebars.resample.drawn import Drawn
    from scorebars.sample import FloatArray, IntArray

_UNITS: Final = {"item": item_units, "cluster": cluster_units, "task": task_units}


@dataclass(frozen=True)
class StatisticProblem(DesignFacts):
    """What an interval method may ask for (see ``contracts.Problem``) of any statistic of one or two samples."""

    @property
    def is_mean(self) -> bool:
        """Never: means have a problem of their own."""
        return False

    @property
    def linear_in_runs(self) -> bool:
        """Statistics of all attempts take runs as they come; only per-item functions of runs are biased by them."""
        return not isinstance(self.estimator, ItemMean) or self.estimator.linear_in_runs

    @cached_property
    def value(self) -> float:
        """The point value."""
        return float(self.statistic_of(observed(self.design))[0])

    @property
    def why_undefined(self) -> str:
        """Why there is no value for these data; '' where there is one, and for what always has one."""
        if isinstance(self.estimator, PartialStatistic):
            told = [self.estimator.why_undefined(sample) for sample in self.samples]
            if any(told):
                return next(filter(None, told))
        if not isinstance(self.effect, PartialEffect) or self.sides is None:
            return ""
        a, b = self.sides
        return self.effect.why_undefined(a.value, b.value)

    @property
    def range(self) -> Range:
        """Lowest and highest possible value of the statistic."""
        if isinstance(self.effect, DrawnEffect):
            return self.effect.effect_range
        ranges = [self.estimator.value_range(sample.range) for sample in self.samples]
        return self.effect.value_range(*ranges) if isinstance(self.effect, ValueEffect) else ranges[0]

    @property
    def units(self) -> Units | None:
        """None: the statistic is no mean of units."""
        return None

    @property
    def flat_without_reason(self) -> bool:
        """Whether attempts of a side differ, or have several values, though no resample does."""
        if isinstance(self.effect, DrawnEffect):
            return False
        columns = [list(sample.values.values()) for sample in self.samples]
        return any(len(values) > 1 or bool(np.ptp(values[0]) > 0) for values in columns)

    @property
    def counts(self) -> tuple[int, int] | None:
        """None: the statistic is no share of successes."""
        return None

    @property
    def table_2x2(self) -> tuple[int, int, int, int] | None:
        """None: the statistic is no difference of shares."""
        return None

    @cached_property
    def odds_tables(self) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """(successes, n) of two unrelated plain 0/1 samples, whose odds ratio is asked for."""
        if self.effect is None or self.effect.reading is not Reading.ODDS or self.is_paired:
            return None
        a, b = (
            ScoreProblem(design, (sample,), self.estimator, is_paired=False, fresh_rng=self.fresh_rng).counts
            for design, sample in self.side_designs()
        )
        return None if a is None or b is None else (a, b)

    @property
    def run_variance(self) -> tuple[float, float] | None:
        """None: the statistic is no mean of runs."""
        return None

    @cached_property
    def sides(self) -> tuple[StatisticProblem, StatisticProblem] | None:
        """The one-sample problems of A and B, of the shared items if paired; None for one sample."""
        if len(self.samples) != 2:
            return None
        a, b = (
            StatisticProblem(design, (sample,), self.estimator, is_paired=False, fresh_rng=self.fresh_rng)
            for design, sample in self.side_designs()
        )
        return a, b

    def statistic_of(self, sides: list[Drawn]) -> FloatArray:
        """Its value in each flat resample of the one or two sides, shape (n,)."""
        if isinstance(self.effect, DrawnEffect):
            return self.effect.of_drawn(*sides)
        values = [value_of(self.estimator, side) for side in sides]
        return self.effect.of(*values) if isinstance(self.effect, ValueEffect) else values[0]

    @cached_property
    def _cache(self) -> dict[tuple[int, Take], Distribution]:
        return {}

    def distribution(self, n_boot: int | None = None, *, fewer: bool = False, draws: int | None = None) -> Distribution:
        """The bootstrap distribution: computed for a ratio of sums over units, else by Monte Carlo.

        Raises:
            MethodError: nothing is redrawn; the statistic does not exist in some resample.
        """
        from scorebars.distribution import MonteCarlo, ratio

        self.refuse_without_levels()
        take = Take(fewer, draws)
        sums_and_sizes = self._ratio_units if n_boot is None else None
        if sums_and_sizes is not None:
            return ratio(*sums_and_sizes, int(take.of(np.array(len(sums_and_sizes[0])))))
        key = (notes.DEFAULT_N_BOOT if n_boot is None else n_boot, take)
        if key not in self._cache:
            self._cache[key] = MonteCarlo(self._finite(self._replicates(*key)))
        return self._cache[key]

    def _replicates(self, n_boot: int, take: Take) -> FloatArray:
        """From counts, where they tell the statistic; else from flat resamples."""
        found = counted_replicates(self.design, n_boot, self.fresh_rng(), take, (self.estimator, self.effect))
        if found is not None:
            return found
        blocks = drawn_blocks(self.design, n_boot, self.fresh_rng(), take)
        return np.concatenate([self.statistic_of(sides) for sides in blocks])

    @cached_property
    def _ratio_units(self) -> tuple[FloatArray, FloatArray] | None:
        """Sums and sizes of the units whose ratio the statistic is; None where it is not, or they are in strata."""
        design, kind = self.design, _UNITS.get(self.top)
        if self.effect is None:
            return ratio_units(design, self.estimator) if isinstance(self.estimator, SumRatio) else None
        if not isinstance(self.effect, RatioEffect) or not isinstance(self.estimator, ItemMean) or kind is None:
            return None
        if not self.is_paired or len(design.levels) > 1 or (self.n_tasks > 1 and self.top != "task") or crosses(design):
            return None
        [block] = design.blocks
        found = [kind(design, replace(block, sides=(replace(side, sign=1.0),))) for side in block.sides]
        a, b = (units.sums for units in found if units is not None)
        return self.effect.sums_and_sizes(a, b)

    def _finite(self, replicates: FloatArray) -> FloatArray:
        bad = np.flatnonzero(~np.isfinite(replicates))
        if len(bad):
            name = self.estimator.name if self.effect is None or self.is_difference else f"the {self.effect.name}"
            raise UndefinedError(
                f"{name} is {replicates[bad[0]]} in resample {bad[0] + 1} of {len(replicates)} "
                f"({len(bad)} in all), so it has no bootstrap interval; use a statistic that every resample has"
            )
        return replicates

    def jackknife(self) -> tuple[FloatArray, IntArray]:
        """The statistic without each redrawn unit, and the stratum of each."""
        self.refuse_without_levels()
        found = counted_jackknife(self.design, (self.estimator, self.effect))
        if found is not None:
            return found
        pieces = [(self.statistic_of(sides), stratum) for stratum, sides in left_out(self.design)]
        if not pieces:
            return np.empty(0), np.empty(0, dtype=np.int64)
        values, strata = zip(*pieces, strict=True)
        return np.concatenate(values), np.concatenate(strata)

    def studentized(self, n_boot: int) -> tuple[FloatArray, FloatArray]:
        """Never: the standard error of any statistic is not known in closed form."""
        del n_boot
        raise MethodError(f"{self.estimator.name} has no standard error in closed form; use BCa or Percentile")

    @property
    def redrawing_bias(self) -> float:
        """E[T*] − T."""
        return self.distribution().mean - self.value
