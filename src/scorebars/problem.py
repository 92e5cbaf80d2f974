"""The problem an interval method works on: one or two samples, an estimator, what is redrawn. All of it lazy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scorebars import notes
from scorebars.contracts import Units
from scorebars.errors import MethodError
from scorebars.resample.crossed import crossed_run_means, crosses, item_shares
from scorebars.resample.design import Rule, one_sample, two_samples
from scorebars.resample.laws import law_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts import Distribution, Estimator
    from scorebars.resample import Resample
    from scorebars.resample.design import Block, Design
    from scorebars.sample import FloatArray, IntArray, Sample

__all__ = ["ScoreProblem", "difference_problem", "score_problem", "without_pairing"]


@dataclass(frozen=True)
class ScoreProblem:
    """What an interval method may ask for (see ``contracts.Problem``), computed when first asked for."""

    design: Design
    samples: tuple[Sample, ...]
    estimator: Estimator
    is_paired: bool
    fresh_rng: Callable[[], np.random.Generator]
    """A Generator in its first state; every distribution starts from the same one."""

    @cached_property
    def value(self) -> float:
        """The point value."""
        return self.design.value

    @property
    def is_difference(self) -> bool:
        """Whether two samples are compared."""
        return len(self.samples) == 2

    @property
    def levels(self) -> frozenset[str]:
        """The redrawn levels."""
        return frozenset(self.design.levels)

    @property
    def top(self) -> str:
        """The uppermost redrawn level; '' where nothing is redrawn."""
        if crosses(self.design) and "run" in self.design.levels:
            return "run"
        return self.design.levels[0] if self.design.levels else ""

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

    @cached_property
    def n_items(self) -> int:
        """Items behind the statistic; for unrelated samples those of the smaller side."""
        return min(block.n_items for block in self.design.blocks)

    @cached_property
    def n_attempts(self) -> int:
        """Attempts behind the statistic; for a difference those of the larger side."""
        return max(int(side.count.sum()) for block in self.design.blocks for side in block.sides)

    @cached_property
    def runs(self) -> tuple[int, int]:
        """Fewest and most runs of an item."""
        counts = [side.count for block in self.design.blocks for side in block.sides]
        return int(min(count.min() for count in counts)), int(max(count.max() for count in counts))

    @property
    def n_tasks(self) -> int:
        """Tasks behind the statistic."""
        return self.design.n_tasks

    @cached_property
    def n_clusters(self) -> int | None:
        """Clusters behind the statistic; for unrelated samples those of the smaller side."""
        numbers = [block.cluster for block in self.design.blocks if block.cluster is not None]
        return min(int(cluster.max()) + 1 for cluster in numbers) if len(numbers) == len(self.design.blocks) else None

    @cached_property
    def is_binary(self) -> bool:
        """Whether every attempt scores 0 or 1."""
        return all(sample.is_binary for sample in self.samples)

    @property
    def linear_in_runs(self) -> bool:
        """Whether the statistic is linear in the scores of the runs."""
        return self.design.linear

    @cached_property
    def units(self) -> Units | None:
        """The redrawn units, where the statistic is a mean or ratio of them."""
        if len(self.design.blocks) != 1 or not self.top:
            return None
        block = self.design.blocks[0]
        if self.top == "run":
            return _run_units(self.design, block)
        if crosses(self.design):
            return None
        return {"item": _item_units, "cluster": _cluster_units, "task": _task_units}[self.top](self.design, block)

    @cached_property
    def _plain(self) -> bool:
        """Unweighted 0/1 items of one task, one run each, redrawn one by one."""
        block = self.design.blocks[0]
        return (
            self.is_binary
            and self.top == "item"
            and self.n_tasks == 1
            and self.runs == (1, 1)
            and bool(np.all(block.weight == block.weight[0]))
        )

    @cached_property
    def counts(self) -> tuple[int, int] | None:
        """(successes, n) of one plain 0/1 sample."""
        if self.is_difference or not self._plain:
            return None
        values = self.design.blocks[0].values
        return int(np.rint(values.sum())), len(values)

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
            self._side(sample, np.concatenate([block.item for block in self.design.blocks if _on_side(block, sign)]))
            for sample, sign in zip(self.samples, (1.0, -1.0), strict=True)
        )
        return a, b

    def _side(self, sample: Sample, items: IntArray) -> ScoreProblem:
        kept = sample.take(np.isin(sample.item, items))
        rule = Rule(self.design.levels, self.design.item_values, self.design.linear)
        design = one_sample(kept, rule)
        return ScoreProblem(design, (kept,), self.estimator, is_paired=False, fresh_rng=self.fresh_rng)

    @cached_property
    def run_variance(self) -> tuple[float, float] | None:
        """(V, c) of a mean whose runs are redrawn; for a difference the sum of both sides' V and the root of c²."""
        if self.top != "run" or not self.design.linear or crosses(self.design):
            return None
        variance, correction = 0.0, 0.0
        for block in self.design.blocks:
            share = item_shares(block)
            for side in block.sides:
                variance += float(np.sum(share**2 * _variances(side.scores, side.start, side.count) / side.count))
                correction += float(np.max(share / side.count)) ** 2
        widths = [bounds[1] - bounds[0] for sample in self.samples if (bounds := sample.range) is not None]
        width = max(widths) if len(widths) == len(self.samples) else float("nan")
        return variance, float(np.sqrt(correction)) * width

    @cached_property
    def _cache(self) -> dict[tuple[int | None, bool], Distribution]:
        return {}

    def distribution(self, n_boot: int | None = None, *, fewer: bool = False) -> Distribution:
        """The bootstrap distribution: computed where it can be, else (or with ``n_boot``) Monte Carlo."""
        key = (n_boot, fewer)
        if key not in self._cache:
            self._cache[key] = self._distribution(n_boot, fewer=fewer)
        return self._cache[key]

    def _distribution(self, n_boot: int | None, *, fewer: bool) -> Distribution:
        from scorebars.distribution import MonteCarlo, compute, ratio

        if not self.design.levels:
            raise MethodError("nothing is redrawn, so there is no bootstrap distribution; name a level with resample=")
        if n_boot is None:
            law = law_of(self.design, fewer=fewer)
            if law is not None:
                return compute(law)
            units = self.units
            if units is not None and len(units.weights) == 1 and len(self.design.levels) == 1 and not fewer:
                return ratio(units.sums, units.sizes)
        from scorebars.resample.draws import replicates

        size = notes.DEFAULT_N_BOOT if n_boot is None else n_boot
        return MonteCarlo(replicates(self.design, size, self.fresh_rng(), fewer=fewer))

    def redrawing(self, levels: tuple[str, ...]) -> ScoreProblem:
        """The same samples with other levels redrawn."""
        return replace(self, design=replace(self.design, levels=levels))

    @cached_property
    def redrawing_bias(self) -> float:
        """E[T*] − T: not zero where runs are redrawn and the estimator is not linear in them."""
        if "run" not in self.design.levels or self.design.linear:
            return 0.0
        return self.distribution().mean - self.value


