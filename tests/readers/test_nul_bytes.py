"""NUL bytes where lines were, as a full disk or a crash leaves them: the line is named, and no row is lost silently."""

from __future__ import annotations

import gzip
import mmap

import pytest
from tests.readers.formats import FIXTURES

from scorebars.errors import ReadError
from scorebars.readers import nul_bytes
from scorebars.readers.files import head_of
from scorebars.readers.read import read

HEADER = "model,item,score,text\n"


def rows(first, last, text="some words"):
    return "".join(f"A,q{number},{number % 2},{text}\n" for number in range(first, last)).encode()


def holed(data, begin, length):
    """The data with NUL bytes in it, and the line in which the first one stands."""
    return data[:begin] + bytes(length) + data[begin + length :], data[:begin].count(b"\n") + 1


def refused(path, **options):
    with pytest.raises(ReadError) as error:
        read(path, **options).cuts()
    said = str(error.value)
    assert "\n" not in said
    assert "\0" not in said
    return said


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.csv"


# The places, from a known one in the head to one far below it, in an id, in a score, in a text, at the start of a line.
@pytest.mark.parametrize("place", [60, 5_000, 80_000])
@pytest.mark.parametrize("cell", ["q", "0,some", "words", "A,"])
@pytest.mark.parametrize("length", [1, 300, 4_000])
def test_the_line_is_named(path, place, cell, length):
    data = HEADER.encode() + rows(0, 5_000)
    begin = data.index(cell.encode(), place)
    changed, line = holed(data, begin, length)
    path.write_bytes(changed)
    said = refused(path)
    assert f"line {line} holds a {'NUL byte' if length == 1 else 'hole of NUL bytes'}" in said
    path.with_suffix(".csv.gz").write_bytes(gzip.compress(changed))
    path.unlink()
    assert f"line {line} holds" in refused(path.with_suffix(".csv.gz"))


def test_all_the_rest(path):
    data = HEADER.encode() + rows(0, 5_000)
    path.write_bytes(data[:90_001] + bytes(len(data) - 90_001))
    assert f"line {data[:90_001].count(10) + 1} holds a hole" in refused(path)


def test_below_a_query_too(path):
    changed, line = holed(HEADER.encode() + rows(0, 5_000), 80_000, 4_000)
    path.write_bytes(changed)
    assert f"line {line} holds a hole" in refused(path, sql="SELECT model, item, score FROM data")


@pytest.mark.parametrize("name", ["ragas", "drqv2", "wandb", "tensorboard"])
def test_other_formats_of_delimited_text(tmp_path, name):
    path = FIXTURES[name].write(tmp_path)
    data = path.read_bytes()
    begin = data.index(b",", len(data) // 2)
    path.write_bytes(data[:begin] + bytes(40) + data[begin + 40 :])
    assert f"line {data[:begin].count(10) + 1} holds a hole of NUL bytes" in refused(
        path, **dict(FIXTURES[name].options)
    )


def test_the_rest_of_a_training_log_is_not_its_last_line(tmp_path):
    start = '#{"t_start": 1.0, "env_id": "CartPole-v1"}\nr,l,t\n'
    log = (start + "".join(f"{n}.5,10,{n}.25\n" for n in range(6_000))).encode()
    path = tmp_path / "0.monitor.csv"
    path.write_bytes(log[:70_000] + bytes(len(log) - 70_000))
    assert f"line {log[:70_000].count(10) + 1} holds a hole" in refused(path, at="final")


@pytest.mark.parametrize("begin", [1, 511, 512, 4_000, 65_537, 99_990])
@pytest.mark.parametrize("length", [512, 513, 5_000])
@pytest.mark.parametrize("windows", [1, 1 << 10])
def test_a_hole_of_a_block_is_found_in_a_large_file_wherever_it_begins(path, monkeypatch, begin, length, windows):
    monkeypatch.setattr(nul_bytes, "SEARCHED", 1_000)
    monkeypatch.setattr(nul_bytes, "_WINDOW", windows * mmap.ALLOCATIONGRANULARITY)
    data = HEADER.encode() + rows(0, 5_000)
    changed, line = holed(data, begin, length)
    path.write_bytes(changed)
    assert f"line {line} holds a hole" in nul_bytes.nul_bytes(head_of(path))


def test_a_large_file_may_hold_one_in_a_text(path, monkeypatch):
    monkeypatch.setattr(nul_bytes, "SEARCHED", 1_000)
    data = HEADER.encode() + rows(0, 5_000)
    places = range(data.index(b"words", 6_000), 90_000, 1_009)
    changed = bytearray(data)
    texts = [at for at in places if data[at : at + 1] in b"words"]
    for at in texts:
        changed[at] = 0
    path.write_bytes(changed)
    assert len(texts) > 9
    scores = read(path)
    assert scores._state.rows.counts("model") == {"A": 5_000}


def test_what_is_no_text_is_not_searched(path):
    path.write_bytes("model,item,score\nA,1,1\n".encode("utf-16-le"))
    assert "is not the format its name says" in refused(path)
