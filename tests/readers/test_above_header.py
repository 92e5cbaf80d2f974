"""Titles and comments above a header, headers of two lines, and headers that are numbers, as pivot tables have them."""

from __future__ import annotations

import shlex

import openpyxl
import pytest

import scorebars as sb
from scorebars.cli.main import main
from scorebars.errors import ReadError, ScoresError
from scorebars.readers.delimited import delimited_source
from scorebars.readers.files import head_of
from scorebars.readers.read import read
from scorebars.readers.sources import Scratch

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


def table(folder, lines, kind):
    """The lines as CSV, or as a workbook in which blank cells are none, as those are that were merged."""
    path = folder / f"a.{kind}"
    if kind == "csv":
        path.write_text("\n".join([*lines, ""]))
        return path
    book = openpyxl.Workbook()
    for line in lines:
        book.active.append([float(cell) if cell[:1].isdecimal() else cell or None for cell in line.split(",")])
    book.save(path)
    return path


KINDS = pytest.mark.parametrize("kind", ["csv", "xlsx"])
MERGED = pytest.mark.parametrize("models", ["gpt,gpt,llama,llama", "gpt,,llama,"])


@MERGED
@pytest.mark.parametrize(
    ("kind", "index"),
    [("csv", []), ("csv", ["id,,,,"]), ("xlsx", []), ("xlsx", ["id,,,,"]), ("xlsx", [",,,,"])],  # as pandas writes it
)
def test_two_header_lines_are_models_above_metrics(tmp_path, kind, models, index):
    path = table(tmp_path, [f"model,{models}", "metric,acc,f1,acc,f1", *index, *PIVOT], kind)
    with pytest.raises(ScoresError, match=r"there are 2 metrics: 'acc' \(6 rows\), 'f1' \(6 rows\)"):
        sb.estimate(read(path))
    assert means(read(path).select(metric="acc")) == pytest.approx({"gpt": 2 / 3, "llama": 2 / 3})
    assert means(read(path).select(metric="f1")) == pytest.approx({"gpt": 0.5, "llama": 0.4})
    assert dict(read(path).columns)["item"] == f"column '{'id' if index == ['id,,,,'] else 'item'}'"
    assert dict(read(path).columns)["header"] == "two lines: model above metric"


@KINDS
@MERGED
@pytest.mark.parametrize("first", ["x,y", ",", ",id", "id,"])
def test_two_header_lines_that_do_not_say_what_they_are_are_refused(tmp_path, kind, models, first):
    above, below = first.split(",")
    lines = [f"{above},{models}", f"{below},acc,f1,acc,f1", *PIVOT]
    path = table(tmp_path, lines, kind)
    with pytest.raises(ReadError, match=r"two header lines \('gpt acc', 'gpt f1', 'llama acc' …\), and their first"):
        read(path)
    path = table(tmp_path, [f"model,{models}", "metric,acc,f1,acc,f1", *PIVOT], kind)  # as it says
    assert len(sb.estimate(read(path).select(metric="acc"))) == 2


@KINDS
@pytest.mark.parametrize(
    "lines", [(",,gpt,,llama,", "id,kind,acc,f1,acc,f1"), ("id,kind,gpt,,llama,", ",,acc,f1,acc,f1")]
)
def test_two_header_lines_behind_two_columns_are_refused(tmp_path, kind, lines):
    with pytest.raises(
        ReadError, match=r"two header lines \('gpt acc' …\) behind 2 columns; leave the column of the it"
    ):
        read(table(tmp_path, [*lines, *(row.replace(",", ",x,", 1) for row in PIVOT)], kind))


@KINDS
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([",Accuracy,", "id,gpt,llama", "q0,1,0", "q1,0,0", "q2,1,1"], {"gpt": 2 / 3, "llama": 1 / 3}),
        ([",Setup,,Result", "id,model,temp,score", "q0,m,1,0.5", "q1,m,1,0.25", "q2,m,1,0"], {"m": 0.25}),
    ],
)
def test_a_line_above_a_header_of_all_columns_is_left_out(tmp_path, kind, lines, expected):
    scores = read(table(tmp_path, lines, kind))
    assert means(scores) == pytest.approx(expected)
    assert dict(scores.columns)["header"] == f"line 2, below '{lines[0].split(',')[1]}'"


@KINDS
@pytest.mark.parametrize("second", ["id,acc,f1,em,bleu", "id,gpt acc,gpt f1,llama acc,llama f1"])
def test_a_line_of_several_groups_is_not_left_out(tmp_path, kind, second):
    with pytest.raises(ReadError, match="two header lines"):
        read(table(tmp_path, [",gpt,,llama,", second, *PIVOT], kind))


@KINDS
def test_columns_without_a_header_are_no_second_line(tmp_path, kind):
    path = table(tmp_path, ["id,correct,,", "q0,yes,good,a", "q1,no,bad,b", "q2,yes,bad,b"], kind)
    assert means(read(path)) == pytest.approx({"a": 2 / 3})


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
