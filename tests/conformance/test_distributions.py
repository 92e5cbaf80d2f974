"""The bootstrap distribution of every estimator under every legal resampling, against the list of all resamples.

Drawn distributions: Dvoretzky-Kiefer-Wolfowitz with n = 20,000 draws, sup |F̂ − F| > .0205 has a probability below
2·exp(−2·n·.0205²) = 1e-7 a case, and there are about 900 cases: a false alarm in one of 10,000 seeds, the seed fixed.
"""

from functools import cache
from statistics import fmean

import numpy as np
import pytest
from tests.conformance import plain
from tests.conformance.members import all_effects, all_estimators, can_serve
from tests.conformance.tables import (
    ALL_LEVELS,
    COMPARED,
    TABLES,
    fresh,
    is_legal,
    mapped,
    other_side,
    sides,
)
from tests.resample.reference import sample_of

from scorebars import notes
from scorebars.contracts import How, ItemMean, PairEffect
from scorebars.effects import Difference
from scorebars.errors import MethodError
from scorebars.estimators import Mean
from scorebars.problem import Setting, effect_problem, score_problem
from scorebars.resample.children import Take

ESTIMATORS = {member.spelling: member for member in all_estimators()}
EFFECTS = {member.spelling: member for member in all_effects()}
SAMPLES = {name: sample_of(table) for name, table in TABLES.items()}
LEGAL = {name: [levels for levels in ALL_LEVELS if is_legal(sample, levels)] for name, sample in SAMPLES.items()}
CASES = [
    (spelling, name)
    for spelling, member in ESTIMATORS.items()
    for name, sample in SAMPLES.items()
    if can_serve(member.made, sample)
]
N_DRAWS = 20_000
FURTHEST = 0.0205


@pytest.fixture(autouse=True)
def _many_draws(monkeypatch):
    monkeypatch.setattr(notes, "DEFAULT_N_BOOT", N_DRAWS)


MANY = 2_500
"""From this many outcomes on a case is a slow one."""


@cache
def every_resample(name, levels, m=None):
    """Every resample of a table; m draws of n at the uppermost level, or n − 1 for m = −1."""

    def fewer(n):
        return max(n - 1, 1) if m == -1 else m

    return plain.one_sample(TABLES[name], levels, lambda drawn: drawn, draws=None if m is None else fewer)


@cache
def every_pair(name, levels, *, shared, paired_runs=False):
    """Every resample (A, B) of two sides."""
    a = COMPARED[name]
    if shared:
        return plain.paired(a, other_side(a), levels, lambda x, y: (x, y), paired_runs=paired_runs)
    return plain.unpaired(a, other_side(a), levels, lambda x, y: (x, y))


def applied(function, outcomes):
    return [(p, function(drawn)) for p, drawn in outcomes]


def of_both(function, outcomes):
    return [(p, function(*drawn)) for p, drawn in outcomes]


def law(outcomes):
    """Distinct values and their cumulated probabilities; values equal but for rounding are one."""
    outcomes = sorted((value, p) for p, value in outcomes)
    values, total = [], []
    for value, p in outcomes:
        if values and value - values[-1] <= 1e-9:
            total[-1] += p
        else:
            values.append(value)
            total.append(p)
    return np.array(values), np.cumsum(total)


def differs(found, outcomes):
    """How a distribution differs from the list of all resamples; '' where it does not."""
    values, cumulated = law(outcomes)
    mine = np.array([found.cdf(x + 1e-9 * max(1.0, abs(x))) for x in values])
    furthest = float(np.max(np.abs(mine - cumulated)))
    mean = float(sum(p * value for p, value in outcomes))
    if found.how is How.COMPUTED:
        agrees = furthest < 1e-9 and abs(found.mean - mean) < 1e-9
    elif found.how is How.APPROXIMATE:
        # A grid point may fall to the other side of a jump; between the jumps it must agree.
        middle = (values[1:] + values[:-1]) / 2
        agrees = np.max(np.abs([found.cdf(x) for x in middle] - cumulated[:-1]), initial=0.0) < 1e-3
    else:
        agrees = furthest < FURTHEST
    return "" if agrees else f"{found.how.value} ({found.step}): furthest {furthest:.3g}, mean {found.mean} for {mean}"


