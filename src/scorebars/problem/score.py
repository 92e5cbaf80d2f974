"""The problem an interval method works on: one or two samples, an estimator, what is redrawn. All of it lazy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from scorebars import notes
from scorebars.errors import MethodError
from scorebars.problem.design_facts import DesignFacts
from scorebars.problem.units import cluster_units, item_units, ratio_strata, run_units, run_variances, task_units
from scorebars.resample.children import Take
from scorebars.resample.crossed import crosses, item_shares
from scorebars.resample.strata import collapsed

if TYPE_CHECKING:
    from scorebars.contracts import Distribution, Units
    from scorebars.resample.design import Design
    from scorebars.sample import FloatArray, IntArray


ROUNDING: Final = 1e-13
"""Part of the largest item value below which a difference is what rounding leaves of 0."""


@dataclass(frozen=True)
class ScoreProblem(DesignFacts):
    """What an interval method may ask for (see ``contracts.Problem``) of a mean, or of a difference of two."""

    @cached_property
    def value(self) -> float:
        """The point value; a difference that is nothing but rounding is 0."""
        if self.counts is not None:
            return self.counts[0] / self.counts[1]
        if self.table_2x2 is not None:
            return (self.table_2x2[1] - self.table_2x2[2]) / sum(self.table_2x2)
        value = self.design.value
        if not self.is_difference:
            return value
        scale = max(float(np.max(np.abs(side.values))) for block in self.design.blocks for side in block.sides)
        return 0.0 if abs(value) <= ROUNDING * scale else value

    @property
    def range(self) -> tuple[float, float] | None:
        """Lowest and highest possible value of the statistic."""
        ranges = [self.estimator.value_range(sample.range) for sample in self.samples]
        known = [bounds for bounds in ranges if bounds is not None]
        if len(known) < len(ranges):
            return None
        if len(known) == 1:
            return known[0]
        return known[0][0] - known[1][1], known[0][1] - known[1][0]

    @property
    def linear_in_runs(self) -> bool:
        """Whether the statistic is linear in the scores of the runs."""
        return self.design.linear

    @cached_property
    def strata(self) -> Design:
        """The design as it is redrawn: tasks of one unit are one stratum."""
        return collapsed(self.design)

    @cached_property
    def units(self) -> Units | None:
        """The redrawn units, where the statistic is a mean or ratio of them."""
        if len(self.design.blocks) != 1 or not self.top:
            return None
        block = self.strata.blocks[0]
        if self.top == "run":
            return run_units(self.design, block)
        if crosses(self.design):
            return None
        return {"item": item_units, "cluster": cluster_units, "task": task_units}[self.top](self.design, block)

    @cached_property
    def _plain(self) -> bool:
        """Unweighted 0/1 items of one task, one run each, redrawn one by one."""
        block = self.design.blocks[0]
        return (
            self.is_binary
            and self.top == "item"
            and self.n_tasks == 1
            and self.runs == (1, 1)
            and (block.is_plain or bool(np.all(block.weight == block.weight[0])))
        )

    @cached_property
    def counts(self) -> tuple[int, int] | None:
        """(successes, n) of one plain 0/1 sample."""
        if self.is_difference or not self._plain:
            return None
        values, sample = self.design.blocks[0].values, self.samples[0]
        if values is sample.score:
            return sample.successes, sample.n_attempts
        return int(np.count_nonzero(values > 0.5)), len(values)

    @cached_property
    def table_2x2(self) -> tuple[int, int, int, int] | None:
        """(both, only A, only B, neither) of a plain paired 0/1 difference."""
        if not (self.is_paired and self._plain and len(self.design.blocks[0].sides) == 2):
            return None
        a, b = (side.values > 0.5 for side in self.design.blocks[0].sides)
        return int(np.sum(a & b)), int(np.sum(a & ~b)), int(np.sum(~a & b)), int(np.sum(~a & ~b))

    @cached_property
    def sides(self) -> tuple[ScoreProblem, ScoreProblem] | None:
        """The one-sample problems of A and B; of the shared items, if paired."""
        if not self.is_difference:
            return None
        a, b = (
            ScoreProblem(design, (sample,), self.estimator, is_paired=False, fresh_rng=self.fresh_rng)
            for design, sample in self.side_designs()
        )
        return a, b

    @cached_property
    def variance_split(self) -> tuple[float, float] | None:
        """How much of the variance of the mean comes from the items and how much from their runs, items redrawn.

        With s² the variance of an item's runs and K their number, the items' part of a task is the population variance
        of the item means minus the mean of s²/K, at least 0, and the runs' part the mean of s²/K (Wang 2025, the
        estimators of section 3; Miller 2024, eq. 4). None for a comparison, without two runs of every item, or if the
        estimator is not the mean.
        """
        if self.is_difference or not self.design.linear or self.runs[0] < 2 or self.design.run_crosses_items:
            return None
        block = self.design.blocks[0]
        side = block.sides[0]
        runs = run_variances(side.scores, side.start, side.count) / side.count
        n = np.bincount(block.task, minlength=self.n_tasks)
        mean = np.bincount(block.task, side.values, self.n_tasks) / n
        spread = np.bincount(block.task, (side.values - mean[block.task]) ** 2, self.n_tasks) / n
        of_runs = np.bincount(block.task, runs, self.n_tasks) / n
        share = block.task_weight**2 / n
        return float(np.sum(share * np.maximum(spread - of_runs, 0.0))), float(np.sum(share * of_runs))

    @cached_property
    def run_variance(self) -> tuple[float, float] | None:
        """(V, c) of a mean whose runs are redrawn; for a difference the sum of both sides' V and the root of c²."""
        if self.top != "run" or not self.design.linear or crosses(self.design):
            return None
        variance, correction = 0.0, 0.0
        for block in self.design.blocks:
            share = item_shares(block)
            for side in block.sides:
                variance += float(np.sum(share**2 * run_variances(side.scores, side.start, side.count) / side.count))
                correction += float(np.max(share / side.count)) ** 2
        widths = [bounds[1] - bounds[0] for sample in self.samples if (bounds := sample.range) is not None]
        width = max(widths) if len(widths) == len(self.samples) else float("nan")
        return variance, float(np.sqrt(correction)) * width

    @property
    def is_mean(self) -> bool:
        """Always."""
        return True

    @cached_property
    def _cache(self) -> dict[tuple[int | None, Take], Distribution]:
        return {}

    def distribution(self, n_boot: int | None = None, *, fewer: bool = False, draws: int | None = None) -> Distribution:
        """The bootstrap distribution: computed where it can be, else (or with ``n_boot``) Monte Carlo."""
        self.refuse_without_levels()
        key = (n_boot, Take(fewer, draws))
        if key not in self._cache:
            self._cache[key] = self._distribution(*key)
        return self._cache[key]

    def settle(self, take: Take, law: Distribution) -> None:
        """Answer with a distribution that was computed together with those of other problems."""
        self._cache.setdefault((None, take), law)

    def _distribution(self, n_boot: int | None, take: Take) -> Distribution:
        from scorebars.distribution import MonteCarlo, combine, compute, ratio
        from scorebars.resample.draws import replicates
        from scorebars.resample.laws import law_of, law_of_counts

        if n_boot is None:
            law = law_of(self.strata, take) if self.counts is None else law_of_counts(*self.counts, take)
            if law is not None:
                return compute(law)
            strata = ratio_strata(self.strata)
            if strata is not None:
                several = len(strata) > 1
                taken = [int(take.of(np.array(len(sums)))) for sums, _, _ in strata]
                parts = zip(strata, taken, strict=True)
                return combine([(ratio(a, b, draws, part=several), weight) for (a, b, weight), draws in parts])
        size = notes.DEFAULT_N_BOOT if n_boot is None else n_boot
        return MonteCarlo(replicates(self.strata, size, self.fresh_rng(), take))

    def jackknife(self) -> tuple[FloatArray, IntArray]:
        """The statistic without each redrawn unit, and the stratum of each unit."""
        self.refuse_without_levels()
        from scorebars.problem.redrawn_units import units_left_out
        from scorebars.problem.values import values_of
        from scorebars.resample.drawn import left_out

        if self.units is not None:
            return units_left_out(self.units)
        pieces = [(values_of(self.estimator, sides), stratum) for stratum, sides in left_out(self.design)]
        if not pieces:
            return np.empty(0), np.empty(0, dtype=np.int64)
        values, strata = zip(*pieces, strict=True)
        return np.concatenate(values), np.concatenate(strata)

    @cached_property
    def _studentized(self) -> dict[int, tuple[FloatArray, FloatArray]]:
        return {}

    def studentized(self, n_boot: int) -> tuple[FloatArray, FloatArray]:
        """Drawn (value, standard error) pairs, each of shape (n_boot,); a standard error may be 0."""
        self.refuse_without_levels()
        if self.units is None or len(self.design.levels) > 1:
            raise MethodError("the studentized bootstrap needs a mean over units of one level; use BCa or Percentile")
        if n_boot not in self._studentized:
            from scorebars.problem.redrawn_units import redrawn_moments

            self._studentized[n_boot] = redrawn_moments(self.units, n_boot, self.fresh_rng())
        return self._studentized[n_boot]

    @cached_property
    def redrawing_bias(self) -> float:
        """E[T*] − T: not zero where runs are redrawn and the estimator is not linear in them."""
        if "run" not in self.design.levels or self.design.linear:
            return 0.0
        return self.distribution().mean - self.value
