"""The logs that the benchmark writes hold what their own headers say, and are read without a remark on them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from scorebars.readers.read import read

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_written_logs_agree_with_their_headers(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import inspect_logs

    size = inspect_logs.write(tmp_path, logs=2, samples=20, size=6_000)
    stored = 0
    for path in sorted(tmp_path.iterdir()):
        with zipfile.ZipFile(path) as archive:
            stored += sum(info.file_size for info in archive.infolist())
            header = json.loads(archive.read("header.json"))
        scores = read(path)
        rows = scores.tidy()["score"]
        assert len(rows) == 20
        assert rows.mean() == pytest.approx(header["results"]["scores"][0]["metrics"]["accuracy"]["value"])
        assert {note.code for note in scores.cuts().notes} == {"converted"}
    assert size == stored
