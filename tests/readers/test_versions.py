"""A version of a format that is newer than what is known is said, and the file read all the same."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest
from tests.readers.event_files import START, message, record
from tests.readers.formats import FIXTURES

from scorebars.errors import ReadError
from scorebars.readers.read import read
from scorebars.readers.versions import newer_version


def said(scores):
    return [note.message for note in scores.cuts().notes if note.code == "unknown-version"]


@pytest.mark.parametrize(
    ("version", "newest", "shown"),
    [
        ("0.4.13", "0.4", ""),
        ("0.5.0.dev0", "0.4", "0.5.0.dev0"),
        ("2.0.0", "0.4", "2.0.0"),
        ("v2.26.24", "2", ""),
        ("10", "9", "10"),
        (3, "3", ""),
        (4, "3", "4"),
        (2.0, "2", ""),
        ("abc", "2", "abc"),
        ([1], "2", "a list"),
        (True, "2", "a truth value"),
        (None, "2", ""),
    ],
)
def test_what_is_newer(version, newest, shown):
    notes = list(newer_version("a.json", version, newest, "a file of X"))
    assert [note.data["version"] for note in notes] == [shown] * bool(shown)


def change(name, folder, new):
    """The fixture with a version: (path, its options)."""
    path = FIXTURES[name].write(folder)
    if name == "lm-eval":
        results = next(folder.glob("results_*.json"))
        results.write_text(json.dumps(json.loads(results.read_text()) | {"lm_eval_version": new}))
    elif name == "every-eval":
        lines = [json.loads(line) | {"schema_version": new} for line in path.read_text().splitlines()]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    else:
        path.write_text(json.dumps(json.loads(path.read_text()) | {"mteb_version": new}))
    return path


@pytest.mark.parametrize(
    ("name", "known", "new", "newest", "where"),
    [
        ("lm-eval", "0.4.9.2", "2.0.0", "0.4", "results_2026-01-01T00-00-00.000000.json"),
        ("every-eval", "0.3.0", "9.0.0", "0.3", "1_samples.jsonl"),
        ("mteb", "2.26.24", "99.1", "2", "Massive.json"),
    ],
)
def test_files_that_say_their_version(tmp_path, name, known, new, newest, where):
    folders = [tmp_path / "known", tmp_path / "new"]
    for folder in folders:
        folder.mkdir()
    before, after = (
        read(change(name, folder, version), **dict(FIXTURES[name].options))
        for folder, version in zip(folders, (known, new), strict=True)
    )
    assert said(before) == []
    [remark] = said(after)
    assert where in remark
    assert f"of version {new}, and up to {newest} is known" in remark
    np.testing.assert_array_equal(before.tidy()["score"], after.tidy()["score"])


def test_one_results_file_of_several_samples_files_is_said_once(tmp_path):
    path = change("lm-eval", tmp_path, "1.0.0")
    results = next(tmp_path.glob("results_*.json"))
    content = json.loads(results.read_text())
    content["results"]["more"] = content["results"]["sums"]
    results.write_text(json.dumps(content))
    path.with_name(path.name.replace("sums", "more")).write_text(path.read_text().replace('"h', '"g'))
    scores = read(tmp_path)
    assert scores.tasks == ("more", "sums")
    assert len(said(scores)) == 1


def test_event_files(tmp_path):
    path = FIXTURES["tfevents"].write(tmp_path)
    assert said(read(path, at="final")) == []
    start = record(bytes([1 << 3 | 1]) + struct.pack("<d", 1654943296.0) + message(3, b"brain.Event:7"))
    data = path.read_bytes()
    assert data.startswith(START)
    path.write_bytes(start + data[len(START) :])
    [remark] = said(read(path, at="final"))
    assert "an event file of TensorBoard of version 7, and up to 2 is known" in remark


def test_an_array_of_an_unknown_version_is_refused(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, np.ones((2, 2)))
    data = bytearray(path.read_bytes())
    assert data[6:8] == b"\x01\x00"
    data[6] = 9
    path.write_bytes(bytes(data))
    with pytest.raises(ReadError, match=r"its format is of version 9\.0, and up to 3\.0 is known"):
        read(path)


@pytest.mark.parametrize(("version", "codes"), [("0.4.9", []), ("0.9.1", ["unknown-version"])])
def test_bare_averages_beside_their_samples_are_read_and_not_skipped(tmp_path, version, codes):
    FIXTURES["lm-eval"].write(tmp_path)
    results = next(tmp_path.glob("results_*.json"))
    held = json.loads(results.read_text())
    values = {
        task: {key: value for key, value in row.items() if "stderr" not in key and key != "alias"}
        for task, row in held["results"].items()
    }
    bare = {"results": values, "lm_eval_version": version, "model_name": "of-the-results"}
    results.write_text(json.dumps(bare))
    scores = read(tmp_path)
    assert scores.models == ("of-the-results",)
    assert [one.code for one in scores.cuts().notes if one.code in {"skipped-file", "unknown-version"}] == codes
    with pytest.raises(
        ReadError, match=rf"averages of \d tasks? \(lm-eval {version}\), no per-item scores; the samples"
    ):
        read(results)
