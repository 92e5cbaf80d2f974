"""Counted resamples: three lines of NumPy reproduce them, and any number of threads and size of blocks."""

import numpy as np
import pytest
import scipy.stats
from tests.resample.reference import plain, sample_of

import scorebars as sb
from scorebars.effects import Difference, ProbabilityOfImprovement, RelativeDifference
from scorebars.estimators import AUROC, F1, IQM, Custom, DifficultyProgress, Mean, Median, Quantile, TrimmedMean
from scorebars.kernels import drawing as module
from scorebars.problem import Setting, effect_problem, score_problem
from scorebars.resample.children import Take
from scorebars.resample.counts import plan_of
from scorebars.resample.design import Rule, mean_of_runs, one_sample
from scorebars.resample.drawn import left_out
from scorebars.sample import Sample

RNG = np.random.default_rng(8)
RUNS = RNG.lognormal(size=(5, 4))
"""5 runs of 4 tasks."""
OTHER = RNG.lognormal(size=(5, 4))


def table(runs):
    return {f"t{k}": {"": {"0": column.tolist()}} for k, column in enumerate(runs.T)}


def drawn(problem, n=300, seed=3, **options):
    return problem.distribution(n, **options).replicates


def fresh():
    return np.random.default_rng(3)


def of_runs(estimator, runs=RUNS):
    return score_problem(sample_of(table(runs)), Setting(estimator, ("run",), fresh))


def redrawn_runs(rng, n=300, runs=RUNS):
    """The three lines: entry (r, d) of one call is draw d of resample r, task after task."""
    idx = rng.integers(0, len(runs), size=(n, *runs.T.shape))
    return runs.T[np.arange(runs.shape[1])[:, None], idx]


