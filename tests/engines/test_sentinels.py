"""Numbers that stand for no score are said and stay; scores that happen to be such numbers are left alone."""

import numpy as np
import pytest

import scorebars as sb

GRADED = [0.2, 0.8, 0.5, 1.0, 0.0, 0.9]
BITS = [1, 0, 1, 1, 0, 1]
PERCENT = [20, 80, 55, 99, 0, 90]


def scores(*models, **options):
    rows = [(name, f"q{i}", score) for name, cells in models for i, score in enumerate(cells)]
    model, item, score = zip(*rows, strict=True)
    return sb.Scores({"model": model, "item": item, "score": np.array(score, dtype=float)}, **options)


def said(found):
    return [note for note in found.cuts().notes if note.code == "sentinel-scores"]


@pytest.mark.parametrize(("cells", "mark"), [
    (GRADED, -1), (BITS, -1), (PERCENT, -1), (GRADED, 99), (GRADED, -99), (PERCENT, -999), (PERCENT, 999), (BITS, 9999),
    (GRADED, -9), ([0, 0, 0, 0], -1), ([1, 0, float("nan"), 0], -100),
])  # fmt: skip
def test_a_mark_is_named_with_its_count_and_model_and_stays(cells, mark):
    found = scores(("a", cells), ("b", [*cells, mark, mark]))
    (note,) = said(found)
    assert note.message.startswith(f"2 scores of {mark} ('b' 2) far outside the others, which lie within ")
    low, high = min(mark, np.nanmin(cells)), max(mark, np.nanmax(cells))
    assert note.message.endswith(f"(range=({low:g}, {high:g}))")
    assert np.count_nonzero(found.cuts().cuts[1].sample.score == mark) == 2
    assert said(found.with_options(range=(low, high))) == []


@pytest.mark.parametrize("cells", [
    [1, -1, 1, 1],  # two-sided
    [1, 0, -1, -1, 1, 0],  # win, tie, loss
    [-1, -2, 0, 3, 5],  # scores below 0
    [99, 98, 80, 60],  # percentages
    [99, 20, 30],
    [999, 300, 1200],
    [-0.5, 0.2, -1],
    GRADED, BITS, PERCENT, [-1, -1], [99],
])  # fmt: skip
def test_scores_of_such_a_size_are_left_alone(cells):
    assert said(scores(("a", cells))) == []


def test_returns_of_runs_may_be_minus_one_and_999():
    returns = {"walk": [999.0, 2.0, 3.0], "run": [-1.0, 5.0, 8.0]}
    assert said(sb.Scores.from_arrays({"a": returns})) == []
    assert len(said(sb.Scores.from_arrays({"a": {"walk": [-9999.0, 2.0, 3.0]}}))) == 1


def test_two_marks_are_two_notes():
    assert [note.data["value"] for note in said(scores(("a", [*GRADED, -1, -999])))] == ["-1", "-999"]


def test_each_metric_has_its_own():
    columns = {"model": ["a"] * 12, "item": [f"q{i % 6}" for i in range(12)], "metric": ["acc"] * 6 + ["len"] * 6}
    found = sb.Scores({**columns, "score": [*GRADED[:5], -1.0, *(-1.0, 5.0, -3.0, 2.0, 8.0, 0.0)]})
    assert len(said(found.select(metric="acc"))) == 1
    assert said(found.select(metric="len")) == []


def test_doctor_says_what_the_mean_is_without():
    found = sb.doctor(scores(("a", GRADED), ("b", [*GRADED, -999])))
    (finding,) = [each for each in found.findings if each.code == "sentinel-scores"]
    assert finding.severity.value == "would change a conclusion"
    mean = np.mean([*GRADED, -999])
    assert f"the scores of 'b' average {mean:.4g}, and {np.mean(GRADED):.4g} without" in finding.message
