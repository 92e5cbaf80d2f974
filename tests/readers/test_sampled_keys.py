"""Large JSON lines: keys of the first records serve where they can, and what comes later is never missed."""

from __future__ import annotations

import json

import pytest

from scorebars.errors import ReadError, ScorebarsError
from scorebars.readers import json_table, small
from scorebars.readers.files import head_of
from scorebars.readers.read import read

FIRST = [{"model": "A", "item": n, "score": n % 2, "answer": "x"} for n in range(6)]


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write records; files of any size count as large, of which two records are looked at."""
    monkeypatch.setattr(json_table, "SAMPLED_FROM", 0)
    monkeypatch.setattr(json_table, "SAMPLED_RECORDS", 2)
    monkeypatch.setattr(small, "LARGEST_TOGETHER", 0)
    monkeypatch.setattr(small, "LARGEST", 0)

    def make(*records, text=""):
        path = tmp_path / "a.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records) + text)
        assert json_table.keys_are_sampled(head_of(path))
        return path

    return make


def test_plain_records_are_read_in_one_pass(write, monkeypatch):
    def refused(*_):
        raise AssertionError("all records are looked at for their keys")

    monkeypatch.setattr(json_table, "_keys", refused)
    scores = read(write(*FIRST))
    assert [cut.sample.score.tolist() for cut in scores.cuts().cuts] == [[0, 1, 0, 1, 0, 1]]


@pytest.mark.parametrize(
    "late",
    [
        {"model": "A", "item": 6, "score": None, "error": "timeout"},
        {"model": "A", "item": 0, "score": 1, "run": 2},
        {"model": "A", "item": 6, "score": None},
        {"model": "A", "item": 6, "correct": 1},
        {"model": "A", "item": 6, "accuracy": 0.5},
        {"model": "A", "item": 6, "score": 1, "weight": 3},
        {"model": "A", "item": 6, "score": 1, "cluster": "c"},
        *(
            {"model": "A", "item": 6, "score": 1, "status": value}
            for value in ("", "ok", "null", {}, {"a": 1}, [], [0])
        ),
        *(
            {"model": "A", "item": 6, "score": 1, "task": value}
            for value in (True, False, 0, -0.5, 1e300, "true", None)
        ),
    ],
)
def test_a_role_that_only_later_records_have_is_the_same_as_in_a_small_file(write, monkeypatch, late):
    path = write(*FIRST, late)
    large = outcome(path)
    monkeypatch.setattr(json_table, "SAMPLED_FROM", 1 << 40)
    assert outcome(path) == large


def outcome(path):
    """Everything that is said of a file: its columns and rows, or the error."""
    try:
        scores = read(path)
        cuts = scores.with_options(on_error="drop").cuts().cuts
    except ScorebarsError as error:  # a late column with holes is an error of the table
        return str(error)
    return scores.columns, [(cut.sample.score.tolist(), cut.dropped, [str(note) for note in cut.notes]) for cut in cuts]


def test_what_the_first_records_cannot_serve_is_read_in_full(write, tmp_path):
    nested = [{"id": {"q": n}, "model": "A", "score": n % 2} for n in range(4)]
    assert read(write(*nested), columns={"item": "id.q"}).models == ("A",)
    wide = [{"item": n, "gpt": n % 2, "llama": 1} for n in range(4)]
    assert read(write(*wide)).models == ("gpt", "llama")
    mapped = [*FIRST[:3], {"model": "A", "item": 9, "score": 1, "odd": "z"}]
    with pytest.raises(ReadError, match="no column 'odds'"):
        read(write(*mapped), columns={"task": "odds"})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"model": "A", "item": 7, "sco\n', "line 7 is not valid JSON"),
        ("5\n", "line 7 is no object but"),
        ('{"model": "A", "item": 7', "line 7 is not valid JSON"),
    ],
)
def test_damage_behind_the_first_records_has_its_line(write, text, sentence):
    with pytest.raises(ReadError, match=sentence):
        read(write(*FIRST, text=text))


def test_only_headers_of_roles_that_the_first_records_leave_open_are_watched_for():
    late = json_table._late(["Model Name", "question_id", "acc", "error"])
    assert not {"model", "agent", "item", "id", "score", "correct", "error"} & set(late)
    assert {"run", "seed", "weight", "cluster", "metric", "status", "exception"} <= set(late)