def _on_side(block: Block, sign: float) -> bool:
    return len(block.sides) == 2 or block.sides[0].sign == sign


def _variances(scores: FloatArray, start: IntArray, count: IntArray) -> FloatArray:
    """Variance of the runs of each item, divisor K − 1; NaN for a single run."""
    slot = np.repeat(np.arange(len(count)), count)
    position = np.arange(len(slot)) - np.repeat(np.cumsum(count) - count, count) + start[slot]
    mean = np.bincount(slot, scores[position], len(count)) / count
    squares = np.bincount(slot, (scores[position] - mean[slot]) ** 2, len(count))
    out = np.full(len(count), np.nan)
    np.divide(squares, count - 1, out=out, where=count > 1)
    return out


def _units(block: Block, name: str, unit: IntArray, stratum: IntArray, weights: FloatArray) -> Units:
    """Units from the unit number of each item and the stratum of each unit."""
    order = np.argsort(unit, kind="stable")
    return Units(
        sums=np.asarray(np.bincount(unit, block.weight * block.values), dtype=np.float64),
        sizes=np.asarray(np.bincount(unit, block.weight), dtype=np.float64),
        stratum=stratum,
        weights=weights,
        name=name,
        item_values=block.values[order],
        item_unit=unit[order],
        item_weights=block.weight[order],
    )


def _item_units(design: Design, block: Block) -> Units:
    unit = np.arange(block.n_items)
    return _collapsed(_units(block, "item", unit, block.task, block.task_weight), design.tasks)


def _cluster_units(design: Design, block: Block) -> Units | None:
    if block.cluster is None:
        return None
    first = np.unique(block.cluster, return_index=True)[1]
    return _collapsed(_units(block, "cluster", block.cluster, block.task[first], block.task_weight), design.tasks)


