"""The tables that the benchmark writes are read to the means that DuckDB finds; no time is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.parametrize("text", [0, 300])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_means_agree(monkeypatch, suffix, text):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import tables
    from processes import Program

    once = tables.Program
    monkeypatch.setattr(tables, "Program", lambda label, command, **_: once(label, command, repeat=1))
    assert once is Program
    monkeypatch.setattr(tables, "WARM_BYTES", 20_000)
    reading, finding, whole = tables.large(suffix, text, 0.0, size=50_000)
    for line in (reading, finding, whole):
        assert min(line.ours, line.theirs) > 0
        assert line.remark.count("MB/s") == 2


def test_tiny_files(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import tables

    once = tables.Program
    monkeypatch.setattr(tables, "Program", lambda label, command, **_: once(label, command, repeat=1))
    (line,) = tables.tiny(20)
    assert line.remark.endswith("ms a file")
