"""A mapping that was saved is used, said, overridden by what is typed, and an error where it no longer fits."""

from __future__ import annotations

import tomllib

import pytest

from scorebars.errors import ArgumentError, OutputError, ReadError
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
        ("version = 2\n[columns]\n", "is version 2 of a saved mapping"),
        ("version = 1\n", r"has no table \[columns\]"),
        ("version = 1\n[columns]\nscore = 1\n", r"has no table \[columns\] of texts"),
        ('version = 1\n[columns]\nscor = "x"\n', "'scor' is no role of a score table; did you mean 'score'"),
        (b"\xff\xfe", "is no mapping that --save-map wrote"),
    ],
)
def test_a_mapping_that_is_broken(path, text, sentence):
    saved(path).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ReadError, match=sentence) as caught:
        read(path)
    assert saved(path).name in str(caught.value)


def test_nothing_to_save(path):
    with pytest.raises(ArgumentError, match="--save-map saves the mapping that --map gives"):
        read(path, save_map=True)
    with pytest.raises(ArgumentError, match="not of a query"):
        read(path, columns=COLUMNS, save_map=True, sql="SELECT 1")


def test_a_read_that_fails_saves_nothing(path):
    with pytest.raises(ReadError):
        read(path, columns={**COLUMNS, "item": "nope"}, save_map=True)
    assert not saved(path).exists()
