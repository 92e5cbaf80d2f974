import numpy as np
import pytest

from scorebars.engines.axes import from_axes
from scorebars.errors import ArgumentError, ScoresError
from scorebars.scores import Scores

RNG = np.random.default_rng(3)


def samples(scores, by=()):
    return [cut.sample for cut in scores.cuts(by).cuts]


@pytest.mark.parametrize(
    "axes",
    [("item",), ("run",), ("item", "run"), ("run", "item"), ("run", "task"), ("task", "run"), ("task", "item"),
     ("task", "item", "run"), ("run", "item", "task"), ("item", "task", "run")],
)  # fmt: skip
def test_each_score_keeps_its_place_whatever_the_order_of_axes(axes):
    sizes = {"task": 3, "item": 12, "run": 2}
    array = RNG.random([sizes[axis] for axis in axes])

    (sample,) = samples(Scores.from_arrays({"A": array}, axes=axes))

    assert sample.n_attempts == array.size
    for score, task, item, run in zip(sample.score, sample.task, sample.item, sample.run, strict=True):
        place = {"task": task, "item": item - task * 12 if "task" in axes else item, "run": run}
        assert array[tuple(int(place[axis]) for axis in axes)] == score


def test_units_stand_in_the_order_of_the_array():
    array = RNG.random(1234)

    (sample,) = samples(Scores.from_arrays({"A": array}, axes=("item",)))

    np.testing.assert_array_equal(sample.score, array)
    np.testing.assert_array_equal(sample.item, np.arange(1234))


def test_models_of_different_length_share_their_first_items():
    a, b = samples(Scores.from_arrays({"A": np.zeros(5), "B": np.ones(12)}, axes=("item",)))

    assert set(a.item.tolist()) < set(b.item.tolist())


def test_ragged_lists_and_full_ones_agree():
    full = [[1.0, 0.0], [0.0, 1.0]]
    ragged = [[1.0, 0.0], [0.0]]

    (whole,) = samples(Scores.from_arrays({"A": full}, axes=("item", "run")))
    (part,) = samples(Scores.from_arrays({"A": ragged}, axes=("item", "run")))

    np.testing.assert_array_equal(part.score, whole.score[:3])
    np.testing.assert_array_equal(part.item, whole.item[:3])
    np.testing.assert_array_equal(part.run, whole.run[:3])


def test_ragged_runs_by_task_are_sorted_by_task():
    (sample,) = samples(Scores.from_arrays({"A": [[1, 2, 3], [4, 5]]}, axes=("run", "task")))

    np.testing.assert_array_equal(sample.score, [1, 4, 2, 5, 3])
    np.testing.assert_array_equal(sample.task, [0, 0, 1, 1, 2])


def test_dictionaries_of_tasks_keep_their_names():
    scores = Scores.from_arrays({"A": {"pong": [1, 2], "asterix": [3]}, "B": {"pong": np.array([4.0])}})

    assert scores.tasks == ("asterix", "pong")
    a, b = samples(scores)
    np.testing.assert_array_equal(a.score, [3, 1, 2])
    assert [a.task_labels[code] for code in a.task] == ["asterix", "pong", "pong"]
    assert [b.task_labels[code] for code in b.task] == ["pong"]


def test_nan_is_a_missing_score_and_the_array_stays_the_callers():
    array = np.array([[1.0, np.nan], [0.0, 1.0]])
    scores = Scores.from_arrays({"A": array}, axes=("run", "item"))

    (cut,) = scores.cuts().cuts
    array[:] = 7

    np.testing.assert_array_equal(cut.sample.score, [1.0, 0.0, 1.0])
    assert [note.code for note in cut.notes] == ["missing-scores"]


@pytest.mark.parametrize("values", [[True, False], ["pass", "fail"], np.array([1, 0], np.int8), (1, 0), [1, "fail"]])
def test_anything_that_is_a_score_is_taken(values):
    (sample,) = samples(Scores.from_arrays({"A": values}, axes="item"))

    np.testing.assert_array_equal(sample.score, [1.0, 0.0])


@pytest.mark.parametrize(
    ("data", "axes", "error", "said"),
    [
        ({}, ("item",), ScoresError, "no models"),
        ({"A": np.zeros(3)}, ("run", "task"), ScoresError, r"model 'A' has the shape \(3,\).* 2 dimensions"),
        ({"A": np.zeros((3, 2))}, ("item",), ScoresError, r"name 1 dimension;"),
        ({"A": np.zeros(3)}, ("seed",), ArgumentError, "no axis is called 'seed'"),
        ({"A": np.zeros((3, 3))}, ("run", "run"), ArgumentError, "once"),
        ({"A": np.zeros(3)}, (), ArgumentError, "once"),
        ({"A": [[1], [1, [2]]]}, ("item", "run"), ScoresError, r"nested deeper .* \(1, 1\)"),
        ({"A": [1, [1, 2]]}, ("item", "run"), ScoresError, r"nested less deeply .* \(0,\)"),
        ({"A": {"t": [1]}}, ("item",), ScoresError, "name no 'task'"),
        ({"A": []}, ("item",), ScoresError, "no rows"),
    ],
)
def test_what_does_not_fit_the_axes_is_refused(data, axes, error, said):
    with pytest.raises(error, match=said):
        from_axes(data, axes)


@pytest.mark.parametrize(
    "data", [{1: [1, 0], "1": [0, 0]}, {"A": {1: [1, 0], "1": [0, 0]}}], ids=["two models", "two tasks"]
)
def test_names_that_are_one_as_text_are_refused(data):
    axes = ("task", "item") if "A" in data else ("item",)
    with pytest.raises(ScoresError, match=r"two (models|tasks of model 'A') are called '1' as text"):
        Scores.from_arrays(data, axes)


MASKED = np.ma.array([1.0, 0.0, 1.0, 1.0], mask=[False, True, False, False])


@pytest.mark.parametrize(
    ("values", "axes", "expected"),
    [
        (MASKED, ("item",), [1, 1, 1]),
        (MASKED.reshape(2, 2), ("task", "item"), [1, 1, 1]),
        ([MASKED, [0.0] * 4], ("task", "item"), [1, 1, 1, 0, 0, 0, 0]),
        ([MASKED, [0.0]], ("task", "item"), [1, 1, 1, 0]),
        ({"t": MASKED}, ("task", "item"), [1, 1, 1]),
        ([1.0, np.ma.masked, 0.0], ("item",), [1, 0]),
        (np.ma.array([3, 4], mask=False), ("item",), [3, 4]),
    ],
)
def test_masked_cells_are_missing_scores(values, axes, expected):
    assert Scores.from_arrays({"A": values}, axes).cuts().cuts[0].sample.score.tolist() == expected
