"""Input that is odd, broken or hostile is read right, or refused in one sentence that says what to do."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys

import pytest

from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

TABLE = "model,item,score\nA,1,1\nA,2,0\n"


def means(scores):
    return {cut.sample.model: float(cut.sample.score.mean()) for cut in scores.cuts().cuts}


@pytest.mark.parametrize("name", ["~.csv", "~nobody.csv"])
def test_a_name_that_begins_with_a_tilde_is_a_file(tmp_path, monkeypatch, name):
    (tmp_path / name).write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    assert means(read(name)) == means(read(f"./{name}")) == means(read(".")) == {"A": 0.5}
    (tmp_path / name).unlink()
    with pytest.raises(ReadError, match=f"no file or folder '{name}'"):
        read(name)


def test_a_closed_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ReadError, match="standard input is closed"):
        read("-")


@pytest.mark.parametrize("opened", ['{"score": ', "["])
@pytest.mark.parametrize("copies", [1, 2])
def test_json_that_is_nested_deeply_is_one_sentence(tmp_path, opened, copies):
    deep = opened * 3000 + "1" + {"{": "}", "[": "]"}[opened[0]] * 3000
    (tmp_path / "deep.jsonl").write_text("\n".join([deep] * copies))
    code = "import sys; from scorebars.cli.main import main; sys.exit(main(['estimate', sys.argv[1]]))"
    ran = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "deep.jsonl"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert "bug" not in ran.stderr


@pytest.mark.parametrize("score", ["1e308", "-1e308", "1e151"])
def test_scores_whose_squares_are_no_numbers_are_refused(tmp_path, score):
    (tmp_path / "a.csv").write_text(TABLE + f"A,3,{score}\n")
    with pytest.raises(ScoresError, match=r"in row 3 of .*a\.csv is too large to compute with"):
        read(tmp_path / "a.csv").cuts()


def test_a_score_beyond_the_largest_float_is_not_called_infinite_alone(tmp_path):
    (tmp_path / "a.csv").write_text(TABLE + "A,3,1e400\n")
    with pytest.raises(ScoresError, match=r"in row 3 of .*a\.csv is infinite, or too large for a number"):
        read(tmp_path / "a.csv").cuts()


def test_weights_whose_squares_are_no_numbers_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("model,item,score,weight\nA,1,1,1e300\nA,2,0,1e300\n")
    with pytest.raises(ScoresError, match="a weight is 1e\\+150 at most; divide all by the largest"):
        read(tmp_path / "a.csv").cuts()


def test_a_weight_that_is_no_number_names_its_row(tmp_path):
    (tmp_path / "a.csv").write_text("model,item,score,weight\nA,1,1,1\nA,2,0,x\n")
    with pytest.raises(ReadError, match=r"a\.csv: row 2 has the weight 'x'"):
        read(tmp_path / "a.csv")


def test_a_decimal_comma_after_zero_has_one_reading(tmp_path):
    (tmp_path / "a.csv").write_text(TABLE + 'A,3,"0,5"\n')
    with pytest.raises(ScoresError, match=r"score '0,5' in row 3 of .* has a decimal comma; write 0\.5"):
        read(tmp_path / "a.csv").cuts()


@pytest.mark.parametrize(
    ("value", "said"),
    [({}, "is an empty JSON object"), ({"results": []}, "an empty list under 'results'"), ([], "is an empty list")],
)
def test_empty_json(tmp_path, value, said):
    (tmp_path / "a.json").write_text(json.dumps(value))
    with pytest.raises(ReadError, match=f"{said}.*; no scores are in it"):
        read(tmp_path / "a.json")


def test_a_link_that_leads_nowhere_is_not_its_own_near_miss(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ReadError, match="is a link that leads to no file"):
        read(tmp_path / "loop")


def test_line_ends_of_two_carriage_returns(tmp_path):
    (tmp_path / "a.csv").write_bytes(TABLE.replace("\n", "\r\r\n").encode())
    assert means(read(tmp_path / "a.csv")) == {"A": 0.5}


def test_a_table_without_a_header_says_so(tmp_path):
    (tmp_path / "a.csv").write_text("A,0,0,1\nA,1,0,1\n")
    with pytest.raises(ReadError, match="its first line looks like data: add a line that names the columns"):
        read(tmp_path / "a.csv")


def test_a_name_that_is_not_utf8_does_not_stop_its_folder(tmp_path):
    (tmp_path / "a.csv").write_text(TABLE)
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.csv")
    with open(odd, "w", encoding="utf-8") as stream:  # noqa: PTH123 - the path is bytes
        stream.write(TABLE)
    scores = read(tmp_path)
    assert means(scores) == {"A": 0.5}
    assert [note.message for note in scores.cuts().notes] == [
        f"{tmp_path}/\\xff.csv was skipped: its name is not UTF-8; rename it"
    ]
    with pytest.raises(ReadError, match=r"\\xff\.csv: its name is not UTF-8; rename it"):
        read(odd)


def test_zeros_after_the_compressed_data(tmp_path):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(TABLE.encode()) + bytes(100))
    with pytest.raises(ReadError, match=r"a\.csv\.gz: bytes that are no gzip stand after the compressed data"):
        read(path)


def test_one_large_json_value_is_refused_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr("scorebars.readers.document.LARGEST", 1 << 20)
    (tmp_path / "a.json").write_text(json.dumps({"results": {str(i): {"score": 1} for i in range(60_000)}}))
    with pytest.raises(ReadError, match=r"a\.json is one JSON value of more than 1 MiB.*write it as JSON Lines"):
        read(tmp_path / "a.json")


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_a_number_of_many_digits_is_refused_at_once(tmp_path, name):
    """The pattern of a number once tried every way of splitting its digits: hours for a hundred thousand."""
    digits = "9" * 100_000
    text = f"model,item,score\nA,1,{digits}\nA,2,1\n"
    if name.endswith("jsonl"):
        text = f'{{"model":"A","item":"1","score":{digits}}}\n{{"model":"A","item":"2","score":1}}\n'
    (tmp_path / name).write_text(text)
    with pytest.raises(ScoresError, match="is infinite, or too large for a number"):
        read(tmp_path / name)


@pytest.mark.parametrize(("name", "where"), [("a.jsonl", "line 4"), ("a.json", "record 4")])
def test_a_record_that_is_too_long_is_refused_with_its_number(tmp_path, name, where):
    records = [{"item": f"q{n}", "score": n % 2, "text": "x" * ((40 << 20) if n == 3 else 9)} for n in range(6)]
    text = json.dumps(records) if name == "a.json" else "".join(json.dumps(record) + "\n" for record in records)
    (tmp_path / name).write_text(text)
    with pytest.raises(ReadError, match=rf"a\.jsonl?: {where} is longer than 16 MiB; leave out the long texts"):
        read(tmp_path / name)


@pytest.mark.parametrize("other", [None, "lost", [1], 7])
@pytest.mark.parametrize(
    ("around", "where"),
    [
        (lambda records: {"results": records}, r" of 'results'"),
        (lambda records: {"gpt": [{"id": "q0", "score": 1}], "claude": records}, r" of 'claude'"),
        (lambda records: {"run": {"output": records}}, r" of 'run\.output'"),
    ],
)
def test_a_record_that_is_none_is_named(tmp_path, other, around, where):
    """The list would be no list of records, and its model, beside another one, would be left out."""
    records = [{"id": f"q{n}", "score": n % 2} for n in range(9)]
    (tmp_path / "a.json").write_text(json.dumps(around(records)))
    assert read(tmp_path / "a.json").models
    records[4] = other
    (tmp_path / "a.json").write_text(json.dumps(around(records)))
    with pytest.raises(ReadError, match=rf"a\.json: record 5{where} is no object but .*, among 8 that are; mend it"):
        read(tmp_path / "a.json")


def test_other_lists_may_hold_anything(tmp_path):
    value = {"results": [{"id": "q1", "score": 1}], "history": [{"step": 1}, None, 3], "tags": ["a", {"b": 1}]}
    (tmp_path / "a.json").write_text(json.dumps(value))
    (cut,) = read(tmp_path / "a.json").cuts().cuts
    assert cut.sample.score.tolist() == [1.0]


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_a_cell_of_many_buffers_is_refused_with_its_line(tmp_path, name):
    rows = "".join(f"A,{place},{place % 2},{'x' * (60 << 20) if place == 3 else ''}\n" for place in range(6))
    data = ("model,item,score,note\n" + rows).encode()
    (tmp_path / name).write_bytes(gzip.compress(data, 1) if name.endswith("gz") else data)
    with pytest.raises(ReadError, match=r"line 5 is longer than 16 MiB; leave out the long texts"):
        read(tmp_path / name)
