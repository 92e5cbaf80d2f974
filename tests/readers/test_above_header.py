"""Titles and comments above a header, headers of two lines, and headers that are numbers, as pivot tables have them."""

from __future__ import annotations

import shlex

import openpyxl
import pytest

import scorebars as sb
from scorebars.cli.main import main
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.files import head_of
from scorebars.readers.read import read
from scorebars.readers.sources import Scratch, delimited_source

ROWS = [[f"q{n}", str(n % 2), str(int(n % 3 > 0))] for n in range(12)]
MEANS = {"gpt": 6 / 12, "llama": 8 / 12}


def text(above, header="id,gpt,llama", rows=ROWS, delimiter=","):
    lines = [*above, header, *(",".join(row) for row in rows)]
    return "\n".join([*lines, ""]).replace(",", delimiter)


def means(scores):
    return {one.model: one.answer.value for one in sb.estimate(scores)}


TITLES = [
    ["Evaluation results 2026"],
    ["Evaluation results 2026", ""],
    ["", "Evaluation results 2026", "", "by the team"],
    ["# run 2026"],
    ["# run 2026, seed 1", "# second, third, and fourth"],
    ["Results,,"],
    ["Results,,", ",,"],
    ["# made by a tool", "Results,,"],
]


@pytest.mark.parametrize("above", TITLES)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("header", ["id,gpt,llama", "#,gpt,llama"])
def test_titles_and_comments_are_left_out_and_said(tmp_path, above, delimiter, header):
    path = tmp_path / "a.csv"
    path.write_text(text(above, header, delimiter=delimiter))
    scores = read(path)
    assert means(scores) == pytest.approx(MEANS)
    line, title = len(above) + 1, next(line for line in above if line.strip(","))
    (said,) = (where for role, where in scores.columns if role == "header")
    assert said == f"line {line}, below '{title.rstrip(',').replace(',', delimiter)}'"


@pytest.mark.parametrize("above", [[["Results of May"]], [["Results"], [None], ["by us"]], [["# run"]]])
def test_of_workbooks_too(tmp_path, above):
    book = openpyxl.Workbook()
    for row in [*above, ["Question", "gpt", "llama"], *([row[0], int(row[1]), int(row[2])] for row in ROWS)]:
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    assert means(read(tmp_path / "a.xlsx")) == pytest.approx(MEANS)


@pytest.mark.parametrize("header", ["id,correct", "Nr.,score"])
@pytest.mark.parametrize("title", ["Report", "Report,"])
def test_of_two_columns_too(tmp_path, header, title):
    path = tmp_path / "a.csv"
    path.write_text(text([title], header, [row[:2] for row in ROWS]))
    assert means(read(path)) == pytest.approx({"a": 0.5})


PLAIN = [
    (["#,model,score", *(f"{n},m,{n % 2}" for n in range(6))], ("#", "model", "score")),
    (["# id,model,score", *(f"{n},m,{n % 2}" for n in range(6))], ("# id", "model", "score")),
    (["score", *(f"{n % 2}" for n in range(6))], ("score",)),
    (["item,", *(f"q{n},{n % 2}" for n in range(6))], ("item",)),
    (["item,", *(f"q{n},correct" for n in range(6))], ("item",)),
    ([",score", *(f"q{n},{n % 2}" for n in range(6))], ("score",)),
]


@pytest.mark.parametrize(("lines", "names"), PLAIN)
def test_a_header_is_no_title(tmp_path, lines, names):
    path = tmp_path / "a.csv"
    path.write_text("\n".join([*lines, ""]))
    with Scratch() as scratch:
        source = delimited_source(head_of(path), scratch)
    assert [name for name in source.names if not name.startswith("column ")] == list(names)
    assert source.said == ()


def test_a_row_of_another_width_is_still_refused(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,correct\nq1,1,0\nq2,0,1\n")
    with pytest.raises(ReadError, match="line 2 has 3 cells, the header has 2"):
        read(path)


PIVOT = ["q0,1,0.5,0,0.2", "q1,0,0.5,1,0.4", "q2,1,0.5,1,0.6"]


@pytest.mark.parametrize("index", [[], ["id,,,,"]])
def test_two_header_lines_are_models_above_metrics(tmp_path, index):
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["model,gpt,gpt,llama,llama", "metric,acc,f1,acc,f1", *index, *PIVOT, ""]))
    with pytest.raises(ScoresError, match=r"there are 2 metrics: 'acc' \(6 rows\), 'f1' \(6 rows\)"):
        sb.estimate(read(path))
    assert means(read(path).select(metric="acc")) == pytest.approx({"gpt": 2 / 3, "llama": 2 / 3})
    assert means(read(path).select(metric="f1")) == pytest.approx({"gpt": 0.5, "llama": 0.4})
    assert dict(read(path).columns)["item"] == f"column '{'id' if index else 'item'}'"


def test_two_header_lines_that_do_not_say_what_they_are_are_refused(tmp_path):
    path = tmp_path / "a.csv"
    lines = ["x,gpt,gpt,llama,llama", "y,acc,f1,acc,f1", *PIVOT, ""]
    path.write_text("\n".join(lines))
    with pytest.raises(ReadError, match=r"two header lines \('gpt acc', 'gpt f1', 'llama acc' …\), and their first"):
        read(path)
    path.write_text("\n".join(lines).replace("x,", "model,", 1).replace("y,", "metric,", 1))  # as it says
    assert len(sb.estimate(read(path).select(metric="acc"))) == 2


def test_a_header_twice_above_data_is_refused_as_before(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,gpt,gpt\nq1,1,0\nq2,0,1\nq3,0,1\n")
    with pytest.raises(ReadError, match="the header 'gpt' more than once"):
        read(path)


@pytest.mark.parametrize("first", [0, 1])
def test_numbered_columns_of_a_pivot_table_are_runs_or_models(tmp_path, first):
    path = tmp_path / "a.csv"
    path.write_text(text([], f"id,{first},{first + 1}"))
    with pytest.raises(ReadError, match="as a pivot table numbers what it spreads") as caught:
        read(path)
    both = f"{first}+{first + 1}"
    assert f"they are the runs (--map run={both}) or the models (--map model={both})" in str(caught.value)
    assert main(shlex.split(caught.value.__notes__[0].splitlines()[-1])[1:]) == 0
    assert sorted(means(read(path, columns={"model": both})).values()) == pytest.approx(sorted(MEANS.values()))


def test_a_pivot_table_without_a_name_for_its_rows(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(",0,1,2,3\ngpt,1,0,1,1\nllama,0,0,1,0\n")
    with pytest.raises(ReadError, match=r"first line \(',0,1,2,3'\) numbers the columns.* write into its first"):
        read(path)
    path.write_text("model,0,1,2,3\ngpt,1,0,1,1\nllama,0,0,1,0\n")  # as it says
    assert means(read(path, columns={"item": "*"})) == pytest.approx({"gpt": 0.75, "llama": 0.25})


def test_a_question_of_right_or_wrong_may_be_the_score(tmp_path, capsys):
    rows = [f"{model},p{n},{n % 2},{n}.5" for model in ("gpt", "llama") for n in range(12)]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["LLM Name,Prompt ID,Is it right?,latency (s)", *rows, ""]))
    with pytest.raises(ReadError, match=r"'Is it right\?' may be the score") as caught:
        read(path)
    assert main(shlex.split(caught.value.__notes__[0].splitlines()[-1])[1:]) == 0
    assert "gpt" in capsys.readouterr().out
