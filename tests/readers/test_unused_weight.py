"""A column 'weight' that nobody called the weight of items changes no mean, and a note says so."""

from __future__ import annotations

import pandas as pd
import pytest

import scorebars as sb

ROWS = [("a", "q1", 1, 55, "x"), ("a", "q2", 0, 99, "y"), ("a", "q3", 1, 70, "z")]
COLUMNS = ["model", "item", "score", "weight", "sex"]
WEIGHTED = (55 + 70) / (55 + 99 + 70)


def written(tmp_path, *, header="weight", n=1):
    """A table of 3n rows, of which many are read as large tables are."""
    frame = pd.DataFrame([(m, f"{q}.{k}", s, w, x) for k in range(n) for m, q, s, w, x in ROWS], columns=COLUMNS)
    path = tmp_path / "patients.csv"
    frame.rename(columns={"weight": header}).to_csv(path, index=False)
    return path


def codes(found):
    return [note.code for note in (*found.notes, *found[0].notes)]


@pytest.mark.parametrize("n", [1, 60_000])
@pytest.mark.parametrize("header", ["weight", "Weight"])
def test_a_weight_that_nobody_named_weights_nothing(tmp_path, header, n):
    found = sb.estimate(sb.read(written(tmp_path, header=header, n=n)))
    assert found[0].value == pytest.approx(2 / 3)
    (said,) = {note.message for note in found.notes if note.code == "unused-weight"}
    assert said == (
        f"column '{header}' (55 to 99) does not weight the items: each counts the same; if it says how much an item "
        f"counts: --map weight={header}"
    )


def test_the_remedy_weights(tmp_path):
    found = sb.estimate(sb.read(written(tmp_path), columns={"weight": "weight"}))
    assert found[0].value == pytest.approx(WEIGHTED)
    assert "unused-weight" not in codes(found)


def test_an_item_weight_counts_unasked(tmp_path):
    found = sb.estimate(sb.read(written(tmp_path, header="item_weight")))
    assert found[0].value == pytest.approx(WEIGHTED)
    assert "unused-weight" not in codes(found)


def test_frames_are_read_alike():
    frame = pd.DataFrame(ROWS, columns=COLUMNS)
    found = sb.estimate(sb.Scores(frame))
    assert found[0].value == pytest.approx(2 / 3)
    assert "unused-weight" in codes(found)
    named = sb.estimate(sb.Scores(frame, weight="weight"))
    assert named[0].value == pytest.approx(WEIGHTED)
    assert "unused-weight" not in codes(named)


@pytest.mark.parametrize("cells", [[1, 1, 1], ["light", "heavy", "light"], [-1, 2, 3]])
def test_what_is_no_weight_is_not_spoken_of(tmp_path, cells):
    frame = pd.DataFrame(ROWS, columns=COLUMNS).assign(weight=cells)
    frame.to_csv(tmp_path / "a.csv", index=False)
    assert "unused-weight" not in codes(sb.estimate(sb.read(tmp_path / "a.csv")))
    assert "unused-weight" not in codes(sb.estimate(sb.Scores(frame)))


def test_doctor_says_it(tmp_path):
    assert "unused-weight" in [finding.code for finding in sb.doctor(sb.read(written(tmp_path))).findings]


def test_a_weight_beside_models_in_columns_is_no_model(tmp_path):
    (tmp_path / "wide.csv").write_text("item,gpt,claude,weight\nq1,1,0,0\nq2,0,1,1\nq3,1,1,0\n")
    assert sb.read(tmp_path / "wide.csv").models == ("claude", "gpt")


def test_a_tidy_table_keeps_its_weights(tmp_path):
    scores = sb.read(written(tmp_path), columns={"weight": "weight"})
    assert sb.estimate(sb.Scores(scores.tidy()))[0].value == pytest.approx(WEIGHTED)
