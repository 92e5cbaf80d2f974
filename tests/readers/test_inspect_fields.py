"""The fast reading of Inspect's samples gives the rows of the plain one: same fields or none, whatever the text."""

from __future__ import annotations

import json
import math
import re
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fresh import printed
from tests.readers.inspect_by_hand import read_one, sample, scores_of, write_eval

from scorebars.contracts import Request
from scorebars.engines.duckdb import Engine
from scorebars.errors import ReadError
from scorebars.readers import inspect_fields
from scorebars.readers.ahead import ahead
from scorebars.readers.files import head_of
from scorebars.readers.inspect_fields import FIELDS, Picker
from scorebars.readers.inspect_log import InspectReader

ENGINE = Engine()
WANTED = (*FIELDS, "metadata")
# The wanted keys turn up at every depth, in every order, beside keys that look like them.
KEYS = st.sampled_from([*WANTED, "events", "Scores", "scores ", 'sco"res', "$.scores", "", "value", "ü", "id\\"])
TEXT = st.text(max_size=6) | st.sampled_from(['","scores":{"s":1}', '\n  "scores": {}', "}", "]", "\\", '"', "\u2028"])
LEAF = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
NESTED = st.recursive(
    LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=8
)
SAMPLES = st.dictionaries(KEYS, NESTED, max_size=6)


@pytest.fixture(autouse=True)
def _small_samples_too(monkeypatch):
    monkeypatch.setattr(inspect_fields, "LEAST", 0)
    monkeypatch.setattr(inspect_fields, "IMPORT", 0)


def picked(*texts):
    return Picker(ENGINE, WANTED).pick([text if isinstance(text, bytes) else text.encode() for text in texts])


def same(one, other):
    """Equal, with NaN equal to itself, and of the same types."""
    return repr(one) == repr(other)


def wanted_of(fields):
    return {key: fields[key] for key in WANTED if key in fields}


@settings(max_examples=150, deadline=None)
@given(fields=SAMPLES, indent=st.sampled_from([None, 0, 1, 2]), plain=st.booleans())
def test_fields_are_what_python_reads(fields, indent, plain):
    text = json.dumps(fields, indent=indent, ensure_ascii=plain)
    (found,) = picked(text)

    if "id" not in fields:
        assert found is None
    else:
        assert found is None or same(found, wanted_of(fields))
        # Only what DuckDB does not know as JSON may be left to Python.
        assert found is not None or re.search(r"\\ud[89a-f]", text)


LENIENT = re.compile(rb",\s*[\]}]|nan|inf", re.IGNORECASE)
"""What DuckDB's parser takes and Python's does not; the checksum of a zip member stands before either."""


@settings(max_examples=150, deadline=None)
@given(fields=SAMPLES, place=st.floats(0, 1), extra=st.binary(min_size=1, max_size=4))
def test_damaged_samples_are_left_to_python(fields, place, extra):
    data = json.dumps({"id": 1, "epoch": 1} | fields).encode()
    at = int(place * len(data))
    data = data[:at] + extra + data[at + len(extra) :]
    (found,) = picked(data)
    try:
        expected = first_of_each(str(data, "utf-8"))
    except ValueError:
        assert found is None or LENIENT.search(data)
    else:
        assert found is None or same(found, wanted_of(expected))


def first_of_each(text):
    """What Python reads; of a key of the sample that the damage made twice the first."""
    objects = []

    def made(pairs):
        objects.append(pairs)
        return dict(pairs)

    json.loads(text, object_pairs_hook=made)
    return dict(reversed(objects[-1]))


@pytest.mark.parametrize("bad", ['{"id": ', '{"id": 1} 2', "[1]", "", '{"id": "\\ud800"}', '{"epoch": 1}', "\ufeff{}"])
def test_one_odd_sample_among_good_ones_is_left_to_python(bad):
    good = json.dumps(sample(1, s="C"))

    assert picked(good, bad)[1] is None


