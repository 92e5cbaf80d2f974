"""What every interval does when the data are moved, mirrored, exchanged, doubled or put in another order."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conformance.members import make_interval
from tests.conformance.problems import apart
from tests.conformance.tables import fresh
from tests.resample.reference import plain, sample_of

import scorebars as sb
from scorebars import notes
from scorebars.contracts import How, Side
from scorebars.effects import Difference
from scorebars.estimators import IQM, Mean
from scorebars.intervals import INTERVALS
from scorebars.problem import Setting, effect_problem, score_problem

UNIT = (0.0, 1.0)
LEVEL = 0.9
METHODS = {spelling: make_interval(spelling) for spelling in INTERVALS}
few = settings(max_examples=4, deadline=None, derandomize=True)

# Eighths, so that moving and stretching them is free of rounding.
eighths = st.integers(0, 8).map(lambda k: k / 8)
graded = st.lists(eighths, min_size=5, max_size=9).filter(lambda v: len(set(v)) > 1)
zeros_and_ones = st.lists(st.sampled_from([0.0, 1.0]), min_size=5, max_size=12)
pairs = st.lists(st.tuples(eighths, eighths), min_size=5, max_size=9).filter(lambda v: len({a - b for a, b in v}) > 1)
binary_pairs = st.lists(st.tuples(*[st.sampled_from([0.0, 1.0])] * 2), min_size=5, max_size=12)


@pytest.fixture(autouse=True, scope="module")
def _few_draws():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notes, "DEFAULT_N_BOOT", 200)
        yield


def in_clusters(values):
    """Two items a cluster, the last one maybe alone."""
    table = {"t": {}}
    for i, value in enumerate(values):
        table["t"].setdefault(f"c{i // 2}", {})[f"i{i:02d}"] = [float(value)]
    return table


def in_runs(values):
    """Two runs an item."""
    return {"t": {"": {f"i{i:02d}": [float(value), float(values[-1 - i])] for i, value in enumerate(values)}}}


def in_tasks(values):
    """Two tasks of about as many items."""
    half = len(values) // 2
    parts = {"a": values[:half], "b": values[half:]}
    return {task: {"": {f"{task}{i}": [float(v)] for i, v in enumerate(part)}} for task, part in parts.items()}


SHAPES = {
    "item": (lambda values: plain(*values), ("item",)),
    "cluster": (in_clusters, ("cluster",)),
    "run": (in_runs, ("run",)),
    "items of tasks": (in_tasks, ("item",)),
}


def one(values, shape="item", limits=None, estimator=None):
    make, levels = SHAPES[shape]
    return score_problem(sample_of(make(values), range=limits), Setting(estimator or Mean(), levels, fresh))


def difference(a, b, *, paired, shape="item", limits=None):
    make, levels = SHAPES[shape]
    first, second = (sample_of(make(v), model, range=limits) for v, model in ((a, "A"), (b, "B")))
    second = second if paired else apart(second, first)
    return effect_problem(first, second, Difference(), Setting(Mean(), levels, fresh))


def ends(method, problem):
    """The bounds as a reader sees them, or None where there are none."""
    if method.refuses(problem) is not None:
        return None
    found = method.bounds(problem, LEVEL, Side.TWO)
    found = found.instead or found
    return None if math.isnan(found.low) or math.isnan(found.high) else (found.low, found.high)


def drawn(method, problem):
    used = method.bounds(problem, LEVEL, Side.TWO).distribution
    return used is not None and used.how is How.MONTE_CARLO


def assert_same(found, expected, tolerance=1e-9):
    assert (found is None) == (expected is None), (found, expected)
    if found is not None:
        assert found == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spelling", INTERVALS)
def test_moved_and_stretched_scores_have_moved_and_stretched_bounds(spelling, shape):
    @few
    @given(graded, st.sampled_from([-3.0, 0.0, 16.0]), st.sampled_from([0.5, 4.0]))
    def check(values, shift, scale):
        before = ends(METHODS[spelling], one(values, shape))
        after = ends(METHODS[spelling], one([shift + scale * v for v in values], shape))
        assert_same(after, before and tuple(shift + scale * x for x in before), 1e-7)

    check()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spelling", INTERVALS)
def test_failures_for_passes_mirror_the_bounds(spelling, shape):
    @few
    @given(st.one_of(graded, zeros_and_ones))
    def check(values):
        before = ends(METHODS[spelling], one(values, shape, UNIT))
        after = ends(METHODS[spelling], one([1.0 - v for v in values], shape, UNIT))
        assert_same(after, before and (1.0 - before[1], 1.0 - before[0]), 1e-7)

    check()


@pytest.mark.parametrize("paired", [True, False], ids=["paired", "unpaired"])
@pytest.mark.parametrize("spelling", INTERVALS)
def test_a_minus_b_mirrors_b_minus_a(spelling, paired):
    @few
    @given(st.one_of(pairs, binary_pairs), st.sampled_from(list(SHAPES)))
    def check(values, shape):
        a, b = zip(*values, strict=True)
        problem = difference(a, b, paired=paired, shape=shape, limits=UNIT)
        if not paired and drawn(METHODS[spelling], problem):
            return  # A is drawn before B, so that the two orders take different random numbers
        before = ends(METHODS[spelling], problem)
        after = ends(METHODS[spelling], difference(b, a, paired=paired, shape=shape, limits=UNIT))
        assert_same(after, before and (-before[1], -before[0]), 1e-7)

    check()


@pytest.mark.parametrize("spelling", INTERVALS)
def test_doubled_items_keep_the_value_and_narrow_the_interval(spelling):
    @few
    @given(st.one_of(graded, zeros_and_ones), st.booleans())
    def check(values, known):
        limits = UNIT if known else None
        single, double = one(values, limits=limits), one([*values, *values], limits=limits)
        assert double.value == pytest.approx(single.value, abs=1e-12)
        narrower(METHODS[spelling], double, single)

    @few
    @given(st.one_of(pairs, binary_pairs), st.booleans())
    def check_pairs(values, paired):
        a, b = zip(*values, strict=True)
        single = difference(a, b, paired=paired, limits=UNIT)
        double = difference((*a, *a), (*b, *b), paired=paired, limits=UNIT)
        assert double.value == pytest.approx(single.value, abs=1e-12)
        narrower(METHODS[spelling], double, single)

    check()
    check_pairs()


def narrower(method, double, single):
    small, large = ends(method, double), ends(method, single)
    if small is not None and large is not None:
        assert small[1] - small[0] <= large[1] - large[0] + 1e-9


@pytest.mark.parametrize("spelling", INTERVALS)
def test_one_cluster_a_row_is_resampling_items(spelling):
    @few
    @given(graded, st.sampled_from([UNIT, None]))
    def check(values, limits):
        table = {"t": {f"c{i:02d}": {f"i{i:02d}": [v]} for i, v in enumerate(values)}}
        clusters = score_problem(sample_of(table, range=limits), Setting(Mean(), ("cluster",), fresh))
        items = one(values, limits=limits)
        found, expected = ends(METHODS[spelling], clusters), ends(METHODS[spelling], items)
        if found is not None and expected is not None:
            assert_same(found, expected)

    check()


RESAMPLES = [sb.Resample("item"), sb.Resample("run"), sb.Resample("task"), sb.Resample("item", "run")]


def rows(seed=2):
    rng = np.random.default_rng(seed)
    cells = [(m, t, f"i{i}", str(r)) for m in "AB" for t in "tu" for i in range(4) for r in range(3)]
    model, task, item, run = (list(column) for column in zip(*cells, strict=True))
    score = list(rng.random(len(cells)).round(2))
    return {"model": model, "task": task, "item": item, "run": run, "score": score}


def taken(frame, order):
    return sb.Scores({name: [column[i] for i in order] for name, column in frame.items()}, range=UNIT)


def answers(scores, **options):
    return [(e.model, e.value, e.low, e.high) for e in sb.estimate(scores, rng=7, **options)]


@pytest.mark.parametrize("resample", RESAMPLES, ids=lambda r: "+".join(r.levels))
@pytest.mark.parametrize("estimator", [Mean(), IQM()], ids=lambda e: e.name)
def test_the_order_of_rows_is_irrelevant(estimator, resample):
    frame = rows()
    order = np.random.default_rng(9).permutation(len(frame["score"]))
    for interval in (sb.Auto(), sb.Percentile(n_boot=150), sb.BCa()):
        options = {"estimator": estimator, "resample": resample, "interval": interval}
        straight, shuffled = taken(frame, range(len(order))), taken(frame, order)
        assert answers(straight, **options) == answers(shuffled, **options)
        a, b = (sb.compare(s, "A", "B", rng=7, **options) for s in (straight, shuffled))
        assert (a.value, a.low, a.high, a.p_value) == (b.value, b.low, b.high, b.p_value)


@pytest.mark.parametrize("resample", RESAMPLES, ids=lambda r: "+".join(r.levels))
@pytest.mark.parametrize("estimator", [Mean(), IQM()], ids=lambda e: e.name)
def test_another_model_in_the_table_changes_nothing(estimator, resample):
    frame = rows()
    alone = [i for i, model in enumerate(frame["model"]) if model == "B"]
    for interval in (sb.Auto(), sb.Percentile(n_boot=150), sb.BCa()):
        options = {"estimator": estimator, "resample": resample, "interval": interval}
        together = answers(taken(frame, range(len(frame["score"]))), **options)
        assert together[1:] == answers(taken(frame, alone), **options)


@pytest.mark.parametrize("resample", RESAMPLES, ids=lambda r: "+".join(r.levels))
def test_drawn_answers_follow_the_seed(resample):
    scores = taken(rows(), range(48))
    options = {"estimator": IQM(), "resample": resample, "interval": sb.Percentile()}
    first, again, other = (sb.estimate(scores, rng=seed, **options)[0] for seed in (3, 3, 4))
    assert first.answer.distribution is How.MONTE_CARLO
    assert (first.low, first.high) == (again.low, again.high)
    sample = scores.cuts().cuts[0].sample
    laws = [score_problem(sample, Setting(IQM(), resample.levels, seeded(s))).distribution() for s in (3, 3, 4)]
    assert laws[0].std == laws[1].std != laws[2].std
    assert other.value == first.value


def seeded(seed):
    return lambda: np.random.default_rng(seed)
