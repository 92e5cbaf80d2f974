"""A few scores beside many of 0 and 1 are said with their row and stay; scores that are graded are left alone."""

import numpy as np
import pytest

import scorebars as sb
from scorebars.readers.read import read

BITS = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1] * 4


def scores(**cells):
    rows = [(name, f"q{i}", score) for name, own in cells.items() for i, score in enumerate(own)]
    model, item, score = zip(*rows, strict=True)
    return sb.Scores({"model": model, "item": item, "score": np.array(score, dtype=float)})


def said(found):
    return [note.message for note in found.cuts().notes if note.code == "stray-scores"]


@pytest.mark.parametrize("value", [2, 0.5, 11, -2, 1.5])
def test_a_stray_is_named_with_its_row_and_file_and_stays(tmp_path, value):
    path = tmp_path / "a.csv"
    cells = [*BITS[:17], value, *BITS[17:]]
    path.write_text("model,item,correct\n" + "".join(f"A,q{n},{cell}\n" for n, cell in enumerate(cells)))
    found = read(path)
    (message,) = said(found)
    low, high = min(0, value), max(1, value)
    assert message == (
        f"1 score other than 0 and 1 ({value:g}) among 40 of these, the first in row 18 of {path}, counted as written; "
        f"mend what is a slip, or say with the range that such scores are meant (--range {low:g},{high:g})"
    )
    assert found.cuts().cuts[0].sample.score.sum() == sum(cells)
    assert said(found.with_options(range=(low, high))) == []


def test_several_are_one_note():
    assert said(scores(a=BITS, b=[*BITS, 2, 0.5]))[0].startswith(
        "2 scores other than 0 and 1 (0.5, 2) among 80 of these"
    )


@pytest.mark.parametrize("cells", [
    BITS, [*BITS, 0.5, 0.5, 0.5], [1, 0, 0.5, 1, 0], [1] * 20 + [2], [0.1 * i for i in range(10)], [1, 2, 3, 4, 5] * 4,
    [*BITS, -1], [*BITS, 999], [*BITS, float("nan")],
])  # fmt: skip
def test_other_scores_are_left_alone(cells):
    assert said(scores(a=cells)) == []


def test_one_graded_model_or_task_among_others_is_meant():
    assert said(scores(a=BITS * 5, b=[0.5, 1, 0, 0.25])) == []
    rows = {"task": ["t"] * 200 + ["u"] * 4, "item": range(204), "score": [*BITS * 5, 0.5, 1, 0, 0.25]}
    assert said(sb.Scores({"model": ["a"] * 204, **rows})) == []


def test_returns_of_runs_may_be_anything():
    assert said(sb.Scores.from_arrays({"a": [[*BITS, 2]]}, axes=("task", "run"))) == []


@pytest.mark.parametrize(("value", "severity"), [(2, "would change a conclusion"), (0.5, "worth knowing")])
def test_doctor_says_it(value, severity):
    (finding,) = [each for each in sb.doctor(scores(a=[*BITS, value])).findings if each.code == "stray-scores"]
    assert (finding.severity.value, finding.data["n"]) == (severity, 1)
    assert sb.doctor(scores(a=[*BITS, value]).with_options(range=(0, 2))).findings == ()
