"""Last rows without an id that sum up the others: said to be totals, whether the id is known or not."""

from __future__ import annotations

import json
import shlex

import pytest

import scorebars as sb
from scorebars.cli.main import main
from scorebars.errors import ReadError
from scorebars.readers.read import read

RIGHT = [int(k % 6 > 0) for k in range(30)]
"""25 of 30."""


def table(header, last, scores=RIGHT):
    rows = [f"q{k},{score}" for k, score in enumerate(scores)]
    return "\n".join([f"{header},score", *rows, last, ""])


def written(tmp_path, text, name="a.csv"):
    path = tmp_path / name
    path.write_text(text)
    return path


def noted(path):
    return [one.message for one in sb.estimate(read(path)).notes if one.code == "summary-rows"]


@pytest.mark.parametrize(("value", "kind"), [("0.83", "mean"), ("0.8333333", "mean"), ("25", "sum")])
def test_a_known_id_that_lacks_in_a_row_of_totals_is_refused_as_such(tmp_path, value, kind):
    path = written(tmp_path, table("item", f",{value}"))
    with pytest.raises(
        ReadError, match=rf"row 31, the last, has no item .* sums up the rows above it \({kind}\)"
    ) as got:
        read(path)
    sql = shlex.split(str(got.value).partition("--sql ")[2].removesuffix(")"))[0]
    assert sb.estimate(read(path, sql=sql))[0].value == pytest.approx(25 / 30)


@pytest.mark.parametrize("text", [
    table("item", ",0.5"),  # neither the mean nor the sum
    table("item", ",1"),  # an answer like the others
    table("item", ",0.83\nq99,1"),  # not the last
    table("item", ",0.67", [1, 0, 1]),  # of too few
])  # fmt: skip
def test_another_row_without_an_id_is_refused_as_before(tmp_path, text):
    with pytest.raises(ReadError, match=r"row \d+ has no item .*; fill it in, or leave such rows out"):
        read(written(tmp_path, text))


def test_of_a_wide_table_all_columns_must_be_totals(tmp_path):
    rows = [f"q{k},{int(k % 2)},{int(k % 3 > 0)}" for k in range(12)]
    for last, is_total in ((",0.5,0.67", True), (",0.5,0.5", False)):
        path = written(tmp_path, "\n".join(["item,gpt,llama", *rows, last, ""]))
        with pytest.raises(ReadError) as caught:
            read(path)
        assert ("sums up the rows above it (mean)" in str(caught.value)) == is_total


@pytest.mark.parametrize("header", ["Question Number", "utt", ""])
def test_under_an_unknown_header_it_is_refused_as_a_labelled_one_is(tmp_path, header, monkeypatch, capsys):
    written(tmp_path, table(header, ",0.83"))
    written(tmp_path, table(header, "total,0.83"), "b.csv")
    monkeypatch.chdir(tmp_path)
    said = f"row 31, the last, has no '{header or 'column 1'}' and sums up the rows above it (mean): leave it out"
    for path, sentence in (("a.csv", said), ("b.csv", "item 'total' sums up the other 30 items of its model (mean)")):
        assert main(["estimate", path]) == 2
        err = capsys.readouterr().err
        assert sentence in err
        assert ("--sql" in err) == bool(header)  # a column without a header has another name in a query
        if header:
            assert main([*shlex.split(err.splitlines()[-1])[1:], "--format", "json"]) == 0
            (result,) = json.loads(capsys.readouterr().out)["results"]
            assert (result["n_items"], result["value"]) == (30, pytest.approx(25 / 30))


def test_empty_texts_of_json_are_left_out_by_the_query(tmp_path, monkeypatch, capsys):
    records = [{"utt": f"q{k}", "score": score} for k, score in enumerate(RIGHT)] + [{"utt": "", "score": 0.83}]
    written(tmp_path, "".join(json.dumps(record) + "\n" for record in records), "a.jsonl")
    monkeypatch.chdir(tmp_path)
    assert main(["estimate", "a.jsonl"]) == 2
    assert main([*shlex.split(capsys.readouterr().err.splitlines()[-1])[1:], "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["value"] == pytest.approx(25 / 30)


@pytest.mark.parametrize("text", [
    table("utt", ",0.5"),
    table("utt", ",1"),
    table("utt", "q30,0.83"),
    table("utt", ",0.83\n,0.83"),
    table("utt", ",0.83", [0.5, 0.25, 1]),
])  # fmt: skip
def test_other_rows_of_unknown_headers_are_no_totals(tmp_path, text):
    assert noted(written(tmp_path, text)) == []
