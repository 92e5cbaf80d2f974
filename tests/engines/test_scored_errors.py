"""Attempts in error that have a score count, and the result says what the others alone would give."""

import pytest

import scorebars as sb
from scorebars.readers.read import read
from scorebars.results.diagnosis import Severity


def table(folder, rows, name="a.csv"):
    path = folder / name
    path.write_text("model,item,score,error\n" + "".join(f"{','.join(map(str, row))}\n" for row in rows))
    return path


def rows_of(model, right, wrong, failed):
    marks = [(1, "")] * right + [(0, "")] * wrong + [(0, "timeout")] * failed
    return [(model, f"q{place}", *mark) for place, mark in enumerate(marks)]


def said(scores):
    return [note for note in scores.cuts().notes if note.code == "errors-with-scores"]


def test_both_means_are_said_and_the_score_stays(tmp_path):
    scores = read(table(tmp_path, rows_of("A", 25, 20, 15) + rows_of("B", 30, 29, 1) + rows_of("C", 5, 5, 0)))
    (note,) = said(scores)
    assert note.message.startswith(
        "16 of 130 attempts ended in an error and have a score all the same, which counts: "
        "'A' 15 of 60 (41.7 % as they count and 55.6 % without them), "
        "'B' 1 of 60 (50.0 % as they count and 50.8 % without them); report both"
    )
    assert sb.estimate(scores)[0].value == pytest.approx(25 / 60)
    (finding,) = [each for each in sb.doctor(scores).findings if each.code == "errors-with-scores"]
    assert finding.severity is Severity.CHANGES


def test_the_remedies_help(tmp_path):
    rows = rows_of("A", 25, 20, 15)
    path = table(tmp_path, rows)
    without = read(path, sql="SELECT model, item, score FROM a WHERE error IS NULL")
    assert sb.estimate(without)[0].value == pytest.approx(25 / 45)
    emptied = table(tmp_path, [(m, i, "" if error else score, error) for m, i, score, error in rows], "b.csv")
    assert sb.estimate(read(emptied, on_error="drop"))[0].value == pytest.approx(25 / 45)
    assert sb.estimate(read(emptied, on_error="wrong"))[0].value == pytest.approx(25 / 60)
    assert said(without) == said(read(emptied)) == []


@pytest.mark.parametrize(
    "rows",
    [
        rows_of("A", 25, 0, 15),  # the status is the verdict
        rows_of("A", 0, 25, 15),  # all wrong anyhow
        rows_of("A", 10, 10, 0),
        [("A", "q1", 1, ""), ("A", "q2", 0, ""), ("A", "q3", "", "timeout")],
        [("A", "q1", 1, "ok"), ("A", "q2", 0, "ok")],
    ],
)
def test_nothing_is_said_where_it_changes_nothing(tmp_path, rows):
    assert said(read(table(tmp_path, rows))) == []


def test_a_few_of_many_are_worth_knowing(tmp_path):
    scores = read(table(tmp_path, rows_of("A", 50, 49, 1)))
    (finding,) = [each for each in sb.doctor(scores).findings if each.code == "errors-with-scores"]
    assert finding.severity is Severity.KNOW
