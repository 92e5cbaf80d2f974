"""Inspect's ``.json`` logs read in blocks: the same header and samples as the file read as a whole, or its error."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.readers.inspect_by_hand import header, read_one, sample, scores_of, to_zstandard, write_eval, write_json

from scorebars.contracts import ReadOptions, Request
from scorebars.errors import ReadError
from scorebars.readers import inspect_json, inspect_samples, json_skim
from scorebars.readers.files import head_of
from scorebars.readers.inspect_json import read_json
from scorebars.readers.inspect_log import InspectReader
from scorebars.readers.json_skim import SkimError, records

QUICK = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXT = st.text(max_size=5) | st.sampled_from(["\n    }", ',\n  "', '": ', "}", "\\", '"'])
LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT
NESTED = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=6
)
SAMPLES = st.lists(st.dictionaries(TEXT, NESTED, max_size=3), max_size=4)


class Everything:
    """Fields of which every one is wanted."""

    def __contains__(self, name):
        return True


@pytest.fixture(params=[(7, False), (1 << 20, False), (7, True), (1 << 20, True)])
def block(request, monkeypatch):
    """Blocks that end in the middle of everything, and ones that hold it all; by layout, and skimmed."""
    size, large = request.param
    monkeypatch.setattr(inspect_json, "_BLOCK", size)
    if large:
        monkeypatch.setattr(inspect_json, "WHOLE", -1)
        monkeypatch.setattr(inspect_json, "BLOCK", size)
        monkeypatch.setattr(json_skim, "BLOCK", size)


def read(path):
    log = read_json(head_of(path), lambda raw: raw.fields, Everything())
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


LARGE = {"id": 1, "epoch": 1, "scores": {"s": {"value": "C"}}, "input": 'a "quoted" text, {[ and \\ more', "store": {}}


def skim(text, block, fields=("id", "scores")):
    """What a text gives in blocks of a size."""
    data = text.encode()
    return list(records((data[place : place + block] for place in range(0, len(data), block)), fields))


@QUICK
@given(
    sample=st.dictionaries(TEXT | st.sampled_from(["id", "scores"]), NESTED, max_size=5),
    n=st.integers(0, 3),
    block=st.integers(1, 40),
    indent=st.sampled_from([None, 2]),
)
def test_the_wanted_fields_of_records_in_blocks_of_any_size(sample, n, block, indent):
    content = {"a": sample, "samples": [sample] * n, "z": [sample, "}"]}
    wanted = {key: value for key, value in sample.items() if key in ("id", "scores")}
    expected = [("a", sample), *[("samples", wanted)] * n, ("z", [sample, "}"])]
    assert skim(json.dumps(content, indent=indent), block) == expected


@pytest.mark.parametrize("block", [16, 64, 1 << 20])
def test_members_larger_than_a_block_are_passed_over(monkeypatch, block):
    monkeypatch.setattr(json_skim, "BLOCK", min(block, 64))
    large = LARGE | {"messages": [{"content": "x, } ]" * 50}] * 20}
    text = json.dumps({"version": 2, "samples": [large, {"id": 2}, large]})
    wanted = {"id": 1, "scores": LARGE["scores"]}
    assert skim(text, block) == [("version", 2), ("samples", wanted), ("samples", {"id": 2}), ("samples", wanted)]
    for end in range(0, len(text), 997):  # wherever it was cut off
        with pytest.raises(SkimError):
            skim(text[:end], 256)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"samples": [{"id": 1}', "it ends early"),
        ('{"samples": [{"id": 1},]}', "no record"),
        ('{"samples": [{"id": 1,}]}', "no key"),
        ('{"samples": [1]}', "text where none is due"),
        ('{"samples": [[1]]}', "no record"),
        ('{"samples": [{"id": 1}}}', "no record"),
        ('{"samples": []} {', "text where none is due|text after the end"),
        ('{"samples": [] 1}', "text where none is due"),
        ('[{"id": 1}]', "no object"),
        ('{"samples": [{"id": nil}]}', "a value"),
        ('{"samples": [{"x": nil}]}', "a value"),
        ('{"a": 1, }', "no key"),
        ('{"samples": [{"scores": [' + "0," * 600_000 + "0]}]}", "'scores' has more than 500,000 values"),
        ('{"samples": [{"scores": "' + "x" * (33 << 20) + '"}]}', "'scores' is larger than 32 MiB"),
    ],
)
def test_damage_of_a_large_log_is_named(text, sentence):
    with pytest.raises(SkimError, match=sentence):
        skim(text, 1 << 20)


@pytest.mark.parametrize("layout", ["eval", "zstd", "indented", "one line"])
def test_large_samples_are_read_in_the_memory_of_a_block(tmp_path, monkeypatch, layout):
    """The same rows as of the log without its transcript; damage of a member is named with it."""
    large = [sample(i, s="CI"[i % 2], metadata={"group": "g"}) | {"store": [{"a": 1}] * 300_000} for i in range(2)]
    monkeypatch.setattr(inspect_samples, "LARGE", 1 << 20)
    monkeypatch.setattr(inspect_json, "WHOLE", 1 << 20)
    path = tmp_path / ("a.eval" if layout in ("eval", "zstd") else "a.json")
    if layout in ("eval", "zstd"):
        write_eval(path, large)
        if layout == "zstd":
            to_zstandard(path, path := tmp_path / "z.eval", frames=3)
    else:
        path.write_text(json.dumps(header() | {"samples": large}, indent=2 if layout == "indented" else None))
    head = head_of(path)
    tracemalloc.start()
    (part,) = InspectReader().read([head], Request({}, "metadata.group", None, ReadOptions()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert scores_of(part, "s") == {("0", "1"): 1.0, ("1", "1"): 0.0}
    assert part.rows["cluster"].tolist() == ["g", "g"]
    assert peak < 20e6  # 3 MB of JSON a sample are 80 MB of Python objects


def test_a_large_member_that_is_damaged_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(inspect_samples, "LARGE", 100)
    path = write_eval(tmp_path / "a.eval", [], extra={"samples/1_epoch_1.json": json.dumps(sample(1, s="C"))[:-9]})
    with pytest.raises(ReadError, match=r"member 'samples/1_epoch_1.json': not valid JSON at byte \d+ \("):
        read_one(path)


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
