"""Performance profiles against all resamples and the published Atari figures; curves over steps."""

import itertools

import numpy as np
import pytest
from tests.effects.atari_runs import needs_atari, runs_of

import scorebars as sb
from scorebars.errors import ArgumentError, MethodError, ScoresError


def scores_of(**sides):
    return sb.Scores.from_arrays(sides, axes=("run", "task"))


def bounds(every, p=0.025):
    every = np.sort(every)
    k = int(np.ceil(p * len(every) - 1e-9)) - 1
    return every[k], every[len(every) - 1 - k]


def redrawn(table):
    """All ways to redraw the runs of each task, shape (ways, runs, tasks)."""
    runs, tasks = table.shape
    picks = list(itertools.product(range(runs), repeat=runs))
    return np.array([
        np.stack([table[list(rows), task] for task, rows in enumerate(choice)], axis=1)
        for choice in itertools.product(picks, repeat=tasks)
    ])  # fmt: skip


TABLE = np.array([[0.1, 0.9], [0.3, 0.4], [0.8, 0.2]])


@pytest.mark.parametrize("averages", [False, True])
def test_pointwise_bands_are_those_of_all_resamples(averages):
    [profile] = sb.performance_profile(scores_of(A=TABLE), [0.3, 0.5], averages=averages, n_boot=0)
    every = redrawn(TABLE)
    for point in profile.points:
        above = (every.mean(axis=1) if averages else every) > point.threshold + 1e-12
        shares = above.reshape(len(every), -1).mean(axis=1)
        own = (TABLE.mean(axis=0) if averages else TABLE) > point.threshold
        assert point.value == pytest.approx(own.mean(), abs=1e-15)
        assert (point.low, point.high) == pytest.approx(bounds(shares), abs=1e-12)
        assert np.isnan(point.simultaneous_low)
    assert profile.resample == ("run",)
    assert profile.question == "What would the profile be if the same tasks and items were attempted again?"


def test_tasks_and_runs_redrawn():
    scores = scores_of(A=TABLE)
    [profile] = sb.performance_profile(
        scores, [0.45], averages=True, resample=sb.Resample("task", "run"), n_boot=20_000, rng=1
    )
    chance = np.mean(redrawn(TABLE).mean(axis=1) > 0.45 + 1e-12, axis=0).mean()
    law = [(1 - chance) ** 2, 2 * chance * (1 - chance), chance**2]
    low = [0.0, 0.5, 1.0][int(np.searchsorted(np.cumsum(law), 0.025))]
    assert profile.points[0].low == low


def test_a_threshold_is_exceeded_strictly():
    [profile] = sb.performance_profile(scores_of(A=[[0.5, 1.0], [0.5, 0.0]]), [0.0, 0.5, 1.0], n_boot=0)
    assert [point.value for point in profile.points] == [0.75, 0.25, 0.0]
    thirds = np.array([[0.1], [0.2], [0.3]])
    [profile] = sb.performance_profile(scores_of(A=thirds), [0.2], averages=True, n_boot=0)
    assert profile.points[0].value == 0.0  # the mean of the three is .2 and a rounding error


def test_the_simultaneous_band_holds_all_thresholds_at_once():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(20, 8))
    taus = np.linspace(-1.5, 1.5, 25)
    for averages in (False, True):
        [profile] = sb.performance_profile(scores_of(A=table), taus, averages=averages, n_boot=4_000, rng=2)
        low, high = (np.array([getattr(p, f"simultaneous_{end}") for p in profile.points]) for end in ("low", "high"))
        idx = rng.integers(0, 20, (2_000, 20, 8))
        runs = table[idx, np.arange(8)]
        cells = runs.mean(axis=1)[:, None] if averages else runs
        drawn = (cells[..., None] > taus).mean(axis=(1, 2))
        inside = np.mean(np.all((drawn >= low - 1e-9) & (drawn <= high + 1e-9), axis=1))
        # 2,000 fresh resamples: five standard errors of .95 are .024; clipping at 0 and 1 only adds coverage
        assert 0.925 < inside < 0.985
        pointwise = np.array([p.high - p.low for p in profile.points])
        assert np.mean(high - low) > pointwise.mean()


def test_rows_and_reproduction():
    scores = scores_of(B=TABLE, A=TABLE + 0.1)
    first, second = (sb.performance_profile(scores, [0.5, 0.2], n_boot=200).to_dicts() for _ in range(2))
    assert first == second
    assert [(row["model"], row["threshold"]) for row in first] == [("A", 0.2), ("A", 0.5), ("B", 0.2), ("B", 0.5)]
    assert first[0]["n_boot"] == 200
    assert first[0]["kind"] == "run-score"
    profiles = sb.performance_profile(scores, [0.5], n_boot=0)
    assert [p.model for p in profiles[1:]] == ["B"]
    assert profiles[0].to_dicts()[0]["seed"] is None


