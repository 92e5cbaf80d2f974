"""Inspect's ``.json`` logs read in blocks: the same header and samples as the file read as a whole, or its error."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.readers.inspect_by_hand import header, read_one, sample, scores_of, write_json

from scorebars.errors import ReadError
from scorebars.readers import inspect_json
from scorebars.readers.files import head_of
from scorebars.readers.inspect_json import read_json

QUICK = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXT = st.text(max_size=5) | st.sampled_from(["\n    }", ',\n  "', '": ', "}", "\\", '"'])
LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT
NESTED = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=6
)
SAMPLES = st.lists(st.dictionaries(TEXT, NESTED, max_size=3), max_size=4)


@pytest.fixture(params=[7, 1 << 20])
def block(request, monkeypatch):
    """Blocks that end in the middle of everything, and ones that hold it all."""
    monkeypatch.setattr(inspect_json, "_BLOCK", request.param)


def read(path):
    log = read_json(head_of(path), lambda raw: raw.fields)
    return log.header, log.samples


@pytest.mark.usefixtures("block")
@QUICK
@given(
    before=st.dictionaries(TEXT, NESTED, max_size=3),
    samples=SAMPLES,
    after=st.dictionaries(TEXT, NESTED, max_size=2),
    indent=st.sampled_from([2, 2, 2, None, 1, 4]),
    end=st.sampled_from(["", "\n", "  \r\n"]),
)
def test_every_layout_gives_what_json_gives(tmp_path, before, samples, after, indent, end):
    for part in (before, after):
        part.pop("samples", None)
    content = {**before, "samples": samples, **after}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content, indent=indent) + end, encoding="utf-8")

    assert read(path) == ({key: value for key, value in content.items() if key != "samples"}, samples)


@pytest.mark.usefixtures("block")
@QUICK
@given(
    place=st.floats(0, 1),
    extra=st.sampled_from([b"", b"}", b"\n", b"\n    }", b"\xff", b",", b'"', b" "]),
    n=st.integers(0, 9),
)
def test_damage_is_an_error_or_what_json_gives(tmp_path, place, extra, n):
    whole = json.dumps(header(total=2) | {"samples": [sample(1, s="C"), sample(2, s="I")]}, indent=2).encode()
    at = int(place * len(whole))
    path = tmp_path / "a.json"
    path.write_bytes(whole[:at] + extra + whole[at + n :])
    try:
        expected = json.loads(str(path.read_bytes(), "utf-8-sig"))
    except ValueError:
        with pytest.raises(ReadError):
            read(path)
        return
    samples = expected.pop("samples", [])
    if isinstance(samples, list) and all(isinstance(each, dict) for each in samples):
        assert read(path) == (expected, samples)


def test_truncated_log_is_refused_with_its_line(tmp_path):
    path = write_json(tmp_path / "a.json", [sample(i, s="C") for i in range(50)])
    path.write_bytes(path.read_bytes()[:-500])

    with pytest.raises(ReadError, match=r"not valid JSON at line \d+, column \d+ .*truncated or damaged"):
        read_one(path)


def test_compressed_log_with_a_byte_order_mark(tmp_path):
    path = write_json(tmp_path / "a.json", [sample(1, s="C"), sample(2, s="I")])
    packed = path.with_name("b.json.gz")
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + path.read_bytes()))

    assert scores_of(read_one(packed), "s") == {("1", "1"): 1.0, ("2", "1"): 0.0}


def test_memory_does_not_grow_with_the_file(tmp_path):
    text = "x" * 200_000
    path = write_json(tmp_path / "a.json", [sample(i, s="C") | {"messages": [text]} for i in range(150)])
    head = head_of(path)
    tracemalloc.start()
    log = read_json(head, lambda raw: raw.fields["id"])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert log.samples == list(range(150))
    assert peak < path.stat().st_size / 3


def test_log_that_is_too_large_for_its_layout_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(header() | {"samples": [sample(1, s=1)]}))
    monkeypatch.setattr(inspect_json, "LARGEST_JSON", 100)

    with pytest.raises(ReadError, match=r"not laid out as Inspect writes it.*inspect log convert"):
        read_one(path)


def test_sample_that_never_ends_is_not_held_in_memory(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    path.write_text('{\n  "version": 2,\n  "samples": [\n    {' + " " * 100_000)
    monkeypatch.setattr(inspect_json, "_BLOCK", 100)
    monkeypatch.setattr(inspect_json, "LARGEST", 1_000)
    monkeypatch.setattr(inspect_json, "LARGEST_JSON", 10_000)

    with pytest.raises(ReadError, match="a JSON log of 100,0"):
        read_json(head_of(path), lambda raw: raw)


@pytest.mark.skipif(
    not (Path(__file__).parents[2].parent / "shared" / "data").is_dir(), reason="../shared/data is not here"
)
@pytest.mark.shared_data
def test_real_logs_are_what_json_gives():
    folder = Path(__file__).parents[2].parent / "shared" / "data" / "inspect"
    for path in folder.glob("*.json"):
        content = json.loads(path.read_text(encoding="utf-8"))
        samples = content.pop("samples", [])
        assert read(path) == (content, samples)
