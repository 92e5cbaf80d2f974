"""Which problem it is: from samples, an estimator, an effect and the levels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from scorebars.contracts import DrawnEffect, ItemMean, PairEffect, Reading
from scorebars.errors import MethodError
from scorebars.problem.score import ScoreProblem
from scorebars.resample.design import Rule, mean_of_runs, one_sample, shared_attempts, two_samples

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorebars.contracts import Effect, Estimator
    from scorebars.problem.statistic import StatisticProblem
    from scorebars.sample import Sample


@dataclass(frozen=True, slots=True)
class Setting:
    """What is estimated and what is redrawn; the same for every model of a call."""

    estimator: Estimator
    levels: tuple[str, ...]
    """Empty where nothing can be redrawn."""
    fresh_rng: Callable[[], np.random.Generator]
    paired_runs: bool = False

    @property
    def rule(self) -> Rule:
        """How items get their values, for the design."""
        if isinstance(self.estimator, ItemMean):
            return Rule(self.levels, self.estimator.item_values, self.estimator.linear_in_runs, self.paired_runs)
        return Rule(self.levels, mean_of_runs, linear=True, paired_runs=self.paired_runs)


def score_problem(sample: Sample, setting: Setting) -> ScoreProblem | StatisticProblem:
    """The problem of one sample, whose scores the estimator prepares."""
    ready = setting.estimator.prepare(sample)
    design = one_sample(ready, setting.rule)
    kind: type[ScoreProblem | StatisticProblem] = ScoreProblem
    if not isinstance(setting.estimator, ItemMean):
        from scorebars.problem.statistic import StatisticProblem

        kind = StatisticProblem
    return kind(design, (ready,), setting.estimator, is_paired=False, fresh_rng=setting.fresh_rng)


def effect_problem(a: Sample, b: Sample, effect: Effect, setting: Setting) -> ScoreProblem | StatisticProblem:
    """The problem of A against B: paired on the shared items, else of two unrelated samples.

    Raises:
        MethodError: paired runs with an estimator that is not linear in the runs; an effect over pairs without pairs.
    """
    estimator = setting.estimator
    linear = not isinstance(estimator, ItemMean) or estimator.linear_in_runs
    if setting.paired_runs and not linear:
        raise MethodError(f"{estimator.name} with paired runs is not offered; use the mean, or unpaired runs")
    if isinstance(effect, PairEffect):
        return _pairs_problem(a, b, effect, setting)
    a, b = estimator.prepare(a), estimator.prepare(b)
    if effect.reading is Reading.ODDS and not (a.is_binary and b.is_binary):
        raise MethodError(f"the {effect.name} needs scores of 0 and 1; report a difference or a relative difference")
    if setting.paired_runs:
        a, b = shared_attempts(a, b)
    if isinstance(estimator, ItemMean) and effect.reading is Reading.DIFFERENCE:
        design, paired = two_samples(a, b, setting.rule)
        return ScoreProblem(design, (a, b), estimator, is_paired=paired, fresh_rng=setting.fresh_rng, effect=effect)
    design, paired = two_samples(a, b, replace(setting.rule, linear=False))
    if isinstance(effect, DrawnEffect) and not all(np.all(block.task_weight > 0) for block in design.blocks):
        raise MethodError(f"the {effect.name} looks at one task at a time, and '{a.model}' and '{b.model}' share none")
    from scorebars.problem.statistic import StatisticProblem

    return StatisticProblem(design, (a, b), estimator, is_paired=paired, fresh_rng=setting.fresh_rng, effect=effect)


def _pairs_problem(a: Sample, b: Sample, effect: PairEffect, setting: Setting) -> ScoreProblem:
    """The mean over the attempts that both sides have, of what each pair contributes."""
    if not isinstance(setting.estimator, ItemMean) or not setting.estimator.linear_in_runs:
        raise MethodError(f"the {effect.name} compares score with score: use the mean, not {setting.estimator.name}")
    left, right = shared_attempts(a, b)
    if left.n_attempts != right.n_attempts or not np.array_equal(left.item, right.item):
        raise MethodError(
            f"the {effect.name} needs pairs, and no attempt is shared by '{a.model}' and '{b.model}': "
            "pairs are attempts with the same task, item and run (seed); check the ids, or use ProbabilityOfImprovement"
        )
    pairs = replace(left, values={"score": effect.pair_values(left.score, right.score)}, range=effect.pair_range)
    design = one_sample(pairs, setting.rule)
    return ScoreProblem(design, (pairs,), setting.estimator, is_paired=True, fresh_rng=setting.fresh_rng, effect=effect)


def without_pairing(problem: ScoreProblem | StatisticProblem) -> ScoreProblem | None:
    """The same two samples as if they shared nothing: what the pairing is measured against. None for others."""
    if problem.sides is None or not isinstance(problem, ScoreProblem):
        return None
    a, b = (side.samples[0] for side in problem.sides)
    rule = Rule(problem.design.levels, problem.design.item_values, problem.design.linear)
    design, _ = two_samples(a, b, rule, ignore_shared=True)
    return ScoreProblem(design, (a, b), problem.estimator, is_paired=False, fresh_rng=problem.fresh_rng)