@pytest.mark.parametrize(
    ("estimator", "by_numpy"),
    [
        (IQM(), lambda x: scipy.stats.trim_mean(x.reshape(len(x), -1), 0.25, axis=1)),
        (TrimmedMean(0.1), lambda x: scipy.stats.trim_mean(x.reshape(len(x), -1), 0.1, axis=1)),
        (Quantile(0.3), lambda x: np.quantile(x.reshape(len(x), -1), 0.3, axis=1)),
        (Median(plain=True), lambda x: np.median(x.reshape(len(x), -1), axis=1)),
        (Median(), lambda x: np.median(x.mean(axis=2), axis=1)),
        (DifficultyProgress(0.5), lambda x: np.sort(x.reshape(len(x), -1), axis=1)[:, :10].mean(axis=1)),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_runs_are_redrawn_by_one_call(estimator, by_numpy):
    assert drawn(of_runs(estimator)) == pytest.approx(by_numpy(redrawn_runs(fresh())), rel=1e-13)


def test_two_sides_of_runs_are_one_row_of_draws():
    a, b = sample_of(table(RUNS)), sample_of(table(OTHER[:3]), "B")
    setting = Setting(Mean(), ("run",), fresh)
    problem = effect_problem(a, b, ProbabilityOfImprovement(), setting)
    bounds = np.repeat([5, 3], [20, 12])
    idx = fresh().integers(0, bounds, size=(300, 32))
    tasks = np.arange(4)[:, None]
    x, y = RUNS.T[tasks, idx[:, :20].reshape(-1, 4, 5)], OTHER[:3].T[tasks, idx[:, 20:].reshape(-1, 4, 3)]
    expected = (x[..., None] > y[:, :, None, :]).mean(axis=(2, 3)).mean(axis=1)
    assert drawn(problem) == pytest.approx(expected, rel=1e-13)


def test_several_tasks_of_different_size():
    scores = {"a": [0.1, 0.9, 0.4], "b": [0.3, 0.8, 0.5, 0.7], "c": [0.2]}
    sample = sample_of({task: plain(*values)["t"] for task, values in scores.items()})
    problem = score_problem(sample, Setting(IQM(), ("item",), fresh))
    idx = fresh().integers(0, np.repeat([3, 4], [3, 4]), size=(300, 7))  # one unit of one: nothing to draw
    x = np.hstack([np.array(scores["a"])[idx[:, :3]], np.array(scores["b"])[idx[:, 3:]], np.full((300, 1), 0.2)])
    assert drawn(problem) == pytest.approx(scipy.stats.trim_mean(x, 0.25, axis=1), rel=1e-13)


def test_whole_clusters_bring_all_their_attempts():
    clusters = {"x": {"1": [0.1], "2": [0.9]}, "y": {"3": [0.5]}, "z": {"4": [0.3], "5": [0.7], "6": [0.2]}}
    problem = score_problem(sample_of({"t": clusters}), Setting(Quantile(0.4), ("cluster",), fresh))
    idx = fresh().integers(0, 3, size=(300, 3))
    lists = [[x for runs in items.values() for x in runs] for items in clusters.values()]
    expected = [np.quantile(np.concatenate([lists[k] for k in row]), 0.4) for row in idx]
    assert drawn(problem) == pytest.approx(expected, rel=1e-13)


def columns_sample(**columns):
    n = len(next(iter(columns.values())))
    zero, each = np.zeros(n, dtype=np.int32), np.arange(n, dtype=np.int32)
    return Sample(model="A", values=columns, task=zero, item=each, run=zero)


def test_auroc_is_that_of_the_drawn_items():
    label, score = (RNG.random(30) < 0.4) * 1.0, RNG.integers(0, 9, 30) / 8
    problem = score_problem(columns_sample(label=label, score=score), Setting(AUROC(), ("item",), fresh))
    idx = fresh().integers(0, 30, size=(300, 30))
    for row, value in zip(idx, drawn(problem), strict=True):
        won = [(x > y) + 0.5 * (x == y) for x in score[row][label[row] == 1] for y in score[row][label[row] == 0]]
        assert value == pytest.approx(np.mean(won), rel=1e-13)


def test_few_kinds_of_items_are_drawn_as_kinds():
    label, prediction = (
        np.repeat([0.0, 0.0, 1.0, 1.0], [300, 20, 30, 150]),
        np.repeat([0.0, 1.0, 0.0, 1.0], [300, 20, 30, 150]),
    )
    shuffled = np.random.default_rng(1).permutation(500)
    sample = columns_sample(label=label[shuffled], prediction=prediction[shuffled])
    problem = score_problem(sample, Setting(F1(), ("item",), fresh))
    _, fp, fn, tp = fresh().multinomial(500, np.array([300, 20, 30, 150]) / 500, size=300).T
    assert drawn(problem) == pytest.approx(2 * tp / (2 * tp + fp + fn), rel=1e-13)


def test_kinds_are_drawn_for_both_sides_at_once():
    score = np.repeat([0.0, 1.0, 0.0, 1.0], 100)
    other = np.repeat([0.0, 0.0, 1.0, 1.0], 100)
    a, b = (sample_of(plain(*values), model) for values, model in ((score, "A"), (other, "B")))
    problem = effect_problem(a, b, RelativeDifference(), Setting(Mean(), ("item",), fresh))
    counts = fresh().multinomial(400, np.full(4, 0.25), size=300)  # (0, 0), (0, 1), (1, 0), (1, 1)
    expected = (counts[:, 2] + counts[:, 3]) / (counts[:, 1] + counts[:, 3]) - 1
    assert drawn(problem) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("estimator", [IQM(), Median(), Quantile(0.9)], ids=lambda e: e.name)
@pytest.mark.parametrize("draws", [None, 3])
def test_fewer_draws_have_the_same_distribution_as_flat_resamples(estimator, draws):
    # Two samples of 4,000: the Kolmogorov-Smirnov p-value is below 1e-4 in one of 10,000 seeds, and the seed is fixed.
    options = {"fewer": draws is None, "draws": draws}
    counted = drawn(of_runs(estimator), 4_000, **options)
    flat = drawn(of_runs(Flat(estimator)), 4_000, **options)
    assert scipy.stats.ks_2samp(counted, flat, method="asymp").pvalue > 1e-4
    design = one_sample(sample_of(table(RUNS)), Rule(("run",), mean_of_runs, linear=True))
    assert plan_of(design, Take(draws is None, draws)).strata.draws.tolist() == [draws or 4] * 4


class Flat:
    """The same estimator without its counted form."""

    def __init__(self, estimator):
        self.estimator = estimator

    def __getattr__(self, name):
        if name == "counted":
            raise AttributeError(name)
        return getattr(self.estimator, name)


@pytest.mark.parametrize("estimator", [IQM(), Median(), Custom(np.median)], ids=lambda e: e.name)
def test_threads_and_blocks_change_nothing(estimator, monkeypatch):
    whole = drawn(of_runs(estimator), 1_000)
    monkeypatch.setattr(module, "CELLS", 200)
    monkeypatch.setattr(module, "CELLS_NARROW", 200)
    monkeypatch.setattr(module, "THREADED", 0)
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("SCOREBARS_NUM_THREADS", threads)
        assert drawn(of_runs(estimator), 1_000).tobytes() == whole.tobytes()


def test_an_error_in_a_thread_comes_out(monkeypatch):
    monkeypatch.setattr(module, "THREADED", 0)
    monkeypatch.setenv("SCOREBARS_NUM_THREADS", "2")

    def work(block):
        raise ValueError(block)

    with pytest.raises(ValueError, match="7"):
        list(module.in_order([7, 8], work, 1.0))


def test_memory_does_not_grow_with_the_number_of_resamples(monkeypatch):
    import tracemalloc

    monkeypatch.setenv("SCOREBARS_NUM_THREADS", "1")  # each thread holds a few blocks of its own
    monkeypatch.setattr(module, "choose", lambda *_: False)  # what a compiler takes is another matter
    sample = sample_of(plain(*RNG.normal(size=2_000)))

    def peak(n_boot):
        problem = score_problem(sample, Setting(IQM(), ("item",), fresh))
        tracemalloc.start()
        problem.distribution(n_boot)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found - 8 * 2 * n_boot  # the replicates themselves, in pieces and in one

    peak(50)
    assert peak(4_000) < 1.2 * peak(500)


def test_the_callers_generator_goes_on_where_the_stream_ended():
    scores = sb.Scores.from_arrays({"A": RUNS}, axes=("run", "task"))
    rng, plain_rng = np.random.default_rng(5), np.random.default_rng(5)
    sb.estimate(scores, estimator=IQM(), resample=sb.Resample("run"), interval=sb.Percentile(101), rng=rng)
    plain_rng.integers(0, 5, size=(101, 20))
    assert rng.integers(0, 2**40) == plain_rng.integers(0, 2**40)


def test_difference_of_statistics_draws_shared_items_once():
    a, b = sample_of(plain(1, 2, 3, 7)), sample_of(plain(0, 1, 2, 6), "B")
    problem = effect_problem(a, b, Difference(), Setting(IQM(), ("item",), fresh))
    assert drawn(problem) == pytest.approx(np.ones(300), abs=1e-15)


@pytest.mark.parametrize("estimator", [IQM(), Quantile(0.4), Median(), Mean()], ids=lambda e: e.name)
@pytest.mark.parametrize("level", ["item", "cluster"])
def test_leaving_units_out_of_counts_is_leaving_them_out_of_the_data(estimator, level):
    clusters = {
        "s": {"v": {"1": [0.1, 0.7], "2": [0.9]}, "w": {"3": [0.4]}},
        "t": {"x": {"4": [0.3], "5": [0.7, 0.6]}, "y": {"6": [0.25]}, "z": {"7": [0.5], "8": [1.0]}},
        "u": {"q": {"9": [0.35]}},
    }
    problem = score_problem(sample_of(clusters), Setting(estimator, (level,), fresh))
    if estimator.name == "mean":  # as one side of a comparison that is no mean
        other = sample_of(
            {k: {c: {i: [2 * x for x in r] for i, r in v.items()} for c, v in t.items()} for k, t in clusters.items()},
            "B",
        )
        problem = effect_problem(other, sample_of(clusters), RelativeDifference(), Setting(estimator, (level,), fresh))
    counted, strata = problem.jackknife()
    pieces = [(problem.statistic_of(sides), stratum) for stratum, sides in left_out(problem.design)]
    values, expected = (np.concatenate(part) for part in zip(*pieces, strict=True))
    assert counted == pytest.approx(values, rel=1e-13)
    assert strata.tolist() == expected.tolist()


def test_leaving_kinds_out():
    label, prediction = (
        np.repeat([0.0, 0.0, 1.0, 1.0], [100, 40, 60, 100]),
        np.repeat([0.0, 1.0, 0.0, 1.0], [100, 40, 60, 100]),
    )
    problem = score_problem(columns_sample(label=label, prediction=prediction), Setting(F1(), ("item",), fresh))
    counted, _ = problem.jackknife()
    flat = np.concatenate([problem.statistic_of(sides) for _, sides in left_out(problem.design)])
    assert np.sort(counted) == pytest.approx(np.sort(flat), rel=1e-13)