def test_items_of_one_benchmark_work_as_well():
    scores = sb.Scores.from_arrays({"A": [0.2, 0.6, 0.9, 0.4]}, axes=("item",))
    [profile] = sb.performance_profile(scores, [0.5], n_boot=100)
    assert (profile.points[0].value, profile.points[0].low, profile.points[0].high) == (0.5, 0.0, 1.0)
    assert profile.resample == ("item",)


def test_nothing_to_redraw_leaves_the_bands_out():
    [profile] = sb.performance_profile(scores_of(A=[[0.1, 0.2]]), [0.15])
    assert profile.points[0].value == 0.5
    assert np.isnan(profile.points[0].low)
    assert [n.code for n in profile.notes] == ["nothing-to-redraw"]


@pytest.mark.parametrize("taus", [[], [0.1, np.nan], [0.1, 0.1]])
def test_thresholds_are_checked(taus):
    with pytest.raises(ArgumentError, match="threshold"):
        sb.performance_profile(scores_of(A=TABLE), taus)
    with pytest.raises(ArgumentError, match="n_boot"):
        sb.performance_profile(scores_of(A=TABLE), [0.1], n_boot=-1)


def test_crossed_runs_have_a_pointwise_band_alone():
    table = {"model": ["A"] * 6, "item": [*"112233"], "run": ["s1", "s2"] * 3, "score": [0.1, 0.9, 0.3, 0.8, 0.2, 0.7]}
    scores = sb.Scores(table).with_options(run_crosses_items=True)
    run = sb.Resample("run")
    [profile] = sb.performance_profile(scores, [0.5], resample=run, n_boot=0)
    assert (profile.points[0].low, profile.points[0].high) == (0.0, 1.0)
    with pytest.raises(MethodError):
        sb.performance_profile(scores, [0.5], resample=run, n_boot=10)


@pytest.mark.shared_data
@needs_atari
@pytest.mark.parametrize(
    ("name", "shares", "bands"),
    [("SPR", [0.553846, 0.392308, 0.234615], [(0.523077, 0.584615), (0.357692, 0.426923), (0.207692, 0.261538)]),
     ("DER", [0.380769, 0.242308, 0.103846], [(0.346154, 0.415385), (0.223077, 0.261538), (0.084615, 0.123077)])],
)  # fmt: skip
def test_published_run_score_profiles(name, shares, bands):
    [profile] = sb.performance_profile(scores_of(x=runs_of(name)[:10]), [0.25, 0.5, 1.0], n_boot=0)
    assert [p.value for p in profile.points] == pytest.approx(shares, abs=5e-7)
    assert np.array([(p.low, p.high) for p in profile.points]) == pytest.approx(np.array(bands), abs=5e-7)


@pytest.mark.shared_data
@needs_atari
def test_published_average_score_profile():
    [profile] = sb.performance_profile(scores_of(x=runs_of("SPR")[:10]), [0.25, 0.5, 1.0], averages=True, n_boot=0)
    assert [p.value for p in profile.points] == pytest.approx([0.576923, 0.423077, 0.269231], abs=5e-7)


def test_sample_efficiency_orders_steps_as_numbers():
    rng = np.random.default_rng(3)
    steps = ["20000", "100000", "5e3"]
    rows = [(m, f"g{g}", str(r), s) for m in "BA" for g in range(3) for r in range(4) for s in steps]
    model, task, run, step = zip(*rows, strict=True)
    frame = {"model": model, "task": task, "run": run, "step": step, "score": rng.random(len(rows))}
    scores = sb.Scores(frame, variant="step")
    curve = sb.sample_efficiency(scores, resample=sb.Resample("run"), interval=sb.Percentile())
    assert [(row.model, dict(row.group)["variant"]) for row in curve] == [
        (m, s) for m in "AB" for s in ("5e3", "20000", "100000")
    ]
    chosen = [x for x, m, s in zip(frame["score"], model, step, strict=True) if (m, s) == ("A", "20000")]
    assert curve[1].value == pytest.approx(np.mean(chosen), abs=1e-12)
    assert curve[1].low < curve[1].value < curve[1].high


def test_sample_efficiency_needs_steps():
    plain = {"model": ["A", "A"], "item": ["1", "2"], "score": [1.0, 0.0]}
    with pytest.raises(ScoresError, match="which column counts the steps"):
        sb.sample_efficiency(sb.Scores(plain))
    with pytest.raises(ScoresError, match="'strict' is not a number"):
        sb.sample_efficiency(sb.Scores({**plain, "step": ["strict", "strict"]}, variant="step"))
