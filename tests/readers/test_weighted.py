"""A column 'weight' counts, and beside columns that play no role a note says so: it may be what a patient weighs."""

from __future__ import annotations

import re
import shlex

import pandas as pd
import pytest

import scorebars as sb
from scorebars.readers.read import read

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
def test_a_weight_that_nobody_named_counts_and_is_told(tmp_path, header, n):
    path = written(tmp_path, header=header, n=n)
    found = sb.estimate(read(path))
    assert found[0].value == pytest.approx(WEIGHTED)
    (said,) = {note.message for note in found.notes if note.code == "weighted"}
    assert said.startswith(f"each item counts by its column '{header}' (55 to 99); if that is no weight of items: ")
    assert said.endswith(f"; --map weight={header} says that it is one")
    query = re.search(r"\((--sql .*)\); --map", said)[1]
    without = sb.estimate(read(path, sql=shlex.split(query)[1]))
    assert without[0].value == pytest.approx(2 / 3)
    assert "weighted" not in codes(without)


@pytest.mark.parametrize("header", ["weight", "item_weight"])
def test_a_weight_that_is_named_so_is_not_spoken_of(tmp_path, header):
    asked = {} if header == "item_weight" else {"columns": {"weight": "weight"}}
    found = sb.estimate(read(written(tmp_path, header=header), **asked))
    assert found[0].value == pytest.approx(WEIGHTED)
    assert "weighted" not in codes(found)


def test_frames_are_read_alike():
    frame = pd.DataFrame(ROWS, columns=COLUMNS)
    found = sb.estimate(sb.Scores(frame))
    assert found[0].value == pytest.approx(WEIGHTED)
    assert "weighted" in codes(found)
    named = sb.estimate(sb.Scores(frame, weight="weight"))
    assert named[0].value == pytest.approx(WEIGHTED)
    assert "weighted" not in codes(named)


def test_a_table_of_nothing_but_roles_needs_no_note(tmp_path):
    frame = pd.DataFrame(ROWS, columns=COLUMNS).drop(columns="sex")
    frame.to_csv(tmp_path / "a.csv", index=False)
    for scores in (read(tmp_path / "a.csv"), sb.Scores(frame)):
        found = sb.estimate(scores)
        assert found[0].value == pytest.approx(WEIGHTED)
        assert "weighted" not in codes(found)


def test_weights_that_are_all_alike_are_not_spoken_of(tmp_path):
    frame = pd.DataFrame(ROWS, columns=COLUMNS).assign(weight=3)
    frame.to_csv(tmp_path / "a.csv", index=False)
    for scores in (read(tmp_path / "a.csv"), sb.Scores(frame)):
        found = sb.estimate(scores)
        assert found[0].value == pytest.approx(2 / 3)
        assert "weighted" not in codes(found)


def test_doctor_says_it(tmp_path):
    assert "weighted" in [finding.code for finding in sb.doctor(read(written(tmp_path))).findings]


def test_a_weight_beside_models_in_columns_is_no_model(tmp_path):
    (tmp_path / "wide.csv").write_text("item,gpt,claude,weight\nq1,1,0,1\nq2,0,1,1\nq3,1,1,2\n")
    scores = read(tmp_path / "wide.csv")
    assert scores.models == ("claude", "gpt")
    assert [one.value for one in sb.estimate(scores)] == pytest.approx([0.75, 0.75])


def test_a_tidy_table_keeps_its_weights(tmp_path):
    scores = read(written(tmp_path))
    assert sb.estimate(sb.Scores(scores.tidy()))[0].value == pytest.approx(WEIGHTED)