def wrong_for(member, name, listed):
    """Where the distribution of one sample is not that of all its resamples."""
    wrong = []
    for levels in LEGAL[name]:
        outcomes = every_resample(name, levels)
        if listed(len(outcomes)):
            problem = score_problem(SAMPLES[name], Setting(member.made, levels, fresh))
            if said := differs(problem.distribution(), applied(member.plain, outcomes)):
                wrong.append((levels, said))
    return wrong


@pytest.mark.parametrize(("spelling", "name"), CASES)
def test_one_sample_equals_every_resample(spelling, name):
    assert wrong_for(ESTIMATORS[spelling], name, lambda n: n < MANY) == []


@pytest.mark.slow
@pytest.mark.parametrize(("spelling", "name"), CASES)
def test_one_sample_equals_every_one_of_many_resamples(spelling, name):
    assert wrong_for(ESTIMATORS[spelling], name, lambda n: n >= MANY) == []


@pytest.mark.parametrize("name", TABLES)
def test_means_over_one_level_need_no_random_draws(name):
    for spelling, served in CASES:
        if served != name or not isinstance(ESTIMATORS[spelling].made, ItemMean):
            continue
        for levels in LEGAL[name]:
            if len(levels) == 1:
                found = score_problem(SAMPLES[name], Setting(ESTIMATORS[spelling].made, levels, fresh)).distribution()
                assert found.how is not How.MONTE_CARLO, (spelling, levels)


@pytest.mark.parametrize("m", [-1, 2], ids=["n-1", "m=2"])
@pytest.mark.parametrize("spelling", ["mean", "pass@2", "iqm"])
def test_fewer_draws_at_the_uppermost_level(spelling, m):
    member, wrong = ESTIMATORS[spelling], []
    take = Take(fewer=True) if m == -1 else Take(m=m)
    for name, sample in SAMPLES.items():
        for levels in LEGAL[name] if can_serve(member.made, sample) else ():
            # A function of k runs has no meaning for fewer of them: all runs are redrawn there.
            per_item = levels == ("run",) and not getattr(member.made, "linear_in_runs", True)
            if per_item or len(levels) > 2:
                continue
            outcomes = every_resample(name, levels, m)
            problem = score_problem(sample, Setting(member.made, levels, fresh))
            found = problem.distribution(fewer=take.fewer, draws=take.m)
            if said := differs(found, applied(member.plain, outcomes)):
                wrong.append((name, levels, said))
    assert wrong == []


def test_weighted_items():
    weights = {"1": 2.0, "2": 1.0, "3": 0.5, "4": 3.0, "5": 1.0}
    wrong = []
    for name, table in TABLES.items():
        sample = sample_of(table)
        items = [item for task in sorted(table) for c in sorted(table[task]) for item in sorted(table[task][c])]
        per_row = np.array([weights[items[code]] for code in sample.item])
        weighted = sample_of(table, weight=per_row)
        for levels in [levels for levels in LEGAL[name] if len(levels) < 3]:
            found = score_problem(weighted, Setting(Mean(), levels, fresh)).distribution()
            outcomes = plain.one_sample(table, levels, plain.item_average(fmean), weights=weights)
            if said := differs(found, outcomes):
                wrong.append((name, levels, said))
    assert wrong == []


LEGAL_PAIRS = [
    (name, levels)
    for name, table in COMPARED.items()
    for levels in ALL_LEVELS
    if is_legal(sample_of(table), levels) and len(levels) < 3
]
"""Two levels at most: the deeper stages are the same code as for one sample."""


@pytest.mark.parametrize("shared", [True, False], ids=["paired", "unpaired"])
@pytest.mark.parametrize("spelling", ESTIMATORS)
def test_differences_equal_every_resample(spelling, shared):
    member, wrong = ESTIMATORS[spelling], []
    for name, levels in LEGAL_PAIRS:
        first, second = sides(COMPARED[name], other_side(COMPARED[name]), shared=shared)
        if not (can_serve(member.made, first) and can_serve(member.made, second)):
            continue
        outcomes = every_pair(name, levels, shared=shared)
        if len(outcomes) > MANY:
            continue
        problem = effect_problem(first, second, Difference(), Setting(member.made, levels, fresh))
        listed = of_both(lambda x, y: member.plain(x) - member.plain(y), outcomes)
        if said := differs(problem.distribution(), listed):
            wrong.append((name, levels, said))
    assert wrong == []