def test_numbers_keep_every_digit():
    values = [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 2**53 + 1, 10**30, math.inf, -math.inf]
    (found,) = picked(json.dumps(sample(1, s=values)))

    assert same(found["scores"]["s"]["value"], values)


def test_bytes_that_are_no_text_are_left_to_python():
    assert picked(b'{"id": "caf\xe9"}') == [None]


def test_without_an_engine_and_below_the_least_python_reads(monkeypatch):
    text = json.dumps(sample(1, s="C")).encode()
    assert Picker(None).pick([text]) == [None]
    monkeypatch.setattr(inspect_fields, "LEAST", 10_000)
    assert Picker(ENGINE).pick([text]) == [None]


def read_fast(path, cluster=None):
    (part,) = InspectReader().read([head_of(path)], Request({}, cluster, ENGINE))
    return part


def test_whole_logs_give_the_same_rows(tmp_path):
    rng = np.random.default_rng(0)
    samples = [
        sample(i, epoch, s=float(rng.random()), d={"a": "C", "b": None}, metadata={"p": i % 7, "scores": {"s": 9}})
        | ({"error": {"message": "x"}} if i % 11 == 0 else {})
        for i in range(300)
        for epoch in (1, 2)
    ]
    samples[5]["metadata"]["text"] = "\ud800"  # which only Python reads
    path = write_eval(tmp_path / "a.eval", samples, total=600)
    plain, fast = read_one(path, cluster="metadata.p"), read_fast(path, cluster="metadata.p")

    assert len(plain.rows["score"]) == 3 * 600
    for role, column in plain.rows.items():
        np.testing.assert_array_equal(column, fast.rows[role])
    assert plain.notes == fast.notes


def test_errors_are_the_same(tmp_path):
    path = write_eval(tmp_path / "a.eval", [sample(1, s=1)], extra={"samples/2_epoch_1.json": '{"id": 2, '})
    with pytest.raises(ReadError) as plain:
        read_one(path)
    with pytest.raises(ReadError) as fast:
        read_fast(path)

    assert str(fast.value) == str(plain.value)


def test_several_batches_keep_the_order(tmp_path, monkeypatch):
    monkeypatch.setattr("scorebars.readers.inspect_samples._BATCH", 1000)
    path = write_eval(tmp_path / "a.eval", [sample(i, s=i % 5) for i in range(200)])

    assert scores_of(read_fast(path), "s") == {(str(i), "1"): i % 5 for i in range(200)}


def test_damage_in_a_later_batch_is_an_error_with_its_member(tmp_path, monkeypatch):
    monkeypatch.setattr("scorebars.readers.inspect_samples._BATCH", 1000)
    path = write_eval(tmp_path / "a.eval", [sample(i, s=i % 5) for i in range(200)])
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        victim = archive.getinfo("samples/150_epoch_1.json")
    data[victim.header_offset + 60 : victim.header_offset + 64] = bytes(4)
    path.write_bytes(data)

    with pytest.raises(ReadError, match=r"member 'samples/150_epoch_1\.json' is damaged"):
        read_fast(path)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_ahead_keeps_values_and_errors_in_their_place(monkeypatch, threads):
    monkeypatch.setenv("SCOREBARS_NUM_THREADS", threads)
    seen = []

    def values():
        yield from (1, None, 3)
        raise ValueError("later")

    with pytest.raises(ValueError, match="later"):
        seen.extend(ahead(values()))

    assert seen == [1, None, 3]


def test_duckdb_is_imported_for_large_logs_only(tmp_path):
    write_eval(tmp_path / "a.eval", [sample(i, s=i % 2) | {"events": ["x" * 40_000]} for i in range(20)])
    code = """
import sys
from scorebars.readers import inspect_fields
from scorebars.readers.read import read
inspect_fields.IMPORT = int(sys.argv[2])
rows = read(sys.argv[1]).tidy()["score"]
print(rows.tolist() == [0.0, 1.0] * 10, "duckdb" in sys.modules)
"""
    for limit, imported in ((10_000_000, False), (300_000, True)):
        assert printed(code, tmp_path / "a.eval", limit) == f"True {imported}\n"
