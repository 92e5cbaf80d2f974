"""0 and 1 beside grades from 1 upwards: refused between models, noted between tasks, and settled by a range."""

import pytest

import scorebars as sb
from scorebars.errors import ScoresError

BITS = [0, 1, 0, 1, 1, 0]
SHARES = [0.2, 0.5, 0.25, 1, 0, 0.75]
GRADES = [1, 5, 2, 4, 3, 2]


def scores(*groups):
    """(model, task, scores) of each group."""
    rows = [(model, task, f"q{n}", cell) for model, task, cells in groups for n, cell in enumerate(cells)]
    return sb.Scores(dict(zip(("model", "task", "item", "score"), zip(*rows, strict=True), strict=True)))


def noted(found, by=()):
    return [note.message for note in found.cuts(by).notes if note.code == "mixed-scale"]


@pytest.mark.parametrize("low", [BITS, SHARES])
@pytest.mark.parametrize("high", [GRADES, [2, 7, 10, 9, 9, 3], [3, 3, 2, 3, 3, 4]])
def test_two_models_on_two_scales_are_refused(low, high):
    found = scores(("A", "t", low), ("B", "t", high))
    sentence = f"'t' of 'A' lie within 0 and 1, and those of 'B' are grades from 1 to {max(high)};"
    with pytest.raises(
        ScoresError, match=rf"mixed scale: .*{sentence} .*\\(range=\\(0, {max(high)}\\)\\)".replace("\\\\", "\\")
    ):
        found.cuts()
    assert len(found.with_options(range=(0, max(high))).cuts().cuts) == 2
    (finding,) = [each for each in sb.doctor(found).findings if each.code == "mixed-scale"]
    assert finding.remedy.startswith("bring the grades and the 0/1 scores to one scale")


def test_two_tables_on_two_scales_are_not_compared():
    with pytest.raises(ScoresError, match="mixed scale"):
        sb.compare(scores(("A", "t", BITS)), scores(("B", "t", GRADES)))


def test_two_tasks_on_two_scales_are_noted():
    found = scores(("A", "t1", BITS), ("A", "t2", GRADES))
    (message,) = noted(found)
    assert message.endswith(
        "those of task 't1' lie within 0 and 1, those of task 't2' are grades from 1 to 5: a mean over tasks mixes them"
    )
    assert noted(found, ("task",)) == []
    assert noted(found.with_options(range=(0, 5))) == []
    assert "mixed-scale" in [each.code for each in sb.doctor(found).findings]
    assert "mixed-scale" not in [each.code for each in sb.doctor(found.with_options(range=(0, 5))).findings]


@pytest.mark.parametrize("other", [
    [0, 5, 2, 4, 3, 2],  # 0 to 5, and nobody is graded 0 on another scale
    [1, 1, 1, 1, 1, 1], [1.5, 2, 3, 4, 5, 2],
    [2, 3, 4],  # too few
    [1, 12, 11, 12, 15, 13],  # points or returns
    [0.5, 1, 0, 1, 1, 0],
])  # fmt: skip
def test_what_may_be_one_scale_is_left_alone(other):
    assert len(scores(("A", "t", BITS), ("B", "t", other)).cuts().cuts) == 2
    assert noted(scores(("A", "t1", BITS), ("A", "t2", other))) == []
    assert len(scores(("A", "t", [0] * 6), ("B", "t", GRADES)).cuts().cuts) == 2