@pytest.mark.parametrize("shared", [True, False], ids=["paired", "unpaired"])
@pytest.mark.parametrize("spelling", EFFECTS)
def test_effects_equal_every_resample(spelling, shared):
    member, wrong = EFFECTS[spelling], []
    for name, levels in LEGAL_PAIRS:
        a, b = COMPARED[name], other_side(COMPARED[name])
        first, second = sides(a, b, shared=shared)
        if isinstance(member.made, PairEffect):
            if shared and (said := differs(*pairs_listed(member, a, b, levels))):
                wrong.append((name, levels, said))
            continue
        outcomes = every_pair(name, levels, shared=shared)
        if (spelling == "odds-ratio" and name != "pass or not") or len(outcomes) > MANY:
            continue
        problem = effect_problem(first, second, member.made, Setting(Mean(), levels, fresh))
        try:
            listed = of_both(member.plain(plain.item_average(fmean)), outcomes)
        except ZeroDivisionError:
            with pytest.raises(MethodError, match="no bootstrap interval"):
                problem.distribution()
            continue
        if said := differs(problem.distribution(), listed):
            wrong.append((name, levels, said))
    assert wrong == []


def pairs_listed(member, a, b, levels):
    """The distribution of an effect over pairs, and all its resamples: a mean of what the pairs contribute."""
    first, second = sides(a, b)
    problem = effect_problem(first, second, member.made, Setting(Mean(), levels, fresh))
    other = [runs for clusters in b.values() for items in clusters.values() for runs in items.values()]
    tie = 0.5 if member.spelling.endswith("half") else 0.0
    won = mapped(a, lambda runs, i: [(x > y) + tie * (x == y) for x, y in zip(runs, other[i], strict=True)])
    return problem.distribution(), plain.one_sample(won, levels, plain.item_average(fmean))


def test_paired_runs_are_drawn_once_for_both():
    first, second = sides(COMPARED["two tasks"], other_side(COMPARED["two tasks"]))
    wrong = []
    for member in ESTIMATORS.values():
        if not can_serve(member.made, first):
            continue
        for levels in (("run",), ("item", "run"), ("task", "run")):
            setting = Setting(member.made, levels, fresh, paired_runs=True)
            problem = effect_problem(first, second, Difference(), setting)
            outcomes = every_pair("two tasks", levels, shared=True, paired_runs=True)
            listed = of_both(lambda x, y, value=member.plain: value(x) - value(y), outcomes)
            if said := differs(problem.distribution(), listed):
                wrong.append((member.spelling, levels, said))
    assert wrong == []


CROSSING = {
    "a": {"x": {"1": [1.0], "2": [0.25]}, "y": {"3": [0.5]}, "z": {"4": [0.0]}},
    "b": {"x": {"5": [0.0]}, "y": {"6": [0.75], "7": [1.0]}, "z": {"8": [0.5]}},
}
SEEDS = {"a": {"": {"1": [1.0, 0.0, 0.5], "2": [0.0, 0.25, 1.0]}}, "b": {"": {"3": [0.5, 0.5, 0.0]}}}


@pytest.mark.parametrize("spelling", ESTIMATORS)
def test_units_that_cross_others_are_drawn_whole(spelling):
    member = ESTIMATORS[spelling]
    crossing = (
        (sample_of(CROSSING, cluster_crosses_tasks=True), ("cluster",), plain.crossed_clusters(CROSSING, member.plain)),
        (sample_of(SEEDS, run_crosses_items=True), ("run",), plain.crossed_runs(SEEDS, member.plain)),
    )
    for sample, levels, outcomes in crossing:
        if not can_serve(member.made, sample):
            continue
        problem = score_problem(sample, Setting(member.made, levels, fresh))
        if isinstance(member.made, ItemMean):
            assert differs(problem.distribution(), list(outcomes)) == ""
        else:
            with pytest.raises(MethodError, match="redraw another level, or use the mean"):
                problem.distribution()
