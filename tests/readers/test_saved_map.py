"""A mapping that was saved is used, said, overridden by what is typed, and an error where it no longer fits."""

from __future__ import annotations

import tomllib

import pytest

from scorebars.errors import ArgumentError, OutputError, ReadError, ScoresError
from scorebars.readers.read import read

TEXT = "who,task_id,question,verdict\nA,t,1,1\nA,t,2,0\nB,t,1,1\nB,t,2,1\n"
COLUMNS = {"model": "who", "task": "task_id", "item": "question", "score": "verdict"}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / 'some "scores" é.csv'
    path.write_text(TEXT, encoding="utf-8")
    return path


def saved(path):
    return path.with_name(f"{path.name}.scorebars.toml")


def test_saved_and_used_from_then_on(path):
    with pytest.raises(ReadError, match="no column is known to hold the score"):
        read(path)
    first = read(path, columns=COLUMNS, save_map=True)
    assert tomllib.loads(saved(path).read_text(encoding="utf-8")) == {"version": 1, "columns": COLUMNS}
    for again in (read(path), read(path.parent), read(path, columns=COLUMNS, save_map=True)):
        assert (again.models, again.tasks) == (first.models, first.tasks) == (("A", "B"), ("t",))
    assert read(path).parts[0].mapping[0] == ("mapping", f"{saved(path).name}, as it was saved")
    assert [file.name for file in path.parent.iterdir() if file.name.startswith(".")] == []


def test_what_is_typed_goes_first(path):
    read(path, columns=COLUMNS, save_map=True)
    assert read(path, columns={"model": "task_id", "task": "who"}).models == ("t",)
    with pytest.raises(OutputError, match="holds another mapping; --force replaces it"):
        read(path, columns={**COLUMNS, "task": "who"}, save_map=True)
    read(path, columns={"score": "verdict", "item": "question"}, cluster="who", save_map=True, force=True)
    assert tomllib.loads(saved(path).read_text(encoding="utf-8"))["columns"] == {
        "score": "verdict",
        "item": "question",
        "cluster": "who",
    }


def test_a_mapping_that_no_longer_fits(path):
    read(path, columns=COLUMNS, save_map=True)
    path.write_text(TEXT.replace("verdict", "result"), encoding="utf-8")
    with pytest.raises(ReadError, match=r"scorebars\.toml no longer fits .*: no column 'verdict'.*mend that file or"):
        read(path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("version = 1\n[columns", "is no mapping that --save-map wrote"),
        ("", "is version None of a saved mapping"),
        ("version = 3\n[columns]\n", "is version 3 of a saved mapping; only 1 and 2 are read"),
        ("version = 1\n", r"has no table \[columns\]"),
        ("version = 1\n[columns]\nscore = 1\n", r"has no table \[columns\] of texts"),
        ('version = 1\n[columns]\nscor = "x"\n', "'scor' is no role of a score table; did you mean 'score'"),
        ('version = 2\n[columns]\n[categories]\nx = "1"', r"\[categories\] is no table of numbers"),
        ("version = 2\n[columns]\n[categories]\nx = true", r"\[categories\] is no table of numbers"),
        ("version = 2\ncategories = 3\n[columns]\n", r"\[categories\] is no table of numbers"),
        (b"\xff\xfe", "is no mapping that --save-map wrote"),
    ],
)
def test_a_mapping_that_is_broken(path, text, sentence):
    saved(path).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ReadError, match=sentence) as caught:
        read(path)
    assert saved(path).name in str(caught.value)


def test_nothing_to_save(path):
    with pytest.raises(ArgumentError, match="--save-map saves what --map and --category say"):
        read(path, save_map=True)
    with pytest.raises(ArgumentError, match="not of a query"):
        read(path, columns=COLUMNS, save_map=True, sql="SELECT 1")


def test_a_read_that_fails_saves_nothing(path):
    with pytest.raises(ReadError):
        read(path, columns={**COLUMNS, "item": "nope"}, save_map=True)
    assert not saved(path).exists()


WORDS = {"good": 1.0, "so, so": 0.25, 'a "b" \x7f': 0.0}


@pytest.fixture
def judged(tmp_path):
    path = tmp_path / "judged.csv"
    path.write_text('who,n,verdict\na,1,Good\na,2,"so, so"\na,3,"a ""b"" \x7f"\n', encoding="utf-8")
    return path


MAP = {"model": "who", "item": "n", "score": "verdict"}


def scores(path, **options):
    return read(path, **options).cuts().cuts[0].sample.score.tolist()


def test_categories_are_kept_used_and_said(judged):
    assert scores(judged, columns=MAP, categories=WORDS, save_map=True) == [1.0, 0.25, 0.0]
    kept = tomllib.loads(saved(judged).read_text(encoding="utf-8"))
    assert kept == {"version": 2, "columns": MAP, "categories": WORDS}
    again = read(judged)
    assert again.cuts().cuts[0].sample.score.tolist() == [1.0, 0.25, 0.0]
    assert ("mapping", "judged.csv.scorebars.toml, as it was saved") in again.parts[0].mapping
    assert ("score", "'so, so' as 0.25") in again.parts[0].mapping
    assert scores(judged, categories={"GOOD": 0.75}) == [0.75, 0.25, 0.0]


def test_what_is_typed_of_one_kind_leaves_the_other(judged):
    read(judged, columns=MAP, categories=WORDS, save_map=True)
    with pytest.raises(OutputError, match="holds another mapping; --force replaces it"):
        read(judged, categories={"good": 0.5}, save_map=True)
    read(judged, categories=WORDS | {"good": 0.5}, save_map=True, force=True)
    assert tomllib.loads(saved(judged).read_text())["columns"] == MAP
    read(judged, columns=MAP | {"task": "who"}, save_map=True, force=True)
    assert tomllib.loads(saved(judged).read_text())["categories"] == WORDS | {"good": 0.5}


def test_nothing_is_saved_where_a_score_is_no_score(judged):
    with pytest.raises(ScoresError, match="is not a score"):
        read(judged, columns=MAP, categories={"good": 1}, save_map=True)
    assert not saved(judged).exists()
