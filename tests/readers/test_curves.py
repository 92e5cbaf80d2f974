"""The point of a learning curve: what each choice takes, and what runs without a value become."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scorebars.contracts import FileHead, ReadOptions
from scorebars.errors import ReadError
from scorebars.readers.curves import Curve, curve_part

HEAD = FileHead(Path("a.json"), (".json",), b"", 0, None)


def curve(xs, ys, run="0", **roles):
    return Curve("m", run, np.array(xs, float), np.array([np.nan if y is None else y for y in ys], float), **roles)


def scores(at, *curves):
    part = curve_part(HEAD, "dreamer", curves, ReadOptions(at=at), {})
    return part.rows["score"].tolist(), [note.code for note in part.notes]


def test_without_a_choice_each_is_said_with_what_it_takes():
    curves = [curve([0, 10, 20], [1, 2, 3]), curve([0, 10, 20, 30], [1, 2, 3, 4], "1")]
    with pytest.raises(ReadError) as caught:
        curve_part(HEAD, "dreamer", curves, ReadOptions(), {})
    assert str(caught.value) == (
        "a.json holds learning curves of 2 runs, which have no one score; choose the point: --at final (the last value "
        "of each run, at steps 20 to 30), --at mean:3 (the mean of its last 3 of 3 or more) or --at step:20 (the last "
        "step that every run reached)"
    )


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ("final", 5.0),
        ("mean:3", 4.0),
        ("step:20", 3.0),
        ("step:29", 3.0),
        ("step:0", 1.0),
        ("step:45", 5.0),
    ],
)
def test_the_value_at_a_point(at, expected):
    assert scores(at, curve([0, 10, 20, 30, 40], [1, 2, 3, 4, 5])) == ([expected], [])


def test_the_value_at_a_step_is_numpys():
    rng = np.random.default_rng(3)
    xs, ys = np.sort(rng.choice(1000, 40, replace=False)), rng.normal(size=40)
    for step in range(int(xs[0]), int(xs[-1])):
        [found], _ = scores(f"step:{step}", curve(xs, ys))
        assert found == ys[xs <= step][-1]


def test_points_without_a_value_are_left_out():
    assert scores("final", curve([0, 10, 20], [None, 2, None])) == ([2.0], [])
    assert scores("mean:2", curve([0, 10, 20, 30], [None, 2, None, 4])) == ([3.0], [])
    assert scores("step:25", curve([0, 10, 20, 30], [None, 2, None, 4])) == ([2.0], [])


def test_a_gap_among_the_points_asked_for_is_said():
    xs, ys = [0, 10, 20, 30, 40], [0, 1, 2, None, 4]
    part = curve_part(HEAD, "dopamine", [curve(xs, ys), curve(xs, [0, 1, 2, 3, 4], "1")], ReadOptions(at="mean:3"), {})
    assert part.rows["score"].tolist() == [(1 + 2 + 4) / 3, 3.0]
    [said] = part.notes
    assert said.code == "curve-gap"
    assert said.message.startswith("1 run with steps without a value among those asked for, such as run '0' (step 30)")
    for at, codes in (("mean:1", []), ("mean:2", ["curve-gap"]), ("final", []), ("step:40", []), ("step:29", [])):
        assert scores(at, curve(xs, ys))[1] == codes
    assert scores("step:30", curve(xs, ys)) == ([2.0], ["curve-gap"])
    assert scores("final", curve(xs, [0, 1, 2, 3, None])) == ([3.0], ["curve-gap"])
    assert scores("final", curve(xs, [0, 1, 2, 3, None], until=40.0)) == ([3.0], ["curve-stale"])


def test_points_that_are_mostly_empty_are_no_gaps():
    ys = [None, 1, None, 2, None, 3, None, 4]  # a metric that is logged at every other step
    assert scores("mean:3", curve(range(8), ys)) == ([3.0], [])
    assert scores("mean:3", curve(range(5), [None, None, 1, 2, 3])) == ([2.0], [])  # before the first is no gap


def test_a_run_that_never_got_there_has_no_value():
    found, codes = scores("step:40", curve([0, 10, 20, 30, 40], [1, 2, 3, 4, 5]), curve([0, 10, 20], [1, 2, 3], "1"))
    assert found[0] == 5.0
    assert np.isnan(found[1])
    assert codes == ["curve-without-value"]


def test_a_run_that_ends_within_one_interval_got_there():
    # Episodes end when they end: the last one before step 400,000 ends at 399,988.
    assert scores("step:400000", curve([199_000, 399_988], [1, 2])) == ([2.0], [])


def test_a_run_that_begins_later_has_no_value():
    found, codes = scores("step:5", curve([0, 10], [1, 2]), curve([8, 10], [3, 4], "1"))
    assert found[0] == 1.0
    assert np.isnan(found[1])
    assert codes == ["curve-without-value"]


def test_too_few_values_for_a_mean_are_no_mean():
    found, codes = scores("mean:3", curve([0, 1, 2], [1, 2, 3]), curve([0, 2], [5, 6], "1"))
    assert (found[0], np.isnan(found[1]), codes) == (2.0, True, ["curve-without-value"])


@pytest.mark.parametrize(
    ("at", "sentence"),
    [
        ("step:100", "no run has a value at 'step:100': task 't', run '0' stops at step 20; the last step .* is 20"),
        ("mean:4", "has 3 values, not 4"),
    ],
)
def test_a_point_that_no_run_has(at, sentence):
    with pytest.raises(ReadError, match=sentence):
        scores(at, curve([0, 10, 20], [1, 2, 3], task="t"))


def test_runs_that_stop_early_are_noted_where_each_counts_at_its_end():
    early, whole = curve(range(0, 50, 10), range(5)), curve(range(0, 100, 10), range(10), "1")
    assert scores("final", early, whole)[1] == ["curve-ends"]
    assert scores("mean:2", early, whole)[1] == ["curve-ends"]
    assert scores("step:40", early, whole) == ([4.0, 4.0], [])
    assert scores("final", whole, curve(range(94), range(94), "1"))[1] == []


def test_steps_that_go_back_are_refused():
    with pytest.raises(
        ReadError, match="the steps of task 't', run '0' go back from 20 to 10, as those of a restarted"
    ):
        scores("final", curve([0, 20, 10], [1, 2, 3], task="t"))
    assert scores("final", curve([0, 10, 10], [1, 2, 3])) == ([3.0], [])


def test_no_curve_and_no_value():
    with pytest.raises(ReadError, match="no learning curve"):
        scores("final")
    with pytest.raises(ReadError, match="has no value at all"):
        scores("final", curve([0, 1], [None, None]))
    with pytest.raises(ReadError, match="without a single value"):
        curve_part(HEAD, "dreamer", [curve([0], [None])], ReadOptions(), {})
