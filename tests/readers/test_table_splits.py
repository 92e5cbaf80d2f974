"""A column of splits in a table: what is pooled is said, and one split can be asked for."""

from __future__ import annotations

import gzip
import json

import pytest
from tests.analysis.checks.tables import from_files
from tests.readers.test_table import write

from scorebars.errors import ReadError, ScoresError
from scorebars.readers.read import read

ROWS = [("A", f"q{i}", "train" if i < 3 else "test", i % 2) for i in range(8)]
ROWS += [("B", f"q{i}", "train" if i < 3 else "test", 1) for i in range(8)]


def table(folder, header="split", name="a.csv", values=None):
    named = values or {}
    lines = [f"model,item,{header},score"] + [f"{m},{i},{named.get(s, s)},{x}" for m, i, s, x in ROWS]
    return write(folder, "\n".join([*lines, ""]), name)


def said(scores):
    return [note for note in scores.cuts().notes if note.code == "pooled-splits"]


def means(scores):
    return {cut.sample.model: cut.sample.score.mean() for cut in scores.cuts().cuts}


@pytest.mark.parametrize("header", ["split", "Data Split", "partition", "fold"])
def test_pooled_splits_are_said_and_one_can_be_asked_for(tmp_path, header):
    path = table(tmp_path, header)
    (note,) = said(read(path))
    assert f"column '{header}' has several splits of the data, 'test' (10 rows), 'train' (6 rows), which count" in (
        note.message
    )
    assert note.message.endswith("for one of them: --split test")

    test = read(path, split="test")
    assert said(test) == []
    assert means(test) == {"A": 3 / 5, "B": 1.0}
    assert means(read(path, split="train")) == {"A": 1 / 3, "B": 1.0}
    assert ("split", f"'test' of column '{header}'; left out: 'train' (6 rows)") in test.parts[0].mapping


def test_a_subset_that_is_a_split_is_averaged_as_a_task_and_said(tmp_path):
    path = table(tmp_path, "subset")
    assert read(path).tasks == ("test", "train")
    assert "which are averaged as tasks" in said(read(path))[0].message
    assert read(path, split="test").tasks == ("test",)
    assert said(read(path, columns={"task": "subset"})) == []
    subjects = table(tmp_path, "subset", "b.csv", {"train": "law", "test": "physics"})
    assert said(read(subjects)) == []


@pytest.mark.parametrize("kind", ["csv.gz", "jsonl", "wide", "small", "sql"])
def test_other_kinds_of_tables(tmp_path, kind):
    if kind == "csv.gz":
        path = tmp_path / "a.csv.gz"
        path.write_bytes(gzip.compress(table(tmp_path).read_bytes()))
    elif kind == "jsonl":
        keys = ("model", "item", "split", "score")
        path = write(tmp_path, "\n".join(json.dumps(dict(zip(keys, row, strict=True))) for row in ROWS), "a.jsonl")
    elif kind == "wide":
        pairs = [(*a[1:], b[3]) for a, b in zip(ROWS[:8], ROWS[8:], strict=True)]
        path = write(tmp_path, "item,split,A,B\n" + "".join(",".join(map(str, row)) + "\n" for row in pairs), "a.csv")
    else:
        path = table(tmp_path)
    paths = [path, write(tmp_path, "model,item,split,score\nC,q1,test,1\n", "b.csv")] if kind == "small" else path
    options = {"sql": "SELECT * FROM a"} if kind == "sql" else {}
    assert len(said(read(paths, **options))) == 1
    found = means(read(paths, split="test", **options))
    assert (found["A"], found["B"]) == (3 / 5, 1.0)


def test_several_files_with_the_same_splits_say_it_once(tmp_path):
    paths = [table(tmp_path), write(tmp_path, "model,item,split,score\nC,q1,test,1\nC,q2,train,1\n", "b.csv")]
    (note,) = said(read(paths))
    assert "several splits of the data, 'test', 'train', which count together" in note.message


def test_one_split_is_no_news(tmp_path):
    assert said(read(table(tmp_path, values={"train": "test"}))) == []
    assert said(read(table(tmp_path), columns={"task": "split"})) == []


def test_a_split_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ReadError, match=r"a.csv has no split 'tset' in column 'split'; did you mean 'test'"):
        read(table(tmp_path), split="tset")
    with pytest.raises(ReadError, match=r"b.csv has no column of splits .*, so --split test names nothing in it"):
        read(write(tmp_path, "model,item,score\nA,1,1\n", "b.csv"), split="test")


@pytest.mark.parametrize(
    ("values", "grave"), [({}, True), ({"train": "dev"}, False), ({"train": "1", "test": "2"}, False)]
)
def test_doctor_warns_of_train_among_what_was_held_out(tmp_path, values, grave):
    found = from_files(table(tmp_path, values=values))
    (finding,) = [each for each in found.findings if each.code == "pooled-splits"]
    assert (finding.severity.value == "would change a conclusion") == grave
    assert finding.remedy.startswith("for one of them: --split ")


@pytest.mark.parametrize("text", [
    "model,item,split,score\nA,1,train,1\nA,2,train,0\nA,3,test,1\nA,4,test,maybe so\n",
    "item,split,A,B\n1,train,1,0\n2,train,0,0\n3,test,1,0\n4,test,1,maybe so\n",
])  # fmt: skip
def test_errors_name_the_row_of_the_file(tmp_path, text):
    path = write(tmp_path, text, "a.csv")
    with pytest.raises(ScoresError, match=r"score 'maybe so' in row 4 of \S*a.csv"):
        read(path, split="test").cuts()
