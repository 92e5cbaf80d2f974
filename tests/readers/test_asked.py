"""Choices that only some formats need: their form, and that none is ignored."""

from __future__ import annotations

import gzip

import pytest
from tests.readers.inspect_by_hand import sample, write_json

from scorebars.contracts import ReadOptions
from scorebars.errors import ArgumentError, ReadError
from scorebars.readers.asked import UnmetWordError, asked, refuse_idle
from scorebars.readers.read import read

TABLE = "model,item,score\nA,1,1\nA,2,0\n"


@pytest.mark.parametrize(
    "text",
    [
        "a\nb\n\na\nc\n",
        '["a", "b", "c"]',
        '[{"id": "a"}, {"item": "b"}, {"qid": 1, "id": "c"}]',
        '{"id": "a", "question": []}\n{"id": "b"}\n{"id": "c"}\n',
    ],
)
def test_items_are_ids_each_once(tmp_path, text):
    path = tmp_path / "items.txt"
    path.write_text(text)
    assert asked(items=path).items == ("a", "b", "c")
    assert asked(items=["a", "b", "b", "c"]).items == ("a", "b", "c")


def test_a_long_list_is_read_whole_compressed_or_not(tmp_path):
    ids = [f"item_{number:06}" for number in range(20_000)]
    plain, packed = tmp_path / "items.txt", tmp_path / "items.txt.gz"
    plain.write_text("\n".join(ids))
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert asked(items=plain).items == asked(items=packed).items == tuple(ids)


def test_a_byte_that_is_not_utf8_is_named(tmp_path):
    path = tmp_path / "items.txt"
    path.write_bytes(b"a\n" * 50_000 + b"\xe9\n")
    with pytest.raises(ReadError, match=r"items.txt is not UTF-8: byte 0xe9"):
        asked(items=path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "holds no id"), ('{"a": 1}', "0 lists"), ('[{"x": 1}]', "entry 1 has no id"), ("[[1]]", "entry 1 is a list")],
)
def test_a_file_that_is_no_list_of_items(tmp_path, text, sentence):
    path = tmp_path / "items.txt"
    path.write_text(text)
    with pytest.raises(ReadError, match=sentence):
        asked(items=path)


@pytest.mark.parametrize("at", ["last", "mean:0", "mean:", "step:", "step:-1", "final ", ""])
def test_points_of_a_curve(at):
    with pytest.raises(ArgumentError, match="no point of a curve"):
        asked(at=at)


@pytest.mark.parametrize("dates", ["2024", "..", "2024-05-01", "yesterday..", "2024-06..2024-05"])
def test_windows_of_dates(dates):
    with pytest.raises(ArgumentError, match="window of dates"):
        asked(dates=dates)


def test_what_is_asked_is_kept():
    found = asked(at="step:1e6", dates="2024-05..", split="test", categories={"partial": 0.5}, latest=True)
    assert (found.at, found.dates, found.split) == ("step:1e6", ("2024-05", ""), "test")
    assert (found.categories, found.latest, found.items, found.normalize) == ({"partial": 0.5}, True, None, None)


def test_a_choice_that_does_nothing_is_an_error(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(TABLE)
    with pytest.raises(ArgumentError, match=r"--dates does nothing for these files \(read as 'table', such as .*\)"):
        read(path, dates="2024-05..")
    refuse_idle(ReadOptions(), {"table": "a.csv"})


def test_a_category_that_no_score_is(tmp_path):
    path, other = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_text("model,item,score\nA,1,partial\nA,2,0\n")
    other.write_text(TABLE.replace("A", "B"))
    assert read([path, other], categories={"Partial": 0.5}).models == ("A", "B")
    with pytest.raises(UnmetWordError, match="--category partail: no score is that word; did you mean 'partial'"):
        read(path, categories={"partail": 0.5})
    with pytest.raises(UnmetWordError, match="--category good: no score is that word; the words among them: 'partial'"):
        read(path, categories={"partial": 0.5, "good": 1})
    with pytest.raises(UnmetWordError, match="--category good: no score is that word; none of them is a word"):
        read(other, categories={"good": 1})


def test_a_grade_c_may_stand_in_another_file_than_its_fellows(tmp_path):
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path, letters in zip(paths, ("ABDA", "CCCC"), strict=True):
        path.write_text("item,score\n" + "".join(f"{n},{letter}\n" for n, letter in enumerate(letters)))
    given = {"A": 4, "B": 3, "D": 1}
    with pytest.raises(ReadError, match=r"'C' beside '[ABD]' is a category too.*--category A=4,B=3,D=1,C=NUMBER"):
        read(paths, categories=given)
    assert read(paths, categories=given | {"C": 2}).tidy()["score"].tolist() == [4, 3, 1, 4, 2, 2, 2, 2]


def test_a_category_that_no_score_of_a_log_is(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, [sample(f"q{i}", match=value) for i, value in enumerate(["C", "I", "P", "C"])])
    assert read(path, categories={"P": 0.25}).cuts().cuts[0].sample.score.tolist() == [1.0, 0.0, 0.25, 1.0]
    with pytest.raises(
        UnmetWordError, match="--category Partial: no score is that word; the words among them: 'C', 'I', 'P'"
    ):
        read(path, categories={"Partial": 0.25})


@pytest.mark.parametrize("content", ["[]", "{}\n"])
def test_an_empty_file_is_said_to_be_empty_whatever_is_asked_of_it(tmp_path, content):
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(ReadError, match=r"a\.json .*no scores are in it"):
        read(tmp_path / "a.json", at="final")