def _task_units(design: Design, block: Block) -> Units:
    del design
    total = np.bincount(block.task, block.weight)
    even = replace(block, weight=block.weight / total[block.task])
    stratum = np.zeros(len(total), dtype=np.int64)
    return _units(even, "task", block.task, stratum, np.ones(1))


def _run_units(design: Design, block: Block) -> Units | None:
    if design.run_crosses_items:
        means = crossed_run_means(design)
        if means is None:
            return None
        one, zero = np.ones(len(means)), np.zeros(len(means), dtype=np.int64)
        return Units(means, one, zero, np.ones(1), "run", means, np.arange(len(means)), one)
    if not design.linear or len(block.sides) != 1:
        return None
    side = block.sides[0]
    item = np.repeat(np.arange(block.n_items), side.count)
    position = np.arange(len(item)) - np.repeat(np.cumsum(side.count) - side.count, side.count) + side.start[item]
    scores, one = side.sign * side.scores[position], np.ones(len(item))
    return Units(scores, one, item, item_shares(block), "run", scores, np.arange(len(item)), one)


def _collapsed(units: Units, tasks: tuple[str, ...]) -> Units:
    """Strata of one unit merged into one, so that the variance among them counts; a lone one joins the smallest.

    Within the merged stratum a unit's size is its share of the point value, so that the value stays what it was.
    """
    per_stratum = np.bincount(units.stratum, minlength=len(units.weights))
    single = np.flatnonzero(per_stratum == 1)
    if len(units.weights) == 1 or len(single) == 0:
        return units
    merged = single
    if len(single) == 1:
        others = np.flatnonzero(per_stratum > 1)
        merged = np.append(single, others[np.argmin(per_stratum[others])])
    inside = np.isin(units.stratum, merged)
    total = np.bincount(units.stratum, units.sizes, len(units.weights))
    scale = np.where(inside, (units.weights / total)[units.stratum], 1.0)
    kept = np.setdiff1d(np.arange(len(units.weights)), merged)
    number = np.full(len(units.weights), len(kept))
    number[kept] = np.arange(len(kept))
    return replace(
        units,
        sums=units.sums * scale,
        sizes=units.sizes * scale,
        stratum=number[units.stratum],
        weights=np.append(units.weights[kept], units.weights[merged].sum()),
        item_weights=units.item_weights * scale[units.item_unit],
        collapsed=tuple(tasks[task] for task in single),
    )


def score_problem(
    sample: Sample, estimator: Estimator, levels: tuple[str, ...], fresh_rng: Callable[[], np.random.Generator]
) -> ScoreProblem:
    """The problem of one sample. ``levels`` is empty where nothing can be redrawn."""
    design = one_sample(sample, Rule(levels, estimator.item_values, estimator.linear_in_runs))
    return ScoreProblem(design, (sample,), estimator, is_paired=False, fresh_rng=fresh_rng)


def difference_problem(
    a: Sample,
    b: Sample,
    estimator: Estimator,
    resample: Resample | None,
    levels: tuple[str, ...],
    fresh_rng: Callable[[], np.random.Generator],
) -> ScoreProblem:
    """The problem of A − B, paired on the shared items, else of two unrelated samples.

    Raises:
        MethodError: paired runs with an estimator that is not linear in the runs.
    """
    paired_runs = resample is not None and resample.paired
    if paired_runs and not estimator.linear_in_runs:
        raise MethodError(f"{estimator.name} with paired runs is not offered; use the mean, or unpaired runs")
    rule = Rule(levels, estimator.item_values, estimator.linear_in_runs, paired_runs)
    design, paired = two_samples(a, b, rule)
    return ScoreProblem(design, (a, b), estimator, is_paired=paired, fresh_rng=fresh_rng)


def without_pairing(problem: ScoreProblem) -> ScoreProblem | None:
    """The same two samples as if they shared nothing: what the pairing is measured against. None for one sample."""
    if problem.sides is None:
        return None
    a, b = (side.samples[0] for side in problem.sides)
    rule = Rule(problem.design.levels, problem.design.item_values, problem.design.linear)
    design, _ = two_samples(a, b, rule, ignore_shared=True)
    return ScoreProblem(design, (a, b), problem.estimator, is_paired=False, fresh_rng=problem.fresh_rng)
